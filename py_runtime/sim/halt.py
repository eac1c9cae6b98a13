"""Halting a run before a step, to see who could go next there.

A run cannot be kept, but repeating one costs little: `HaltGuide` takes the recorded choices up to a step and ends the
run there. Decides where a run halts; what its lanes would do is preview.py's, and what may be chosen the caller's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .engine import PRUNED
from .lanes import Lane
from .preview import Next, next_of
from .schedulers import ScriptedScheduler
from .world import World

HALTED = PRUNED  # how a run ends whose guide chose nobody

# Which step a run halts before.
STEP = "step"  # the one that was asked for
CHOICE = "choice"  # the first from there on at which more than one lane could go
END = "end"  # none: it goes on to its end

UNTIL = (STEP, CHOICE, END)


@dataclass(frozen=True)
class Halt:
    """Where a run stands: before its step number `step` (from 0), at an instant, with so many events in its trace.

    enabled: what each lane that could go next would do, in the order of first-in-first-out.
    """

    step: int
    at_us: int
    events: int
    enabled: tuple[Next, ...]


class HaltGuide:
    """Leads a run by `deviations` (choice point → index, as a schedule lists them), and halts it before step `steps`.

    Steps are counted as `RunEnd.steps` counts them; a scenario's own timers are among them but are no place to halt, so
    that the run halts before the first step of a lane from there on. until: STEP, CHOICE or END. halt: where it stands;
    None once the run came to its end. points: (step, events in the trace) before every step that came after a new
    event. Raises `DivergenceError` where a recorded choice does not exist.
    """

    def __init__(self, world: World, deviations: Mapping[int, int], steps: int, until: str = STEP) -> None:
        self._world = world
        self._scheduler = ScriptedScheduler(deviations)
        self._steps = steps
        self._until = until
        self.halt: Halt | None = None
        self.points: list[tuple[int, int]] = []
        world.loop.guide = self

    @property
    def unused(self) -> int:
        """How many recorded choices the run has not come to."""
        return self._scheduler.unused

    def choose(self, enabled: Sequence[Lane]) -> int | None:
        """The recorded choice, or None where the run is to halt."""
        world, loop = self._world, self._world.loop
        events = len(world.events)
        if not self.points or self.points[-1][1] != events:
            self.points.append((loop.steps, events))
        if loop.steps >= self._steps and self._until != END and (self._until == STEP or len(enabled) > 1):
            coming = tuple(next_of(lane, world.program_files) for lane in enabled)
            self.halt = Halt(loop.steps, loop.now_us, events, coming)
            return None
        return self._scheduler.choose(len(enabled)) if len(enabled) > 1 else 0

    def time_moves(self) -> None:
        """Time passes as it would have."""
