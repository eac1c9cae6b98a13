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

# How often one program's coroutines are told to stop. Each await in a `finally` takes one more time; a program that
# swallows every exception and tries again for ever gets no further than this.
TRIES_MAX = 1_000


@contextmanager
def disposing(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """While programs are disposed of, none finds itself without a current task (it might fail and try again for ever),
    and Python does not report what finalizers raise."""
    nobody = _nobody()
    task = SimTask(0, nobody, loop, "nobody", None)
    task._log_destroy_pending = False
    nobody.close()
    hook, sys.unraisablehook = sys.unraisablehook, _unreported
    outer = _swap_current_task(loop, task)
    try:
        yield
    finally:
        _swap_current_task(loop, outer)
        sys.unraisablehook = hook


async def _nobody() -> None:
    """What the current task would run."""


def _unreported(_: Any) -> None:
    """Takes the place of a report."""


def _swap_current_task(loop: asyncio.AbstractEventLoop, task: Any) -> Any:
    if sys.version_info >= (3, 12):
        return asyncio.tasks._swap_current_task(loop, task)
    outer = asyncio.current_task(loop)
    if outer is not None:
        asyncio.tasks._leave_task(loop, outer)
    if task is not None:
        asyncio.tasks._enter_task(loop, task)
    return outer


def dispose_tasks(tasks: list[SimTask]) -> bool:
    """Close the coroutines of unfinished tasks, and let go of all; says whether all closed."""
    closed = True
    for task in tasks:
        if not task.done():
            task._log_destroy_pending = False
            closed = _close(task.get_coro()) and closed
            if task.wrapped is not None:
                closed = _close(task.wrapped) and closed
    tasks.clear()
    return closed


def _close(outermost: Any) -> bool:
    """Close a coroutine and those it awaits, innermost first, as an exception would unwind them; whether all closed.

    Closing the outermost would not do: where an inner one awaits again in its `finally`, Python throws an error into
    the outer ones, and leaves the inner one to the collector.
    """
    for _ in range(TRIES_MAX):
        innermost, inner = None, outermost
        while inner is not None:
            if getattr(inner, "cr_frame", None) is not None:
                innermost = inner
            inner = getattr(inner, "cr_await", None)
        if innermost is None:
            return True
        try:
            innermost.close()
        except BaseException:  # whatever a disposed program raises is of no consequence
            continue
    return False


def dispose_generators(generators: list[Any]) -> bool:
    """Let go of asynchronous generators, whose `finally` Python then runs; says whether all were finished before."""
    finished = all(generator.ag_frame is None for generator in generators)
    generators.clear()
    return finished


def collect() -> None:
    """Dispose of what is only held by cycles, while that has no effect."""
    gc.collect()
