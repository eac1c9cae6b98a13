"""What the bodies on SQL share: which arms a body runs on, and how its steps on several connections are put in order.

SQLite takes part where it agrees with PostgreSQL. Where it does not, or where connections wait for each other, which
SQLite's do not, a module or a test says `@ON_POSTGRESQL`.
"""

import asyncio
from collections.abc import Coroutine

import pytest

from py_runtime.stores.sql import SqlError

ON_POSTGRESQL = pytest.mark.parametrize("sql_arm", ["stand-in", "postgresql"], indirect=True)
_WAITING = "SELECT count(DISTINCT pid) AS n FROM pg_locks WHERE NOT granted"


async def values(sql, text: str, parameters: dict | None = None) -> list[tuple]:
    """The rows of a statement without their columns' names."""
    return [tuple(row.values()) for row in await sql.fetch_all(text, parameters)]


async def refused(call: Coroutine) -> str:
    """What a call is refused with: the class of the error and its text."""
    try:
        answer = await call
    except SqlError as error:
        return f"{type(error).__name__}: {error.message}"
    return f"not refused: {answer}"


class Queue:
    """Statements that wait, and the moment at which they do. `sql` is a client that is itself in no transaction."""

    def __init__(self, sql_arm, sql) -> None:
        self._arm = sql_arm
        self._sql = sql
        self._waiting: list[asyncio.Task] = []

    async def wait(self, call: Coroutine) -> asyncio.Task:
        """Start a call and return once it waits for a lock; its task is done when it has been let go on."""
        task = asyncio.create_task(call)
        self._waiting = [other for other in self._waiting if not other.done()] + [task]
        while await self._count() < len(self._waiting):
            if task.done():
                raise AssertionError(f"it does not wait: {await refused(_result(task))}")
            await asyncio.sleep(0.001)
        return task

    async def _count(self) -> int:
        if self._arm.name == "stand-in":
            return self._arm.server.waiting_count
        return (await self._sql.fetch_one(_WAITING))["n"]


async def _result(task: asyncio.Task) -> object:
    return task.result()
