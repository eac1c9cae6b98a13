"""Commands on hashes."""

from py_runtime.stores.redis.commands.counters import OVERFLOW
from py_runtime.stores.redis.commands.options import wrong_arity
from py_runtime.stores.redis.keyspace import Hash, Keyspace
from py_runtime.stores.redis.number_text import INT_MAX, INT_MIN, add_decimals, parse_decimal, parse_int
from py_runtime.stores.replies import OK, ErrorReply

_EMPTY = Hash()


def hset(db: Keyspace, argv: list):
    if len(argv) % 2:
        raise wrong_arity("hset")
    return _write(db, argv)


def hmset(db: Keyspace, argv: list):
    if len(argv) % 2:
        raise wrong_arity("hmset")
    _write(db, argv)
    return OK


def _write(db: Keyspace, argv: list) -> int:
    fields = db.find_or_make(argv[1], Hash)
    before = len(fields)
    for at in range(2, len(argv), 2):
        fields[argv[at]] = argv[at + 1]
    db.touch(argv[1])
    return len(fields) - before


def hsetnx(db: Keyspace, argv: list):
    fields = db.find_or_make(argv[1], Hash)
    if argv[2] in fields:
        return 0
    fields[argv[2]] = argv[3]
    db.touch(argv[1])
    return 1


def hget(db: Keyspace, argv: list):
    fields = db.find(argv[1], Hash)
    return None if fields is None else fields.get(argv[2])


def hmget(db: Keyspace, argv: list):
    fields = db.find(argv[1], Hash) or _EMPTY
    return [fields.get(field) for field in argv[2:]]


def hgetall(db: Keyspace, argv: list):
    fields = db.find(argv[1], Hash) or _EMPTY
    return [part for pair in fields.items() for part in pair]


def hkeys(db: Keyspace, argv: list):
    return list(db.find(argv[1], Hash) or ())


def hvals(db: Keyspace, argv: list):
    return list((db.find(argv[1], Hash) or _EMPTY).values())


def hlen(db: Keyspace, argv: list):
    return len(db.find(argv[1], Hash) or ())


def hexists(db: Keyspace, argv: list):
    return int(argv[2] in (db.find(argv[1], Hash) or ()))


def hdel(db: Keyspace, argv: list):
    fields = db.find(argv[1], Hash)
    if fields is None:
        return 0
    before = len(fields)
    for field in argv[2:]:
        fields.pop(field, None)
    removed = before - len(fields)
    if removed:
        db.shrunk(argv[1], fields)
    return removed


def hincrby(db: Keyspace, argv: list):
    amount = parse_int(argv[3])
    fields = db.find(argv[1], Hash) or _EMPTY
    total = parse_int(fields.get(argv[2], b"0"), "ERR hash value is not an integer") + amount
    if not INT_MIN <= total <= INT_MAX:
        raise ErrorReply(OVERFLOW)
    _write(db, [b"HSET", argv[1], argv[2], b"%d" % total])
    return total


def hincrbyfloat(db: Keyspace, argv: list):
    amount = parse_decimal(argv[3])
    if amount is None:
        raise ErrorReply("ERR value is NaN or Infinity")
    fields = db.find(argv[1], Hash) or _EMPTY
    total = add_decimals(parse_decimal(fields.get(argv[2], b"0"), "ERR hash value is not a float"), amount)
    _write(db, [b"HSET", argv[1], argv[2], total])
    return total
