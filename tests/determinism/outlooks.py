"""What is drawn of a failing run: the same in every Python, since it comes from the lab's own chance."""

from typing import Any

from experiments import EXPERIMENTS
from py_runtime.lab.explore import Search
from py_runtime.lab.outlook import Outlook, OutlookOptions

BROKEN = (("slot-recycling", "lease"), ("single-flight-takeover", "no-reread"))


def outlooks() -> list[dict[str, Any]]:
    """The outlook of what a search finds, for variants whose counterexample has a fault."""
    results = []
    for slug, variant in BROKEN:
        search = Search(EXPERIMENTS[slug], variant)
        while not search.done:
            search.advance()
        schedule = search.result()["counterexample"]["schedule"]
        outlook = Outlook(EXPERIMENTS, schedule, options=OutlookOptions(runs=10))
        while not outlook.done:
            outlook.advance()
        results.append(outlook.result())
    return results
