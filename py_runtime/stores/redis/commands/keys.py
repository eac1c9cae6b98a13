"""Commands on keys of any type, expiry apart (see expiry.py)."""

from hashlib import sha1

from py_runtime.stores.redis.commands.options import SYNTAX_ERROR
from py_runtime.stores.redis.glob import glob_match
from py_runtime.stores.redis.keyspace import TYPE_NAMES, Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.replies import OK, ErrorReply, Status

_CURSOR_END = 2**48


def delete(db: Keyspace, argv: list):
    return sum([db.remove(key) for key in argv[1:]])


def exists(db: Keyspace, argv: list):
    return sum([key in db.values for key in argv[1:]])


def type_(db: Keyspace, argv: list):
    value = db.values.get(argv[1])
    return Status(b"none" if value is None else TYPE_NAMES[type(value)].encode())


def keys(db: Keyspace, argv: list):
    return [key for key in db.values if glob_match(argv[1], key)]


def scan(db: Keyspace, argv: list):
    """Walks the keys in the order of a hash of their names, which no other write can move.

    So a full walk sees every key that was there all along, as Redis promises; which keys come in one answer is ours.
    """
    cursor = _parse_cursor(argv[1])
    pattern, count, type_name = _scan_options(argv)
    waiting = sorted((place, key) for key in db.values if (place := _place(key)) >= cursor)
    batch = waiting[:count]
    while len(batch) < len(waiting) and batch[-1][0] == waiting[len(batch)][0]:
        batch.append(waiting[len(batch)])
    following = batch[-1][0] + 1 if len(batch) < len(waiting) else 0
    found = [
        key
        for _, key in batch
        if glob_match(pattern, key) and type_name in (None, TYPE_NAMES[type(db.values[key])].encode())
    ]
    return [b"%d" % following, found]


def _place(key: bytes) -> int:
    return int.from_bytes(sha1(key, usedforsecurity=False).digest()[:6], "big")


def _parse_cursor(text: bytes) -> int:
    """A cursor as C's `strtoul` reads it: nothing is 0, a sign is taken, and below 0 it counts down from 2^64."""
    number = text.partition(b"\0")[0]
    digits = number[1:] if number[:1] in (b"+", b"-") else number
    if number and (not digits.isdigit() or len(digits.lstrip(b"0")) > len(str(2**64))):
        raise ErrorReply("ERR invalid cursor")
    cursor = int(digits.lstrip(b"0") or b"0")
    if cursor >= 2**64:
        raise ErrorReply("ERR invalid cursor")
    return min((-cursor if number[:1] == b"-" else cursor) % 2**64, _CURSOR_END)


def _scan_options(argv: list) -> tuple[bytes, int, bytes | None]:
    pattern, count, type_name = b"*", 10, None
    for at in range(2, len(argv), 2):
        if at + 1 == len(argv):
            raise ErrorReply(SYNTAX_ERROR)
        option, value = argv[at].upper(), argv[at + 1]
        if option == b"MATCH":
            pattern = value
        elif option == b"COUNT":
            count = parse_int(value)
            if count < 1:
                raise ErrorReply(SYNTAX_ERROR)
        elif option == b"TYPE":
            type_name = value.lower()
        else:
            raise ErrorReply(SYNTAX_ERROR)
    return pattern, count, type_name


def dbsize(db: Keyspace, argv: list):
    return len(db.values)


def flush(db: Keyspace, argv: list):
    if len(argv) > 2 or (len(argv) == 2 and argv[1].upper() not in (b"SYNC", b"ASYNC")):
        raise ErrorReply(SYNTAX_ERROR)
    db.clear()
    return OK


def rename(db: Keyspace, argv: list):
    _rename(db, argv[1], argv[2])
    return OK


def renamenx(db: Keyspace, argv: list):
    if argv[2] in db.values and argv[1] in db.values:
        return 0
    _rename(db, argv[1], argv[2])
    return 1


def _rename(db: Keyspace, source: bytes, target: bytes) -> None:
    value = db.values.get(source)
    if value is None:
        raise ErrorReply("ERR no such key")
    if source == target:
        return
    at_ms = db.expires.get(source)
    db.put(target, value)  # first, so that clients that wait for both keys are served by the new name
    db.remove(source)
    if at_ms is not None:
        db.set_expiry(target, at_ms)
