"""The async client: method names, arguments, defaults and replies of `redis.asyncio.Redis` for the commands we have.

`calls.py` sends one command, `replies.py` turns its reply into Python values, the other files hold methods by family.
"""

from py_runtime.stores.redis.client.hashes import HashMethods
from py_runtime.stores.redis.client.keys import KeyMethods
from py_runtime.stores.redis.client.lists import ListMethods, SetMethods
from py_runtime.stores.redis.client.scripts import AsyncScript, ScriptMethods
from py_runtime.stores.redis.client.sorted_sets import SortedSetMethods
from py_runtime.stores.redis.client.stream_groups import StreamGroupMethods
from py_runtime.stores.redis.client.streams import StreamMethods
from py_runtime.stores.redis.client.strings import StringMethods

__all__ = ["AsyncScript", "Redis"]


class Redis(
    StringMethods,
    KeyMethods,
    HashMethods,
    SortedSetMethods,
    SetMethods,
    ListMethods,
    StreamMethods,
    StreamGroupMethods,
    ScriptMethods,
):
    """A connection to a `RedisServer`; made by its `client()`. May be shared by several tasks."""

    async def __aenter__(self) -> "Redis":
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
