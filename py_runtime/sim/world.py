"""The world: one run's loop, network, trace and chance, and what a scenario may do to them.

Start here. A scenario makes actors, gives them coroutines, hands them clients, injects faults and lets time pass:

    world = World(seed=0)
    world.network.serve("store", lambda request: request.complete("ok"))
    worker = world.actor("worker-1")
    world.spawn(worker, program(world.client))
    ended = world.run(until_us=30_000_000)

Knows neither Redis nor SQL nor any experiment.
"""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from .bounds import Bounds
from .chance import Streams
from .engine import EVENTS, QUIET
from .lanes import Actor, Thread
from .loop import ACTOR, SimHandle, SimLoop
from .network import Network
from .offload import THREADS_DEFAULT, ThreadPool
from .schedule import Schedule
from .schedulers import Scheduler
from .trace import Trace, TraceEvent, trace_digest

OUTSIDE = "scenario"  # the actor of code that belongs to none


@dataclass(frozen=True)
class RunEnd:
    """How a run ended: `reason` is one of the words in engine.py; `waiting` names actors with unfinished main tasks."""

    reason: str
    at_us: int
    steps: int
    waiting: tuple[str, ...]


class World:
    """One run. seed: of all chance in it. tracing=False records nothing, for speed."""

    def __init__(
        self,
        seed: int = 0,
        scheduler: Scheduler | None = None,
        bounds: Bounds | None = None,
        tracing: bool = True,
    ) -> None:
        self.bounds = bounds or Bounds()
        self.loop = SimLoop(OUTSIDE, scheduler, self.bounds)
        self.loop.make_threads = self._make_threads
        self.loop.on_error = self._loop_error
        self.streams = Streams(seed)
        self.tracing = tracing
        self.trace = Trace(self.bounds.events_max)
        self.network = Network(self)
        self.program_files: dict[str, str] = {}  # code file name → the name that the trace shows
        self.threads_size: dict[str, int] = {}  # actor name → size of its thread pool, where not the default
        self.actors: dict[str, Actor] = {OUTSIDE: self.loop.outside}

    # Time

    @property
    def now_us(self) -> int:
        """The instant of the code that asks: a step that has spent time is ahead of the world."""
        return self.loop.local_us

    def spend(self, duration_us: int) -> None:
        """Busy time: the running step takes `duration_us`; its actor (or pool thread) does nothing else meanwhile."""
        if duration_us < 0:
            raise ValueError(f"duration_us must not be negative, got {duration_us}")
        if duration_us == 0 or self.loop.over:
            return
        actor = self.current_actor()
        self.record("busy.started", actor, duration_us=duration_us)
        self.loop.local_us += duration_us
        self.record("busy.completed", actor)

    def call_at(self, at_us: int, function: Callable[..., Any], *arguments: Any) -> None:
        """Call `function` at `at_us` as part of the scenario; what it raises ends the run with that exception."""
        self.loop.schedule(at_us, _ScenarioTimer(function, arguments))

    def loop_call_later(self, actor: Actor, delay_us: int, function: Callable[..., Any], *arguments: Any) -> SimHandle:
        """A timer that runs as a step of `actor`; returns a handle with `cancel()`."""
        context = copy_context()
        context.run(ACTOR.set, actor)
        return self.loop._call_at_us(self.loop.local_us + delay_us, function, arguments, context)

    # Actors

    def actor(self, name: str, pool: str | None = None) -> Actor:
        """The actor of that name, made at the first call. `pool` names a group of short-lived ones for the views."""
        actor = self.actors.get(name)
        if actor is None:
            actor = self.actors[name] = Actor(self.loop, name, len(self.actors), pool)
        return actor

    def current_actor(self) -> Actor:
        """The actor whose code is running; outside any, the scenario's."""
        return ACTOR.get(None) or self.loop.outside

    def spawn(self, actor: Actor, coroutine: Coroutine[Any, Any, Any], name: str | None = None) -> asyncio.Task[Any]:
        """Start a coroutine as a main task of `actor`; an exception that it raises is recorded as `task.failed`."""
        context = copy_context()
        context.run(ACTOR.set, actor)
        actor.main_tasks += 1
        return self.loop.create_task(self._main(actor, coroutine), name=name or actor.name, context=context)

    async def _main(self, actor: Actor, coroutine: Coroutine[Any, Any, Any]) -> Any:
        if not actor.started:
            actor.started = True
            self.record("actor.started", actor)
        try:
            return await coroutine
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self.record(
                "task.failed",
                actor,
                task=asyncio.current_task().get_name(),
                error=describe_error(error),
                **self._where(error),
            )
            return None
        finally:
            actor.main_tasks -= 1
            if actor.main_tasks == 0:
                self.record("actor.ended", actor)

    def crash(self, actor: Actor) -> None:
        """SIGKILL: from this instant the actor runs nothing, no `finally`, no `except`; what it sent may still arrive."""
        if actor.dead:
            return
        self.record("actor.crashed", actor)
        actor.crashed = True
        for lane in self._lanes_of(actor):
            lane.kill()
        self.network.close_connections(actor)

    def pause(self, actor: Actor, duration_us: int) -> None:
        """Freeze the actor for `duration_us`, its threads too; it goes on where it was, knowing nothing of it."""
        if actor.dead or duration_us <= 0:
            return
        self.record("actor.paused", actor, duration_us=duration_us)
        for lane in self._lanes_of(actor):
            lane.postpone(duration_us)
        self.call_at(self.loop.now_us + duration_us, self._resumed, actor)

    def _resumed(self, actor: Actor) -> None:
        if not actor.dead:
            self.record("actor.resumed", actor)

    def _lanes_of(self, actor: Actor) -> list[Any]:
        return [actor, *(actor.threads.lanes if actor.threads else ())]

    def _make_threads(self, actor: Actor) -> ThreadPool:
        return ThreadPool(self, actor, self.threads_size.get(actor.name, THREADS_DEFAULT))

    # Trace

    def record(self, kind: str, actor: Actor | None = None, **fields: Any) -> None:
        """Append an event at the instant of the code that asks. Nothing is recorded for a crashed actor."""
        if not self.tracing or self.loop.over:
            return
        actor = actor or self.current_actor()
        if actor.dead:
            return
        line = self._program_line() if self.program_files else None
        running = self.loop.running
        name = running.name if isinstance(running, Thread) else actor.name
        self.loop.defer(self._append, name, kind, fields, line)

    def mark(self, name: str, **fields: Any) -> None:
        """Record a moment of the experiment's own story, such as a job admitted or a beat that ran."""
        self.record("mark", None, name=name, **fields)

    def _append(self, actor: str, kind: str, fields: Mapping[str, Any], line: tuple[str, int] | None) -> None:
        if not self.trace.append(self.loop.now_us, actor, kind, fields, line):
            self.loop.stop_reason = EVENTS

    def _program_line(self) -> tuple[str, int] | None:
        """The innermost line of a program file on the stack, if there is one."""
        files = self.program_files
        frame = sys._getframe(2)
        while frame is not None:
            name = files.get(frame.f_code.co_filename)
            if name is not None:
                return name, frame.f_lineno
            frame = frame.f_back
        return None

    def _where(self, error: BaseException) -> dict[str, Any]:
        """The program's file and line that an exception passed through last."""
        found: dict[str, Any] = {}
        traceback = error.__traceback__
        while traceback is not None:
            name = self.program_files.get(traceback.tb_frame.f_code.co_filename)
            if name is not None:
                found = {"file": name, "line": traceback.tb_lineno}
            traceback = traceback.tb_next
        return found

    def _loop_error(self, context: Mapping[str, Any]) -> None:
        error = context.get("exception")
        words = describe_error(error) if error is not None else str(context.get("message"))
        self.record("task.failed", None, task="callback", error=words, **(self._where(error) if error else {}))

    @property
    def events(self) -> list[TraceEvent]:
        """The trace so far."""
        return self.trace.events

    def digest(self) -> str:
        """The digest of the trace so far."""
        return trace_digest(self.trace.events)

    # Running

    @property
    def schedule(self) -> Schedule:
        """Seed and choices so far: replaying them gives this run again."""
        return Schedule(self.streams.seed, dict(self.loop.deviations))

    def run(self, until_us: int) -> RunEnd:
        """Let time pass until the instant `until_us` is over, or nothing is left, or a bound is reached."""
        reason = self.loop.run_until(until_us)
        waiting = tuple(name for name, actor in self.actors.items() if actor.main_tasks and not actor.dead)
        at_us = self.loop.now_us
        if reason == QUIET and not waiting:
            at_us = max(at_us, until_us)
        return RunEnd(reason, at_us, self.loop.steps, waiting)

    def close(self) -> None:
        """Dispose of what is unfinished, crashed actors' coroutines included, without any effect on trace or stores."""
        self.loop.over = True
        for actor in self.actors.values():
            for task in actor.tasks:
                if not task.done():
                    task._log_destroy_pending = False
                    try:
                        task.get_coro().close()
                    except BaseException:  # whatever a disposed program raises is of no consequence
                        continue
            actor.tasks.clear()
            actor.items.clear()


class _ScenarioTimer:
    """A timer of the scenario itself; it runs between steps, so it is no choice point."""

    __slots__ = ("_arguments", "_function")

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._function = function
        self._arguments = arguments

    def fire(self) -> None:
        self._function(*self._arguments)


def describe_error(error: BaseException) -> str:
    """An exception in one line, as a reader sees it."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
