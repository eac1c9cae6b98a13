"""Lua's values in Python: nil `None`, booleans `bool`, numbers `float`, strings `bytes`, functions Python functions.

Decides what a type is called, how text becomes a number and a number text. Tables live in `tables.py`. A function takes
(run, arguments as a list that it may keep) and returns a sequence of results. No other Python type may appear as a Lua
value: an `int` would compare and hash like a float but print differently.
"""

import math
import re
from types import FunctionType

from py_runtime.stores.lua.tables import LuaTable, ReadOnlyTable


class LightUserdata:
    """The one userdata that scripts meet: `cjson.null`."""

    __slots__ = ()


NULL = LightUserdata()
Function = FunctionType

TYPE_NAMES = {
    type(None): "nil",
    bool: "boolean",
    float: "number",
    bytes: "string",
    LuaTable: "table",
    ReadOnlyTable: "table",
    FunctionType: "function",
    LightUserdata: "userdata",
}

_BLANK = rb"[ \t\n\v\f\r]*"
_DECIMAL = rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NUMERAL = re.compile(_BLANK + rb"(" + _DECIMAL + rb")" + _BLANK + rb"\Z")
_HEXADECIMAL = re.compile(
    _BLANK + rb"([+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?)" + _BLANK + rb"\Z"
)
_WORD = re.compile(_BLANK + rb"([+-]?)(inf|infinity|nan)" + _BLANK + rb"\Z", re.IGNORECASE)


def type_name(value: object) -> str:
    """What `type()` answers."""
    return TYPE_NAMES[value.__class__]


def parse_number(text: bytes) -> float | None:
    """The number a text spells by C's strtod, which also reads `0x1p4`, `inf` and `nan`; `None` when it spells none."""
    if text.isdigit():
        return float(text)
    text = text.partition(b"\0")[0]
    match = _NUMERAL.match(text)
    if match is not None:
        return float(match[1])
    match = _HEXADECIMAL.match(text)
    if match is not None:
        try:
            return float.fromhex(match[1].decode())
        except OverflowError:
            return -math.inf if match[1].startswith(b"-") else math.inf
    match = _WORD.match(text)
    if match is None:
        return None
    value = math.nan if match[2].lower() == b"nan" else math.inf
    return -value if match[1] == b"-" else value


def to_number(value: object) -> float | None:
    """Lua's silent conversion for arithmetic: numbers stay, numeric text becomes one, the rest is `None`."""
    if value.__class__ is float:
        return value
    return parse_number(value) if value.__class__ is bytes else None


def number_text(value: float) -> bytes:
    """A number as Lua prints it, `%.14g`. Every NaN is `-nan`: what x86 makes of 0/0, and equal on every machine."""
    if -1e14 < value < 1e14 and value.is_integer() and (value or math.copysign(1.0, value) > 0):
        return b"%d" % int(value)
    return b"-nan" if value != value else b"%.14g" % value


def to_text(value: object) -> bytes | None:
    """Lua's silent conversion for strings: text stays, numbers are printed, the rest is `None`."""
    if value.__class__ is bytes:
        return value
    return number_text(value) if value.__class__ is float else None


def to_integer(value: float) -> int:
    """A number cut to a 64-bit integer as x86 does it: what does not fit becomes the lowest integer."""
    if -9223372036854775808.0 <= value < 9223372036854775808.0:
        return int(value)
    return -9223372036854775808
