"""Futures and tasks that hash by number, so that a set of them has the same order in every run.

asyncio and programs go through sets of tasks: a TaskGroup that cancels its children, the `pending` of `asyncio.wait`.
By default the order of such a set is that of memory addresses, which no seed decides. Python's sets order small
integers alike in every version, so numbers are enough. Knows nothing of actors or time.
"""

import asyncio
from typing import Any


class SimFuture(asyncio.Future):
    """A future with its number in the run."""

    __slots__ = ("number",)

    def __init__(self, number: int, loop: asyncio.AbstractEventLoop) -> None:
        self.number = number
        super().__init__(loop=loop)

    def __hash__(self) -> int:
        return self.number


class SimTask(asyncio.Task):
    """A task with its number in the run, and the default name that this number gives.

    asyncio's own default names count through the life of the process, so that a second run would have others.
    `wrapped`: the coroutine that this task's own will await first, so that both can be disposed of unstarted.
    """

    __slots__ = ("number", "wrapped")

    def __init__(
        self, number: int, coroutine: Any, loop: asyncio.AbstractEventLoop, name: str | None, context: Any
    ) -> None:
        self.number = number
        self.wrapped: Any = None
        super().__init__(coroutine, loop=loop, name=name or f"Task-{number}", context=context)

    def __hash__(self) -> int:
        return self.number

    @property
    def failed_unseen(self) -> bool:
        """Whether it ended with an exception that nobody has looked at, as asyncio itself keeps account of it."""
        return self._log_traceback
