"""Writing to sorted sets, and the reads that need no range (see sorted_set_ranges.py for those)."""

from py_runtime.stores.redis.commands.options import SYNTAX_ERROR, parse_count
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import format_double, parse_double
from py_runtime.stores.redis.sorted_set import SortedSet
from py_runtime.stores.replies import ErrorReply

_ZADD_FLAGS = frozenset((b"NX", b"XX", b"GT", b"LT", b"CH", b"INCR"))
_NO_FLAGS: frozenset = frozenset()
_EMPTY = SortedSet()


def zadd(db: Keyspace, argv: list):
    at = 2
    flags = _NO_FLAGS
    while at < len(argv) and (flag := argv[at].upper()) in _ZADD_FLAGS:
        flags = flags | {flag}
        at += 1
    return _add(db, argv[1], argv[at:], flags)


def zincrby(db: Keyspace, argv: list):
    return _add(db, argv[1], argv[2:], frozenset((b"INCR",)))


def _add(db: Keyspace, key: bytes, pairs: list, flags: frozenset):
    increment = b"INCR" in flags
    if not pairs or len(pairs) % 2:
        raise ErrorReply(SYNTAX_ERROR)
    if flags:
        _check_flags(flags, len(pairs))
    scores = [parse_double(text) for text in pairs[::2]]
    members = db.find(key, SortedSet)
    if members is None:
        if b"XX" in flags:
            return None if increment else 0
        members = SortedSet()
    added = changed = 0
    score = None
    for given, member in zip(scores, pairs[1::2], strict=True):
        old = members.scores.get(member)
        score = _new_score(old, given, flags)
        if score is not None and score != old:
            members.put(member, score + 0.0)  # stored, -0 becomes 0
            added += old is None
            changed += 1
    if changed:
        db.values[key] = members
        db.touch(key)
    if increment:
        return None if score is None else format_double(score)
    return changed if b"CH" in flags else added


def _check_flags(flags: frozenset, pairs_length: int) -> None:
    exclusive = sum(flag in flags for flag in (b"NX", b"GT", b"LT"))
    if b"NX" in flags and b"XX" in flags:
        raise ErrorReply("ERR XX and NX options at the same time are not compatible")
    if exclusive > 1:
        raise ErrorReply("ERR GT, LT, and/or NX options at the same time are not compatible")
    if b"INCR" in flags and pairs_length > 2:
        raise ErrorReply("ERR INCR option supports a single increment-element pair")


def _new_score(old: float | None, given: float, flags: frozenset) -> float | None:
    """The score a member is to have; None when the flags forbid touching it."""
    if old is None:
        return None if b"XX" in flags else given
    if not flags:
        return given
    if b"NX" in flags:
        return None
    score = old + given if b"INCR" in flags else given
    if score != score:
        raise ErrorReply("ERR resulting score is not a number (NaN)")
    if (b"GT" in flags and score <= old) or (b"LT" in flags and score >= old):
        return None
    return score


def zrem(db: Keyspace, argv: list):
    members = db.find(argv[1], SortedSet)
    if members is None:
        return 0
    removed = sum([members.discard(member) for member in argv[2:]])
    if removed:
        db.shrunk(argv[1], members)
    return removed


def zcard(db: Keyspace, argv: list):
    return len(db.find(argv[1], SortedSet) or ())


def zscore(db: Keyspace, argv: list):
    score = (db.find(argv[1], SortedSet) or _EMPTY).scores.get(argv[2])
    return None if score is None else format_double(score)


def zmscore(db: Keyspace, argv: list):
    scores = (db.find(argv[1], SortedSet) or _EMPTY).scores
    return [format_double(scores[member]) if member in scores else None for member in argv[2:]]


def zrank(db: Keyspace, argv: list):
    return (db.find(argv[1], SortedSet) or _EMPTY).rank(argv[2])


def zrevrank(db: Keyspace, argv: list):
    members = db.find(argv[1], SortedSet) or _EMPTY
    rank = members.rank(argv[2])
    return None if rank is None else len(members) - 1 - rank


def zpopmin(db: Keyspace, argv: list):
    return _pop(db, argv, from_top=False)


def zpopmax(db: Keyspace, argv: list):
    return _pop(db, argv, from_top=True)


def _pop(db: Keyspace, argv: list, from_top: bool) -> list:
    if len(argv) > 3:
        raise ErrorReply(SYNTAX_ERROR)
    count = parse_count(argv[2]) if len(argv) == 3 else 1
    members = db.find(argv[1], SortedSet)
    if members is None or not count:
        return []
    taken = members.cut(max(len(members) - count, 0), len(members))[::-1] if from_top else members.cut(0, count)
    db.shrunk(argv[1], members)
    return [part for score, member in taken for part in (member, format_double(score))]
