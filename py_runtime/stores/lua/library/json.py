"""`cjson.encode` and `cjson.decode` with the texts of the lua-cjson 2.1 that redis-server carries.

Decides which tables are arrays (only positive whole keys, not too sparse), and that an empty table is `{}`. JSON's
null is `cjson.null`, which is true in a condition and not nil. Objects keep the table's order, where lua-cjson has the
order of its hash.
"""

import re

from py_runtime.stores.lua.errors import Unwinding, argument_error, failure
from py_runtime.stores.lua.library.arguments import text_at
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import NULL, number_text, parse_number, type_name

DEPTH_MAX = 1000
DEPTH_SHALLOW = 30  # from here on the recursion might not fit under Python's usual limit
SPARSE_RATIO = 2
SPARSE_SAFE = 10

_ESCAPED = re.compile(rb'[\x00-\x1f"\\/\x7f]')
_SHORT = {
    ord(c): b"\\" + e for c, e in zip('"\\/\b\f\n\r\t', [b'"', b"\\", b"/", b"b", b"f", b"n", b"r", b"t"], strict=True)
}
_NUMBER = re.compile(  # whatever C's strtod reads, once a digit or a sign promises a number
    rb"[+-]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?[0-9]+)?"
    rb"|(?:[+-]?[0-9]+\.?[0-9]*|[+-]\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
    rb"|[+-]?(?i:inf(?:inity)?|nan)"
)
_TEXT = re.compile(rb'[^"\\\x00]*')
_BLANK = re.compile(rb"[ \t\n\r]*")
_UNESCAPED = {b'"': b'"', b"\\": b"\\", b"/": b"/", b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}
_TOKENS = {
    b"{": "T_OBJ_BEGIN",
    b"}": "T_OBJ_END",
    b"[": "T_ARR_BEGIN",
    b"]": "T_ARR_END",
    b",": "T_COMMA",
    b":": "T_COLON",
}


def _encode(run: object, arguments: list) -> object:
    if len(arguments) != 1:
        raise argument_error(1, "expected 1 argument")
    parts: list[bytes] = []
    _encode_value(run, arguments[0], parts, 0)
    text = b"".join(parts)
    run.spend_bytes(len(text))
    return (text,)


def _encode_value(run: object, value: object, parts: list[bytes], depth: int) -> None:
    kind = value.__class__
    if kind is bytes:
        parts.append(_quoted(value))
    elif kind is float:
        if value != value or value in (float("inf"), float("-inf")):
            raise failure("Cannot serialise number: must not be NaN or Inf")
        parts.append(number_text(value))
    elif kind is bool:
        parts.append(b"true" if value else b"false")
    elif value is None or value is NULL:
        parts.append(b"null")
    elif isinstance(value, LuaTable):
        run.spend(1)
        if depth >= DEPTH_MAX:
            raise failure(f"Cannot serialise, excessive nesting ({depth + 1})")
        if depth == DEPTH_SHALLOW:
            run.make_room()
        size = _array_size(value)
        try:
            if size > 0:
                _encode_array(run, value, size, parts, depth + 1)
            else:
                _encode_object(run, value, parts, depth + 1)
        except Unwinding as error:
            error.shorten()
            raise
    else:
        raise failure(f"Cannot serialise {type_name(value)}: type not supported")


def _array_size(table: LuaTable) -> int:
    """The highest index of an array, 0 for a table that is an object."""
    highest = count = 0
    for key, _ in table.pairs():
        if key.__class__ is not float or key < 1 or not key.is_integer():
            return 0
        highest = max(highest, int(key))
        count += 1
    if highest > count * SPARSE_RATIO and highest > SPARSE_SAFE:
        raise failure("Cannot serialise table: excessively sparse array")
    return highest


def _encode_array(run: object, table: LuaTable, size: int, parts: list[bytes], depth: int) -> None:
    for index in range(1, size + 1):
        parts.append(b"[" if index == 1 else b",")
        _encode_value(run, table.get(float(index)), parts, depth)
    parts.append(b"]")


def _encode_object(run: object, table: LuaTable, parts: list[bytes], depth: int) -> None:
    parts.append(b"{")
    for index, (key, value) in enumerate(table.pairs()):
        if index:
            parts.append(b",")
        if key.__class__ is bytes:
            parts.append(_quoted(key) + b":")
        elif key.__class__ is float:
            parts.append(b'"' + number_text(key) + b'":')
        else:
            raise failure(f"Cannot serialise {type_name(key)}: table key must be a number or string")
        _encode_value(run, value, parts, depth)
    parts.append(b"}")


def _quoted(text: bytes) -> bytes:
    return b'"' + _ESCAPED.sub(lambda match: _SHORT.get(match[0][0]) or b"\\u%04x" % match[0][0], text) + b'"'


def _decode(run: object, arguments: list) -> object:
    if len(arguments) != 1:
        raise argument_error(1, "expected 1 argument")
    text = text_at(arguments, 1)
    run.spend(len(text) // 16)
    if len(text) >= 2 and 0 in text[:2]:
        raise failure("JSON parser does not support UTF-16 or UTF-32")
    return (_Decoder(run, text).whole(),)


class _Decoder:
    """Reads one JSON text; `place` is where the next token starts."""

    def __init__(self, run: object, text: bytes) -> None:
        self.run = run
        self.text = text
        self.place = 0

    def whole(self) -> object:
        value = self._value(0)
        self._skip()
        if self.place < len(self.text):
            raise self._expected("the end")
        return value

    def _skip(self) -> None:
        self.place = _BLANK.match(self.text, self.place).end()

    def _accept(self, sign: bytes) -> bool:
        self._skip()
        if not self.text.startswith(sign, self.place):
            return False
        self.place += len(sign)
        return True

    def _expected(self, what: str, found: str | None = None) -> Exception:
        found = self._token_name(what) if found is None else found
        return failure(f"Expected {what} but found {found} at character {self.place + 1}")

    def _token_name(self, wanted: str) -> str:
        """What lua-cjson calls the token at `place`; a broken string is an error of its own."""
        self._skip()
        text, place = self.text, self.place
        if place >= len(text):
            return "T_END"
        sign = text[place : place + 1]
        if sign in _TOKENS:
            return _TOKENS[sign]
        if sign == b'"':
            self._string(wanted)
            self.place = place
            return "T_STRING"
        if text.startswith((b"true", b"false"), place):
            return "T_BOOLEAN"
        if text.startswith(b"null", place):
            return "T_NULL"
        if _NUMBER.match(text, place):
            return "T_NUMBER"
        return "invalid number" if sign in (b"-", b"+") else "invalid token"

    def _value(self, depth: int) -> object:
        self._skip()
        text, place = self.text, self.place
        sign = text[place : place + 1]
        if sign == b'"':
            return self._string("value")
        if sign == b"{" or sign == b"[":
            if depth >= DEPTH_MAX:
                raise failure(f"Found too many nested data structures ({depth + 1})")
            if depth == DEPTH_SHALLOW:
                self.run.make_room()
            self.run.spend(1)
            self.place += 1
            try:
                return self._object(depth + 1) if sign == b"{" else self._array(depth + 1)
            except Unwinding as error:
                error.shorten()
                raise
        for word, value in ((b"true", True), (b"false", False), (b"null", NULL)):
            if text.startswith(word, place):
                self.place += len(word)
                return value
        match = _NUMBER.match(text, place)
        if match is None:
            raise self._expected("value")
        self.place = match.end()
        return parse_number(match[0])

    def _object(self, depth: int) -> LuaTable:
        table = self.run.keep(LuaTable())
        if self._accept(b"}"):
            return table
        while True:
            self._skip()
            if not self.text.startswith(b'"', self.place):
                raise self._expected("object key string")
            key = self._string("object key string")
            if not self._accept(b":"):
                raise self._expected("colon")
            table.set_field(key, self._value(depth))
            if self._accept(b"}"):
                return table
            if not self._accept(b","):
                raise self._expected("comma or object end")

    def _array(self, depth: int) -> LuaTable:
        table = self.run.keep(LuaTable())
        if self._accept(b"]"):
            return table
        while True:
            table.array.append(self._value(depth))
            if self._accept(b"]"):
                return table
            if not self._accept(b","):
                raise self._expected("comma or array end")

    def _string(self, wanted: str) -> bytes:
        """The string at `place`, which holds its opening quote."""
        place, parts = self.place + 1, []
        while True:
            match = _TEXT.match(self.text, place)
            parts.append(match[0])
            place = match.end()
            sign = self.text[place : place + 1]
            if sign == b'"':
                self.place = place + 1
                return b"".join(parts)
            if sign != b"\\":
                self.place = place
                raise self._expected(wanted, "unexpected end of string")
            letter = self.text[place + 1 : place + 2]
            if letter in _UNESCAPED:
                parts.append(_UNESCAPED[letter])
                place += 2
                continue
            self.place = place
            if letter != b"u":
                raise self._expected(wanted, "invalid escape code")
            character, place = self._unicode(place)
            if character is None:
                raise self._expected(wanted, "invalid unicode escape code")
            parts.append(character)

    def _unicode(self, place: int) -> tuple[bytes | None, int]:
        """`\\uXXXX` or a pair of them as UTF-8; `None` when it is not one."""
        code = self._hexadecimal(place)
        place += 6
        if code is None or 0xDC00 <= code <= 0xDFFF:
            return None, place
        if 0xD800 <= code <= 0xDBFF:
            low = self._hexadecimal(place)
            if low is None or not 0xDC00 <= low <= 0xDFFF:
                return None, place
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            place += 6
        return chr(code).encode(), place

    def _hexadecimal(self, place: int) -> int | None:
        match = re.compile(rb"\\u([0-9a-fA-F]{4})").match(self.text, place)
        return None if match is None else int(match[1], 16)


FIELDS = {b"encode": _encode, b"decode": _decode, b"null": NULL, b"_NAME": b"cjson", b"_VERSION": b"2.1.0"}
