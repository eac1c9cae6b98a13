"""What a terminal is told of an examination: how far it is, and what came of each check."""

import json
from collections.abc import Mapping
from typing import Any

from .explore_words import outcome_words


def examination_words(state: Mapping[str, Any]) -> str:
    """One line: runs so far, and the check under way."""
    under_way = next((check["label"] for check in state["checks"] if check["status"] == "running"), "done")
    return f"{state['runs']:,} runs: {under_way}"


def print_examination(result: Mapping[str, Any], as_json: bool) -> None:
    """Print the answer: one JSON object, or lines to read."""
    if as_json:
        print(json.dumps(result))
        return
    print(f"{result['experiment']}: {result['title']}")
    print("solved: every check was passed" if result["solved"] else "not solved")
    print()
    for check in result["checks"]:
        print(f"  {check['status']}  {check['label']}: {outcome_words(check)}")
        if check["why"]:
            print(f"          {check['why']}")
        for claim in check["violated"]:
            seen = "" if claim["observed"] is None else f" ({claim['observed']})"
            print(f"          violated  {claim['id']}: {claim['text']}{seen}")
        if check["status"] != "passed" and check["schedule"]:
            print(f"          schedule  {check['schedule']}")
    if result["token"]:
        print()
        print(f"  token   {result['token']}")
