"""Commands on lists, the blocking ones included."""

from itertools import islice

from py_runtime.stores.redis.blocked import Blocked
from py_runtime.stores.redis.commands.options import SYNTAX_ERROR, parse_count, places, wrong_arity
from py_runtime.stores.redis.keyspace import Keyspace, List
from py_runtime.stores.redis.number_text import parse_double, parse_int
from py_runtime.stores.replies import OK, ErrorReply


def lpush(db: Keyspace, argv: list):
    elements = db.find_or_make(argv[1], List)
    elements.extendleft(argv[2:])
    db.touch(argv[1])
    return len(elements)


def rpush(db: Keyspace, argv: list):
    elements = db.find_or_make(argv[1], List)
    elements.extend(argv[2:])
    db.touch(argv[1])
    return len(elements)


def lpop(db: Keyspace, argv: list):
    return _pop(db, argv, left=True)


def rpop(db: Keyspace, argv: list):
    return _pop(db, argv, left=False)


def _pop(db: Keyspace, argv: list, left: bool):
    if len(argv) > 3:
        raise wrong_arity("lpop" if left else "rpop")
    count = parse_count(argv[2]) if len(argv) == 3 else None
    elements = db.find(argv[1], List)
    if elements is None:
        return None
    if count is None:
        return _take(db, argv[1], elements, left)
    return [_take(db, argv[1], elements, left) for _ in range(min(count, len(elements)))]


def _take(db: Keyspace, key: bytes, elements: List, left: bool) -> bytes:
    element = elements.popleft() if left else elements.pop()
    db.shrunk(key, elements)
    return element


def llen(db: Keyspace, argv: list):
    return len(db.find(argv[1], List) or ())


def lindex(db: Keyspace, argv: list):
    elements = db.find(argv[1], List)
    if elements is None:
        return None
    place = parse_int(argv[2])
    return elements[place] if -len(elements) <= place < len(elements) else None


def lrange(db: Keyspace, argv: list):
    start, stop = parse_int(argv[2]), parse_int(argv[3])
    elements = db.find(argv[1], List)
    if elements is None:
        return []
    return list(islice(elements, *places(start, stop, len(elements))))


def ltrim(db: Keyspace, argv: list):
    start, stop = parse_int(argv[2]), parse_int(argv[3])
    elements = db.find(argv[1], List)
    if elements is None:
        return OK
    kept = List(islice(elements, *places(start, stop, len(elements))))
    if len(kept) < len(elements):
        db.values[argv[1]] = kept
        db.shrunk(argv[1], kept)
    return OK


def lrem(db: Keyspace, argv: list):
    count = parse_int(argv[2])
    elements = db.find(argv[1], List)
    if elements is None:
        return 0
    limit = abs(count) or len(elements)
    kept = List()
    removed = 0
    for element in reversed(elements) if count < 0 else elements:
        if element == argv[3] and removed < limit:
            removed += 1
        else:
            kept.append(element)
    if removed:
        if count < 0:
            kept.reverse()
        db.values[argv[1]] = kept
        db.shrunk(argv[1], kept)
    return removed


def lmove(db: Keyspace, argv: list):
    sides = (argv[3].upper(), argv[4].upper())
    if not set(sides) <= {b"LEFT", b"RIGHT"}:
        raise ErrorReply(SYNTAX_ERROR)
    source = db.find(argv[1], List)
    if source is None:
        return None
    db.find(argv[2], List)  # refuses a target of another type before anything moves
    element = source.popleft() if sides[0] == b"LEFT" else source.pop()
    target = db.find_or_make(argv[2], List)
    if sides[1] == b"LEFT":
        target.appendleft(element)
    else:
        target.append(element)
    db.touch(argv[2])
    db.shrunk(argv[1], source)
    return element


def blpop(db: Keyspace, argv: list):
    return _blocking_pop(db, argv, left=True)


def brpop(db: Keyspace, argv: list):
    return _blocking_pop(db, argv, left=False)


def _blocking_pop(db: Keyspace, argv: list, left: bool):
    timeout_us = _timeout_us(argv[-1])

    def serve(db: Keyspace, key: bytes):
        elements = db.values.get(key)
        return [key, _take(db, key, elements, left)] if type(elements) is List else None

    keys = tuple(argv[1:-1])
    for key in keys:
        if db.find(key, List) is not None:
            return serve(db, key)
    return Blocked(keys, timeout_us, serve)


def _timeout_us(text: bytes) -> int | None:
    """Seconds, possibly with decimals, rounded up to whole ms; 0 means for ever."""
    seconds = parse_double(text, "ERR timeout is not a float or out of range")
    if not 0 <= seconds <= 2**63 / 1000:
        raise ErrorReply("ERR timeout is negative")  # Redis says so of what overflows, too
    thousandths = seconds * 1000
    timeout_ms = int(thousandths)
    return (timeout_ms + (timeout_ms < thousandths)) * 1000 or None
