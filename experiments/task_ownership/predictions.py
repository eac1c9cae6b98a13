"""What a reader may be asked before a run: who owns the job."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import Log, Prediction, Setting


def owner(log: Log, setting: Setting, readings: Mapping[str, Any]) -> str:
    """The owner at the end; where no row names one, the worker that runs the job."""
    return readings["owner"] or "nobody"


PREDICTIONS = (Prediction("owner", "choice", owner, ("W1", "W2", "W3", "nobody")),)
