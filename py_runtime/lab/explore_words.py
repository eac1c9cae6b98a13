"""What a terminal is told of an exploration: how far it is, and what came of it."""

import json
from collections.abc import Mapping
from typing import Any

from .declare import Experiment
from .outcome import Outcome


def progress_words(state: Mapping[str, Any]) -> str:
    """One line: runs so far, the deepest level that is done, and the search for something simpler."""
    words = f"{state['runs']:,} runs"
    if state["level"] is not None:
        words += f", all with up to {state['level']} faults and deviations"
    if state["best"] is not None:
        words += f"; {', '.join(state['best']['violated'])} violated; {state['shrink_runs']:,} runs for a simpler one"
    return words


def print_result(experiment: Experiment, result: Mapping[str, Any], as_json: bool) -> None:
    """Print the answer: one JSON object, or lines to read."""
    if as_json:
        print(json.dumps(result))
        return
    texts = experiment.texts()
    bounds, found = result["bounds"], result["counterexample"]
    print(f"{result['experiment']} / {result['variant']}: {texts['variants'][result['variant']]['label']}")
    print(outcome_words(result))
    print()
    limits = {name: value for name, value in bounds.items() if value is not None}
    print(f"  bounds      {', '.join(f'{name} {_show(value)}' for name, value in limits.items())}")
    print(f"  parameters  {', '.join(f'{name} {_show(value)}' for name, value in result['parameters'].items())}")
    print(f"  saved       at least {result['saved']:,} runs, each equivalent to one that was made")
    if result["cut"]:
        print(f"  cut short   {result['cut']:,} runs met a limit of a single run and were not judged")
    if found is None:
        return
    print()
    for claim in found["violated"]:
        print(f"  violated    {claim}: {texts['claims'].get(claim, 'claimed of every experiment')}")
    simplest = "no simpler one exists" if result["minimal"] else "the simplest that was found"
    print(f"  steps       {found['steps']:,}; {simplest} ({result['shrink_runs']:,} runs for that)")
    print(f"  digest      {found['digest']}")
    print(f"  schedule    {found['schedule']}")


def outcome_words(result: Mapping[str, Any]) -> str:
    """The outcome as it may be said: never without the number of runs behind it."""
    runs = f"{result['runs']:,} run" + ("s" if result["runs"] != 1 else "")
    if result["outcome"] == Outcome.HOLDS:
        return f"{result['outcome']} (all {runs})"
    return f"{result['outcome']} ({runs})"


def _show(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return "/".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
