"""Strings used as numbers. A counter that is created here has no expiry, one that exists keeps its own."""

from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import INT_MAX, INT_MIN, add_decimals, parse_decimal, parse_int
from py_runtime.stores.replies import ErrorReply

OVERFLOW = "ERR increment or decrement would overflow"


def incr(db: Keyspace, argv: list):
    return _add(db, argv[1], 1)


def decr(db: Keyspace, argv: list):
    return _add(db, argv[1], -1)


def incrby(db: Keyspace, argv: list):
    return _add(db, argv[1], parse_int(argv[2]))


def decrby(db: Keyspace, argv: list):
    amount = parse_int(argv[2])
    if amount == INT_MIN:
        raise ErrorReply("ERR decrement would overflow")
    return _add(db, argv[1], -amount)


def _add(db: Keyspace, key: bytes, amount: int) -> int:
    text = db.find(key, bytes)
    total = amount if text is None else parse_int(text) + amount
    if not INT_MIN <= total <= INT_MAX:
        raise ErrorReply(OVERFLOW)
    db.put(key, b"%d" % total, keep_expiry=True)
    return total


def incrbyfloat(db: Keyspace, argv: list):
    old = db.find(argv[1], bytes)
    total = add_decimals(parse_decimal(b"0" if old is None else old), parse_decimal(argv[2]))
    db.put(argv[1], total, keep_expiry=True)
    return total
