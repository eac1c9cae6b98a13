"""Who goes next: a scheduler answers one question and knows nothing else.

At a choice point several lanes could take a step. The engine hands the scheduler how many there are, in the order in
which plain first-in-first-out would take them, and gets back an index. A scheduler cannot see the lanes, so all it can
do is choose; replay is just another scheduler. A guide sees them, and is asked before every step: what ranks lanes, or
compares what their steps do, needs that.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from .chance import Stream
from .errors import DivergenceError
from .lanes import Lane


class Scheduler(Protocol):
    """`choose(bound)` is called at each choice point, with `bound` ≥ 2, and returns 0 … bound - 1.

    0 is first-in-first-out.
    """

    def choose(self, bound: int) -> int: ...


class Guide(Protocol):
    """`choose(enabled)` is called before each step and returns an index, or None to give the run up.

    That is from where it becomes the engine's guide on, perhaps in the middle of a run. `enabled` is in the order of
    first-in-first-out. `time_moves()` is called when no lane may run: what follows comes after all that went before,
    whatever the order in between.
    """

    def choose(self, enabled: Sequence[Lane]) -> int | None: ...

    def time_moves(self) -> None: ...


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


class PriorityGuide:
    """PCT (Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", 2010).

    Each lane has a priority drawn when it first shows; the highest runs. At depth - 1 steps, drawn from the first
    `steps`, the lane that would run falls below all others. A bug that needs `depth` ordered steps among n lanes and k
    steps is met with a probability of at least 1 / (n · k ** (depth - 1)).
    """

    def __init__(self, stream: Stream, steps: int, depth: int) -> None:
        self._stream = stream
        self._priorities: dict[str, int] = {}
        self._changes = {stream.below(max(steps, 1)): rank for rank in range(depth - 1)}
        self._step = -1

    def choose(self, enabled: Sequence[Lane]) -> int:
        self._step += 1
        best = self._best(enabled)
        rank = self._changes.get(self._step)
        if rank is not None:
            self._priorities[enabled[best].name] = -1 - rank
            best = self._best(enabled)
        return best

    def _best(self, enabled: Sequence[Lane]) -> int:
        best, highest = 0, None
        for index, lane in enumerate(enabled):
            priority = self._priorities.get(lane.name)
            if priority is None:
                priority = self._priorities[lane.name] = self._stream.below(1 << 32)
            if highest is None or priority > highest:
                best, highest = index, priority
        return best

    def time_moves(self) -> None:
        pass
