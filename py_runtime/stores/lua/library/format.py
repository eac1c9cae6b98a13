"""`string.format`: C's printf for Lua values.

Decides which directives exist and what a number must become for each. Python's `%` on bytes prints what C prints,
except for `#o` and the sign of NaN.
"""

import re

from py_runtime.stores.lua.errors import argument_error, failure
from py_runtime.stores.lua.library.arguments import integer_at, number_at, text_at
from py_runtime.stores.lua.values import to_integer

_FLAGS = re.compile(rb"[-+ #0]*")
_WIDTH = re.compile(rb"([0-9]{0,2})(?:\.([0-9]{0,2}))?")
_QUOTED = {ord('"'): b'\\"', ord("\\"): b"\\\\", 10: b"\\\n", 13: b"\\r", 0: b"\\000"}


def string_format(run: object, arguments: list) -> object:
    template = text_at(arguments, 1)
    parts, place, position = [], 0, 1
    while True:
        sign = template.find(b"%", place)
        if sign < 0:
            parts.append(template[place:])
            break
        parts.append(template[place:sign])
        if template.startswith(b"%%", sign):
            parts.append(b"%")
            place = sign + 2
            continue
        position += 1
        if position > len(arguments):  # before the directive is read, as in Lua
            raise argument_error(position, "no value")
        flags, width, precision, letter, place = _directive(template, sign + 1)
        parts.append(_formatted(flags, width, precision, letter, arguments, position))
        run.spend_bytes(len(parts[-1]))
    text = b"".join(parts)
    run.spend_bytes(len(text))
    return (text,)


def _directive(template: bytes, place: int) -> tuple[bytes, bytes, bytes | None, bytes, int]:
    """Flags, width, precision, letter and the place behind them."""
    flags = _FLAGS.match(template, place)[0]
    if len(flags) > 5:
        raise failure("invalid format (repeated flags)")
    place += len(flags)
    match = _WIDTH.match(template, place)
    place = match.end()
    if template[place : place + 1].isdigit():
        raise failure("invalid format (width or precision too long)")
    return flags, match[1], match[2], template[place : place + 1], place + 1


def _formatted(flags: bytes, width: bytes, precision: bytes | None, letter: bytes, given: list, position: int) -> bytes:
    dot = b"" if precision is None else b"." + precision
    shape = b"%" + flags + width
    if letter == b"c":
        value = number_at(given, position)
        code = int(value) % 256 if -(2**31) <= value < 2**31 else 0
        return ((shape + b"c") % code).partition(b"\0")[0]  # C ends a text at its first zero byte
    if letter in (b"d", b"i"):
        return _integer(flags, width, precision, b"%d" % integer_at(given, position))
    if letter in (b"o", b"u", b"x", b"X"):
        value = _unsigned(number_at(given, position))
        digits = (b"%" + (b"d" if letter == b"u" else letter)) % value
        prefix = b""
        if b"#" in flags and value and letter != b"u":
            prefix = b"0" if letter == b"o" else b"0" + letter
        return _integer(flags.translate(None, b"+ "), width, precision, digits, prefix)
    if letter in (b"e", b"E", b"f", b"g", b"G"):
        value = number_at(given, position)
        if value != value or value in (float("inf"), float("-inf")):
            shape = b"%" + flags.translate(None, b"0#") + width
            text = b"-nan" if value != value else b"-inf" if value < 0 else b"+inf" if b"+" in flags else b"inf"
            text = b" " + text if b" " in flags and text == b"inf" else text
            return _padded(flags, width, text.upper() if letter in b"EG" else text)
        return (shape + dot + letter) % value
    if letter == b"q":
        text = text_at(given, position)
        return b'"' + b"".join(_QUOTED.get(code, bytes((code,))) for code in text) + b'"'
    if letter == b"s":
        text = text_at(given, position)
        if precision is None and len(text) >= 100:
            return text  # Lua keeps long text whole and unpadded
        text = text.partition(b"\0")[0]  # C's printf ends a text at its first zero byte
        return _padded(flags, width, text if precision is None else text[: int(precision or 0)])
    shown = letter.decode("utf-8", "replace").rstrip("\0")  # C ends a text at its first zero byte
    raise failure(f"invalid option '%{shown}' to 'format'")


def _unsigned(value: float) -> int:
    """A number as C's unsigned long, out of range included: x86 gives 0 for what is too large."""
    if value >= 2.0**63:
        return to_integer(value - 2.0**63) % 2**64 ^ 2**63
    return to_integer(value) % 2**64


def _padded(flags: bytes, width: bytes, text: bytes) -> bytes:
    size = int(width or 0)
    return text.ljust(size) if b"-" in flags else text.rjust(size)


def _integer(flags: bytes, width: bytes, precision: bytes | None, digits: bytes, prefix: bytes = b"") -> bytes:
    """printf's rules for whole numbers: precision is a number of digits and switches the flag `0` off."""
    negative = digits.startswith(b"-")
    digits = digits.removeprefix(b"-")
    if precision is not None:
        digits = b"" if digits == b"0" and not int(precision or 0) else digits.rjust(int(precision or 0), b"0")
    sign = b"-" if negative else b"+" if b"+" in flags else b" " if b" " in flags else b""
    sign += prefix
    if b"0" in flags and b"-" not in flags and precision is None:
        digits = digits.rjust(int(width or 0) - len(sign), b"0")
    return _padded(flags, width, sign + digits)
