"""Several connections to the stand-in and to PostgreSQL, with the moment seen at which a statement begins to wait.

Decides when a step is over: when every connection has its answer or waits for a lock. PostgreSQL's own table of locks
says who waits, so nothing depends on how long anything takes, but for one thing: who of a deadlock is refused. There
the last to wait is made to be the one, by waiting until the others' timers have run out.
"""

import asyncio

import psycopg

from py_runtime.stores.sql import SqlDatabase
from py_runtime.stores.sql.sessions import Execution
from tests.conformance.random_sql.databases import Reply, answered, refused, reply_of, typed_parameters

DEADLOCK = "40P01"
_DEADLOCK_TIMEOUT_MS = 5
_SETTINGS = {
    "deadlock_timeout": f"{_DEADLOCK_TIMEOUT_MS}ms",
    "enable_indexscan": "off",
    "enable_indexonlyscan": "off",
    "enable_bitmapscan": "off",
}
_WAITING = f"""
    SELECT DISTINCT pid FROM pg_locks
    WHERE NOT granted AND clock_timestamp() - waitstart > interval '{4 * _DEADLOCK_TIMEOUT_MS} ms'
"""


class Ours:
    """Connections to one stand-in."""

    def __init__(self, count: int) -> None:
        self.database = SqlDatabase()
        self.waiting: set[int] = set()
        self._connections = [self.database.connect() for _ in range(count)]
        self._answers: dict[int, Reply] = {}

    def step(self, number: int, text: str) -> dict[int, Reply]:
        """Start a statement; returns the answers that this brought, by connection."""
        self._answers = {}

        def ended(execution: Execution) -> None:
            self.waiting.discard(number)
            self._answers[number] = _answer(execution, "ORDER BY" in text)

        self.waiting.add(number)
        self._connections[number].start(text, {}, ended)
        return self._answers

    def end(self) -> None:
        """Undo every open transaction, as soon as it does not wait."""
        for _round in self._connections:
            for number in range(len(self._connections)):
                if number not in self.waiting:
                    self.step(number, "ROLLBACK")

    def rows(self) -> tuple:
        """What the table holds."""
        return answered([tuple(row.values()) for row in self.database.rows("t")], 0, ordered=False).rows


def _answer(execution: Execution, ordered: bool) -> Reply:
    if execution.error is not None:
        return refused(execution.error)
    rows = [tuple(row.values()) for row in execution.result.rows]
    return answered(rows, execution.result.row_count, ordered)


class Theirs:
    """Connections to one PostgreSQL server, and one more that watches them."""

    def __init__(self, watch: psycopg.AsyncConnection, connections: list[psycopg.AsyncConnection]) -> None:
        self._watch = watch
        self._connections = connections
        self._running: dict[int, asyncio.Task[Reply]] = {}

    @classmethod
    async def connect(cls, address: str, count: int) -> "Theirs":
        watch, *others = [await psycopg.AsyncConnection.connect(address, autocommit=True) for _ in range(count + 1)]
        for connection in (watch, *others):
            typed_parameters(connection)
            connection.prepare_threshold = None
            for name, value in _SETTINGS.items():
                await connection.execute(f"SET {name} = '{value}'")
        return cls(watch, others)

    @property
    def waiting(self) -> set[int]:
        return set(self._running)

    async def fresh(self, *texts: str) -> None:
        """Undo every open transaction, then make the table anew."""
        await self.end()
        for text in ("DROP TABLE IF EXISTS t", *texts):
            await self._watch.execute(text)

    async def step(self, number: int, text: str) -> dict[int, Reply]:
        """Start a statement; returns the answers that this brought, by connection, once the rest waits."""
        self._running[number] = asyncio.create_task(_ask(self._connections[number], text))
        answers: dict[int, Reply] = {}
        while True:
            await asyncio.wait(self._running.values(), timeout=0.001)
            for name, task in list(self._running.items()):
                if task.done():
                    answers[name] = task.result()
                    del self._running[name]
            if not self._running or await self._all_wait():
                return answers

    async def _all_wait(self) -> bool:
        pids = {row[0] for row in await (await self._watch.execute(_WAITING)).fetchall()}
        return all(self._connections[name].info.backend_pid in pids for name in self._running)

    async def end(self) -> None:
        """Undo every open transaction."""
        for _round in self._connections:
            for name in range(len(self._connections)):
                if name not in self._running:
                    await self.step(name, "ROLLBACK")

    async def rows(self) -> tuple:
        """What the table holds."""
        cursor = await self._watch.execute("SELECT * FROM t")
        return answered(await cursor.fetchall(), 0, ordered=False).rows

    async def close(self) -> None:
        for connection in (self._watch, *self._connections):
            await connection.close()


async def _ask(connection: psycopg.AsyncConnection, text: str) -> Reply:
    try:
        cursor = await connection.execute(text)
        rows = await cursor.fetchall() if cursor.description else []
    except psycopg.Error as error:
        return reply_of(error)
    return answered(rows, max(cursor.rowcount, 0), "ORDER BY" in text)
