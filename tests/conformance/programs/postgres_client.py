"""The adapter through which psycopg's connection serves where the stand-in's SQL client does."""

import re
from collections.abc import Mapping
from typing import NamedTuple

import psycopg
from psycopg.rows import dict_row

_NAME = re.compile(r":([a-z_]+)")  # the programs' statements have no colon elsewhere, and no percent sign


class Answer(NamedTuple):
    """What a statement gave: its rows, and how many it hit."""

    rows: list[dict]
    row_count: int


class Database:
    """psycopg's connection with the stand-in's `execute` and `fetch_one`; each statement is a transaction."""

    def __init__(self, connection: psycopg.AsyncConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, address: str) -> "Database":
        return cls(await psycopg.AsyncConnection.connect(address, autocommit=True, row_factory=dict_row))

    async def execute(self, text: str, parameters: Mapping[str, object] | None = None) -> Answer:
        cursor = await self._connection.execute(_NAME.sub(r"%(\1)s", text), parameters or {})
        return Answer(await cursor.fetchall() if cursor.description else [], cursor.rowcount)

    async def fetch_one(self, text: str, parameters: Mapping[str, object] | None = None) -> dict | None:
        rows = (await self.execute(text, parameters)).rows
        return rows[0] if rows else None
