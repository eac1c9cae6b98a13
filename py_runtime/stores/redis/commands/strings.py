"""Commands on string values, counters apart (see counters.py)."""

from py_runtime.stores.redis.commands.options import EXPIRY_OPTIONS, SYNTAX_ERROR, expiry_moment, wrong_arity
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.replies import OK, ErrorReply


def get(db: Keyspace, argv: list):
    return db.find(argv[1], bytes)


def set_(db: Keyspace, argv: list):
    if len(argv) == 3:
        db.put(argv[1], argv[2])
        return OK
    key = argv[1]
    flags, expiry = _set_options(argv, 3, {b"NX", b"XX", b"GET", b"KEEPTTL"})
    if (b"NX" in flags and b"XX" in flags) or (b"KEEPTTL" in flags and expiry):
        raise ErrorReply(SYNTAX_ERROR)
    at_ms = expiry_moment(db, *expiry, "set") if expiry else None
    old = db.find(key, bytes) if b"GET" in flags else None
    refused = (b"NX" in flags and key in db.values) or (b"XX" in flags and key not in db.values)
    if not refused:
        db.put(key, argv[2], b"KEEPTTL" in flags)
        if at_ms is not None:
            db.set_expiry(key, at_ms)
    if b"GET" in flags:
        return old
    return None if refused else OK


def _set_options(argv: list, start: int, known: set[bytes]) -> tuple[set[bytes], tuple[bytes, bytes] | None]:
    """The flags given from `start` on, and the one expiry option with its amount."""
    flags: set[bytes] = set()
    expiry = None
    at = start
    while at < len(argv):
        option = argv[at].upper()
        if option in known:
            flags.add(option)
        elif option in EXPIRY_OPTIONS and (expiry is None or expiry[0] == option) and at + 1 < len(argv):
            at += 1
            expiry = (option, argv[at])
        else:
            raise ErrorReply(SYNTAX_ERROR)
        at += 1
    return flags, expiry


def setnx(db: Keyspace, argv: list):
    if argv[1] in db.values:
        return 0
    db.put(argv[1], argv[2])
    return 1


def setex(db: Keyspace, argv: list):
    return _set_with_expiry(db, argv, b"EX", "setex")


def psetex(db: Keyspace, argv: list):
    return _set_with_expiry(db, argv, b"PX", "psetex")


def _set_with_expiry(db: Keyspace, argv: list, option: bytes, command: str):
    at_ms = expiry_moment(db, option, argv[2], command)
    db.put(argv[1], argv[3])
    db.set_expiry(argv[1], at_ms)
    return OK


def getset(db: Keyspace, argv: list):
    old = db.find(argv[1], bytes)
    db.put(argv[1], argv[2])
    return old


def getdel(db: Keyspace, argv: list):
    old = db.find(argv[1], bytes)
    db.remove(argv[1])
    return old


def getex(db: Keyspace, argv: list):
    flags, expiry = _set_options(argv, 2, {b"PERSIST"})
    if flags and expiry:
        raise ErrorReply(SYNTAX_ERROR)
    key = argv[1]
    value = db.find(key, bytes)
    if value is None:
        return None
    if expiry:
        at_ms = expiry_moment(db, *expiry, "getex")
        if at_ms <= db.now_ms:
            db.remove(key)
        else:
            db.set_expiry(key, at_ms)
    elif flags and db.expires.pop(key, None) is not None:
        db.touch(key)
    return value


def append(db: Keyspace, argv: list):
    value = (db.find(argv[1], bytes) or b"") + argv[2]
    db.put(argv[1], value, keep_expiry=True)
    return len(value)


def strlen(db: Keyspace, argv: list):
    return len(db.find(argv[1], bytes) or b"")


def mget(db: Keyspace, argv: list):
    values = (db.values.get(key) for key in argv[1:])
    return [value if type(value) is bytes else None for value in values]


def mset(db: Keyspace, argv: list):
    if len(argv) % 2 == 0:
        raise wrong_arity("mset")
    for at in range(1, len(argv), 2):
        db.put(argv[at], argv[at + 1])
    return OK


def msetnx(db: Keyspace, argv: list):
    if len(argv) % 2 == 0:
        raise wrong_arity("msetnx")
    if any(key in db.values for key in argv[1::2]):
        return 0
    mset(db, argv)
    return 1
