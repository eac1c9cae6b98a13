"""XREAD and XREADGROUP: entries above remembered ids, or not yet delivered to a group, waiting for them when asked to.

Decides whom a write to a stream wakes with what. As in Redis only an append and the end of a group or key wake: a group
that is moved back by XGROUP SETID has entries to read, and those who wait for it sleep on.
"""

from collections.abc import Callable
from dataclasses import dataclass

from py_runtime.stores.redis.blocked import Blocked
from py_runtime.stores.redis.commands.options import SYNTAX_ERROR
from py_runtime.stores.redis.commands.stream_ids import entry_reply, format_id, parse_id
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.stream import MAX_ID, Stream, StreamId
from py_runtime.stores.redis.stream_group import Consumer, Group
from py_runtime.stores.replies import ErrorReply, repeated

_BLOCKED_COUNT = 1000  # how many entries at most wake a reader that named no COUNT, as in Redis
_ONLY_GROUP = "ERR The {} option is only supported by XREADGROUP. You called XREAD instead."
_NEW_IN_XREAD = "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option."
_TOP_IN_GROUP = (
    "ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer by "
    "specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an empty result set."
)
_NEW = None  # the id `>`


@dataclass(slots=True)
class _Options:
    """What a reading command asks for; `block_us` is None for ever, `group` (group, consumer) or None."""

    count: int | None = None
    blocks: bool = False
    block_us: int | None = None
    group: tuple[bytes, bytes] | None = None
    acknowledged: bool = False


def xread(db: Keyspace, argv: list):
    options, names, texts = _parse(argv, b"XREAD")
    starts = [(key, _start(db, key, text)) for key, text in zip(names, texts, strict=True)]
    found = [[key, entries] for key, start in starts if (entries := _entries(db.values.get(key), start, options.count))]
    if found or not options.blocks:
        return found or None
    above = dict(reversed(starts))  # of a key named twice the first place counts

    def serve(stream: Stream | None, key: bytes):
        if stream is None or stream.last_id <= above[key]:
            return None
        return [[key, _entries(stream, above[key], options.count or _BLOCKED_COUNT)]]

    return _blocked(db, names, options, serve)


def xreadgroup(db: Keyspace, argv: list):
    options, names, texts = _parse(argv, b"XREADGROUP")
    if options.group is None:
        raise ErrorReply("ERR Missing GROUP option for XREADGROUP")
    group_name, consumer_name = options.group
    asked = [(key, *_group_start(db, key, group_name, text)) for key, text in zip(names, texts, strict=True)]
    found = []
    for key, group, start in asked:
        stream = db.values[key]
        if start is _NEW:
            if not stream.ids or stream.ids[-1] <= group.last_id:
                continue
            entries = _deliver(db, stream, group, consumer_name, options)
        else:
            entries = _history(db, stream, group.consumer(consumer_name, db.now_ms), start, options.count)
        db.note(key)
        found.append([key, entries])
    if found or not options.blocks:
        return found or None
    options.count = options.count or _BLOCKED_COUNT

    def serve(stream: Stream | None, key: bytes):
        if stream is None:
            return ErrorReply("UNBLOCKED the stream key no longer exists")
        group = stream.groups.get(group_name)
        if group is None:
            return ErrorReply("NOGROUP the consumer group this client was blocked on no longer exists")
        if stream.last_id <= group.last_id:
            return None
        db.note(key)
        return [[key, _deliver(db, stream, group, consumer_name, options)]]

    return _blocked(db, names, options, serve)


def _blocked(db: Keyspace, names: list, options: _Options, serve: Callable) -> Blocked:
    """Wait; `serve(stream or None, key)` is asked only after something that wakes readers in Redis."""

    def signals(key: bytes) -> tuple:
        stream = db.values.get(key)
        return (stream, stream.signals) if type(stream) is Stream else (None, 0)

    seen = {key: signals(key) for key in names}

    def serve_when_signalled(db: Keyspace, key: bytes):
        now = signals(key)
        if now[0] is seen[key][0] and now[1] == seen[key][1]:
            return None
        seen[key] = now
        return serve(now[0], key)

    return Blocked(tuple(names), options.block_us, serve_when_signalled)


def _parse(argv: list, command: bytes) -> tuple[_Options, list, list]:
    """(options, keys, one id for each key)."""
    options = _Options()
    in_group = command == b"XREADGROUP"
    at = 1
    while at < len(argv):
        option, more = argv[at].upper(), len(argv) - at - 1
        if option == b"BLOCK" and more:
            block_ms = parse_int(argv[at + 1], "ERR timeout is not an integer or out of range")
            if block_ms < 0:
                raise ErrorReply("ERR timeout is negative")
            options.blocks, options.block_us = True, block_ms * 1000 or None
            at += 1
        elif option == b"COUNT" and more:
            options.count = max(parse_int(argv[at + 1]), 0) or None
            at += 1
        elif option == b"STREAMS" and more:
            return options, *_keys_and_ids(argv[at + 1 :])
        elif option == b"GROUP" and more >= 2:
            if not in_group:
                raise ErrorReply(_ONLY_GROUP.format("GROUP"))
            options.group = (argv[at + 1], argv[at + 2])
            at += 2
        elif option == b"NOACK":
            if not in_group:
                raise ErrorReply(_ONLY_GROUP.format("NOACK"))
            options.acknowledged = True
        else:
            break
        at += 1
    raise ErrorReply(SYNTAX_ERROR)


def _keys_and_ids(words: list) -> tuple[list, list]:
    if len(words) % 2:
        raise ErrorReply("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.")
    half = len(words) // 2
    return words[:half], words[half:]


def _start(db: Keyspace, key: bytes, text: bytes) -> StreamId:
    stream = db.find(key, Stream)
    if text == b"$":
        return (0, 0) if stream is None else stream.last_id
    if text == b">":
        raise ErrorReply(_NEW_IN_XREAD)
    return parse_id(text)


def _group_start(db: Keyspace, key: bytes, group_name: bytes, text: bytes) -> tuple[Group, StreamId | None]:
    stream = db.find(key, Stream)
    group = None if stream is None else stream.groups.get(group_name)
    if group is None:
        raise ErrorReply(
            f"NOGROUP No such key '{repeated(key)}' or consumer group '{repeated(group_name)}' "
            "in XREADGROUP with GROUP option"
        )
    if text == b"$":
        raise ErrorReply(_TOP_IN_GROUP)
    start = _NEW if text == b">" else parse_id(text)
    return group, _NEW if start == MAX_ID else start  # Redis keeps `>` as the highest id


def _entries(stream: Stream | None, start: StreamId, count: int | None) -> list:
    return [] if stream is None else [entry_reply(stream, entry_id) for entry_id in stream.after(start, count)]


def _deliver(db: Keyspace, stream: Stream, group: Group, consumer_name: bytes, options: _Options) -> list:
    """Entries that no consumer of the group has had yet."""
    consumer = group.consumer(consumer_name, db.now_ms)
    ids = stream.after(group.last_id, options.count)
    for entry_id in ids:
        group.deliver(stream, entry_id, consumer, db.now_ms, options.acknowledged)
    return [entry_reply(stream, entry_id) for entry_id in ids]


def _history(db: Keyspace, stream: Stream, consumer: Consumer, start: StreamId, count: int | None) -> list:
    """What is pending for a consumer above an id: delivered once more, or nil where the entry was deleted."""
    pending = consumer.pending
    ids = [entry_id for entry_id in pending.starting_at(start) if entry_id > start][:count]
    rows = []
    for entry_id in ids:
        if entry_id in stream.entries:
            delivery = pending.deliveries[entry_id]
            delivery.at_ms = db.now_ms
            delivery.count += 1
            rows.append(entry_reply(stream, entry_id))
        else:
            rows.append([format_id(entry_id), None])
    return rows


def asks_to_block(argv: list) -> bool:
    """Whether BLOCK is among the options of a reading command, which scripts may not ask for.

    Raises for what is wrong with the options before it.
    """
    at = 1
    while at < len(argv) and (option := argv[at].upper()) not in (b"BLOCK", b"STREAMS"):
        at += {b"GROUP": 3, b"COUNT": 2}.get(option, 1)
    if at + 1 >= len(argv) or argv[at].upper() != b"BLOCK":
        return False
    _parse([*argv[:at], b"STREAMS", b"", b""], argv[0].upper())
    return True


def keys_of(argv: list) -> list[bytes]:
    """The keys that a reading command names, for cluster slots."""
    upper = [word.upper() for word in argv]
    names = argv[upper.index(b"STREAMS") + 1 :] if b"STREAMS" in upper else []
    return names[: len(names) // 2]
