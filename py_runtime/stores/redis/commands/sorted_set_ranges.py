"""Ranges of sorted sets: by rank, by score (`(` excludes a bound) and by member text; reading, counting, removing.

Every bound becomes a place in the set's order, so that all commands share the same cutting.
"""

from bisect import bisect_left

from py_runtime.stores.redis.commands.options import SYNTAX_ERROR, places
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import format_double, parse_bound, parse_int
from py_runtime.stores.redis.sorted_set import SortedSet
from py_runtime.stores.replies import ErrorReply

RANK, SCORE, LEX = b"BYRANK", b"BYSCORE", b"BYLEX"
_LEX_ERROR = "ERR min or max not valid string range item"
_INFINITIES = {b"-inf": float("-inf"), b"+inf": float("inf"), b"inf": float("inf")}


class _AfterAll:
    """Sorts behind every member, so that `(score, AFTER_ALL)` is the place after the last member of that score."""

    def __lt__(self, other) -> bool:
        return False

    def __gt__(self, other) -> bool:
        return True


_AFTER_ALL = _AfterAll()


def zrange(db: Keyspace, argv: list):
    return _range(db, argv, None, None)


def zrevrange(db: Keyspace, argv: list):
    return _range(db, argv, RANK, True)


def zrangebyscore(db: Keyspace, argv: list):
    return _range(db, argv, SCORE, False)


def zrevrangebyscore(db: Keyspace, argv: list):
    return _range(db, argv, SCORE, True)


def zrangebylex(db: Keyspace, argv: list):
    return _range(db, argv, LEX, False)


def zrevrangebylex(db: Keyspace, argv: list):
    return _range(db, argv, LEX, True)


def _range(db: Keyspace, argv: list, kind: bytes | None, reverse: bool | None) -> list:
    """`kind` and `reverse` are None where the command line may choose them."""
    kind, reverse, limit, with_scores = _range_options(argv, kind, reverse)
    low, high = (argv[3], argv[2]) if reverse and kind is not RANK else (argv[2], argv[3])
    find_places = _bounds(kind, low, high, reverse)
    members = db.find(argv[1], SortedSet)
    if members is None:
        return []
    start, stop = find_places(members)
    if reverse and kind is RANK:
        start, stop = len(members) - stop, len(members) - start
    found = members.order[start:stop]
    if reverse:
        found.reverse()
    if limit is not None:
        offset, count = limit
        found = [] if offset < 0 else found[offset:] if count < 0 else found[offset : offset + count]
    if with_scores:
        return [part for score, member in found for part in (member, format_double(score))]
    return [member for _, member in found]


def _range_options(argv: list, kind: bytes | None, reverse: bool | None) -> tuple:
    limit, with_scores = None, False
    at = 4
    while at < len(argv):
        option = argv[at].upper()
        if option == b"WITHSCORES":
            with_scores = True
        elif option == b"LIMIT" and at + 2 < len(argv):
            limit = (parse_int(argv[at + 1]), parse_int(argv[at + 2]))
            at += 2
        elif option == b"REV" and reverse is None:
            reverse = True
        elif option in (SCORE, LEX) and kind is None:
            kind = SCORE if option == SCORE else LEX
        else:
            raise ErrorReply(SYNTAX_ERROR)
        at += 1
    kind = kind or RANK
    if limit is not None and kind is RANK:
        if limit[1] != -1:
            raise ErrorReply("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX")
        limit = None
    if with_scores and kind is LEX:
        raise ErrorReply("ERR syntax error, WITHSCORES not supported in combination with BYLEX")
    return kind, bool(reverse), limit, with_scores


def _bounds(kind: bytes, low: bytes, high: bytes, reverse: bool = False):
    """Read the bounds, so that bad ones are refused before the key is looked at; gives set → (start, stop)."""
    if kind is SCORE:
        start_key, stop_key = _score_bound(low, False), _score_bound(high, True)
        return lambda members: _cut_places(members, start_key, stop_key)
    if kind is LEX:
        first, last = _lex_bound(low), _lex_bound(high)
        return lambda members: _lex_places(members, first, last, reverse)
    start, stop = parse_int(low), parse_int(high)
    return lambda members: places(start, stop, len(members))


def _score_bound(text: bytes, upper: bool) -> tuple:
    """A pair that sorts just before (lower bound) or just after (upper bound) what the range includes."""
    score = _INFINITIES.get(text)
    exclusive = False
    if score is None:
        exclusive = text[:1] == b"("
        score = parse_bound(text[1:] if exclusive else text)
    return (score, _AFTER_ALL) if upper != exclusive else (score,)


def _cut_places(members: SortedSet, start_key: tuple, stop_key: tuple) -> tuple[int, int]:
    start = bisect_left(members.order, start_key)
    return start, max(start, bisect_left(members.order, stop_key))


def _lex_bound(text: bytes) -> tuple[bytes, bytes]:
    sign, member = text[:1], text[1:]
    if text in (b"-", b"+") or sign in (b"[", b"("):
        return sign, member
    raise ErrorReply(_LEX_ERROR)


def _lex_places(members: SortedSet, first: tuple, last: tuple, reverse: bool) -> tuple[int, int]:
    """The run of members within the bounds, from the end that the range begins at to the first that is not within.

    Where all scores are equal this is every member within. Where they are not, Redis calls the range unspecified; this
    is what it gives for sets of up to 128 members.
    """
    names = [member for _, member in members.order]
    both = first[0] != b"-" and last[0] != b"+"
    if both and (first[1] > last[1] or (first[1] == last[1] and b"(" in (first[0], last[0]))):
        return 0, 0
    above = [_within(name, first, b"-", 1) for name in names]
    below = [_within(name, last, b"+", -1) for name in names]
    if not (above[-1] and below[0]):
        return 0, 0
    if reverse:
        stop = start = len(names) - below[::-1].index(True)
        while start > 0 and above[start - 1]:
            start -= 1
    else:
        stop = start = above.index(True)
        while stop < len(names) and below[stop]:
            stop += 1
    return start, stop


def _within(name: bytes, bound: tuple[bytes, bytes], open_end: bytes, direction: int) -> bool:
    """Whether a member lies on the inner side of a bound: above it (direction 1) or below it (-1)."""
    sign, member = bound
    if sign in (b"-", b"+"):
        return sign == open_end
    if name == member:
        return sign == b"["
    return (name > member) == (direction > 0)


def zcount(db: Keyspace, argv: list):
    return _count(db, argv, SCORE)


def zlexcount(db: Keyspace, argv: list):
    return _count(db, argv, LEX)


def _count(db: Keyspace, argv: list, kind: bytes) -> int:
    find_places = _bounds(kind, argv[2], argv[3])
    members = db.find(argv[1], SortedSet)
    if members is None:
        return 0
    start, stop = find_places(members)
    return stop - start


def zremrangebyscore(db: Keyspace, argv: list):
    return _remove(db, argv, SCORE)


def zremrangebyrank(db: Keyspace, argv: list):
    return _remove(db, argv, RANK)


def zremrangebylex(db: Keyspace, argv: list):
    return _remove(db, argv, LEX)


def _remove(db: Keyspace, argv: list, kind: bytes) -> int:
    find_places = _bounds(kind, argv[2], argv[3])
    members = db.find(argv[1], SortedSet)
    if members is None:
        return 0
    removed = len(members.cut(*find_places(members)))
    if removed:
        db.shrunk(argv[1], members)
    return removed
