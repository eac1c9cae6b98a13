"""The functions without a table: `pairs`, `pcall`, `tonumber`, `error` and the others.

Decides that a caught error's table with an `err` field reaches the script as that text, and without one together with
what is in that field (redis-server 7.0 does so), and that running out of steps cannot be caught.
"""

from py_runtime.stores.lua.errors import Raised, argument_error, failure, pass_call, unplaced
from py_runtime.stores.lua.library.arguments import any_at, int_at, number_at, table_at, text_at
from py_runtime.stores.lua.operators import described
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import NULL, Function, number_text, to_number, to_text, type_name

LIBRARY_DEPTH_MAX = 199  # Lua 5.1's LUAI_MAXCCALLS, one of which the script itself takes
UNPACK_MAX = 7996  # what redis-server's Lua stack still takes
_DIGITS = b"0123456789abcdefghijklmnopqrstuvwxyz"


def printed(run: object, value: object) -> bytes:
    """What `tostring` answers. Tables and functions get a number instead of an address."""
    kind = value.__class__
    if kind is bytes:
        return value
    if kind is float:
        return number_text(value)
    if value is None or kind is bool:
        return {None: b"nil", True: b"true", False: b"false"}[value]
    if value is NULL:
        return b"userdata: (nil)"
    return b"%s: 0x%014x" % (type_name(value).encode(), run.address(value))


def call_from_library(run: object, function: object, arguments: list) -> object:
    """Calls a function on behalf of library code: errors get no position and no name from this call."""
    if function.__class__ is not Function:
        raise unplaced(described("call", function, None))
    run.library_depth += 1
    if run.library_depth >= LIBRARY_DEPTH_MAX:
        raise unplaced("C stack overflow")
    try:
        results = function(run, arguments)
    except Raised as error:
        pass_call(error, 0)
        raise
    run.library_depth -= 1
    return results


def lua_assert(run: object, arguments: list) -> object:
    value = any_at(arguments, 1)
    if value is None or value is False:
        raise failure_bytes(text_at(arguments, 2, b"assertion failed!").partition(b"\0")[0])
    return arguments


def failure_bytes(text: bytes) -> Raised:
    return Raised(text, level=1)


def lua_error(run: object, arguments: list) -> object:
    value = arguments[0] if arguments else None
    level = int_at(arguments, 2, 1)
    text = to_text(value)
    if text is None or level <= 0:
        raise Raised(value)
    raise Raised(text, level=level)


def ipairs_step(run: object, arguments: list) -> object:
    index = number_at(arguments, 2) + 1.0
    value = LuaTable.get(table_at(arguments, 1), index)
    return () if value is None else (index, value)


def lua_ipairs(run: object, arguments: list) -> object:
    return ipairs_step, table_at(arguments, 1), 0.0


def next_entry(run: object, arguments: list) -> object:
    found = table_at(arguments, 1).next(arguments[1] if len(arguments) > 1 else None)
    return (None,) if found is None else found


def lua_pairs(run: object, arguments: list) -> object:
    return next_entry, table_at(arguments, 1), None


def lua_pcall(run: object, arguments: list) -> object:
    if not arguments:
        return False, b"attempt to call a boolean value"  # what redis-server's pcall says about nothing
    function, frames, depth = arguments[0], run.frames, run.library_depth
    try:
        return (True, *call_from_library(run, function, arguments[1:]))
    except Raised as error:
        run.frames, run.library_depth = frames, depth
        value = error.value
        if not isinstance(value, LuaTable):
            return False, value
        text = value.get(b"err")
        return (False, value, text) if to_text(text) is None else (False, text)


def lua_xpcall(run: object, arguments: list) -> object:
    any_at(arguments, 2)
    function, frames, depth = arguments[0], run.frames, run.library_depth
    try:
        return (True, *call_from_library(run, function, []))
    except Raised as error:
        run.frames, run.library_depth = frames, depth
        try:
            return (False, *call_from_library(run, arguments[1], [error.value]))
        except Raised:
            run.frames, run.library_depth = frames, depth
            return False, b"error in error handling"


def lua_rawequal(run: object, arguments: list) -> object:
    left, right = any_at(arguments, 1), any_at(arguments, 2)
    return (left.__class__ is right.__class__ and left == right,)


def lua_rawget(run: object, arguments: list) -> object:
    table = table_at(arguments, 1)
    return (LuaTable.get(table, any_at(arguments, 2)),)


def lua_rawset(run: object, arguments: list) -> object:
    table = table_at(arguments, 1)
    key, value = any_at(arguments, 2), any_at(arguments, 3)
    table.set(key, value)
    return (table,)


def lua_select(run: object, arguments: list) -> object:
    if arguments and arguments[0].__class__ is bytes and arguments[0].startswith(b"#"):  # whatever follows
        return (float(len(arguments) - 1),)
    position, count = int_at(arguments, 1), len(arguments)
    if position < 0:
        position += count
    if position < 1:
        raise argument_error(1, "index out of range")
    return arguments[min(position, count) :]


def lua_tonumber(run: object, arguments: list) -> object:
    base = 10 if len(arguments) < 2 else int_at(arguments, 2, 10)
    if base == 10:
        return (to_number(any_at(arguments, 1)),)
    text = text_at(arguments, 1)
    if not 2 <= base <= 36:
        raise argument_error(2, "base out of range")
    return (_in_base(text, base),)


def _in_base(text: bytes, base: int) -> float | None:
    """C's strtoul: signs, an optional 0x for base 16, wrapping negative numbers, the highest number on overflow."""
    text = text.partition(b"\0")[0].strip(b" \t\n\v\f\r").lower()
    digits = text[1:] if text[:1] in (b"+", b"-") else text
    if base == 16:
        digits = digits.removeprefix(b"0x") or digits
    if not digits or any(digit not in _DIGITS[:base] for digit in digits):
        return None
    digits = digits.lstrip(b"0") or b"0"
    value = int(digits, base) if len(digits) <= 64 else 2**64
    if value >= 2**64:
        return float(2**64 - 1)
    return float(-value % 2**64 if text.startswith(b"-") else value)


def lua_tostring(run: object, arguments: list) -> object:
    return (printed(run, any_at(arguments, 1)),)


def lua_type(run: object, arguments: list) -> object:
    return (type_name(any_at(arguments, 1)).encode(),)


def lua_unpack(run: object, arguments: list) -> object:
    table = table_at(arguments, 1)
    first = int_at(arguments, 2, 1)
    last = int_at(arguments, 3, table.length())
    if first > last:
        return ()
    if last - first >= UNPACK_MAX:
        raise failure("too many results to unpack")
    run.spend_values(last - first)
    if first == 1 and last == len(table.array):
        return list(table.array)
    return [LuaTable.get(table, float(index)) for index in range(first, last + 1)]


FUNCTIONS = {
    b"assert": lua_assert,
    b"error": lua_error,
    b"ipairs": lua_ipairs,
    b"next": next_entry,
    b"pairs": lua_pairs,
    b"pcall": lua_pcall,
    b"rawequal": lua_rawequal,
    b"rawget": lua_rawget,
    b"rawset": lua_rawset,
    b"select": lua_select,
    b"tonumber": lua_tonumber,
    b"tostring": lua_tostring,
    b"type": lua_type,
    b"unpack": lua_unpack,
    b"xpcall": lua_xpcall,
}
