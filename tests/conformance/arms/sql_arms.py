"""SQL on three sides, behind the methods of the stand-in's client.

Decides how `:name` parameters, rows, row counts and errors of SQLite and PostgreSQL become those of the stand-in. What
may differ between databases (wording, SQLite's types) is for the bodies to leave out. SQLite is asked in the loop's own
thread, so a statement that would have to wait for another connection is refused at once.
"""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import asynccontextmanager
from typing import Protocol

import psycopg
from psycopg.rows import dict_row

from py_runtime.stores.sql import Answer, IntegrityError, SqlError, SqlServer
from tests.conformance.arms.arm import Arm, RealTime, VirtualTime


class SqlArm(Arm, Protocol):
    """An arm with one empty database."""

    def client(self):
        """A client whose every statement is a transaction of its own."""


class StandIn(VirtualTime):
    """The stand-in in a world; `server` is its `SqlServer`."""

    def __init__(self) -> None:
        super().__init__()
        self.server = SqlServer(self.world)

    def client(self):
        return self.server.client()


class Sqlite(RealTime):
    """SQLite in memory; several connections share it."""

    name = "sqlite"

    def __init__(self) -> None:
        super().__init__()
        self._address = f"file:lab-{id(self)}?mode=memory&cache=shared"
        self._keeper = sqlite3.connect(self._address, uri=True)

    def client(self):
        return self.open()

    def open(self) -> "SqliteConnection":
        self.clients.append(SqliteConnection(self, sqlite3.connect(self._address, uri=True, isolation_level=None)))
        return self.clients[-1]

    def close(self) -> None:
        self._keeper.close()


class Postgres(RealTime):
    """A PostgreSQL server at an address; its schema `public` is made anew."""

    name = "postgresql"

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute("DROP SCHEMA IF EXISTS public CASCADE")
            connection.execute("CREATE SCHEMA public")

    def client(self):
        return self.open()

    def open(self) -> "PostgresConnection":
        self.clients.append(PostgresConnection(self))
        return self.clients[-1]


class _Connection:
    """What both real connections share with the stand-in's client: all but `execute`."""

    def __init__(self, arm) -> None:
        self._arm = arm

    async def fetch_one(self, text: str, parameters: Mapping[str, object] | None = None):
        answer = await self.execute(text, parameters)
        return answer.rows[0] if answer.rows else None

    async def fetch_all(self, text: str, parameters: Mapping[str, object] | None = None):
        return (await self.execute(text, parameters)).rows

    def connect(self):
        return self._arm.open()

    @asynccontextmanager
    async def transaction(self):
        connection = self.connect()
        await connection.execute("BEGIN")
        try:
            yield connection
        except BaseException:
            await connection.execute("ROLLBACK")
            raise
        else:
            await connection.execute("COMMIT")
        finally:
            await connection.aclose()


class SqliteConnection(_Connection):
    """One connection to SQLite."""

    def __init__(self, arm: Sqlite, connection: sqlite3.Connection) -> None:
        super().__init__(arm)
        connection.row_factory = sqlite3.Row
        self._connection = connection

    async def execute(self, text: str, parameters: Mapping[str, object] | None = None) -> Answer:
        try:
            cursor = self._connection.execute(text, dict(parameters or {}))
            rows = [dict(row) for row in cursor.fetchall()]
        except sqlite3.IntegrityError as error:
            raise _integrity_error(str(error), "23000") from error
        except (sqlite3.Error, OverflowError) as error:
            raise SqlError(str(error), sqlstate="XX000") from error
        return Answer(rows, len(rows) if cursor.description else max(cursor.rowcount, 0))

    async def aclose(self) -> None:
        self._connection.close()


class PostgresConnection(_Connection):
    """One connection to PostgreSQL, made at its first statement."""

    def __init__(self, arm: Postgres) -> None:
        super().__init__(arm)
        self._connection: psycopg.AsyncConnection | None = None

    async def execute(self, text: str, parameters: Mapping[str, object] | None = None) -> Answer:
        if self._connection is None:
            connect = psycopg.AsyncConnection.connect
            self._connection = await connect(self._arm.address, autocommit=True, row_factory=dict_row)
        try:
            cursor = await self._connection.execute(percent_names(text), parameters or {})
            rows = await cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            diagnosis = error.diag
            message = diagnosis.message_primary or str(error)
            if isinstance(error, psycopg.errors.IntegrityError):
                raise _integrity_error(
                    message, error.sqlstate, diagnosis.table_name, diagnosis.constraint_name or diagnosis.column_name
                ) from error
            raise SqlError(message, sqlstate=error.sqlstate or "XX000") from error
        return Answer(rows, max(cursor.rowcount, 0))

    async def aclose(self) -> None:
        if self._connection is not None:
            await self._connection.close()


_PIECES = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|::|:([A-Za-z_][A-Za-z_0-9]*)|%")


def percent_names(text: str) -> str:
    """The statement with `%(name)s` for each `:name`; literals, quoted names and comments keep theirs."""

    def rewritten(piece: re.Match[str]) -> str:
        if piece[1] is not None:
            return f"%({piece[1]})s"
        return piece[0].replace("%", "%%")

    return _PIECES.sub(rewritten, text)


def _integrity_error(message: str, sqlstate: str, table: str | None = None, constraint: str | None = None):
    return IntegrityError(message, sqlstate=sqlstate, table=table or "", constraint=constraint or "")
