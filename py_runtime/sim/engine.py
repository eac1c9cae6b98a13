"""The engine: takes steps, and moves virtual time when no step can be taken.

Decides the order of steps (through a scheduler) and the passing of time; knows lanes and timers, but neither asyncio
nor messages nor traces. Three rules make every run repeatable:

  - timers are ordered by (deadline, sequence number); nothing compares objects and nothing is ordered by a hash;
  - time moves only when no lane may run, straight to the earliest deadline, and all timers of that instant fire;
  - at a choice point the lanes are offered in the order in which first-in-first-out would take them.
"""

from bisect import insort
from heapq import heapify, heappop, heappush
from operator import attrgetter
from typing import Any

from .bounds import DEFAULT_BOUNDS, Bounds
from .errors import SimulationError
from .lanes import Deferred, Lane, Timer
from .schedulers import FifoScheduler, Guide, Scheduler
from .strikes import Strikes

# Why a run ended.
UNTIL = "until"  # it reached the instant that was asked for
QUIET = "quiet"  # nothing can ever happen again
STEPS = "steps"  # Bounds.steps_max
PRUNED = "pruned"  # its guide gave it up: an equivalent run is known
LIVELOCK = "livelock"  # Bounds.instant_steps_max: steps go on and time does not
FULL = "full"  # Bounds.events_max or Bounds.characters_max

_AGE = attrgetter("age")
_FIFO = FifoScheduler()
_CANCELLED_TIMERS_MIN = 64  # below this many a sweep of the timer heap costs more than it saves


class Engine:
    """Lanes, timers and the run loop.

    now_us: the world's instant. local_us: the instant of the running step, ahead of now_us once it has spent time.
    running: the lane whose step runs, and which pays for what it spends; None between steps.
    choice_points / deviations: the choices made so far.
    guide: takes the place of the scheduler where one must see the lanes. strikes: the faults of this run, if any.
    reads / writes: what the running step has shared with others, by name; None where nobody asks (see races.py).
    stopped: lanes that the running step has kept from theirs; None where nobody asks.
    silent: actor → instant, where its last step then shared nothing; empty where nobody asks. precise: services that
    say themselves what a step of theirs touches, a timer's too; each step of another is taken to touch all that it has.
    """

    def __init__(self, scheduler: Scheduler | None = None, bounds: Bounds | None = None) -> None:
        self.scheduler = scheduler or _FIFO
        self.bounds = bounds or DEFAULT_BOUNDS
        self.guide: Guide | None = None
        self.strikes: Strikes | None = None
        self.reads: list[Any] | None = None
        self.writes: list[Any] | None = None
        self.stopped: list[str] | None = None
        self.silent: dict[str, int] = {}
        self.precise: dict[str, None] = {}
        self.now_us = 0
        self.local_us = 0
        self.running: Lane | None = None
        self.steps = 0
        self.choice_points = 0
        self.deviations: dict[int, int] = {}
        self.stop_reason: str | None = None  # set from inside a step to end the run after it
        self._sequence = 0
        self._enabled: list[Lane] = []  # by age, so that a choice costs no search
        self._timers: list[tuple[int, int, Timer]] = []
        self._cancelled_timers = 0

    # Lanes

    def offered(self, index: int) -> Lane:
        """The lane at that place among those that may run, by the age of their first item."""
        return self._enabled[index]

    def post(self, lane: Lane, item: Any) -> None:
        """Put `item` (with a `sequence` to be filled in, and `run()`) at the end of `lane`."""
        self._sequence = item.sequence = self._sequence + 1
        lane.items.append(item)
        if not lane.enabled and lane.blocked_until_us is None and not lane.dead:  # so it had nothing to do
            lane.enabled = True
            lane.age = item.sequence
            self._enabled.append(lane)
        if self.writes is not None and lane is not self.running:
            self.writes.append(lane.name)

    def enable(self, lane: Lane) -> None:
        """Offer the lane to the scheduler if it has something to do and may do it."""
        if not lane.enabled and lane.items and lane.blocked_until_us is None and not lane.dead:
            lane.enabled = True
            self._enter(lane)

    def _enter(self, lane: Lane) -> None:
        """Take the lane into the list of enabled ones, at the place of its first item."""
        age = lane.age = lane.items[0].sequence
        enabled = self._enabled
        if enabled and enabled[-1].age > age:
            insort(enabled, lane, key=_AGE)
        else:
            enabled.append(lane)

    def disable(self, lane: Lane) -> None:
        """Take the lane out of what the scheduler is offered."""
        lane.enabled = False
        self._enabled.remove(lane)

    def withhold(self, lane: Lane) -> None:
        """Keep a lane from the step that it could take now: it is blocked or dead."""
        self.disable(lane)
        if self.stopped is not None:
            self.stopped.append(lane.name)

    # Time

    def schedule(self, at_us: int, timer: Timer) -> None:
        """Call `timer.fire()` at `at_us`, or at this instant if that has passed."""
        self._sequence += 1
        heappush(self._timers, (max(at_us, self.now_us), self._sequence, timer))

    def timer_cancelled(self) -> None:
        """Count a timer that will do nothing; when most of the heap is such, sweep it, so that memory stays bounded.

        The count also holds cancelled timers that have left the heap by themselves, so it never falls short: a sweep
        may come early, but at least half a heap of cancellations pays for each.
        """
        self._cancelled_timers += 1
        if self._cancelled_timers > _CANCELLED_TIMERS_MIN and self._cancelled_timers * 2 > len(self._timers):
            self._timers = [entry for entry in self._timers if not entry[2].cancelled_timer]
            heapify(self._timers)
            self._cancelled_timers = 0

    def defer(self, function: Any, *arguments: Any) -> None:
        """Call `function` at the running step's own instant: now, or later if the step has spent time.

        A step that has crashed its own actor goes on to its next await, but does nothing more to the world.
        """
        lane = self.running
        if lane is None:
            function(*arguments)
        elif lane.dead:
            return
        elif self.local_us == self.now_us:
            function(*arguments)
        else:
            if len(lane.deferred) >= self.bounds.events_max:
                raise SimulationError(
                    f"one step of {lane} spent time and did more than {self.bounds.events_max} things without an await"
                )
            deferred = Deferred(lane, self.local_us, function, arguments)
            lane.deferred.append(deferred)
            self.schedule(self.local_us, deferred)

    # Running

    def advance(self, until_us: int) -> str:
        """Take steps until the instant `until_us` is over, nothing is left, or a bound is reached; says which."""
        enabled = self._enabled
        strikes = self.strikes
        steps_max = self.bounds.steps_max
        limit = min(self.steps + self.bounds.instant_steps_max, steps_max)
        try:
            while True:
                while enabled:
                    guide = self.guide  # may come in the middle of a run, where it ceases to repeat an earlier one
                    if guide is None:
                        lane = enabled[0 if len(enabled) == 1 else self._choose(len(enabled))]
                    else:
                        choice = guide.choose(enabled)
                        if choice is None:
                            return PRUNED
                        lane = enabled[choice]
                        if len(enabled) > 1:
                            self._note(choice)
                    self.steps += 1
                    if strikes is not None:
                        self.running = None
                        if strikes.at_step(lane):
                            continue
                    self.running = lane
                    items = lane.items
                    items.popleft().run()
                    if self.local_us != self.now_us:
                        self._charge()
                    if lane.enabled:
                        if not items:
                            lane.enabled = False
                            enabled.remove(lane)
                        elif enabled[-1] is lane:
                            lane.age = items[0].sequence
                        else:
                            enabled.remove(lane)
                            self._enter(lane)
                    if self.steps >= limit:
                        return STEPS if self.steps >= steps_max else LIVELOCK
                    if self.stop_reason is not None:
                        return self.stop_reason
                if self.guide is not None:
                    self.guide.time_moves()
                self.running = None
                timers = self._timers
                while timers and timers[0][2].cancelled_timer:
                    heappop(timers)
                if not timers:
                    return QUIET
                at_us = timers[0][0]
                if at_us > until_us:
                    self.now_us = self.local_us = until_us
                    return UNTIL
                if at_us > self.now_us:
                    limit = min(self.steps + self.bounds.instant_steps_max, steps_max)
                self.now_us = self.local_us = at_us
                # A sweep inside fire() replaces the heap, so it is looked up anew each time.
                while self._timers and self._timers[0][0] == at_us:
                    heappop(self._timers)[2].fire()
                    if self.steps >= limit:
                        return STEPS if self.steps >= steps_max else LIVELOCK
                if self.stop_reason is not None:
                    return self.stop_reason
        finally:
            # A step that raised out of the run (Ctrl-C, a mistake in a scenario) leaves things in order too.
            if self.local_us != self.now_us:
                self._charge()
            self.running = None
            lanes = enabled.copy()
            enabled.clear()
            for lane in lanes:
                lane.enabled = False
                self.enable(lane)

    def _choose(self, bound: int) -> int:
        """Ask the scheduler, which is offered the lanes by the age of their first item."""
        choice = self.scheduler.choose(bound)
        if not 0 <= choice < bound:
            raise SimulationError(f"the scheduler chose {choice!r} of {bound} lanes")
        self._note(choice)
        return choice

    def _note(self, choice: int) -> None:
        if choice:
            self.deviations[self.choice_points] = choice
        self.choice_points += 1

    def _charge(self) -> None:
        """The step has spent time: its lane is busy until the step's own instant, the world goes on from now_us."""
        until_us = self.local_us
        self.local_us = self.now_us
        lane = self.running
        if lane is not None and not lane.dead:
            lane.block_until(until_us)
