"""A Redis stand-in: one server's commands as Redis 7.0 carries them out, and a client shaped like redis-py's.

    server = RedisServer(world)
    redis = server.client(decode_responses=True)
    await redis.zadd("leases", {"task-1": 1000})

Map, start with table.py:

    table.py         every command: name → function, arity, keys, options, summary; a row is how one is added
    commands/        the functions, a file per family; `(db, argv) -> reply`, raising `ErrorReply`
    execute.py       applies one command line to a keyspace at a given instant
    keyspace.py      keys, types, expiry, touched keys; sorted_set.py and stream.py hold the values with an order
    blocked.py       BLPOP and XREAD BLOCK: who waits for which key, and whom a write wakes
    server.py        the server as an actor of a world: requests, recorded changes, outage
    replication.py   primary and replica: what is sent, copied, lost; effects.py, link.py, acknowledgements.py (WAIT)
    failover.py      a name for the primary, and a replica taking its place
    cluster.py       servers that share the slots; slots.py which slot a key has, and who serves it
    client/          the async client
    errors.py        its exceptions
    views.py         values as JSON, for `changes` and for the page; command_text.py writes command lines
    number_text.py   Redis's reading and printing of numbers; glob.py patterns

Not here: pub/sub, MULTI, consumer groups, eviction, more than one database. An unknown command or option
is an error. Known differences:

- a set and a hash keep the order of adding; `smembers` is walked in sorted order; SCAN's batches are our own;
- `~` trims streams by 100 entries whatever their size; INCRBYFLOAT counts as on x86 and stops at 10^4200;
- a key ends for DBSIZE at its moment, not some time later; one EVAL has a limit of steps instead of SCRIPT KILL;
- replication counts writes, not bytes; a replica acknowledges each write as it applies it, not once a second; a lapsed
  key is deleted on the primary, and so on its replicas, with the next command; PUBLISH is not passed on to replicas;
- a client is its actor for WAIT; nodes of a cluster have no replicas, and slots move at once, without ASK;
- a client sends nothing again by itself where redis-py tries ten times; a cluster's client does, but without a pause;
- `incr(name)` sends INCR where redis-py sends INCRBY; two expiry options with equal values are refused, too.
"""

from py_runtime.stores.redis.client import AsyncScript, Redis
from py_runtime.stores.redis.client.cluster import RedisCluster
from py_runtime.stores.redis.cluster import Cluster
from py_runtime.stores.redis.errors import (
    ClusterCrossSlotError,
    ClusterDownError,
    ConnectionError,
    DataError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    SlotNotCoveredError,
    TimeoutError,
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
    "MovedError",
    "NoScriptError",
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
    "TimeoutError",
    "key_slot",
]
