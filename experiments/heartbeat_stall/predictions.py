"""What a reader may be asked before a run: when the heartbeat stops."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import Log, Prediction, Setting

from .readings import overdue


def first_missing(log: Log, setting: Setting, readings: Mapping[str, Any]) -> int | None:
    """The instant at which the first late beat was due, or at which one was that never came."""
    for beat in log.marks("beat"):
        if beat.fields["late_us"]:
            return beat.at_us - beat.fields["late_us"]
    overdue_us = overdue(log, setting)
    return log.until_us - overdue_us if overdue_us else None


PREDICTIONS = (Prediction("first-missing", "moment", first_missing),)
