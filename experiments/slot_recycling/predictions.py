"""What a reader may be asked before a run: when no slot is left."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import Log, Prediction, Setting

from .readings import Counted


def capacity_zero(log: Log, setting: Setting, readings: Mapping[str, Any]) -> int | None:
    """The first instant at which the store counts as many slots as the limit allows."""
    full = (at_us for _, at_us, count in Counted(log, setting).changes() if count >= setting["limit"])
    return next(full, None)


PREDICTIONS = (Prediction("capacity-zero", "moment", capacity_zero),)
