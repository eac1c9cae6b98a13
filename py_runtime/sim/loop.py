"""SimLoop: the face of the engine that asyncio sees.

`create_task`, futures, `TaskGroup`, `timeout`, `Semaphore`, `Lock`, `Event`, `Queue`, `gather` and `shield` work
unchanged on it, since they need only `call_soon`, `call_at`, `time`, `create_future` and `create_task`. What cannot be
simulated is refused with `EscapeError` (see refused.py). Knows no messages, traces or faults.
"""

import asyncio
from asyncio import events
from collections.abc import Callable, Iterable
from contextvars import Context, ContextVar, copy_context
from typing import Any

from .bounds import Bounds
from .disposal import collect, dispose_generators, dispose_tasks, disposing
from .engine import Engine
from .errors import EscapeError, SimulationError
from .futures import SimFuture, SimTask
from .lanes import Actor, Thread, Timer
from .lent import lent
from .refused import REFUSED, refuse
from .schedulers import Scheduler
from .units import US_PER_S, seconds_from_us, us_from_seconds

# Which actor the running code belongs to. Tasks inherit it with their context, as callbacks do.
ACTOR: ContextVar[Actor] = ContextVar("actor")

_GENERATORS_MIN = 64  # fewer finished asynchronous generators than this are not worth a sweep


class SimHandle:
    """A callback on its way, as `call_soon` returns it; stands in for `asyncio.Handle`."""

    __slots__ = ("_arguments", "_callback", "_context", "actor", "sequence")

    def __init__(
        self, actor: Actor, callback: Callable[..., Any], arguments: tuple[Any, ...], context: Context
    ) -> None:
        self.actor = actor
        self._callback = callback
        self._arguments = arguments
        self._context = context

    def cancel(self) -> None:
        """The callback will not be called; its place in the order of steps stays."""
        self._callback = _nothing
        self._arguments = ()

    def cancelled(self) -> bool:
        """Whether `cancel()` was called."""
        return self._callback is _nothing

    def run(self) -> None:
        """Call the callback in its context; what it raises goes to the loop's exception handler.

        A task's step hands on only what should end the process. SystemExit ends the task alone, which has kept it: the
        process is the lab's. Ctrl-C ends the run.
        """
        callback = self._callback
        try:
            self._context.run(callback, *self._arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if not isinstance(getattr(callback, "__self__", None), SimTask):
                context = {"message": "a callback raised", "exception": error}
                self._context.run(self.actor.engine.call_exception_handler, context)


class SimTimerHandle(SimHandle, Timer):
    """The same for `call_at`, on its way since its deadline has come; stands in for `asyncio.TimerHandle`."""

    __slots__ = ("_when", "cancelled_timer")

    def __init__(
        self,
        actor: Actor,
        callback: Callable[..., Any],
        arguments: tuple[Any, ...],
        context: Context,
        when: float,
    ) -> None:
        super().__init__(actor, callback, arguments, context)
        self._when = when
        self.cancelled_timer = False

    def cancel(self) -> None:
        if not self.cancelled_timer:
            self.cancelled_timer = True
            super().cancel()
            self.actor.engine.timer_cancelled()

    def when(self) -> float:
        """The deadline on the actor's `loop.time()`, in seconds."""
        return self._when

    def fire(self) -> None:
        """The deadline has come: take a place in the actor's ready list."""
        if not self.cancelled_timer:
            self.actor.engine.post(self.actor, self)


def _nothing() -> None:
    """What a cancelled handle calls."""


class SimLoop(Engine, asyncio.AbstractEventLoop):
    """An asyncio event loop on virtual time, shared by all actors of a run; each sees only its own order of steps.

    `on_error(context)` gets what asyncio would log: a dictionary with `message` and perhaps `exception`.
    """

    over = True  # of what is left of a loop that was taken to pieces: whatever is freed later has no effect

    def __init__(self, outside: str, scheduler: Scheduler | None = None, bounds: Bounds | None = None) -> None:
        super().__init__(scheduler, bounds)
        self.on_error: Callable[[dict[str, Any]], None] = lambda context: None
        self.over = False
        self.outside = Actor(self, outside, 0, None)  # who owns code that belongs to no actor: the scenario
        self._numbers = 0
        self._generators: list[Any] = []
        self._generators_max = _GENERATORS_MIN

    # Callbacks and time

    def call_soon(self, callback: Callable[..., Any], *arguments: Any, context: Context | None = None) -> SimHandle:
        """Append to the ready list of the actor that `context` (default: the current one) belongs to."""
        if context is None:
            context = copy_context()
        actor = context.get(ACTOR) or self._owner(context)
        handle = SimHandle(actor, callback, arguments, context)
        if self.local_us != self.now_us and actor is not self.running:
            self.defer(self.post, actor, handle)  # what wakes another comes at the step's own instant
            return handle
        # The rest is Engine.post, written out: this is the one place that every step of every program passes.
        self._sequence = handle.sequence = sequence = self._sequence + 1
        actor.items.append(handle)
        if not actor.enabled and actor.blocked_until_us is None and not actor.dead:
            actor.enabled = True
            actor.age = sequence
            self._enabled.append(actor)
        if self.writes is not None and actor is not self.running:
            self.writes.append(actor.name)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., Any], *arguments: Any, context: Context | None = None
    ) -> SimHandle:
        """The same as `call_soon`: simulated threads take turns with the loop."""
        if getattr(callback, "__qualname__", "").startswith("run_coroutine_threadsafe."):
            raise EscapeError("asyncio.run_coroutine_threadsafe", "return from the thread and go on in the coroutine")
        return self.call_soon(callback, *arguments, context=context)

    def call_later(
        self, delay: float, callback: Callable[..., Any], *arguments: Any, context: Context | None = None
    ) -> SimTimerHandle:
        """Call after `delay` seconds of virtual time, counted from the running step's own instant."""
        return self._call_at_us(self.local_us + us_from_seconds(delay), callback, arguments, context)

    def call_at(
        self, when: float, callback: Callable[..., Any], *arguments: Any, context: Context | None = None
    ) -> SimTimerHandle:
        """Call when this actor's `time()` shows `when` (seconds)."""
        origin_us = self.current_actor().clock.monotonic_origin_us
        return self._call_at_us(us_from_seconds(when) - origin_us, callback, arguments, context)

    def _call_at_us(
        self, at_us: int, callback: Callable[..., Any], arguments: tuple[Any, ...], context: Context | None
    ) -> SimTimerHandle:
        if context is None:
            context = copy_context()
        actor = context.get(ACTOR) or self._owner(context)
        when = seconds_from_us(actor.clock.monotonic_origin_us + at_us)
        handle = SimTimerHandle(actor, callback, arguments, context, when)
        self.schedule(at_us, handle)
        if self.writes is not None and actor is not self.running:
            self.writes.append(actor.name)
        return handle

    def current_actor(self) -> Actor:
        """The actor whose code is running; outside any, the scenario's."""
        actor = ACTOR.get(None)
        if actor is None:
            running = self.running
            actor = running.actor if isinstance(running, Thread) else running
        return actor if isinstance(actor, Actor) else self.outside

    def _owner(self, context: Context) -> Actor:
        """Who owns code with a context of its own making: the actor that made it, lest it outlive its actor's crash."""
        actor = self.current_actor()
        if actor is not self.outside:
            try:
                context.run(ACTOR.set, actor)
            except RuntimeError:  # the context is the one that runs; the running lane tells its owner
                pass
        return actor

    def time(self) -> float:
        """Seconds on the monotonic clock of the running actor; each actor's has an origin of its own."""
        return self.current_actor().clock.monotonic_us() / US_PER_S

    # Futures and tasks

    def create_future(self) -> asyncio.Future[Any]:
        self._numbers += 1
        return SimFuture(self._numbers, self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None, eager_start: bool | None = None
    ) -> asyncio.Task[Any]:
        """A task of the current actor, or of the one that `context` belongs to."""
        if eager_start:
            raise EscapeError("create_task(eager_start=True)", "leave it out: here every task starts in its turn")
        self._numbers += 1
        task = SimTask(self._numbers, coro, self, name, context)
        actor = None if context is None else context.get(ACTOR)
        (actor or self.current_actor()).remember(task)
        return task

    def all_tasks(self, loop: asyncio.AbstractEventLoop | None = None) -> set[Any]:
        """What `asyncio.all_tasks` gives during a run: the unfinished tasks of the current actor."""
        actor = self.current_actor()
        return {task for task in actor.tasks if not task.done()} if loop in (None, self) else set()

    # Running

    def run_until(self, until_us: int) -> str:
        """Advance to `until_us`, lending asyncio's slot for the running loop meanwhile; returns why the run ended.

        Raises `SimulationError` inside a running asyncio task: Python 3.14 refuses to enter a second task, and a
        nested run would interleave with the outer one.
        """
        outer = events._get_running_loop()
        if isinstance(outer, SimLoop) or (outer is not None and asyncio.current_task(outer) is not None):
            raise SimulationError(
                "a simulation cannot start inside a running asyncio task or another simulation; "
                "call it from plain synchronous code"
            )
        if self.over:
            raise SimulationError("this run was closed; start another one")
        with lent(self, self._keep_generator, self.all_tasks):
            return self.advance(until_us)

    def _keep_generator(self, generator: Any) -> None:
        """Hold an asynchronous generator to its end, or that of the run."""
        self._generators.append(generator)
        if len(self._generators) >= self._generators_max:
            self._generators = [kept for kept in self._generators if kept.ag_frame is not None]
            self._generators_max = max(_GENERATORS_MIN, 2 * len(self._generators))

    def dispose(self, actors: Iterable[Actor]) -> None:
        """End the run for good: see disposal.py. What the disposed programs start meanwhile is disposed of as well."""
        self.over = True
        actors = list(actors)
        if not self._generators and not any(actor.has_unfinished_tasks for actor in actors):
            for actor in actors:
                actor.tasks = []
            self._forget_what_waits(actors)
            return
        closed = True
        with lent(self, self._keep_generator, self.all_tasks), disposing(self):
            while any(actor.tasks for actor in actors):
                for actor in actors:
                    tasks, actor.tasks = actor.tasks, []
                    closed = dispose_tasks(tasks) and closed
            self._forget_what_waits(actors)
            if not (dispose_generators(self._generators) and closed):
                collect()

    def _forget_what_waits(self, actors: Iterable[Actor]) -> None:
        for actor in actors:
            actor.items.clear()
            actor.deferred.clear()
        self._timers.clear()

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self.over:
            self.on_error(context)

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        self.call_exception_handler(context)

    def get_exception_handler(self) -> None:
        return None

    def get_task_factory(self) -> None:
        return None

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return events._get_running_loop() is self

    def is_closed(self) -> bool:
        return False

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """Run `func` on the current actor's simulated thread pool; own executors are refused."""
        if executor is not None:
            raise EscapeError("an executor of your own", "pass None, which is a simulated pool of threads")
        actor = self.current_actor()
        if actor.dead:
            return self.create_future()  # a step that has crashed its own actor: no thread is left to answer
        if actor.threads is None:
            actor.threads = self.make_threads(actor)
        return actor.threads.submit(func, args)

    def make_threads(self, actor: Actor) -> Any:
        """Set by the world: makes the pool of an actor (see offload.py)."""
        raise EscapeError("loop.run_in_executor", "run the program inside a World")


for _name, _instead in REFUSED.items():
    setattr(SimLoop, _name, refuse(_name, _instead))
