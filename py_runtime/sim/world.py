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
from contextvars import Context, copy_context
from typing import Any, NamedTuple

from .bounds import DEFAULT_BOUNDS, Bounds
from .chance import Streams
from .engine import FULL, QUIET, Engine
from .errors import Place, SimulationError, describe_error, place_of
from .lanes import Actor, Lane, Thread, Timer
from .loop import ACTOR, SimLoop, SimTimerHandle
from .network import Network
from .offload import THREADS_DEFAULT, ThreadPool
from .races import LOG, OBSERVED
from .schedule import Schedule, require_seed
from .schedulers import Scheduler
from .strikes import Strikes
from .trace import Trace, TraceEvent, snapshot, trace_digest
from .units import require_us

_RUN_LOOP = Engine.advance.__code__
OUTSIDE = "scenario"  # the actor of code that belongs to none


class RunEnd(NamedTuple):
    """How a run ended: `reason` is one of the words in engine.py; `waiting` names actors with unfinished main tasks."""

    reason: str
    at_us: int
    steps: int
    waiting: tuple[str, ...]


class World:
    """One run. seed: of all chance in it, as `Schedule` takes it. tracing=False records nothing, for speed."""

    def __init__(
        self,
        seed: int = 0,
        scheduler: Scheduler | None = None,
        bounds: Bounds | None = None,
        tracing: bool = True,
    ) -> None:
        self.bounds = bounds or DEFAULT_BOUNDS
        self.loop = SimLoop(OUTSIDE, scheduler, self.bounds)
        self.loop.make_threads = self._make_threads
        self.loop.on_error = self._loop_error
        self.streams = Streams(require_seed(seed))
        self.tracing = tracing
        self.trace = Trace(self.bounds.events_max, self.bounds.characters_max)
        self.network = Network(self)
        self.strikes: Strikes | None = None
        self.outages: dict[str, Callable[[bool], None]] = {}  # service → what begins (True) or ends its outage
        self.restarts: dict[str, Callable[[], None]] = {}  # service → what makes it lose all that is in memory only
        # service → given a number of writes, keeps a replica that lacks so many, and gives what promotes it
        self.standbys: dict[str, Callable[[int], Callable[[], None]]] = {}
        self.program_files: dict[str, str] = {}  # code file name → the name that the trace shows
        self.definition_of: Callable[[BaseException], Place] | None = None  # of what an error names; asked if need be
        self.threads_size: dict[str, int] = {}  # actor name → size of its thread pool, where not the default
        self.actors: dict[str, Actor] = {OUTSIDE: self.loop.outside}
        self._context = copy_context()  # what every actor starts from: none sees another's context variables

    # Time

    @property
    def now_us(self) -> int:
        """The instant of the code that asks: a step that has spent time is ahead of the world."""
        return self.loop.local_us

    def spend(self, duration_us: int) -> None:
        """Busy time: the running step takes `duration_us`; its actor (or pool thread) does nothing else meanwhile."""
        if require_us("duration_us", duration_us) == 0 or self.loop.over:
            return
        if self.loop.running is None:
            raise SimulationError("spend() charges the step that runs, and none does; call it from a task of an actor")
        self.record("busy.started", duration_us=duration_us)
        self.loop.local_us += duration_us
        self.record("busy.completed")

    def call_at(self, at_us: int, function: Callable[..., Any], *arguments: Any) -> None:
        """Call `function` at `at_us` as part of the scenario; what it raises ends the run with that exception.

        An instant that has passed means this one.
        """
        self.touch("scenario")
        self.loop.schedule(require_us("at_us", at_us, None), _ScenarioTimer(self.loop, function, arguments))

    def touch(self, *names: Any, changes: bool = True) -> None:
        """Say that the running step changes (or only reads) something that actors share, under these names.

        Stores say so for keys and rows; a scenario must for what its actors share in Python, such as a counter. An
        exploration runs both orders of two steps only if one changes what the other touches (see races.py).
        """
        touched = self.loop.writes if changes else self.loop.reads
        if touched is not None:
            touched.extend(names)

    def loop_call_later(
        self, actor: Actor, delay_us: int, function: Callable[..., Any], *arguments: Any
    ) -> SimTimerHandle:
        """A timer that runs as a step of `actor`; returns a handle with `cancel()`."""
        at_us = self.loop.local_us + require_us("delay_us", delay_us)
        return self.loop._call_at_us(at_us, function, arguments, self.context_of(actor))

    # Actors

    def actor(self, name: str, pool: str | None = None) -> Actor:
        """The actor of that name, made at the first call. `pool` names a group of short-lived ones for the views."""
        actor = self.actors.get(name)
        if actor is None:
            actor = self.actors[name] = Actor(self.loop, name, len(self.actors), pool)
        return actor

    def current_actor(self) -> Actor:
        """The actor whose code is running; outside any, the scenario's."""
        return self.loop.current_actor()

    def context_of(self, actor: Actor) -> Context:
        """A new context for code of `actor`."""
        context = self._context.copy()
        context.run(ACTOR.set, actor)
        return context

    def spawn(self, actor: Actor, coroutine: Coroutine[Any, Any, Any], name: str | None = None) -> asyncio.Task[Any]:
        """Start a coroutine as a main task of `actor`; an exception that it raises is recorded as `task.failed`."""
        actor.main_tasks += 1
        main = self._main(actor, coroutine)
        task = self.loop.create_task(main, name=name or actor.name, context=self.context_of(actor))
        task.wrapped = coroutine
        return task

    async def _main(self, actor: Actor, coroutine: Coroutine[Any, Any, Any]) -> Any:
        if not actor.started:
            actor.started = True
            self.record("actor.started", actor)
        try:
            return await coroutine
        except asyncio.CancelledError:
            raise
        except (Exception, SystemExit) as error:
            self._task_failed(actor, asyncio.current_task().get_name(), error)
            return None
        finally:
            actor.main_tasks -= 1
            if actor.main_tasks == 0:
                self.record("actor.ended", actor)

    def crash(self, actor: Actor) -> None:
        """SIGKILL: from this instant the actor runs nothing, no `finally`, no `except`; what it sent may still arrive.

        A step that crashes its own actor is the last: Python runs it to its next await, but it has no effect any more.
        """
        self.loop.defer(self._crash, actor)

    def _crash(self, actor: Actor) -> None:
        if actor.dead:
            return
        self.touch(actor.name)
        self.record("actor.crashed", actor)
        actor.crashed = True
        for lane in self._lanes_of(actor):
            lane.kill()
        self.network.close_connections(actor)

    def pause(self, actor: Actor, duration_us: int) -> None:
        """Freeze the actor for `duration_us`, its threads too; it goes on where it was, knowing nothing of it.

        Pauses that overlap are one, which lasts to the end of the last. A step may pause its own actor: what it does
        then comes after the pause.
        """
        if require_us("duration_us", duration_us) == 0:
            return
        loop = self.loop
        own = loop.running if loop.running in self._lanes_of(actor) else None
        loop.defer(self._pause, actor, duration_us, own)
        if own is not None:
            loop.local_us += duration_us
            loop.defer(self._resumed, actor)

    def _pause(self, actor: Actor, duration_us: int, own: Lane | None) -> None:
        if actor.dead:
            return
        self.touch(actor.name)
        self.record("actor.paused", actor, duration_us=duration_us)
        until_us = self.loop.now_us + duration_us
        for lane in self._lanes_of(actor):
            if lane is own:  # its step is charged for the pause
                lane.paused_until_us = max(lane.paused_until_us, until_us)
            else:
                lane.pause_until(until_us)
        if own is None:
            self.loop.schedule(until_us, _ScenarioTimer(self.loop, self._resumed, (actor,)))

    def _resumed(self, actor: Actor) -> None:
        if actor.paused_until_us == self.loop.now_us and not actor.dead:
            actor.paused_until_us = 0
            self.record("actor.resumed", actor)

    def _lanes_of(self, actor: Actor) -> list[Lane]:
        return [actor, *(actor.threads.lanes if actor.threads else ())]

    def _make_threads(self, actor: Actor) -> ThreadPool:
        return ThreadPool(self, actor, self.threads_size.get(actor.name, THREADS_DEFAULT))

    # Trace

    def record(self, kind: str, actor: Actor | None = None, **fields: Any) -> None:
        """Append an event at the instant of the code that asks; `actor`: whose, by default the one whose code runs.

        Fields are copied. Nothing is recorded for a crashed actor. Raises ValueError for an unknown kind, TypeError for
        a field that JSON cannot hold.
        """
        if self.loop.writes is not None and kind in OBSERVED:
            self.loop.writes.append(LOG)
        if not self.tracing or self.loop.over:
            return
        lane: Lane
        if actor is None:
            running = self.loop.running
            actor = self.current_actor()
            lane = running if isinstance(running, Thread) else actor
        else:
            lane = actor
        if actor.dead:
            return
        line = self._program_line() if self.program_files else None
        fields = snapshot(kind, fields)
        loop = self.loop
        if loop.running is None or (loop.local_us == loop.now_us and not loop.running.dead):
            self._append(lane.name, kind, fields, line)  # what `defer` would do at once, and nearly always does
        else:
            loop.defer(self._append, lane.name, kind, fields, line)

    def mark(self, name: str, **fields: Any) -> None:
        """Record a moment of the experiment's own story, such as a job admitted or a beat that ran."""
        self.record("mark", None, name=name, **fields)

    def _append(self, actor: str, kind: str, fields: dict[str, Any], line: tuple[str, int] | None) -> None:
        if not self.trace.append(self.loop.now_us, actor, kind, fields, line):
            self.loop.stop_reason = FULL

    def _program_line(self) -> tuple[str, int] | None:
        """The innermost line of a program file on the stack, if there is one."""
        files = self.program_files
        frame = sys._getframe(2)
        while frame is not None:
            code = frame.f_code
            name = files.get(code.co_filename)
            if name is not None:
                return name, frame.f_lineno
            if code is _RUN_LOOP:
                return None  # the step began here; further out is what set up the run
            frame = frame.f_back
        return None

    def _loop_error(self, context: Mapping[str, Any]) -> None:
        """Record what asyncio would log, except what it says when a task or future is collected: no seed decides the
        instant of that, so failed tasks are told of at the end of the run."""
        message = str(context.get("message"))
        if message.endswith("never retrieved") or message.startswith("Task was destroyed"):
            return
        error = context.get("exception")
        self._task_failed(self.current_actor(), "callback", error or SimulationError(message))

    def _task_failed(self, actor: Actor, task: str, error: BaseException) -> None:
        file, line = self.place_of(error)
        where = {} if file is None else {"file": file, "line": line}
        self.record("task.failed", actor, task=task, error=describe_error(error), **where)

    def place_of(self, error: BaseException) -> Place:
        """The program file and line that an exception passed through last, or else that of what it names, if any."""
        place = place_of(error, self.program_files)
        return self.definition_of(error) if place[0] is None and self.definition_of is not None else place

    def _tell_of_unseen_failures(self) -> None:
        """Tasks that failed, and whose exception nobody has looked at by now."""
        for actor in self.actors.values():
            for task in actor.tasks:
                if task.failed_unseen:
                    self._task_failed(actor, task.get_name(), task.exception())

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
        """Seed, choices and faults so far: replaying them gives this run again."""
        strikes = () if self.strikes is None else self.strikes.chosen
        return Schedule(self.streams.seed, dict(self.loop.deviations), strikes)

    def run(self, until_us: int) -> RunEnd:
        """Let time pass until the instant `until_us` is over, or nothing is left, or a bound is reached.

        May be called again with a later instant, to go on. Where actors still wait and nothing can ever happen, time
        stands still at the last thing that did.
        """
        loop = self.loop
        reason = loop.run_until(require_us("until_us", until_us, loop.now_us))
        waiting = tuple(name for name, actor in self.actors.items() if actor.main_tasks and not actor.dead)
        if reason == QUIET and not waiting:
            loop.now_us = loop.local_us = until_us
        self._tell_of_unseen_failures()
        return RunEnd(reason, loop.now_us, loop.steps, waiting)

    def close(self) -> None:
        """Dispose of what is unfinished, crashed actors' coroutines included, without any effect on trace or stores."""
        self.loop.dispose(self.actors.values())

    def discard(self) -> None:
        """Take a closed world to pieces: nothing is left to be read.

        Its parts refer to each other, so that their memory would wait for the garbage collector; who makes many runs
        saves a tenth of their time.
        """
        for part in (self.loop, self.network, self):
            vars(part).clear()


class _ScenarioTimer(Timer):
    """A timer of the scenario itself; it runs between steps, so it is no choice point, but it counts as a step."""

    __slots__ = ("_arguments", "_function", "_loop")

    def __init__(self, loop: SimLoop, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self._loop = loop
        self._function = function
        self._arguments = arguments

    def fire(self) -> None:
        self._loop.steps += 1
        self._function(*self._arguments)
