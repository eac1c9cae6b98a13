"""What a reader may be asked before a run: how often the upstream is called."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import Log, Prediction, Setting


def calls(log: Log, setting: Setting, readings: Mapping[str, Any]) -> str:
    return {0: "none", 1: "once", 2: "twice"}.get(readings["upstream_calls"], "more")


PREDICTIONS = (Prediction("calls", "choice", calls, ("none", "once", "twice", "more")),)
