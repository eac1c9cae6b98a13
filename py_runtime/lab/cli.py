"""The command line: list, run, explore, replay, outlook, check, verify. Handed the table of experiments; decides words
and exit status only.

Exit status 0: the command did what it says, whatever the outcome: a counterexample is an answer, and so is a search
that came to its bounds. 1: a repair did not pass the checks of its challenge. 2: the input was refused, with one
sentence on the error stream that names what is wrong and what is allowed. How far many runs are is told on the error
stream too, where that is a terminal.
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from .catalogue import catalogue
from .completion import read_completion
from .declare import Experiment
from .errors import InputError, ProgramError, one_of
from .examine import Examination
from .examine_words import examination_words, print_examination
from .explore import EXHAUSTIVE, RANDOM, SLICE_RUNS, Search, read_options
from .explore_words import print_result, progress_words
from .outlook import MOMENTS_MAX, RUNS, STEPS_FACTOR, Outlook, read_outlook_options
from .outlook_words import outlook_words, print_outlook
from .report import Report
from .run import find_experiment, replay, run_once
from .work import Work

_WIDTH = 24  # column of the values in the printed report


class _Parser(argparse.ArgumentParser):
    """argparse without the usage lines before an error: one sentence is enough."""

    def error(self, message: str) -> NoReturn:
        raise InputError(message)


def main(experiments: Mapping[str, Experiment], arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a character is no reason to stop
    try:
        options = _parser().parse_args(arguments)
        status = options.command(experiments, options)
        sys.stdout.flush()
        return status
    except (InputError, ProgramError) as error:
        print(f"experiments: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of a pipe went away; nothing is wrong. What is still buffered must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="python -m experiments", description="Run the lab's experiments without a browser.")
    exact = {"allow_abbrev": False}
    commands = parser.add_subparsers(
        required=True, metavar="list | run | explore | replay | outlook | check | verify", parser_class=_Parser
    )

    listing = commands.add_parser("list", help="all experiments, their variants and parameters", **exact)
    listing.add_argument("--json", action="store_true", help="print one JSON object")
    listing.set_defaults(command=_list)

    running = commands.add_parser("run", help="run one variant once", **exact)
    running.add_argument("slug", help="the experiment's name, as `list` prints it")
    running.add_argument("--variant", help="default: the experiment's first")
    running.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter; repeatable")
    running.add_argument("--seed", default="0", help="0: simultaneous steps go first in, first out; else by lot")
    running.add_argument("--json", action="store_true", help="print one JSON object")
    running.set_defaults(command=_run)

    exploring = commands.add_parser("explore", help="search for a schedule that breaks one variant", **exact)
    exploring.add_argument("slug", help="the experiment's name, as `list` prints it")
    exploring.add_argument("--variant", required=True, help="one of the experiment's, as `list` prints them")
    exploring.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter; else that of the small case"
    )
    exploring.add_argument("--runs-max", help="how many runs at most")
    exploring.add_argument("--faults-max", help="how many faults in one run; default: the experiment's")
    exploring.add_argument("--deviations-max", help="choices of a run off first in, first out; default: no limit")
    exploring.add_argument("--steps-max", help="steps of one run at most")
    exploring.add_argument("--mode", help=f"{EXHAUSTIVE} (default) or {RANDOM}: by lot, with drawn priorities")
    exploring.add_argument("--seed", help="of mode random")
    exploring.add_argument("--no-pruning", action="store_true", help="run equivalent orders too")
    exploring.add_argument("--json", action="store_true", help="print one JSON object")
    exploring.set_defaults(command=_explore)

    replaying = commands.add_parser("replay", help="run again what a printed schedule names", **exact)
    replaying.add_argument("schedule", help="the schedule, as `run` prints it")
    replaying.add_argument("--json", action="store_true", help="print one JSON object")
    replaying.set_defaults(command=_replay)

    looking = commands.add_parser("outlook", help="from where on a failing run could not be saved", **exact)
    looking.add_argument(
        "schedule", help="the schedule of a run that violates a claim, as `run` and `explore` print it"
    )
    looking.add_argument("--runs", help=f"continuations drawn from each moment; default: {RUNS}")
    looking.add_argument("--moments-max", help=f"how many moments get continuations; default: {MOMENTS_MAX}")
    looking.add_argument("--steps-max", help=f"steps of one continuation; default: {STEPS_FACTOR} times the run's")
    looking.add_argument("--seed", help="of all that is drawn")
    looking.add_argument("--json", action="store_true", help="print one JSON object")
    looking.set_defaults(command=_outlook)

    checking = commands.add_parser("check", help="put a repair of a challenge's program to its checks", **exact)
    checking.add_argument("slug", help="the challenge's name, as `list` prints it")
    checking.add_argument("program", help="a file with the repaired program")
    checking.add_argument("--json", action="store_true", help="print one JSON object")
    checking.set_defaults(command=_check)

    verifying = commands.add_parser("verify", help="check the repair that a completion token holds", **exact)
    verifying.add_argument("token", help="the token, as the page or `check` gives it")
    verifying.add_argument("--json", action="store_true", help="print one JSON object")
    verifying.set_defaults(command=_verify)
    return parser


def _list(experiments: Mapping[str, Experiment], options: argparse.Namespace) -> int:
    described = catalogue(experiments)
    if options.json:
        print(json.dumps(described))
        return 0
    for each in described["experiments"]:
        print(f"{each['slug']}: {each['question']}")
        for variant in each["variants"]:
            print(f"  {variant['id']:<{_WIDTH}}expected to {variant['expected'].removesuffix('s')}")
        for parameter in each["parameters"]:
            print(f"    {parameter['name']:<{_WIDTH - 2}}{_show(parameter['default'])} {_range(parameter)}".rstrip())
        print()
    return 0


def _range(parameter: Mapping[str, Any]) -> str:
    if parameter["choices"]:
        return "(" + " | ".join(parameter["choices"]) + ")"
    return f"{parameter['unit']} ({parameter['minimum']} to {parameter['maximum']})"


def _run(experiments: Mapping[str, Experiment], options: argparse.Namespace) -> int:
    experiment = find_experiment(experiments, options.slug)
    variant = experiment.variants[0].id if options.variant is None else options.variant
    return _print(experiment, run_once(experiment, variant, _assigned(options), seed=options.seed), options.json)


def _assigned(options: argparse.Namespace) -> dict[str, str]:
    given: dict[str, str] = {}
    for assignment in options.set:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise InputError(f"--set takes NAME=VALUE, got {assignment[:60]!r}")
        name = name.strip()
        if name in given:
            raise InputError(f"--set names {name[:60]} twice")
        given[name] = value
    return given


def _explore(experiments: Mapping[str, Experiment], options: argparse.Namespace) -> int:
    experiment = find_experiment(experiments, options.slug)
    names = ("runs_max", "faults_max", "deviations_max", "steps_max", "mode", "seed")
    chosen = read_options({**_given(options, names), "pruning": not options.no_pruning})
    search = Search(experiment, options.variant, _assigned(options), chosen)
    _finish(search, progress_words)
    print_result(experiment, search.result(), options.json)
    return 0


def _given(options: argparse.Namespace, names: Sequence[str]) -> dict[str, str]:
    """Those of the options that the command line has."""
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def _finish(work: Work, words: Callable[[Mapping[str, Any]], str]) -> None:
    """Make all runs of some work, telling a terminal how far it is."""
    told = sys.stderr.isatty()
    while not work.done:
        work.advance(SLICE_RUNS)
        if told:
            print(f"\r{words(work.state())}\x1b[K", end="", file=sys.stderr, flush=True)
    if told:
        print(file=sys.stderr)


def _check(experiments: Mapping[str, Experiment], options: argparse.Namespace) -> int:
    experiment = find_experiment(experiments, options.slug)
    if experiment.challenge is None:
        challenges = [slug for slug, each in experiments.items() if each.challenge]
        raise one_of("challenge", experiment.slug, challenges)
    try:
        text = Path(options.program).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the program {options.program} cannot be read: {error}") from error
    return _examine(Examination(experiment, {experiment.challenge.file: text}), options.json)


def _verify(experiments: Mapping[str, Experiment], options: argparse.Namespace) -> int:
    return _examine(Examination(*read_completion(options.token, experiments)), options.json)


def _examine(examination: Examination, as_json: bool) -> int:
    _finish(examination, examination_words)
    result = examination.result()
    print_examination(result, as_json)
    return 0 if result["solved"] else 1


def _outlook(experiments: Mapping[str, Experiment], options: argparse.Namespace) -> int:
    names = ("runs", "moments_max", "steps_max", "seed")
    outlook = Outlook(experiments, options.schedule, options=read_outlook_options(_given(options, names)))
    _finish(outlook, outlook_words)
    print_outlook(experiments, outlook.result(), options.json)
    return 0


def _replay(experiments: Mapping[str, Experiment], options: argparse.Namespace) -> int:
    report = replay(experiments, options.schedule)
    return _print(experiments[report.experiment], report, options.json)


def _print(experiment: Experiment, report: Report, as_json: bool) -> int:
    if as_json:
        print(json.dumps(report.summary()))
        return 0
    texts = experiment.texts()
    units = {reading.name: reading.unit for reading in experiment.readings}
    print(f"{report.experiment} / {report.variant}: {texts['variants'][report.variant]['label']}")
    print(f"{report.outcome}. {report.ended}")
    print()
    for name, value in report.readings.items():
        print(f"  {name:<{_WIDTH}}{_show(value)} {_unit(value, units.get(name, ''))}".rstrip())
    print()
    for claim in report.claims:
        word = {True: "holds", False: "does not hold", None: "says nothing here"}[claim.holds]
        print(f"  {claim.id}: {word}. {claim.text}")
        print(f"      seen: {claim.observed}")
    for line in report.output:
        print(f"  printed: {line}")
    print()
    print(f"  digest    {report.digest}")
    print(f"  schedule  {report.schedule}")
    return 0


def _unit(value: Any, unit: str) -> str:
    """The unit behind a number; none behind a list, a name or a dash."""
    if not isinstance(value, (int, float)):
        return ""
    return unit.removesuffix("s") if value == 1 and unit not in ("ms", "µs") else unit


def _show(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_show(each)}" for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join("/".join(map(str, each)) if isinstance(each, list) else str(each) for each in value) or "none"
    return f"{value:,}" if isinstance(value, (int, float)) else str(value)
