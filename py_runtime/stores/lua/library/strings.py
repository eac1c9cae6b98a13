"""The `string` library; `format` has a file of its own, patterns too.

Decides how positions count (from 1, negative from the end) and that building a long text costs steps before it is
built.
"""

from collections.abc import Callable

from py_runtime.stores.lua.errors import argument_error, failure
from py_runtime.stores.lua.library.arguments import int_at, integer_at, text_at
from py_runtime.stores.lua.library.base import call_from_library
from py_runtime.stores.lua.library.format import string_format
from py_runtime.stores.lua.patterns import Match, is_plain
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import Function, to_text, type_name


def _span(text: bytes, first: int, last: int) -> tuple[int, int]:
    """1-based, inclusive, possibly negative positions as a Python slice's bounds."""
    size = len(text)
    first = max(first + size + 1 if first < 0 else first, 1)
    last = min(last + size + 1 if last < 0 else last, size)
    return first - 1, max(last, first - 1)


def _byte(run: object, arguments: list) -> object:
    text = text_at(arguments, 1)
    first = integer_at(arguments, 2, 1)
    last = integer_at(arguments, 3, first)
    start, stop = _span(text, first, last)
    if stop - start >= 8000:
        raise failure("stack overflow (string slice too long)")
    run.spend_values(stop - start)
    return [float(code) for code in text[start:stop]]


def _char(run: object, arguments: list) -> object:
    codes = []
    for position in range(1, len(arguments) + 1):
        code = int_at(arguments, position)
        if not 0 <= code <= 255:
            raise argument_error(position, "invalid value")
        codes.append(code)
    return (bytes(codes),)


def _find_or_match(run: object, arguments: list, find: bool) -> object:
    subject, pattern = text_at(arguments, 1), text_at(arguments, 2)
    start = integer_at(arguments, 3, 1)
    start = start + len(subject) if start < 0 else start - 1
    start = min(max(start, 0), len(subject))
    plain = len(arguments) > 3 and arguments[3] is not None and arguments[3] is not False
    if find and (plain or is_plain(pattern)):
        place = subject.find(pattern, start)
        return (None,) if place < 0 else (place + 1.0, float(place + len(pattern)))
    match = Match(run, subject, pattern)
    found = match.search(start)
    if found is None:
        return (None,)
    if not find:
        return match.values(*found, whole=True)
    return [found[0] + 1.0, float(found[1]), *match.values(*found, whole=False)]


def _find(run: object, arguments: list) -> object:
    return _find_or_match(run, arguments, True)


def _match(run: object, arguments: list) -> object:
    return _find_or_match(run, arguments, False)


def _gmatch(run: object, arguments: list) -> object:
    subject, pattern = text_at(arguments, 1), text_at(arguments, 2)
    place = 0

    def step(run: object, arguments: list) -> object:
        nonlocal place
        match = Match(run, subject, pattern, anchors=False)
        found = match.search(place)
        if found is None:
            place = len(subject) + 1
            return (None,)
        begin, end = found
        place = end + 1 if begin == end else end
        return match.values(begin, end, whole=True)

    return (step,)


def _gsub(run: object, arguments: list) -> object:
    subject, pattern = text_at(arguments, 1), text_at(arguments, 2)
    replacement = arguments[2] if len(arguments) > 2 else None
    count_max = int_at(arguments, 4, len(subject) + 1)
    if to_text(replacement) is None and not isinstance(replacement, LuaTable | Function):
        raise argument_error(3, "string/function/table expected")
    match = Match(run, subject, pattern)
    replace = _replacer(run, match, replacement)
    parts, place, count = [], 0, 0
    while count < count_max:
        end = match.at(place)
        if end is not None:
            count += 1
            parts.append(replace(place, end))
            run.spend_bytes(len(parts[-1]))
        if end is not None and end > place:
            place = end
        elif place < len(subject):
            parts.append(subject[place : place + 1])
            place += 1
        else:
            break
        if match.anchored:
            break
    parts.append(subject[place:])
    result = b"".join(parts)
    run.spend_bytes(len(result))
    return result, float(count)


def _replacer(run: object, match: Match, replacement: object) -> Callable[[int, int], bytes]:
    text = to_text(replacement)
    if text is not None:
        if b"%" not in text:
            return lambda begin, end: text
        return lambda begin, end: _filled_in(match, text, begin, end)

    def replace(begin: int, end: int) -> bytes:
        if isinstance(replacement, LuaTable):
            value = replacement.get(match.value(0, begin, end))
        else:
            results = call_from_library(run, replacement, match.values(begin, end, whole=True))
            value = results[0] if results else None
        if value is None or value is False:
            return match.subject[begin:end]
        filled = to_text(value)
        if filled is None:
            raise failure(f"invalid replacement value (a {type_name(value)})")
        return filled

    return replace


def _filled_in(match: Match, text: bytes, begin: int, end: int) -> bytes:
    """A replacement text with `%0` to `%9` filled in; a `%` at the very end gives a zero byte, as in Lua 5.1."""
    parts = []
    pieces = (text + b"\0" if text.replace(b"%%", b"").endswith(b"%") else text).split(b"%")
    parts.append(pieces[0])
    index = 1
    while index < len(pieces):
        piece = pieces[index]
        index += 1
        if not piece:  # "%%": the second sign stands for itself
            parts.append(b"%" + (pieces[index] if index < len(pieces) else b""))
            index += 1
        elif piece[:1] == b"0":
            parts.append(match.subject[begin:end] + piece[1:])
        elif piece[:1].isdigit():
            parts.append(to_text(match.value(piece[0] - 49, begin, end)) + piece[1:])
        else:
            parts.append(piece)
    return b"".join(parts)


def _len(run: object, arguments: list) -> object:
    return (float(len(text_at(arguments, 1))),)


def _lower(run: object, arguments: list) -> object:
    return (text_at(arguments, 1).lower(),)


def _upper(run: object, arguments: list) -> object:
    return (text_at(arguments, 1).upper(),)


def _reverse(run: object, arguments: list) -> object:
    return (text_at(arguments, 1)[::-1],)


def _rep(run: object, arguments: list) -> object:
    text, count = text_at(arguments, 1), int_at(arguments, 2)
    run.spend_bytes(len(text) * max(count, 0))
    return (text * count if text else b"",)


def _sub(run: object, arguments: list) -> object:
    text = text_at(arguments, 1)
    start, stop = _span(text, integer_at(arguments, 2), integer_at(arguments, 3, -1))
    return (text[start:stop],)


def _gfind(run: object, arguments: list) -> object:
    raise failure("'string.gfind' was renamed to 'string.gmatch'")


FIELDS = {
    b"byte": _byte,
    b"char": _char,
    b"find": _find,
    b"format": string_format,
    b"gfind": _gfind,
    b"gmatch": _gmatch,
    b"gsub": _gsub,
    b"len": _len,
    b"lower": _lower,
    b"match": _match,
    b"rep": _rep,
    b"reverse": _reverse,
    b"sub": _sub,
    b"upper": _upper,
}
