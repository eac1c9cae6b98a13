"""Who goes next: a scheduler answers one question and knows nothing else.

At a choice point several lanes could take a step. The engine hands the scheduler how many there are, in the order in
which plain first-in-first-out would take them, and gets back an index. A scheduler cannot see the lanes, so all it can
do is choose; replay is just another scheduler.
"""

from collections.abc import Mapping
from typing import Protocol

from .chance import Stream
from .errors import DivergenceError


class Scheduler(Protocol):
    """`choose(bound)` is called at each choice point, with `bound` ≥ 2, and returns 0 … bound - 1.

    0 is first-in-first-out.
    """

    def choose(self, bound: int) -> int: ...


class FifoScheduler:
    """Always the lane that has waited longest: what one asyncio loop would do."""

    def choose(self, bound: int) -> int:
        return 0


class SeededScheduler:
    """Every order of simultaneous steps is possible; the stream's seed says which."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream

    def choose(self, bound: int) -> int:
        return self._stream.below(bound)


class ScriptedScheduler:
    """Replays recorded choices: `deviations` maps the number of a choice point (from 0) to the index taken there.

    Points that are not listed are first-in-first-out. Raises `DivergenceError` where a listed index does not exist.
    """

    def __init__(self, deviations: Mapping[int, int]) -> None:
        self._deviations = dict(deviations)
        self._point = -1

    def choose(self, bound: int) -> int:
        self._point += 1
        choice = self._deviations.pop(self._point, 0)
        if choice >= bound:
            raise DivergenceError(
                f"the schedule takes option {choice} at choice point {self._point}, where this run has only {bound}; "
                "it was recorded with another program or other parameters"
            )
        return choice

    @property
    def unused(self) -> int:
        """How many recorded choices the run has not reached; more than 0 after a full run means that it diverged."""
        return len(self._deviations)
