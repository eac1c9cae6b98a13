"""The table of commands: name → function, number of arguments, where its keys are, and a line for the reference page.

Start here to add a command: write one function `(db, argv) -> reply` in a file of `commands/`, add one row below.
Arity is counted as in Redis: the name included, negative for "at least". `keys` is (first, last, step) within the
command line, last counted from the end when negative; None where a command has no keys or finds them by itself.
A command that may change keys is a `_write` row, any other a `_row`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from py_runtime.stores.redis.commands import (
    cluster,
    counters,
    expiry,
    hashes,
    keys,
    lists,
    pubsub,
    replication,
    scripting,
    server,
    sets,
    sorted_set_ranges,
    sorted_sets,
    stream_claims,
    stream_groups,
    stream_info,
    stream_reads,
    streams,
    strings,
    transactions,
)

_ONE = (1, 1, 1)
_ALL = (1, -1, 1)
_PAIRS = (1, -1, 2)
_TWO = (1, 2, 1)
_NO_SCRIPT = "noscript"
_MAY_BLOCK = "may block"


@dataclass(frozen=True, slots=True)
class Command:
    """One row. `options` is what may follow the name, as Redis's manual writes it."""

    name: bytes
    function: Callable
    arity: int
    keys: tuple[int, int, int] | Callable | None
    options: str
    summary: str
    flags: frozenset[str] = frozenset()
    subcommands: Mapping[bytes, int] | None = None  # with the arity of each

    def takes(self, length: int) -> bool:
        """Whether a command line of that many words (name included) is possible."""
        return length == self.arity if self.arity > 0 else length >= -self.arity

    def full_name(self, argv: list) -> str:
        """The name as Redis writes it in errors: `get`, `script|load`."""
        words = argv[:2] if self.subcommands is not None and argv[1].upper() in self.subcommands else argv[:1]
        return b"|".join(words).decode().lower()

    def keys_of(self, argv: list) -> list[bytes]:
        """The keys that a command line names, for cluster slots."""
        if self.keys is None:
            return []
        if callable(self.keys):
            return self.keys(argv)
        first, last, step = self.keys
        return argv[first : last + 1 if last > 0 else len(argv) + last + 1 : step]


def _row(name: str, function, arity: int, keys, options: str, summary: str, *flags: str, subcommands=None) -> Command:
    return Command(name.encode(), function, arity, keys, options, summary, frozenset(flags), subcommands)


def _write(name: str, function, arity: int, keys, options: str, summary: str, *flags: str, subcommands=None) -> Command:
    """A row of a command that may change keys: a replica refuses it."""
    return _row(name, function, arity, keys, options, summary, "write", *flags, subcommands=subcommands)


_EXPIRY = "EX seconds | PX ms | EXAT second | PXAT ms-moment"
_TRIM = "MAXLEN|MINID [=|~] threshold [LIMIT count]"
_RANGE_TAIL = "[LIMIT offset count] [WITHSCORES]"

STRINGS = (
    _row("GET", strings.get, 2, _ONE, "key", "the value of a key"),
    _write("SET", strings.set_, -3, _ONE, f"key value [NX|XX] [GET] [{_EXPIRY} | KEEPTTL]", "set a value"),
    _write("SETNX", strings.setnx, 3, _ONE, "key value", "set only if the key is absent"),
    _write("SETEX", strings.setex, 4, _ONE, "key seconds value", "set with an expiry"),
    _write("PSETEX", strings.psetex, 4, _ONE, "key ms value", "set with an expiry in ms"),
    _write("GETSET", strings.getset, 3, _ONE, "key value", "set, giving the old value"),
    _write("GETDEL", strings.getdel, 2, _ONE, "key", "give the value and delete the key"),
    _write("GETEX", strings.getex, -2, _ONE, f"key [{_EXPIRY} | PERSIST]", "give the value and change the expiry"),
    _write("APPEND", strings.append, 3, _ONE, "key value", "append to a value"),
    _row("STRLEN", strings.strlen, 2, _ONE, "key", "length of a value in bytes"),
    _row("MGET", strings.mget, -2, _ALL, "key [key …]", "values of several keys"),
    _write("MSET", strings.mset, -3, _PAIRS, "key value [key value …]", "set several keys at once"),
    _write("MSETNX", strings.msetnx, -3, _PAIRS, "key value [key value …]", "set all, only if every key is absent"),
    _write("INCR", counters.incr, 2, _ONE, "key", "add 1; an absent key counts as 0"),
    _write("DECR", counters.decr, 2, _ONE, "key", "take 1 off"),
    _write("INCRBY", counters.incrby, 3, _ONE, "key amount", "add an integer"),
    _write("DECRBY", counters.decrby, 3, _ONE, "key amount", "take an integer off"),
    _write("INCRBYFLOAT", counters.incrbyfloat, 3, _ONE, "key amount", "add a decimal number"),
)

KEYS = (
    _write("DEL", keys.delete, -2, _ALL, "key [key …]", "delete keys"),
    _write("UNLINK", keys.delete, -2, _ALL, "key [key …]", "delete keys (here the same as DEL)"),
    _row("EXISTS", keys.exists, -2, _ALL, "key [key …]", "how many of the keys there are"),
    _row("TOUCH", keys.exists, -2, _ALL, "key [key …]", "how many of the keys there are"),
    _row("TYPE", keys.type_, 2, _ONE, "key", "the type of a key's value"),
    _row("KEYS", keys.keys, 2, None, "pattern", "all keys that fit a pattern"),
    _row("SCAN", keys.scan, -2, None, "cursor [MATCH pattern] [COUNT count] [TYPE type]", "walk all keys in batches"),
    _row("DBSIZE", keys.dbsize, 1, None, "", "the number of keys"),
    _write("FLUSHALL", keys.flush, -1, None, "[ASYNC|SYNC]", "delete every key"),
    _write("FLUSHDB", keys.flush, -1, None, "[ASYNC|SYNC]", "delete every key"),
    _write("RENAME", keys.rename, 3, _TWO, "key newkey", "rename a key, with its expiry"),
    _write("RENAMENX", keys.renamenx, 3, _TWO, "key newkey", "rename, only if the new name is free"),
    _write("EXPIRE", expiry.expire, -3, _ONE, "key seconds [NX|XX|GT|LT]", "let a key end after a while"),
    _write("PEXPIRE", expiry.pexpire, -3, _ONE, "key ms [NX|XX|GT|LT]", "let a key end after some ms"),
    _write("EXPIREAT", expiry.expireat, -3, _ONE, "key second [NX|XX|GT|LT]", "let a key end at a moment in seconds"),
    _write("PEXPIREAT", expiry.pexpireat, -3, _ONE, "key ms-moment [NX|XX|GT|LT]", "let a key end at a moment in ms"),
    _row("TTL", expiry.ttl, 2, _ONE, "key", "seconds left; -1 without expiry, -2 without key"),
    _row("PTTL", expiry.pttl, 2, _ONE, "key", "ms left; -1 without expiry, -2 without key"),
    _row("EXPIRETIME", expiry.expiretime, 2, _ONE, "key", "the moment of expiry in seconds"),
    _row("PEXPIRETIME", expiry.pexpiretime, 2, _ONE, "key", "the moment of expiry in ms"),
    _write("PERSIST", expiry.persist, 2, _ONE, "key", "take the expiry off"),
)

HASHES = (
    _write("HSET", hashes.hset, -4, _ONE, "key field value [field value …]", "set fields; gives how many are new"),
    _write("HMSET", hashes.hmset, -4, _ONE, "key field value [field value …]", "set fields (old form of HSET)"),
    _write("HSETNX", hashes.hsetnx, 4, _ONE, "key field value", "set a field only if it is absent"),
    _row("HGET", hashes.hget, 3, _ONE, "key field", "the value of a field"),
    _row("HMGET", hashes.hmget, -3, _ONE, "key field [field …]", "values of several fields"),
    _row("HGETALL", hashes.hgetall, 2, _ONE, "key", "all fields and values"),
    _write("HDEL", hashes.hdel, -3, _ONE, "key field [field …]", "delete fields"),
    _write("HINCRBY", hashes.hincrby, 4, _ONE, "key field amount", "add an integer to a field"),
    _write("HINCRBYFLOAT", hashes.hincrbyfloat, 4, _ONE, "key field amount", "add a decimal number to a field"),
    _row("HEXISTS", hashes.hexists, 3, _ONE, "key field", "whether there is such a field"),
    _row("HLEN", hashes.hlen, 2, _ONE, "key", "the number of fields"),
    _row("HKEYS", hashes.hkeys, 2, _ONE, "key", "all fields"),
    _row("HVALS", hashes.hvals, 2, _ONE, "key", "all values"),
)

_RANGES = sorted_set_ranges
SORTED_SETS = (
    _write(
        "ZADD",
        sorted_sets.zadd,
        -4,
        _ONE,
        "key [NX|XX] [GT|LT] [CH] [INCR] score member [score member …]",
        "add members or move them to another score; gives how many are new",
    ),
    _write("ZINCRBY", sorted_sets.zincrby, 4, _ONE, "key amount member", "add to a member's score"),
    _write("ZREM", sorted_sets.zrem, -3, _ONE, "key member [member …]", "take members out"),
    _row("ZCARD", sorted_sets.zcard, 2, _ONE, "key", "the number of members"),
    _row("ZSCORE", sorted_sets.zscore, 3, _ONE, "key member", "a member's score"),
    _row("ZMSCORE", sorted_sets.zmscore, -3, _ONE, "key member [member …]", "scores of several members"),
    _row("ZRANK", sorted_sets.zrank, 3, _ONE, "key member", "place from the lowest score, from 0"),
    _row("ZREVRANK", sorted_sets.zrevrank, 3, _ONE, "key member", "place from the highest score, from 0"),
    _write("ZPOPMIN", sorted_sets.zpopmin, -2, _ONE, "key [count]", "take out the lowest"),
    _write("ZPOPMAX", sorted_sets.zpopmax, -2, _ONE, "key [count]", "take out the highest"),
    _row("ZCOUNT", _RANGES.zcount, 4, _ONE, "key min max", "members between two scores"),
    _row("ZLEXCOUNT", _RANGES.zlexcount, 4, _ONE, "key min max", "members between two texts"),
    _row(
        "ZRANGE",
        _RANGES.zrange,
        -4,
        _ONE,
        f"key start stop [BYSCORE|BYLEX] [REV] {_RANGE_TAIL}",
        "members between two places, scores or texts",
    ),
    _row("ZREVRANGE", _RANGES.zrevrange, -4, _ONE, "key start stop [WITHSCORES]", "places from the highest"),
    _row("ZRANGEBYSCORE", _RANGES.zrangebyscore, -4, _ONE, f"key min max {_RANGE_TAIL}", "between two scores"),
    _row("ZREVRANGEBYSCORE", _RANGES.zrevrangebyscore, -4, _ONE, f"key max min {_RANGE_TAIL}", "the same, reversed"),
    _row("ZRANGEBYLEX", _RANGES.zrangebylex, -4, _ONE, "key min max [LIMIT offset count]", "between two texts"),
    _row("ZREVRANGEBYLEX", _RANGES.zrevrangebylex, -4, _ONE, "key max min [LIMIT offset count]", "the same, reversed"),
    _write("ZREMRANGEBYSCORE", _RANGES.zremrangebyscore, 4, _ONE, "key min max", "take out what is between two scores"),
    _write(
        "ZREMRANGEBYRANK", _RANGES.zremrangebyrank, 4, _ONE, "key start stop", "take out what is between two places"
    ),
    _write("ZREMRANGEBYLEX", _RANGES.zremrangebylex, 4, _ONE, "key min max", "take out what is between two texts"),
)

SETS_AND_LISTS = (
    _write("SADD", sets.sadd, -3, _ONE, "key member [member …]", "add members"),
    _write("SREM", sets.srem, -3, _ONE, "key member [member …]", "take members out"),
    _row("SISMEMBER", sets.sismember, 3, _ONE, "key member", "whether it is a member"),
    _row("SCARD", sets.scard, 2, _ONE, "key", "the number of members"),
    _row("SMEMBERS", sets.smembers, 2, _ONE, "key", "all members"),
    _write("LPUSH", lists.lpush, -3, _ONE, "key element [element …]", "put elements in front, one after the other"),
    _write("RPUSH", lists.rpush, -3, _ONE, "key element [element …]", "append elements"),
    _write("LPOP", lists.lpop, -2, _ONE, "key [count]", "take elements from the front"),
    _write("RPOP", lists.rpop, -2, _ONE, "key [count]", "take elements from the end"),
    _row("LLEN", lists.llen, 2, _ONE, "key", "the number of elements"),
    _row("LINDEX", lists.lindex, 3, _ONE, "key place", "the element at a place"),
    _row("LRANGE", lists.lrange, 4, _ONE, "key start stop", "elements between two places"),
    _write("LTRIM", lists.ltrim, 4, _ONE, "key start stop", "keep only what is between two places"),
    _write("LREM", lists.lrem, 4, _ONE, "key count element", "take out elements that are equal to one"),
    _write("LMOVE", lists.lmove, 5, _TWO, "source target LEFT|RIGHT LEFT|RIGHT", "move one element to another list"),
    _write("BLPOP", lists.blpop, -3, (1, -2, 1), "key [key …] seconds", "LPOP, waiting for an element", _NO_SCRIPT),
    _write("BRPOP", lists.brpop, -3, (1, -2, 1), "key [key …] seconds", "RPOP, waiting for an element", _NO_SCRIPT),
)

STREAMS = (
    _write("XADD", streams.xadd, -5, _ONE, f"key [NOMKSTREAM] [{_TRIM}] *|id field value …", "append an entry"),
    _row("XLEN", streams.xlen, 2, _ONE, "key", "the number of entries"),
    _row("XRANGE", streams.xrange, -4, _ONE, "key start end [COUNT count]", "entries between two ids"),
    _row("XREVRANGE", streams.xrevrange, -4, _ONE, "key end start [COUNT count]", "the same, newest first"),
    _write("XDEL", streams.xdel, -3, _ONE, "key id [id …]", "delete entries"),
    _write("XTRIM", streams.xtrim, -4, _ONE, f"key {_TRIM}", "delete the oldest entries"),
    _row(
        "XREAD",
        stream_reads.xread,
        -4,
        stream_reads.keys_of,
        "[COUNT count] [BLOCK ms] STREAMS key [key …] id|$ [id|$ …]",
        "entries above an id, waiting for them with BLOCK",
        _MAY_BLOCK,
    ),
    _write(
        "XSETID", streams.xsetid, -3, _ONE, "key id [ENTRIESADDED count] [MAXDELETEDID id]", "set a stream's last id"
    ),
    _write(
        "XGROUP",
        stream_groups.xgroup,
        -2,
        (2, 2, 1),
        "CREATE key group id|$ [MKSTREAM] [ENTRIESREAD count] | SETID key group id|$ [ENTRIESREAD count] | "
        "DESTROY key group | CREATECONSUMER key group consumer | DELCONSUMER key group consumer",
        "make, move and remove consumer groups and their consumers",
        subcommands=stream_groups.SUBCOMMANDS,
    ),
    _write(
        "XREADGROUP",
        stream_reads.xreadgroup,
        -7,
        stream_reads.keys_of,
        "GROUP group consumer [COUNT count] [BLOCK ms] [NOACK] STREAMS key [key …] id|> [id|> …]",
        "entries that nobody in the group has had yet (>), or those pending for this consumer above an id",
        _MAY_BLOCK,
    ),
    _write("XACK", stream_groups.xack, -4, _ONE, "key group id [id …]", "let delivered entries be pending no more"),
    _row(
        "XPENDING",
        stream_groups.xpending,
        -3,
        _ONE,
        "key group [[IDLE ms] start end count [consumer]]",
        "what was delivered and not acknowledged: a summary, or entry by entry",
    ),
    _write(
        "XCLAIM",
        stream_claims.xclaim,
        -6,
        _ONE,
        "key group consumer idle-ms id [id …] [IDLE ms | TIME ms-moment] [RETRYCOUNT count] [FORCE] [JUSTID] "
        "[LASTID id]",
        "make a consumer the owner of pending entries",
    ),
    _write(
        "XAUTOCLAIM",
        stream_claims.xautoclaim,
        -6,
        _ONE,
        "key group consumer idle-ms start [COUNT count] [JUSTID]",
        "the same for whatever has been pending long enough, in batches",
    ),
    _row(
        "XINFO",
        stream_info.xinfo,
        -2,
        (2, 2, 1),
        "STREAM key [FULL [COUNT count]] | GROUPS key | CONSUMERS key group",
        "what there is to know about a stream, its groups and their consumers",
        subcommands=stream_info.SUBCOMMANDS,
    ),
)

SERVER = (
    _row("PING", server.ping, -1, None, "[message]", "whether the server answers"),
    _row("ECHO", server.echo, 2, None, "message", "the message back"),
    _row("TIME", server.time, 1, None, "", "the server's clock: seconds and µs"),
    _row(
        "EVAL",
        scripting.eval_,
        -3,
        scripting.keys_of,
        "script numkeys [key …] [argument …]",
        "run a Lua script; nothing runs in between, and an error takes nothing back",
        _NO_SCRIPT,
    ),
    _row(
        "EVALSHA",
        scripting.evalsha,
        -3,
        scripting.keys_of,
        "sha1 numkeys [key …] [argument …]",
        "run a script that the server has seen before",
        _NO_SCRIPT,
    ),
    _row(
        "SCRIPT",
        scripting.script,
        -2,
        None,
        "LOAD script | EXISTS sha1 [sha1 …] | FLUSH [ASYNC|SYNC]",
        "the scripts the server knows",
        _NO_SCRIPT,
        subcommands=scripting.SUBCOMMANDS,
    ),
)

REPLICATION = (
    _row("ROLE", replication.role, 1, None, "", "primary or replica, and how far", _NO_SCRIPT),
    _row(
        "REPLICAOF",
        replication.replicaof,
        3,
        None,
        "host port | NO ONE",
        "become a replica of a server that has replicated with this one, or a primary",
        _NO_SCRIPT,
    ),
    _row(
        "CLUSTER",
        cluster.cluster,
        -2,
        None,
        "KEYSLOT key | COUNTKEYSINSLOT slot | GETKEYSINSLOT slot count | SLOTS | SHARDS | MYID | INFO",
        "what a node knows of the slots (cluster mode only)",
        subcommands=cluster.SUBCOMMANDS,
    ),
    _row("WAIT", replication.wait, 3, None, "replicas ms", "wait until replicas have the last write", _NO_SCRIPT),
)

TRANSACTIONS = (
    _row("MULTI", transactions.multi, 1, None, "", "queue the commands that follow, up to EXEC", _NO_SCRIPT),
    _row(
        "EXEC",
        transactions.exec_,
        1,
        None,
        "",
        "run what is queued, with nothing in between; nil when a watched key has changed",
        _NO_SCRIPT,
    ),
    _row("DISCARD", transactions.discard, 1, None, "", "forget what is queued, and what is watched", _NO_SCRIPT),
    _row("WATCH", transactions.watch, -2, _ALL, "key [key …]", "let EXEC do nothing if a key changes", _NO_SCRIPT),
    _row("UNWATCH", transactions.unwatch, 1, None, "", "watch no key any more", _NO_SCRIPT),
    _row("RESET", transactions.reset, 1, None, "", "forget all that the connection has begun", _NO_SCRIPT),
    _row("QUIT", transactions.quit_, -1, None, "", "close the connection", _NO_SCRIPT),
)

PUBSUB = (
    _row("SUBSCRIBE", pubsub.subscribe, -2, None, "channel [channel …]", "get what is published there", _NO_SCRIPT),
    _row("UNSUBSCRIBE", pubsub.unsubscribe, -1, None, "[channel …]", "get it no more; all without a name", _NO_SCRIPT),
    _row("PSUBSCRIBE", pubsub.psubscribe, -2, None, "pattern [pattern …]", "the same for all that fit", _NO_SCRIPT),
    _row("PUNSUBSCRIBE", pubsub.punsubscribe, -1, None, "[pattern …]", "no more; all without a name", _NO_SCRIPT),
    _row("PUBLISH", pubsub.publish, 3, None, "channel message", "send to all who listen now; gives how many"),
    _row(
        "PUBSUB",
        pubsub.pubsub,
        -2,
        None,
        "CHANNELS [pattern] | NUMSUB [channel …] | NUMPAT",
        "who listens to what",
        subcommands=pubsub.SUBCOMMANDS,
    ),
)

FAMILIES = {
    "Strings and counters": STRINGS,
    "Keys and expiry": KEYS,
    "Hashes": HASHES,
    "Sorted sets": SORTED_SETS,
    "Sets and lists": SETS_AND_LISTS,
    "Streams": STREAMS,
    "Transactions": TRANSACTIONS,
    "Pub/sub": PUBSUB,
    "Server and scripts": SERVER,
    "Replication and cluster": REPLICATION,
}
COMMANDS: dict[bytes, Command] = {row.name: row for rows in FAMILIES.values() for row in rows}
