"""SimLoop: the face of the engine that asyncio sees.

`create_task`, futures, `TaskGroup`, `timeout`, `Semaphore`, `Lock`, `Event`, `Queue`, `gather` and `shield` work
unchanged on it, since they need only `call_soon`, `call_at`, `time`, `create_future` and `create_task`. What cannot be
simulated is refused with `EscapeError` (see the table at the end). Knows no messages, traces or faults.
"""

import asyncio
import sys
from asyncio import events
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any

from .bounds import Bounds
from .engine import Engine
from .errors import EscapeError, RunOver, SimulationError
from .lanes import Actor
from .schedulers import Scheduler
from .units import US_PER_S, seconds_from_us, us_from_seconds

# Which actor the running code belongs to. Tasks inherit it with their context, as callbacks do.
ACTOR: ContextVar[Actor] = ContextVar("actor")


class SimHandle:
    """A callback on its way, as `call_soon` and `call_at` return it; stands in for `asyncio.Handle`."""

    __slots__ = ("_arguments", "_callback", "_context", "_loop", "_when", "actor", "cancelled_timer", "sequence")

    def __init__(
        self,
        loop: "SimLoop",
        actor: Actor,
        callback: Callable[..., Any],
        arguments: tuple[Any, ...],
        context: Context,
        when: float | None = None,
    ) -> None:
        self._loop = loop
        self.actor = actor
        self._callback = callback
        self._arguments = arguments
        self._context = context
        self._when = when
        self.cancelled_timer = False
        self.sequence = 0

    def cancel(self) -> None:
        """The callback will not be called; its place in the order of steps stays."""
        if not self.cancelled_timer:
            self.cancelled_timer = True
            self._callback = _nothing
            self._arguments = ()
            if self._when is not None:
                self._loop.timer_cancelled()

    def cancelled(self) -> bool:
        """Whether `cancel()` was called."""
        return self.cancelled_timer

    def when(self) -> float | None:
        """For `call_at`: the deadline on the actor's `loop.time()`, in seconds."""
        return self._when

    def fire(self) -> None:
        """The deadline has come: take a place in the actor's ready list."""
        if not self.cancelled_timer:
            self._loop.post(self.actor, self)

    def run(self) -> None:
        """Call the callback in its context; what it raises goes to the loop's exception handler."""
        try:
            self._context.run(self._callback, *self._arguments)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._loop.call_exception_handler({"message": "a callback raised", "exception": error})


def _nothing() -> None:
    """What a cancelled handle calls."""


class SimLoop(Engine, asyncio.AbstractEventLoop):
    """An asyncio event loop on virtual time, shared by all actors of a run; each sees only its own order of steps.

    `on_error(context)` gets what asyncio would log: a dictionary with `message` and perhaps `exception`.
    """

    def __init__(self, outside: str, scheduler: Scheduler | None = None, bounds: Bounds | None = None) -> None:
        super().__init__(scheduler, bounds)
        self.on_error: Callable[[dict[str, Any]], None] = lambda context: None
        self.over = False
        self.outside = Actor(self, outside, 0, None)  # who owns code that belongs to no actor: the scenario
        self._async_generators: list[Any] = []

    # Callbacks and time

    def call_soon(self, callback: Callable[..., Any], *arguments: Any, context: Context | None = None) -> SimHandle:
        """Append to the ready list of the actor that `context` (default: the current one) belongs to."""
        if context is None:
            context = copy_context()
        actor = context.get(ACTOR) or self.outside
        handle = SimHandle(self, actor, callback, arguments, context)
        # The rest is Engine.post, written out: this is the one place that every step of every program passes.
        self._sequence = handle.sequence = self._sequence + 1
        actor.items.append(handle)
        if not actor.enabled:
            self.enable(actor)
        return handle

    def call_soon_threadsafe(
        self, callback: Callable[..., Any], *arguments: Any, context: Context | None = None
    ) -> SimHandle:
        """The same as `call_soon`: simulated threads take turns with the loop."""
        return self.call_soon(callback, *arguments, context=context)

    def call_later(
        self, delay: float, callback: Callable[..., Any], *arguments: Any, context: Context | None = None
    ) -> SimHandle:
        """Call after `delay` seconds of virtual time, counted from the running step's own instant."""
        return self._call_at_us(self.local_us + us_from_seconds(delay), callback, arguments, context)

    def call_at(
        self, when: float, callback: Callable[..., Any], *arguments: Any, context: Context | None = None
    ) -> SimHandle:
        """Call when this actor's `time()` shows `when` (seconds)."""
        origin_us = (ACTOR.get(None) or self.outside).clock.monotonic_origin_us
        return self._call_at_us(us_from_seconds(when) - origin_us, callback, arguments, context)

    def _call_at_us(
        self, at_us: int, callback: Callable[..., Any], arguments: tuple[Any, ...], context: Context | None
    ) -> SimHandle:
        if context is None:
            context = copy_context()
        actor = context.get(ACTOR) or self.outside
        when = seconds_from_us(actor.clock.monotonic_origin_us + at_us)
        handle = SimHandle(self, actor, callback, arguments, context, when)
        self.schedule(at_us, handle)
        return handle

    def time(self) -> float:
        """Seconds on the monotonic clock of the running actor; each actor's has an origin of its own."""
        return (ACTOR.get(None) or self.outside).clock.monotonic_us() / US_PER_S

    # Futures and tasks

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None, **options: Any
    ) -> asyncio.Task[Any]:
        """A task of the current actor, or of the one that `context` belongs to."""
        if self.over:
            coro.close()
            raise RunOver
        task = asyncio.Task(coro, loop=self, name=name, context=context, **options)
        actor = (ACTOR.get(None) if context is None else context.get(ACTOR)) or self.outside
        actor.remember(task)
        return task

    # Running

    def run_until(self, until_us: int) -> str:
        """Advance to `until_us`, lending asyncio's slot for the running loop meanwhile; returns why the run ended.

        Raises `SimulationError` inside a running asyncio task: Python 3.14 refuses to enter a second task, and a
        nested run would interleave with the outer one.
        """
        outer = events._get_running_loop()
        if outer is not None and asyncio.current_task(outer) is not None:
            raise SimulationError(
                "a simulation cannot start inside a running asyncio task; call it from plain synchronous code"
            )
        hooks = sys.get_asyncgen_hooks()
        events._set_running_loop(self)
        # Asynchronous generators are held to the end of the run: a dropped one would run its finally at the mercy of
        # the garbage collector.
        sys.set_asyncgen_hooks(firstiter=self._async_generators.append, finalizer=None)
        try:
            return self.advance(until_us)
        finally:
            sys.set_asyncgen_hooks(*hooks)
            events._set_running_loop(outer)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self.over:
            self.on_error(context)

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        self.call_exception_handler(context)

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
        actor = ACTOR.get(None) or self.outside
        if actor.threads is None:
            actor.threads = self.make_threads(actor)
        return actor.threads.submit(func, args)

    def make_threads(self, actor: Actor) -> Any:
        """Set by the world: makes the pool of an actor (see offload.py)."""
        raise EscapeError("loop.run_in_executor", "run the program inside a World")


def _refuse(name: str, instead: str) -> Callable[..., Any]:
    def refused(self: SimLoop, *arguments: Any, **options: Any) -> Any:
        raise EscapeError(f"loop.{name}", instead)

    refused.__name__ = name
    refused.__doc__ = f"Refused: {instead}."
    return refused


_SOCKETS = "use the store clients you are handed"
_PROCESSES = "give the scenario another actor"
_SIGNALS = "let the scenario crash or pause the actor"
_LIFE = "the world runs the loop; start work with create_task"

REFUSED: dict[str, str] = {
    "add_reader": _SOCKETS,
    "add_signal_handler": _SIGNALS,
    "add_writer": _SOCKETS,
    "close": _LIFE,
    "connect_accepted_socket": _SOCKETS,
    "connect_read_pipe": _PROCESSES,
    "connect_write_pipe": _PROCESSES,
    "create_connection": _SOCKETS,
    "create_datagram_endpoint": _SOCKETS,
    "create_server": _SOCKETS,
    "create_unix_connection": _SOCKETS,
    "create_unix_server": _SOCKETS,
    "getaddrinfo": _SOCKETS,
    "getnameinfo": _SOCKETS,
    "remove_reader": _SOCKETS,
    "remove_signal_handler": _SIGNALS,
    "remove_writer": _SOCKETS,
    "run_forever": _LIFE,
    "run_until_complete": _LIFE,
    "sendfile": _SOCKETS,
    "set_debug": "debug mode reads the real clock",
    "set_default_executor": "asyncio.to_thread already runs on a simulated pool",
    "shutdown_asyncgens": _LIFE,
    "shutdown_default_executor": _LIFE,
    "sock_accept": _SOCKETS,
    "sock_connect": _SOCKETS,
    "sock_recv": _SOCKETS,
    "sock_recv_into": _SOCKETS,
    "sock_recvfrom": _SOCKETS,
    "sock_recvfrom_into": _SOCKETS,
    "sock_sendall": _SOCKETS,
    "sock_sendfile": _SOCKETS,
    "sock_sendto": _SOCKETS,
    "start_tls": _SOCKETS,
    "stop": _LIFE,
    "subprocess_exec": _PROCESSES,
    "subprocess_shell": _PROCESSES,
}

for _name, _instead in REFUSED.items():
    setattr(SimLoop, _name, _refuse(_name, _instead))
