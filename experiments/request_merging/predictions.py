"""What a reader may be asked before a run: how many of the requests go to the upstream."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import Log, Prediction, Setting


def calls(log: Log, setting: Setting, readings: Mapping[str, Any]) -> str:
    """One call for one request is all of them."""
    made = readings["upstream_calls"]
    if made >= setting["requests"]:
        return "all"
    if made <= 1:
        return "one"
    return "few" if made * 10 < setting["requests"] else "many"


PREDICTIONS = (Prediction("calls", "choice", calls, ("one", "few", "many", "all")),)
