"""Lua patterns: compiled once to a list of items, matched with backtracking.

Decides what matches, as Lua 5.1 does: a mistake in a pattern is an error only when the match gets that far, and a
pattern ends at its first zero byte. Each tried item costs a share of a step, so a pattern that explodes ends the run
instead of hanging.
"""

from functools import lru_cache

from py_runtime.stores.lua.errors import StepsExhausted, failure

CAPTURES_MAX = 32  # Lua 5.1: LUA_MAXCAPTURES
TRIES_PER_STEP = 2
BYTES_PER_TRY = 8  # of a repetition that only has to look at each byte
DEPTH_MAX = 200
DEPTH_SHALLOW = 20  # from here on the recursion might not fit under Python's usual limit

POSITION = -2
_OPEN = -1
_SPECIALS = b"^$*+?.([%-"

_EVERYTHING = frozenset(range(256))
_UPPER = frozenset(range(65, 91))
_LOWER = frozenset(range(97, 123))
_DIGIT = frozenset(range(48, 58))
_CLASSES = {
    ord("a"): _UPPER | _LOWER,
    ord("c"): frozenset(range(32)) | {127},
    ord("d"): _DIGIT,
    ord("l"): _LOWER,
    ord("p"): frozenset(range(33, 127)) - _UPPER - _LOWER - _DIGIT,
    ord("s"): frozenset(b" \t\n\v\f\r"),
    ord("u"): _UPPER,
    ord("w"): _UPPER | _LOWER | _DIGIT,
    ord("x"): _DIGIT | frozenset(b"abcdefABCDEF"),
    ord("z"): frozenset({0}),
}


def is_plain(pattern: bytes) -> bool:
    """Whether a pattern has no special character, so that a plain search finds the same."""
    return not any(special in pattern for special in _SPECIALS)


def _class(letter: int) -> frozenset:
    lower = letter | 32 if letter in _UPPER else letter
    if lower not in _CLASSES:
        return frozenset({letter})
    return _EVERYTHING - _CLASSES[lower] if letter in _UPPER else _CLASSES[lower]


@lru_cache(maxsize=256)
def compile_pattern(pattern: bytes, anchors: bool = True) -> tuple[bool, tuple]:
    """(anchored at the start, items). With `anchors` false (`gmatch`), a leading `^` is an ordinary character."""
    pattern = pattern.partition(b"\0")[0]
    anchored = anchors and pattern.startswith(b"^")
    items, place = [], 1 if anchored else 0
    while place < len(pattern):
        item, place = _item(pattern, place)
        items.append(item)
        if item[0] == "error":
            break
    return anchored, tuple(items)


def _item(pattern: bytes, place: int) -> tuple[tuple, int]:
    character = pattern[place : place + 1]
    if character == b"(":
        if pattern[place + 1 : place + 2] == b")":
            return ("capture", POSITION, None), place + 2
        return ("capture", _OPEN, None), place + 1
    if character == b")":
        return ("close", None, None), place + 1
    if character == b"$" and place + 1 == len(pattern):
        return ("end", None, None), place + 1
    following = pattern[place + 1 : place + 2]
    if character == b"%" and following == b"b":
        if place + 4 > len(pattern):
            return ("error", "unbalanced pattern", None), place
        return ("balance", pattern[place + 2], pattern[place + 3]), place + 4
    if character == b"%" and following == b"f":
        if pattern[place + 2 : place + 3] != b"[":
            return ("error", "missing '[' after '%f' in pattern", None), place
        members, place = _set(pattern, place + 2)
        return (("error", members, None) if isinstance(members, str) else ("frontier", members, None)), place
    if character == b"%" and following.isdigit():
        return ("back", int(following) - 1, None), place + 2
    members, place = _single(pattern, place)
    if isinstance(members, str):
        return ("error", members, None), place
    suffix = pattern[place : place + 1]
    if suffix and suffix in b"*+-?":
        return ("single", members, suffix.decode()), place + 1
    return ("single", members, None), place


def _single(pattern: bytes, place: int) -> tuple[frozenset | str, int]:
    """The bytes that one character class stands for, or the text of its mistake."""
    character = pattern[place]
    if character == ord("%"):
        if place + 1 >= len(pattern):
            return "malformed pattern (ends with '%')", place
        return _class(pattern[place + 1]), place + 2
    if character == ord("["):
        return _set(pattern, place)
    return (_EVERYTHING if character == ord(".") else frozenset({character})), place + 1


def _set(pattern: bytes, place: int) -> tuple[frozenset | str, int]:
    """`[…]`; a `]` in first place is a member."""
    place += 1
    inverted = pattern[place : place + 1] == b"^"
    if inverted:
        place += 1
    members: set[int] = set()
    first = True
    while first or pattern[place : place + 1] != b"]":
        first = False
        if place >= len(pattern):
            return "malformed pattern (missing ']')", place
        character = pattern[place]
        if character == ord("%") and place + 1 < len(pattern):
            members |= _class(pattern[place + 1])
            place += 2
        elif pattern[place + 1 : place + 2] == b"-" and pattern[place + 2 : place + 3] not in (b"]", b""):
            members |= frozenset(range(character, pattern[place + 2] + 1))
            place += 3
        else:
            members.add(character)
            place += 1
    return (_EVERYTHING - members if inverted else frozenset(members)), place + 1


class Match:
    """One pattern applied to one subject; `captures` holds [start, length or POSITION] pairs of the last success."""

    def __init__(self, run: object, subject: bytes, pattern: bytes, anchors: bool = True) -> None:
        self.run = run
        self.subject = subject
        self.anchored, self._items = compile_pattern(pattern, anchors)
        self.captures: list[list[int]] = []
        self._tries = 0
        self._depth = 0

    def at(self, start: int) -> int | None:
        """Where a match that begins exactly at `start` ends."""
        self.captures = []
        self._tries = self.run.steps * TRIES_PER_STEP
        self._depth = 0
        end = self._from(start, 0)
        self.run.steps = self._tries // TRIES_PER_STEP
        return end

    def search(self, start: int) -> tuple[int, int] | None:
        """The first match at or after `start` as (begin, end)."""
        while start <= len(self.subject):
            end = self.at(start)
            if end is not None:
                return start, end
            if self.anchored:
                return None
            start += 1
        return None

    def values(self, begin: int, end: int, whole: bool) -> list:
        """The captures as Lua values; without captures the whole match when `whole` is true."""
        if not self.captures and whole:
            return [self.subject[begin:end]]
        return [self.value(index, begin, end) for index in range(len(self.captures))]

    def value(self, index: int, begin: int, end: int) -> object:
        """One capture, counted from 0; index 0 without any capture is the whole match."""
        if index >= len(self.captures):
            if index == 0:
                return self.subject[begin:end]
            raise failure("invalid capture index")
        start, length = self.captures[index]
        if length == _OPEN:
            raise failure("unfinished capture")
        return float(start + 1) if length == POSITION else self.subject[start : start + length]

    def _spend(self, tries: int) -> None:
        self._tries -= tries
        if self._tries < 0:
            raise StepsExhausted

    def _from(self, place: int, item: int) -> int | None:
        """Matches the items from `item` on at `place`."""
        self._depth += 1
        if self._depth > DEPTH_MAX:
            raise failure("pattern too complex")
        if self._depth == DEPTH_SHALLOW:
            self.run.make_room()
        try:
            return self._advance(place, item)
        finally:
            self._depth -= 1

    def _advance(self, place: int | None, item: int) -> int | None:
        subject, items = self.subject, self._items
        size = len(subject)
        while item < len(items):
            self._spend(1)
            kind, data, suffix = items[item]
            if kind != "single":
                if kind in ("capture", "close"):
                    return self._capture(kind, data, place, item)
                place = self._special(kind, data, suffix, place)
                if place is None:
                    return None
            elif suffix is None:
                if place >= size or subject[place] not in data:
                    return None
                place += 1
            elif suffix == "?":
                if place < size and subject[place] in data:
                    end = self._from(place + 1, item + 1)
                    if end is not None:
                        return end
            elif suffix == "-":
                return self._shortest(place, item, data)
            else:
                return self._longest(place, item, data, 1 if suffix == "+" else 0)
            item += 1
        return place

    def _longest(self, place: int, item: int, members: frozenset, least: int) -> int | None:
        subject, end = self.subject, place
        while end < len(subject) and subject[end] in members:
            end += 1
        self._spend((end - place) // BYTES_PER_TRY)
        while end >= place + least:
            found = self._from(end, item + 1)
            if found is not None:
                return found
            end -= 1
        return None

    def _shortest(self, place: int, item: int, members: frozenset) -> int | None:
        subject = self.subject
        while True:
            found = self._from(place, item + 1)
            if found is not None:
                return found
            if place >= len(subject) or subject[place] not in members:
                return None
            place += 1

    def _capture(self, kind: str, mark: int | None, place: int, item: int) -> int | None:
        captures = self.captures
        if kind == "capture":
            if len(captures) >= CAPTURES_MAX:
                raise failure("too many captures")
            captures.append([place, mark])
            found = self._from(place, item + 1)
            if found is None:
                captures.pop()
            return found
        for capture in reversed(captures):
            if capture[1] == _OPEN:
                break
        else:
            raise failure("invalid pattern capture")
        capture[1] = place - capture[0]
        found = self._from(place, item + 1)
        if found is None:
            capture[1] = _OPEN
        return found

    def _special(self, kind: str, data: object, closing: object, place: int) -> int | None:
        subject = self.subject
        if kind == "end":
            return place if place == len(subject) else None
        if kind == "back":
            if not 0 <= data < len(self.captures) or self.captures[data][1] == _OPEN:
                raise failure("invalid capture index")
            start, length = self.captures[data]
            if length == POSITION:
                return None
            text = subject[start : start + length]
            return place + len(text) if subject.startswith(text, place) else None
        if kind == "frontier":
            before = subject[place - 1] if place > 0 else 0
            here = subject[place] if place < len(subject) else 0
            return place if before not in data and here in data else None
        if kind == "error":
            raise failure(data)
        return self._balance(data, closing, place)

    def _balance(self, opening: int, closing: int, place: int) -> int | None:
        subject = self.subject
        if place >= len(subject) or subject[place] != opening:
            return None
        depth = 1
        for end in range(place + 1, len(subject)):
            if subject[end] == closing:
                depth -= 1
                if not depth:
                    self._spend((end - place) // BYTES_PER_TRY)
                    return end + 1
            elif subject[end] == opening:
                depth += 1
        self._spend((len(subject) - place) // BYTES_PER_TRY)
        return None
