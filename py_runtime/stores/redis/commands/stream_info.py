"""XINFO: what there is to know about a stream, its groups and their consumers.

`radix-tree-keys` is the number of nodes of entries, as in Redis. `radix-tree-nodes` counts the vertices of the index
that Redis keeps over those nodes: worked out here from the ids the nodes begin with.
"""

from py_runtime.stores.redis.commands.options import subcommand, wrong_form
from py_runtime.stores.redis.commands.stream_groups import group_in
from py_runtime.stores.redis.commands.stream_ids import entry_reply, format_id
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.stream import Stream
from py_runtime.stores.redis.stream_group import Consumer, Group
from py_runtime.stores.replies import ErrorReply

SUBCOMMANDS = {b"STREAM": -3, b"GROUPS": 3, b"CONSUMERS": 4}
_FULL_COUNT = 10


def xinfo(db: Keyspace, argv: list):
    name = subcommand(argv, SUBCOMMANDS)
    stream = db.find(argv[2], Stream)
    if stream is None:
        raise ErrorReply("ERR no such key")
    return _FUNCTIONS[name](db, argv, stream)


def _stream(db: Keyspace, argv: list, stream: Stream) -> list:
    count = None
    if len(argv) > 3:
        count = _full_count(argv)
    reply = _fields(
        length=len(stream),
        radix_tree_keys=len(stream.nodes),
        radix_tree_nodes=_vertices([b"%016x%016x" % node.first_id for node in stream.nodes]),
        last_generated_id=format_id(stream.last_id),
        max_deleted_entry_id=format_id(stream.deleted_id),
        entries_added=stream.added,
        recorded_first_entry_id=format_id(stream.first_id),
    )
    if count is None:
        ends = [entry_reply(stream, stream.ids[place]) if stream.ids else None for place in (0, -1)]
        return reply + [b"groups", len(stream.groups), b"first-entry", ends[0], b"last-entry", ends[1]]
    groups = [_full_group(name, stream.groups[name], stream, count) for name in sorted(stream.groups)]
    entries = [entry_reply(stream, entry_id) for entry_id in stream.ids[: count or None]]
    return reply + [b"entries", entries, b"groups", groups]


def _full_count(argv: list) -> int:
    """How many entries FULL shows; 0 for all."""
    if argv[3].upper() != b"FULL" or len(argv) not in (4, 6) or (len(argv) == 6 and argv[4].upper() != b"COUNT"):
        raise wrong_form(argv)
    count = parse_int(argv[5]) if len(argv) == 6 else _FULL_COUNT
    return _FULL_COUNT if count < 0 else count


def _full_group(name: bytes, group: Group, stream: Stream, count: int) -> list:
    pending = [
        [format_id(entry_id), delivery.consumer.name, delivery.at_ms, delivery.count]
        for entry_id, delivery in group.pending.in_order(count or None)
    ]
    return _fields(
        name=name,
        last_delivered_id=format_id(group.last_id),
        entries_read=group.read,
        lag=group.lag(stream),
        pel_count=len(group.pending),
        pending=pending,
        consumers=[_full_consumer(consumer, count) for consumer in group.by_name()],
    )


def _full_consumer(consumer: Consumer, count: int) -> list:
    pending = [
        [format_id(entry_id), delivery.at_ms, delivery.count]
        for entry_id, delivery in consumer.pending.in_order(count or None)
    ]
    return _fields(name=consumer.name, seen_time=consumer.seen_ms, pel_count=len(consumer.pending), pending=pending)


def _groups(db: Keyspace, argv: list, stream: Stream) -> list:
    return [
        _fields(
            name=name,
            consumers=len(group.consumers),
            pending=len(group.pending),
            last_delivered_id=format_id(group.last_id),
            entries_read=group.read,
            lag=group.lag(stream),
        )
        for name, group in sorted(stream.groups.items())
    ]


def _consumers(db: Keyspace, argv: list, stream: Stream) -> list:
    return [
        _fields(name=consumer.name, pending=len(consumer.pending), idle=max(db.now_ms - consumer.seen_ms, 0))
        for consumer in group_in(stream, argv).by_name()
    ]


def _fields(**values) -> list:
    """Name and value in turn, names written with dashes."""
    return [word for name, value in values.items() for word in (name.replace("_", "-").encode(), value)]


def _vertices(keys: list[bytes]) -> int:
    """How many vertices a compressed tree over these sorted hexadecimal keys has, a pair of digits a step."""
    if not keys:
        return 1
    shared = 0
    while shared < len(keys[0]) and keys[0][shared : shared + 2] == keys[-1][shared : shared + 2]:
        shared += 2
    ahead = 1 if shared else 0  # the run of steps that all keys share is one vertex
    if len(keys) == 1:
        return ahead + 1
    heads: dict[bytes, list[bytes]] = {}
    for key in keys:
        heads.setdefault(key[shared : shared + 2], []).append(key[shared + 2 :])
    return ahead + 1 + sum([_vertices(rest) for rest in heads.values()])


_FUNCTIONS = {b"STREAM": _stream, b"GROUPS": _groups, b"CONSUMERS": _consumers}
