"""Disposing of what a run left unfinished: crashed programs and those that the end of the run cut short.

Python cannot drop a suspended coroutine without running its `finally`. So that is done once, at the end, in a world
that is over: nothing is recorded or sent, and whatever a disposed program awaits never comes. Knows no actors.
"""

import asyncio
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .futures import SimTask

# How many awaits the `finally` blocks of one program may nest. A program that swallows every exception and tries again
# gets no further than this.
TRIES_MAX = 100


@contextmanager
def complaints_muted() -> Iterator[None]:
    """Python reports what finalizers raise; of disposed programs nobody wants to know."""
    hook = sys.unraisablehook
    sys.unraisablehook = _nothing
    try:
        yield
    finally:
        sys.unraisablehook = hook


def _nothing(_: Any) -> None:
    """Takes the place of a report."""


def dispose_tasks(tasks: list[SimTask], loop: asyncio.AbstractEventLoop) -> None:
    """Close the coroutines of unfinished tasks, and let go of all."""
    for task in tasks:
        if task.done():
            continue
        task._log_destroy_pending = False
        coroutine = task.get_coro()
        # Code that asks for the current task gets one, lest it fail and be tried again for ever.
        outer = _swap_current_task(loop, task)
        try:
            for _ in range(TRIES_MAX):
                if _closed(coroutine):
                    break
        finally:
            _swap_current_task(loop, outer)
        if task.wrapped is not None:
            _closed(task.wrapped)
    tasks.clear()


def _swap_current_task(loop: asyncio.AbstractEventLoop, task: Any) -> Any:
    if sys.version_info >= (3, 12):
        return asyncio.tasks._swap_current_task(loop, task)
    outer = asyncio.current_task(loop)
    if outer is not None:
        asyncio.tasks._leave_task(loop, outer)
    if task is not None:
        asyncio.tasks._enter_task(loop, task)
    return outer


def _closed(coroutine: Any) -> bool:
    """Raise GeneratorExit where the coroutine waits; False where it waits again, as in a `finally` that awaits."""
    try:
        coroutine.close()
    except RuntimeError:
        return False
    except BaseException:  # whatever a disposed program raises is of no consequence
        return True
    return True


def dispose_generators(generators: list[Any]) -> None:
    """Let go of asynchronous generators; unfinished ones may be part of cycles that only the collector finds."""
    unfinished = any(generator.ag_frame is not None for generator in generators)
    generators.clear()
    if unfinished:
        gc.collect()
