"""The page of safeguards, written from the experiments' declarations: what falls without each, or why nothing does.

Decides the page only. That a claim falls, or that none does, is searched for by `tests/experiments/test_safeguards.py`.
"""

from experiments import EXPERIMENTS
from py_runtime.lab import Experiment
from tools.reference_html import page, prose, table


def safeguards() -> str:
    """A table for every variant that has safeguards."""
    parts = [
        "Every row is a part of a repaired program that can be switched off alone, in the tab *Program* of its "
        "experiment. The lab then searched for the simplest schedule without it, within the bounds of that experiment, "
        "or in a case made for the safeguard. Where no claim fell, the last column says why; it is a reason within "
        "these bounds and no promise about others.",
    ]
    for experiment in EXPERIMENTS.values():
        texts = experiment.texts()
        for variant in experiment.variants:
            rows = _rows(experiment, variant.id, texts)
            if rows:
                heading = f"{texts['title']}: {texts['variants'][variant.id]['label']}"
                heads = ("Safeguard", "What it protects", "Alone out", "Why")
                parts += [f"## {heading}", table(heading, heads, rows)]
    return page("Safeguards", "What falls when one safeguard of a repaired program is taken out, and why.", *parts)


def _rows(experiment: Experiment, variant: str, texts: dict) -> list[tuple[str, ...]]:
    rows = []
    for each in experiment.safeguards:
        if each.variant != variant:
            continue
        words = texts["safeguards"][each.id]
        falls = "<br>".join(f"Falls: {prose(texts['claims'][claim])}" for claim in each.falls)
        rows.append((prose(words["label"]), prose(words["protects"]), falls or "Stays safe", prose(words["without"])))
    return rows
