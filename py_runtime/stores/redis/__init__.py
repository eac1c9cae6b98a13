"""A Redis stand-in: one server's commands as Redis 7.0 carries them out, and a client shaped like redis-py's.

    server = RedisServer(world)
    redis = server.client(decode_responses=True)
    await redis.zadd("leases", {"task-1": 1000})

Map, start with table.py:

    table.py         every command: name → function, arity, keys, options, summary; a row is how one is added
    commands/        the functions, a file per family; `(db, argv) -> reply`, raising `ErrorReply`
    execute.py       applies one command line to a keyspace at a given instant
    keyspace.py      keys, types, expiry, touched keys; sorted_set.py and stream.py (with its groups in
                     stream_group.py) hold the values with an order
    blocked.py       BLPOP, XREAD BLOCK and their kin: who waits for which key, and whom a write wakes
    sessions.py      what a connection has begun: MULTI, WATCH, subscriptions
    connections.py   connections opened, closed and pushed to; packets.py what is sent on one at once
    server.py        the server as an actor of a world: requests, recorded changes, outage
    replication.py   primary and replica: what is sent, copied, lost; effects.py, link.py, acknowledgements.py (WAIT)
    failover.py      a name for the primary, and a replica taking its place; standby.py one that does so under its name
    cluster.py       servers that share the slots; slots.py which slot a key has, and who serves it
    client/          the async client
    errors.py        its exceptions
    views.py         values as JSON, for `changes` and for the page; command_text.py writes command lines
    differences.py   where this is not Redis, as data
    number_text.py   Redis's reading and printing of numbers; glob.py patterns

What is not here and what differs from Redis is listed in differences.py.
"""

from py_runtime.stores.redis.client import AsyncScript, Pipeline, PubSub, Redis, Subscription
from py_runtime.stores.redis.client.cluster import RedisCluster
from py_runtime.stores.redis.cluster import Cluster
from py_runtime.stores.redis.errors import (
    ClusterCrossSlotError,
    ClusterDownError,
    ConnectionError,
    DataError,
    ExecAbortError,
    MovedError,
    NoScriptError,
    PubSubError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    SlotNotCoveredError,
    TimeoutError,
    WatchError,
)
from py_runtime.stores.redis.failover import Sentinel
from py_runtime.stores.redis.server import RedisServer
from py_runtime.stores.redis.slots import Slots, key_slot
from py_runtime.stores.redis.table import COMMANDS, FAMILIES, Command

__all__ = [
    "COMMANDS",
    "FAMILIES",
    "AsyncScript",
    "Cluster",
    "ClusterCrossSlotError",
    "ClusterDownError",
    "Command",
    "ConnectionError",
    "DataError",
    "ExecAbortError",
    "MovedError",
    "NoScriptError",
    "Pipeline",
    "PubSub",
    "PubSubError",
    "ReadOnlyError",
    "Redis",
    "RedisCluster",
    "RedisClusterException",
    "RedisError",
    "RedisServer",
    "ResponseError",
    "Sentinel",
    "SlotNotCoveredError",
    "Slots",
    "Subscription",
    "TimeoutError",
    "WatchError",
    "key_slot",
]
