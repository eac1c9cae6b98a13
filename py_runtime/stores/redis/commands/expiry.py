"""Setting and reading the moment at which a key ends.

A moment that is not in the future removes the key at once, and that counts as success.
"""

from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import INT_MAX, parse_int
from py_runtime.stores.replies import ErrorReply, repeated

_CONDITIONS = (b"NX", b"XX", b"GT", b"LT")


def expire(db: Keyspace, argv: list):
    return _expire(db, argv, 1000, db.now_ms, "expire")


def pexpire(db: Keyspace, argv: list):
    return _expire(db, argv, 1, db.now_ms, "pexpire")


def expireat(db: Keyspace, argv: list):
    return _expire(db, argv, 1000, 0, "expireat")


def pexpireat(db: Keyspace, argv: list):
    return _expire(db, argv, 1, 0, "pexpireat")


def _expire(db: Keyspace, argv: list, unit_ms: int, base_ms: int, command: str) -> int:
    key = argv[1]
    conditions = _conditions(argv) if len(argv) > 3 else ()
    amount = parse_int(argv[2])
    at_ms = amount * unit_ms + base_ms
    if at_ms > INT_MAX or amount * unit_ms < -INT_MAX - 1:
        raise ErrorReply(f"ERR invalid expire time in '{command}' command")
    if key not in db.values:
        return 0
    if conditions and not _allowed(conditions, db.expires.get(key), at_ms):
        return 0
    if at_ms <= db.now_ms:
        db.remove(key)
    else:
        db.set_expiry(key, at_ms)
    return 1


def _conditions(argv: list) -> set[bytes]:
    given = set()
    for option in argv[3:]:
        if option.upper() not in _CONDITIONS:
            raise ErrorReply(f"ERR Unsupported option {repeated(option)}")
        given.add(option.upper())
    if b"NX" in given and len(given) > 1:
        raise ErrorReply("ERR NX and XX, GT or LT options at the same time are not compatible")
    if b"GT" in given and b"LT" in given:
        raise ErrorReply("ERR GT and LT options at the same time are not compatible")
    return given


def _allowed(conditions: set[bytes], current_ms: int | None, at_ms: int) -> bool:
    """A key without expiry counts as ending never: GT can not pass it, LT always does."""
    if b"NX" in conditions:
        return current_ms is None
    if b"XX" in conditions and current_ms is None:
        return False
    if b"GT" in conditions:
        return current_ms is not None and at_ms > current_ms
    if b"LT" in conditions:
        return current_ms is None or at_ms < current_ms
    return True


def ttl(db: Keyspace, argv: list):
    return _read(db, argv[1], db.now_ms, 1000)


def pttl(db: Keyspace, argv: list):
    return _read(db, argv[1], db.now_ms, 1)


def expiretime(db: Keyspace, argv: list):
    return _read(db, argv[1], 0, 1000)


def pexpiretime(db: Keyspace, argv: list):
    return _read(db, argv[1], 0, 1)


def _read(db: Keyspace, key: bytes, from_ms: int, unit_ms: int) -> int:
    at_ms = db.expires.get(key)
    if at_ms is None:
        return -1 if key in db.values else -2
    return (at_ms - from_ms + unit_ms // 2) // unit_ms  # seconds are rounded to the nearest, as in Redis


def persist(db: Keyspace, argv: list):
    if db.expires.pop(argv[1], None) is None:
        return 0
    db.touch(argv[1])
    return 1
