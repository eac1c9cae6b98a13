"""What a run lends to asyncio, and takes back when it ends, whatever happens.

- the slot for the running loop, by which asyncio finds the simulation;
- the hooks for asynchronous generators;
- two functions of asyncio that would go wrong in a simulation: `as_completed` starts coroutines in the order of a
  set, which is that of memory addresses, and `all_tasks` would show one actor the tasks of all others.
"""

import asyncio
import sys
from asyncio import events, tasks
from collections.abc import Callable
from typing import Any

_as_completed = asyncio.as_completed


def _as_completed_in_order(fs: Any, **options: Any) -> Any:
    """`asyncio.as_completed`, with the coroutines started in the order in which they are given."""
    if not asyncio.isfuture(fs) and not asyncio.iscoroutine(fs):
        fs = [asyncio.ensure_future(each) for each in dict.fromkeys(fs)]
    return _as_completed(fs, **options)


class lent:
    """Make `loop` the running loop. `keep_generator` is told of each asynchronous generator that starts."""

    __slots__ = ("_all_tasks", "_hooks", "_keep_generator", "_loop", "_originals", "_outer")

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        keep_generator: Callable[[Any], None],
        all_tasks: Callable[[asyncio.AbstractEventLoop | None], set[Any]],
    ) -> None:
        self._loop = loop
        self._keep_generator = keep_generator
        self._all_tasks = all_tasks

    def __enter__(self) -> None:
        self._outer = events._get_running_loop()
        self._hooks = sys.get_asyncgen_hooks()
        self._originals = asyncio.as_completed, asyncio.all_tasks
        _replace(_as_completed_in_order, self._all_tasks)
        # No finalizer: a generator that is dropped would run its finally at the mercy of the garbage collector.
        sys.set_asyncgen_hooks(firstiter=self._keep_generator, finalizer=None)
        events._set_running_loop(self._loop)

    def __exit__(self, *_: object) -> None:
        events._set_running_loop(self._outer)
        sys.set_asyncgen_hooks(*self._hooks)
        _replace(*self._originals)


def _replace(as_completed: Any, all_tasks: Any) -> None:
    """Set both functions where programs and asyncio itself find them."""
    asyncio.as_completed = tasks.as_completed = as_completed
    asyncio.all_tasks = tasks.all_tasks = all_tasks
