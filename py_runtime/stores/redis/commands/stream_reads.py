"""XREAD: entries above remembered ids, from several streams, waiting for new ones when asked to."""

from py_runtime.stores.redis.blocked import Blocked
from py_runtime.stores.redis.commands.options import SYNTAX_ERROR
from py_runtime.stores.redis.commands.streams import entry_reply, parse_id
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.stream import Stream, StreamId
from py_runtime.stores.replies import ErrorReply


def xread(db: Keyspace, argv: list):
    count, block_us, blocks, at = _options(argv)
    names = argv[at:]
    if not names or len(names) % 2:
        raise ErrorReply("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.")
    half = len(names) // 2
    after = {key: _start(db, key, text) for key, text in zip(names[:half], names[half:], strict=True)}

    def serve(db: Keyspace, key: bytes):
        stream = db.values.get(key)
        entries = _entries(stream, after[key], count) if type(stream) is Stream else None
        return [[key, entries]] if entries else None

    found = [[key, entries] for key, start in after.items() if (entries := _entries(db.values.get(key), start, count))]
    if found:
        return found
    return Blocked(tuple(after), block_us, serve) if blocks else None


def _options(argv: list) -> tuple[int | None, int | None, bool, int]:
    """(count, block_us with None for ever, whether it blocks, place of the first key)."""
    count, block_us, blocks = None, None, False
    at = 1
    while at < len(argv):
        option, more = argv[at].upper(), len(argv) - at - 1
        if option == b"COUNT" and more:
            count = max(parse_int(argv[at + 1]), 0) or None
            at += 1
        elif option == b"BLOCK" and more:
            block_ms = parse_int(argv[at + 1], "ERR timeout is not an integer or out of range")
            if block_ms < 0:
                raise ErrorReply("ERR timeout is negative")
            blocks, block_us = True, block_ms * 1000 or None
            at += 1
        elif option == b"STREAMS" and more:
            return count, block_us, blocks, at + 1
        elif option in (b"GROUP", b"NOACK"):
            raise ErrorReply(
                f"ERR The {option.decode()} option is only supported by XREADGROUP. You called XREAD instead."
            )
        else:
            break
        at += 1
    raise ErrorReply(SYNTAX_ERROR)


def _start(db: Keyspace, key: bytes, text: bytes) -> StreamId:
    stream = db.find(key, Stream)
    if text == b"$":
        return (0, 0) if stream is None else stream.last_id
    if text == b">":
        raise ErrorReply(
            "ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option."
        )
    return parse_id(text)


def _entries(stream: Stream | None, start: StreamId, count: int | None) -> list:
    return [] if stream is None else [entry_reply(stream, entry_id) for entry_id in stream.after(start, count)]


def keys_of(argv: list) -> list[bytes]:
    """The keys that an XREAD names, for cluster slots."""
    upper = [word.upper() for word in argv]
    names = argv[upper.index(b"STREAMS") + 1 :] if b"STREAMS" in upper else []
    return names[: len(names) // 2]
