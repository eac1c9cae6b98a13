"""How library functions read their arguments: Lua's silent conversions and its `bad argument` texts.

Decides nothing about what a function does. Positions count from 1, as in the texts.
"""

from py_runtime.stores.lua.errors import argument_error
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import to_integer, to_number, to_text, type_name


def given_type(arguments: list, position: int) -> str:
    """The type's name, `no value` when the argument is absent."""
    return type_name(arguments[position - 1]) if position <= len(arguments) else "no value"


def wrong_type(arguments: list, position: int, expected: str) -> Exception:
    return argument_error(position, f"{expected} expected, got {given_type(arguments, position)}")


def any_at(arguments: list, position: int) -> object:
    if position > len(arguments):
        raise argument_error(position, "value expected")
    return arguments[position - 1]


def number_at(arguments: list, position: int, default: float | None = None) -> float:
    """A number; with a default, nil and nothing give that."""
    value = arguments[position - 1] if position <= len(arguments) else None
    if value.__class__ is float:
        return value
    if value is None and default is not None:
        return default
    number = to_number(value)
    if number is None:
        raise wrong_type(arguments, position, "number")
    return number


def integer_at(arguments: list, position: int, default: int | None = None) -> int:
    """A number cut to a 64-bit integer."""
    return to_integer(number_at(arguments, position, None if default is None else float(default)))


def int_at(arguments: list, position: int, default: int | None = None) -> int:
    """A number cut to a C int: what does not fit loses its upper bits, so that 2^32 + 1 becomes 1."""
    return (integer_at(arguments, position, default) + 2**31) % 2**32 - 2**31


def text_at(arguments: list, position: int, default: bytes | None = None) -> bytes:
    """A string; numbers are printed."""
    value = arguments[position - 1] if position <= len(arguments) else None
    if value.__class__ is bytes:
        return value
    if value is None and default is not None:
        return default
    text = to_text(value)
    if text is None:
        raise wrong_type(arguments, position, "string")
    return text


def table_at(arguments: list, position: int) -> LuaTable:
    value = arguments[position - 1] if position <= len(arguments) else None
    if not isinstance(value, LuaTable):
        raise wrong_type(arguments, position, "table")
    return value


def function_at(arguments: list, position: int) -> object:
    value = arguments[position - 1] if position <= len(arguments) else None
    if type_name(value) != "function":
        raise wrong_type(arguments, position, "function")
    return value
