"""The async client: method names, arguments, defaults and replies of `redis.asyncio.Redis` for the commands we have.

`calls.py` sends one command, `replies.py` turns its reply into Python values, `connection.py` is a connection of one's
own, `transactions.py` a pipeline, `pubsub.py` a subscriber; the other files hold methods by family.
"""

import asyncio
import inspect
from typing import TYPE_CHECKING

from py_runtime.stores.redis.client.connection import Connection, Pool
from py_runtime.stores.redis.client.hashes import HashMethods
from py_runtime.stores.redis.client.keys import KeyMethods
from py_runtime.stores.redis.client.lists import ListMethods, SetMethods
from py_runtime.stores.redis.client.pubsub import PublishMethods, PubSub, Subscription
from py_runtime.stores.redis.client.scripts import AsyncScript, ScriptMethods
from py_runtime.stores.redis.client.sorted_sets import SortedSetMethods
from py_runtime.stores.redis.client.stream_groups import StreamGroupMethods
from py_runtime.stores.redis.client.streams import StreamMethods
from py_runtime.stores.redis.client.strings import StringMethods
from py_runtime.stores.redis.client.transactions import PipelineMethods
from py_runtime.stores.redis.errors import WatchError

if TYPE_CHECKING:
    from py_runtime.stores.redis.server import RedisServer

__all__ = ["AsyncScript", "CommandMethods", "Pipeline", "PubSub", "Redis", "SingleConnection", "Subscription"]


class CommandMethods(
    StringMethods,
    KeyMethods,
    HashMethods,
    SortedSetMethods,
    SetMethods,
    ListMethods,
    StreamMethods,
    StreamGroupMethods,
    PublishMethods,
    ScriptMethods,
):
    """The commands, for whoever has an `execute_command`."""

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Nothing is held open here; present so that programs can end as they do on a real client."""

    def __getattr__(self, name: str):
        raise AttributeError(
            f"the Redis stand-in's client has no method {name!r}; its commands are listed in "
            "py_runtime/stores/redis/table.py, and execute_command sends any of them"
        )


class Pipeline(PipelineMethods, CommandMethods):
    """Commands collected to be sent at once; made by `Redis.pipeline()`."""


class Redis(CommandMethods):
    """A client of a `RedisServer`; made by its `client()`. May be shared by several tasks."""

    def __init__(self, server: "RedisServer", decode_responses: bool, socket_timeout: float | None) -> None:
        super().__init__(server, decode_responses, socket_timeout)
        self._pool = Pool(server, socket_timeout)

    async def aclose(self) -> None:
        """Close the connections that pipelines have used; later calls open new ones."""
        self._pool.close()

    def client(self) -> "SingleConnection":
        """A client that sends everything by one connection of its own."""
        return SingleConnection(self._server, self._decode_responses, self._socket_timeout)

    def pipeline(self, transaction: bool = True, shard_hint=None) -> Pipeline:
        """Collect commands and send them at once, as one transaction or (False) so that others may come in between."""
        return Pipeline(self, self._pool, transaction)

    async def transaction(
        self, func, *watches, shard_hint=None, value_from_callable: bool = False, watch_delay: float | None = None
    ):
        """Watch keys, let `func(pipe)` read and collect, execute; all again whenever a watched key has changed.

        Gives the replies, or what `func` returned with `value_from_callable`. watch_delay: seconds before trying again.
        """
        async with self.pipeline(True, shard_hint) as pipe:
            while True:
                try:
                    if watches:
                        await pipe.watch(*watches)
                    value = func(pipe)
                    if inspect.isawaitable(value):
                        value = await value
                    replies = await pipe.execute()
                    return value if value_from_callable else replies
                except WatchError:
                    if watch_delay is not None and watch_delay > 0:
                        await asyncio.sleep(watch_delay)

    def pubsub(self, *, shard_hint=None, ignore_subscribe_messages: bool = False) -> PubSub:
        """A subscriber, with a connection of its own from its first subscription on."""
        return PubSub(self._server, self._decode_responses, self._socket_timeout, ignore_subscribe_messages)

    def reset(self):
        return self.execute_command("RESET")

    def quit(self):
        return self.execute_command("QUIT")


class SingleConnection(Redis):
    """Made by `Redis.client()`: one command after the other by one connection, so that MULTI and WATCH may be sent."""

    def __init__(self, server: "RedisServer", decode_responses: bool, socket_timeout: float | None) -> None:
        super().__init__(server, decode_responses, socket_timeout)
        self._connection: Connection | None = None
        self._turn = asyncio.Lock()

    async def _send(self, argv: list[bytes]):
        async with self._turn:
            if self._connection is None or self._connection.is_over:
                self._connection = Connection(self._server, self._socket_timeout)
            try:
                return (await self._connection.call([argv]))[0]
            finally:
                if not self._connection.is_open:
                    self._connection = None

    async def aclose(self) -> None:
        """Close the connection, with all that was begun on it; a later call opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        await super().aclose()
