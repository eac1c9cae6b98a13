"""The async client: one statement, one answer; and transactions on a connection of their own.

Decides how a program calls the database and how its statement reads in the trace. Knows no SQL: text and parameters go
to the server as they are.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.tokens import Token, one_line, tokenize

if TYPE_CHECKING:
    from py_runtime.stores.sql.server import SqlServer

TEXT_LENGTH_MAX = 200
"""How many characters of a statement the trace shows; about two lines of the event log."""


class Message(NamedTuple):
    """What a client sends. `connection` None is for one statement in a transaction of its own."""

    connection: int | None
    text: str
    parameters: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """`rows` of a SELECT or RETURNING as dictionaries; `row_count` of those, or of rows inserted, updated, deleted."""

    rows: list[dict[str, object]]
    row_count: int


class SqlClient:
    """A handle on the database that any number of tasks may share; made by `SqlServer.client()`.

    Each statement is a transaction of its own. Raises SqlError where the server refuses (nothing changed), and
    ConnectionError or TimeoutError where the answer did not come; after a TimeoutError the statement may have been
    carried out.
    """

    def __init__(self, server: "SqlServer", timeout: float | None) -> None:
        self._server = server
        self._timeout = timeout
        self._connection: int | None = None

    async def execute(self, text: str, parameters: Mapping[str, object] | None = None) -> Answer:
        """Run one statement. `parameters` gives a value for every `:name` in it; others are no matter."""
        values = dict(parameters or {})
        world = self._server.world
        shown = statement_text(text, values) if world.tracing or world.network.rules else ""
        call = world.network.call(self._server.name, Message(self._connection, text, values), shown)
        if self._timeout is None:
            return Answer(*await call)
        try:
            async with asyncio.timeout(self._timeout):
                return Answer(*await call)
        except TimeoutError:
            raise TimeoutError(f"no answer from {self._server.name} within {self._timeout} seconds") from None

    async def fetch_one(self, text: str, parameters: Mapping[str, object] | None = None) -> dict[str, object] | None:
        """Run one statement and return its first row, or None when it has none."""
        answer = await self.execute(text, parameters)
        return answer.rows[0] if answer.rows else None

    async def fetch_all(self, text: str, parameters: Mapping[str, object] | None = None) -> list[dict[str, object]]:
        """Run one statement and return its rows."""
        return (await self.execute(text, parameters)).rows

    def connect(self) -> "SqlConnection":
        """Return a connection, on which BEGIN, COMMIT and ROLLBACK work."""
        return SqlConnection(self._server, self._timeout)

    def transaction(self, isolation: str | None = None) -> "SqlTransaction":
        """Return `async with` for a transaction on a new connection: COMMIT at its end, ROLLBACK when it raises.

        isolation: `read committed`, which is also the default, `repeatable read` or `serializable`.
        """
        return SqlTransaction(self.connect(), isolation)


class SqlConnection(SqlClient):
    """One connection; takes one statement at a time. Closing it, or its actor's crash, undoes an open transaction."""

    def __init__(self, server: "SqlServer", timeout: float | None) -> None:
        super().__init__(server, timeout)
        self._connection = server.open_connection()

    def close(self) -> None:
        """End the connection."""
        self._server.close_connection(self._connection)


class SqlTransaction:
    """The `async with` of `SqlClient.transaction()`; gives the connection."""

    def __init__(self, connection: SqlConnection, isolation: str | None) -> None:
        self._connection = connection
        self._begin = "BEGIN" if isolation is None else f"BEGIN ISOLATION LEVEL {isolation}"

    async def __aenter__(self) -> SqlConnection:
        await self._connection.execute(self._begin)
        return self._connection

    async def __aexit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        try:
            await self._connection.execute("COMMIT" if kind is None else "ROLLBACK")
        except (ConnectionError, TimeoutError):
            if kind is None:
                raise  # else the program's own error tells more, and a lost connection has undone the transaction
        finally:
            self._connection.close()


def statement_text(text: str, parameters: Mapping[str, object]) -> str:
    """Write a statement on one line with its parameters filled in, cut to `TEXT_LENGTH_MAX` characters."""
    tokens = _tokens(text)
    line = " ".join(text.split()) if tokens is None else one_line(tokens, parameters)
    return line if len(line) <= TEXT_LENGTH_MAX else line[: TEXT_LENGTH_MAX - 1] + "…"


@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[Token, ...] | None:
    try:
        return tokenize(text)
    except SqlError:
        return None  # the server will say what is wrong; the trace shows the text as it is
