"""What a terminal is told of an outlook: how far it is, and what was drawn."""

import json
from collections.abc import Mapping
from typing import Any

from py_runtime.sim import US_PER_MS

from .declare import Experiment


def outlook_words(state: Mapping[str, Any]) -> str:
    """One line: runs so far, and how many of the run's moments have been looked at."""
    return f"{state['runs']:,} runs, from {len(state['points']):,} of {state['moments']:,} moments"


def print_outlook(experiments: Mapping[str, Experiment], result: Mapping[str, Any], as_json: bool) -> None:
    """Print the answer: one JSON object, or lines to read."""
    if as_json:
        print(json.dumps(result))
        return
    texts = experiments[result["experiment"]].texts()
    print(f"{result['experiment']} / {result['variant']}: {texts['variants'][result['variant']]['label']}")
    print(no_return_words(result))
    print()
    for claim in result["violated"]:
        print(f"  violated    {claim}: {texts['claims'].get(claim, 'claimed of every experiment')}")
    print(f"  bounds      {', '.join(f'{name} {value:,}' for name, value in result['bounds'].items())}")
    print(f"  made        {outlook_words(result)}")
    print()
    print(f"  {'after event':<14}{'at':>14}  {'fail':>12}")
    for point in result["points"]:
        where = "the start" if point["position"] < 0 else f"{point['position'] + 1:,}"
        drawn = f"{point['fails']:,} of {point['runs']:,}" if point["open"] else "the run"
        cut = f"  ({point['cut']:,} more met a limit)" if point["cut"] else ""
        print(f"  {where:<14}{point['at_us'] / US_PER_MS:>11,.10g} ms  {drawn:>12}{cut}")


def no_return_words(result: Mapping[str, Any]) -> str:
    """From where on the run could not be saved, as far as that was drawn."""
    found, runs = result["no_return"], result["bounds"]["runs"]
    if found is None:
        return "No point of no return was seen: what was drawn late in the run did not all fail."
    by_itself = "Program and scenario bring it about by themselves."
    if found["before"] is None:
        if not found["open"]:
            return f"Lost from the start: nothing in this run is left to chance. {by_itself}"
        return f"Lost from the start: all {runs:,} continuations drawn failed, from every moment. {by_itself}"
    after = f"event {found['position'] + 1:,} on"
    words = f"From {after} nothing is left to chance"
    if found["open"]:
        words = f"All {runs:,} continuations drawn from {after} failed, at every moment drawn"
    if found["before"] < found["position"] - 1:
        return f"{words}; not all of those from event {found['before'] + 1:,}, and none were drawn in between."
    return f"{words}; of those drawn from the event before, not all failed."
