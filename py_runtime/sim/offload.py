"""Off-loading: `asyncio.to_thread` and `run_in_executor` on a simulated pool of threads.

The calling loop stays free; the call occupies one thread for the virtual time it spends; what it does happens at the
call's own time. Cancelling the awaiting task does not stop a call that runs, as with real threads. The call runs in one
piece (there is no second Python thread), so two offloaded calls never see each other half done.
"""

from __future__ import annotations

from asyncio import Future
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from .errors import describe_error
from .lanes import Actor, Lane, Thread

if TYPE_CHECKING:
    from .world import World

# Python's own default on a machine with two cores: min(32, cores + 4).
THREADS_DEFAULT = 6


class ThreadPool:
    """The pool of one actor: `size` threads, and the calls that wait for one in order."""

    def __init__(self, world: World, actor: Actor, size: int = THREADS_DEFAULT) -> None:
        self._world = world
        self._idle = deque(Thread(actor, f"{actor.name}/thread-{number}") for number in range(1, size + 1))
        self._waiting: deque[_Call] = deque()
        self.lanes = list(self._idle)

    def submit(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        """Start the call on an idle thread, or when one becomes idle; the future gets its result."""
        call = _Call(self._world, self, function, arguments)
        self._waiting.append(call)
        # The thread sees the call when the step that submits it gets that far, which may be after it spent time.
        self._world.loop.defer(self._dispatch)
        return call.future

    def _dispatch(self) -> None:
        while self._waiting and self._idle:
            call = self._waiting.popleft()
            call.thread = self._idle.popleft()
            self._world.loop.post(call.thread, call)

    def release(self, thread: Lane) -> None:
        """A thread is idle again."""
        self._idle.append(thread)
        self._dispatch()


class _Call:
    """One offloaded call; `run()` is its only step."""

    __slots__ = ("_arguments", "_context", "_function", "_pool", "_world", "future", "sequence", "thread")

    def __init__(
        self, world: World, pool: ThreadPool, function: Callable[..., Any], arguments: tuple[Any, ...]
    ) -> None:
        self._world = world
        self._pool = pool
        self._function = function
        self._arguments = arguments
        self._context = copy_context()
        self.future: Future[Any] = world.loop.create_future()
        self.thread: Lane | None = None
        self.sequence = 0

    def run(self) -> None:
        if self.future.cancelled():
            self._pool.release(self.thread)  # given up before a thread took it: it never runs
        else:
            self._context.run(self._call)

    def _call(self) -> None:
        world = self._world
        world.record("offload.started")
        result = error = None
        try:
            result = self._function(*self._arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as raised:
            error = raised
        if isinstance(error, StopIteration):  # which a future cannot hold
            error = RuntimeError("the offloaded call raised StopIteration")
        if error is None:
            world.record("offload.completed")
        else:
            world.record("offload.failed", error=describe_error(error))
        world.loop.defer(self._finish, result, error)

    def _finish(self, result: Any, error: BaseException | None) -> None:
        """At the call's own end: the loop is told, and the thread takes the next call."""
        self._world.loop.call_soon(self._tell, result, error, context=self._context)
        self._pool.release(self.thread)

    def _tell(self, result: Any, error: BaseException | None) -> None:
        if self.future.cancelled():
            return
        if error is None:
            self.future.set_result(result)
        else:
            self.future.set_exception(error)
