"""A function of any program, edited so that its callers no longer fit, is named with its line, whoever calls it."""

import re

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import ProgramError, run_once

DEFINITION = re.compile(r"^ *(?:async )?def (\w+)\((?:[^()]|\([^()]*\))*(?=\)(?: ->.*)?:$)", re.MULTILINE)
FILES = [
    pytest.param(experiment, variant.id, file, id=f"{experiment.slug}/{variant.id}/{file}")
    for experiment in EXPERIMENTS.values()
    for variant in experiment.variants
    for file in variant.programs
]


def with_one_parameter_more(text: str) -> list[tuple[str, int, str]]:
    """Each function's name and line, and the text in which that function wants one argument more."""
    found = []
    for each in DEFINITION.finditer(text):
        head = each[0]
        more = "more" if head.endswith("(") else ", more" if "*, " in head else ", *, more"
        line = text.count("\n", 0, each.start()) + 1
        found.append((each[1], line, text[: each.end()] + more + text[each.end() :]))
    return found


def failure(experiment, variant: str, file: str, text: str) -> tuple[str, int] | None:
    """Where the run is said to have failed first, if it did."""
    try:
        report = run_once(experiment, variant, sources={file: text})
    except ProgramError as error:
        return error.file, error.line
    for event in report.trace:
        if event.kind == "task.failed":
            return event.fields.get("file"), event.fields.get("line")
    return None


@pytest.mark.parametrize(("experiment", "variant", "file"), FILES)
def test_a_function_that_its_callers_do_not_fit_is_named_with_a_line(experiment, variant, file):
    failures = 0
    for name, defined, text in with_one_parameter_more(experiment.resource(f"programs/{file}")):
        place = failure(experiment, variant, file, text)
        if place is None:
            continue  # nobody calls it in this run
        failures += 1
        if place != (file, defined):  # a program calls it itself
            where, line = place
            lines = (text if where == file else experiment.resource(f"programs/{where}")).split("\n")
            assert name in lines[line - 1] or name == "__init__", (name, place)
    assert failures > 0
