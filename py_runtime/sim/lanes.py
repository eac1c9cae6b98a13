"""Lanes: what the scheduler chooses between. Within a lane order is first-in-first-out, always.

Three kinds: an actor (its steps keep asyncio's own order), a channel (messages between two actors) and a thread of an
actor's pool. Decides when a lane may take a step: it has an item and is not blocked. Knows nothing of what items do.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from .clock import Clock

if TYPE_CHECKING:
    from .channel import Channel
    from .engine import Engine
    from .futures import SimTask

_TASKS_MIN = 64  # fewer finished tasks than this are not worth a sweep


class Timer:
    """What the engine's heap of timers holds: `fire()` is called at its instant, unless it was cancelled."""

    __slots__ = ()

    cancelled_timer = False

    def fire(self) -> None:
        raise NotImplementedError


class Lane:
    """A queue of items, each with `sequence` and `run()`.

    `enabled`: the engine's list of lanes that may run holds it, at the place of `age`, its first item's sequence.
    `blocked_until_us`: busy or paused until then; None when it is free. `paused_until_us`: the last pause ends or ended
    then. `deferred`: what a step has done "later" than the world's instant, because it spent time before. `owner`: the
    actor whose own state its steps change; None for a channel, whose steps only hand over.
    """

    __slots__ = (
        "age",
        "blocked_until_us",
        "dead",
        "deferred",
        "enabled",
        "engine",
        "items",
        "name",
        "owner",
        "paused_until_us",
    )

    def __init__(self, engine: Engine, name: str, owner: str | None = None) -> None:
        self.engine = engine
        self.name = name
        self.owner = owner
        self.items: deque[Any] = deque()
        self.enabled = False
        self.age = 0
        self.blocked_until_us: int | None = None
        self.paused_until_us = 0
        self.deferred: list[Deferred] = []
        self.dead = False

    def __str__(self) -> str:
        return self.name

    def block_until(self, at_us: int) -> None:
        """Take no step before `at_us`; a later call may only put it off further."""
        first = self.blocked_until_us is None
        self.blocked_until_us = at_us if first else max(self.blocked_until_us, at_us)
        if self.enabled:
            self.engine.withhold(self)
        if first:
            self.engine.schedule(at_us, _Unblock(self))

    def pause_until(self, at_us: int) -> None:
        """Stand still from now to `at_us`: whatever the lane was doing, and what it had still to let out, comes later.

        A pause inside another adds nothing, since the lane stands still already.
        """
        now_us = self.engine.now_us
        added_us = at_us - max(now_us, self.paused_until_us)
        if added_us <= 0:
            return
        self.paused_until_us = at_us
        self.block_until(max(self.blocked_until_us or now_us, now_us) + added_us)
        for deferred in self.deferred:
            deferred.at_us += added_us

    def kill(self) -> None:
        """Never run again; what it has not let out by now never happens."""
        self.dead = True
        self.deferred.clear()
        if self.enabled:
            self.engine.withhold(self)


class Deferred(Timer):
    """Something a lane does at `at_us`, later than the world's instant; a pause moves it, a crash removes it."""

    __slots__ = ("arguments", "at_us", "function", "lane")

    def __init__(self, lane: Lane, at_us: int, function: Any, arguments: tuple[Any, ...]) -> None:
        self.lane = lane
        self.at_us = at_us
        self.function = function
        self.arguments = arguments

    def fire(self) -> None:
        lane = self.lane
        if lane.dead:
            return
        if self.at_us > lane.engine.now_us:
            lane.engine.schedule(self.at_us, self)
            return
        lane.deferred.remove(self)
        self.function(*self.arguments)


class _Unblock(Timer):
    """The timer at which a lane becomes free, put off when the lane was blocked further meanwhile."""

    __slots__ = ("lane",)

    def __init__(self, lane: Lane) -> None:
        self.lane = lane

    def fire(self) -> None:
        lane = self.lane
        until_us = lane.blocked_until_us
        if until_us is not None and until_us > lane.engine.now_us:
            lane.engine.schedule(until_us, self)
            return
        lane.blocked_until_us = None
        lane.engine.enable(lane)


class Actor(Lane):
    """A named participant with its own event loop, as far as the reader can see: `worker-1`, `redis`.

    `pool` names a group of short-lived actors that a view may pack into few rows. `tasks` holds the actor's unfinished
    tasks, so that a crashed actor's coroutines are neither run nor collected (which would run their `finally`), and
    those that failed while nobody waited, so that this is reported at an instant that no garbage collector decides.
    """

    __slots__ = (
        "_clock",
        "_index",
        "_tasks_max",
        "channels",
        "crashed",
        "main_tasks",
        "pool",
        "started",
        "tasks",
        "threads",
    )

    def __init__(self, engine: Engine, name: str, index: int, pool: str | None) -> None:
        super().__init__(engine, name, name)
        self._index = index
        self._clock: Clock | None = None
        self.pool = pool
        self.tasks: list[SimTask] = []
        self._tasks_max = _TASKS_MIN
        self.main_tasks = 0
        self.started = False
        self.crashed = False
        self.channels: dict[str, Channel] = {}  # receiver → what it is sent by this actor on its way
        self.threads: Any = None  # the pool of `offload.py`, made at the first offloaded call

    @property
    def clock(self) -> Clock:
        """What the actor takes the time to be; made when it is first asked for."""
        if self._clock is None:
            # Origins lie 1,000 s apart: far more than a run lasts, and exact in a float to less than a microsecond.
            self._clock = Clock(self.engine, (self._index + 1) * 1_000_000_000)
        return self._clock

    @property
    def has_unfinished_tasks(self) -> bool:
        for task in self.tasks:
            if not task.done():
                return True
        return False

    def remember(self, task: SimTask) -> None:
        """Hold a task until it is done; finished ones are let go whenever the list has doubled."""
        self.tasks.append(task)
        if len(self.tasks) >= self._tasks_max:
            self.tasks = [kept for kept in self.tasks if not kept.done() or kept.failed_unseen]
            self._tasks_max = max(_TASKS_MIN, 2 * len(self.tasks))


class Thread(Lane):
    """One thread of an actor's pool. What it does is recorded under its own name, `worker-1/thread-1`."""

    __slots__ = ("actor",)

    def __init__(self, actor: Actor, name: str) -> None:
        super().__init__(actor.engine, name, actor.name)
        self.actor = actor
