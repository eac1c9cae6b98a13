"""The stand-in, SQLite and PostgreSQL behind one method: a statement in, a comparable reply out.

Decides how values of the three become comparable, and how much of an error counts: with PostgreSQL its code, its text
and the detail of a broken constraint, with SQLite that it was one.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

import psycopg
from psycopg.types.numeric import Int4Dumper, Int8Dumper
from psycopg.types.string import StrDumper

from py_runtime.stores.sql import SqlDatabase, SqlError
from py_runtime.stores.sql.database import Connection
from tests.conformance.arms.sql_arms import percent_names


@dataclass(frozen=True)
class Reply:
    """Rows and their number, or an error: its code, its text, and the detail of a broken constraint."""

    rows: tuple[tuple, ...] = ()
    row_count: int = 0
    sqlstate: str = ""
    message: str = ""
    detail: str = ""

    def __str__(self) -> str:
        if self.sqlstate:
            return f"{self.sqlstate} {self.message}" + (f" ({self.detail})" if self.detail else "")
        return f"{self.row_count} rows: {list(self.rows)}"


def comparable(value: object) -> object:
    """A value as all three can give it: numbers by worth, truth as 0 and 1, times as text."""
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, (float, Decimal)):
        return int(value) if value == int(value) else round(float(value), 9)
    if isinstance(value, datetime):
        return value.isoformat(" ").rstrip("0") if value.microsecond else value.isoformat(" ")
    return value


def answered(rows: list, row_count: int, ordered: bool) -> Reply:
    """A reply of rows; without an order they are sorted by how they look."""
    shown = [tuple(comparable(value) for value in row) for row in rows]
    return Reply(tuple(shown if ordered else sorted(shown, key=repr)), row_count)


def refused(error: SqlError) -> Reply:
    """A reply of the stand-in's error."""
    return Reply(sqlstate=error.sqlstate, message=error.message, detail=getattr(error, "detail", ""))


class StandIn:
    """A connection to a stand-in of its own."""

    def __init__(self) -> None:
        self.fresh()

    def fresh(self) -> None:
        self.connection: Connection = SqlDatabase().connect()

    def ask(self, text: str, parameters: Mapping[str, object], ordered: bool) -> Reply:
        try:
            result = self.connection.execute(text, parameters)
        except SqlError as error:
            return refused(error)
        return answered([tuple(row.values()) for row in result.rows], result.row_count, ordered)


class Sqlite:
    """A database in memory."""

    def __init__(self) -> None:
        self.fresh()

    def fresh(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        self._connection.execute("PRAGMA case_sensitive_like = ON")

    @property
    def in_transaction(self) -> bool:
        return self._connection.in_transaction

    def ask(self, text: str, parameters: Mapping[str, object], ordered: bool) -> Reply:
        try:
            cursor = self._connection.execute(text, parameters)
            rows = cursor.fetchall()
        except sqlite3.IntegrityError as error:
            return Reply(sqlstate="23", message=str(error))
        except (sqlite3.Error, OverflowError) as error:
            return Reply(sqlstate="any", message=str(error))
        return answered(rows, len(rows) if cursor.description else max(cursor.rowcount, 0), ordered)


class Postgres:
    """A connection to the server at an address; its table `t` is dropped for each fresh start."""

    def __init__(self, address: str) -> None:
        self.connection = psycopg.connect(address, autocommit=True, prepare_threshold=None)
        typed_parameters(self.connection)

    def fresh(self) -> None:
        self.connection.rollback()
        self.connection.execute("DROP TABLE IF EXISTS t")

    def ask(self, text: str, parameters: Mapping[str, object], ordered: bool) -> Reply:
        try:
            cursor = self.connection.execute(percent_names(text), parameters)
            rows = cursor.fetchall() if cursor.description else []
        except psycopg.Error as error:
            return reply_of(error)
        return answered(rows, max(cursor.rowcount, 0), ordered)


def reply_of(error: psycopg.Error) -> Reply:
    """A reply of PostgreSQL's error; details count where a constraint is broken."""
    detail = error.diag.message_detail if (error.sqlstate or "").startswith("23") else None
    return Reply(sqlstate=error.sqlstate or "", message=error.diag.message_primary or str(error), detail=detail or "")


class _Integer(Int4Dumper):
    """Sends an int as INTEGER, or as BIGINT where that is too small, as the stand-in does; psycopg has SMALLINT too."""

    def upgrade(self, obj: int, format: object) -> "_Integer | Int8Dumper":
        return self if -(2**31) <= obj < 2**31 else Int8Dumper(int)

    def get_key(self, obj: int, format: object) -> type:
        return int if -(2**31) <= obj < 2**31 else Int8Dumper


def typed_parameters(connection: psycopg.Connection | psycopg.AsyncConnection) -> None:
    """Send text as TEXT and numbers as INTEGER or BIGINT, instead of leaving the type to the server."""
    connection.adapters.register_dumper(str, StrDumper)
    connection.adapters.register_dumper(int, _Integer)


def agree(ours: Reply, theirs: Reply, any_error: bool) -> bool:
    """Whether two replies say the same; our messages may go on where PostgreSQL's end."""
    if not ours.sqlstate or not theirs.sqlstate or theirs.sqlstate == "any":
        return ours == theirs or bool(ours.sqlstate and theirs.sqlstate)
    if any_error or theirs.sqlstate == "23":
        return ours.sqlstate[:2] == theirs.sqlstate[:2] or (any_error and theirs.sqlstate != "23")
    return ours.sqlstate == theirs.sqlstate and ours.message.startswith(theirs.message) and ours.detail == theirs.detail
