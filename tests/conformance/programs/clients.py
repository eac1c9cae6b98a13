"""The clients that the programs are handed, in place of the stand-ins'.

Redis needs no adapter: redis-py's own client, which here also tells what each script answered. PostgreSQL's needs one
of a few lines.
"""

from collections.abc import Callable, Mapping

import psycopg
from psycopg.rows import dict_row
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from py_runtime.stores.sql import Answer
from tests.conformance.arms.sql_arms import percent_names


class Database:
    """psycopg's connection with the stand-in's `execute` and `fetch_one`; each statement is a transaction."""

    def __init__(self, connection: psycopg.AsyncConnection) -> None:
        self._connection = connection

    @classmethod
    async def open(cls, address: str) -> "Database":
        return cls(await psycopg.AsyncConnection.connect(address, autocommit=True, row_factory=dict_row))

    async def execute(self, text: str, parameters: Mapping[str, object] | None = None) -> Answer:
        cursor = await self._connection.execute(percent_names(text), parameters or {})
        return Answer(await cursor.fetchall() if cursor.description else [], cursor.rowcount)

    async def fetch_one(self, text: str, parameters: Mapping[str, object] | None = None) -> dict | None:
        rows = (await self.execute(text, parameters)).rows
        return rows[0] if rows else None


class TellingRedis(Redis):
    """redis-py's client; `tell` hears the name of each script that ran (its first line) and its reply."""

    tell: Callable[..., None]
    names: dict[str, str]

    def register_script(self, script: str):
        registered = super().register_script(script)
        self.names[registered.sha] = script.partition("\n")[0].removeprefix("-- ")
        return registered

    async def evalsha(self, sha: str, numkeys: int, *keys_and_args):
        reply = await super().evalsha(sha, numkeys, *keys_and_args)
        self.tell("script", name=self.names[sha], reply=reply)
        return reply


def redis_client(port: int, tell: Callable[..., None]) -> TellingRedis:
    """A client whose programs find what the stand-in gives them: text, the old protocol, no hidden second try."""
    retry = Retry(NoBackoff(), 0)
    client = TellingRedis(port=port, protocol=2, decode_responses=True, socket_timeout=None, retry=retry)
    client.tell, client.names = tell, {}
    return client
