"""What a run lends to asyncio, and takes back when it ends, whatever happens.

- the slot for the running loop, by which asyncio finds the simulation;
- the hooks for asynchronous generators;
- two functions of asyncio that would go wrong in a simulation: `as_completed` starts coroutines in the order of a
  set, which is that of memory addresses, and `all_tasks` would show one actor the tasks of all others.
"""

import asyncio
import sys
from asyncio import events
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_as_completed = asyncio.as_completed


def _as_completed_in_order(fs: Any, **options: Any) -> Any:
    """`asyncio.as_completed`, with the coroutines started in the order in which they are given."""
    if not asyncio.isfuture(fs) and not asyncio.iscoroutine(fs):
        fs = [asyncio.ensure_future(each) for each in dict.fromkeys(fs)]
    return _as_completed(fs, **options)


@contextmanager
def lent(
    loop: asyncio.AbstractEventLoop,
    keep_generator: Callable[[Any], None],
    all_tasks: Callable[[asyncio.AbstractEventLoop | None], set[Any]],
) -> Iterator[None]:
    """Make `loop` the running loop. `keep_generator` is told of each asynchronous generator that starts."""
    outer = events._get_running_loop()
    hooks = sys.get_asyncgen_hooks()
    names = {"as_completed": _as_completed_in_order, "all_tasks": all_tasks}
    modules = (asyncio, asyncio.tasks)
    originals = [(module, name, getattr(module, name)) for module in modules for name in names]
    try:
        for module, name, _ in originals:
            setattr(module, name, names[name])
        # No finalizer: a generator that is dropped would run its finally at the mercy of the garbage collector.
        sys.set_asyncgen_hooks(firstiter=keep_generator, finalizer=None)
        events._set_running_loop(loop)
        yield
    finally:
        events._set_running_loop(outer)
        sys.set_asyncgen_hooks(*hooks)
        for module, name, original in originals:
            setattr(module, name, original)
