"""Between Lua values and Redis replies, both ways, with redis-server's losses.

Decides: numbers are cut to integers on the way out, `false` becomes nil, a nil ends an array, `{ok=…}` is a status
line and `{err=…}` an error; on the way in nil becomes `false` and a status line `{ok=…}`. Knows no commands.
"""

from collections.abc import Callable

from py_runtime.stores.lua.errors import one_line
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import number_text, to_integer
from py_runtime.stores.replies import ErrorReply, Status

NESTING_MAX = 128  # readers of a reply recurse; redis-server's own limit is its Lua stack, some thousand levels


def to_lua(reply: object, keep: Callable[[LuaTable], LuaTable]) -> object:
    """A command's reply as the script sees it; `keep` registers each new table with the run.

    An `ErrorReply` inside an array becomes `{err = text}`.
    """
    kind = reply.__class__
    if kind is bytes:
        return reply
    if kind is int:
        return float(reply)
    if reply is None:
        return False
    if kind is list or kind is tuple:
        return keep(LuaTable([to_lua(each, keep) for each in reply]))
    if isinstance(reply, Status):
        return keep(LuaTable(None, {b"ok": bytes(reply)}))
    if isinstance(reply, ErrorReply):
        return keep(error_table(reply.text))
    if isinstance(reply, bytes):
        return bytes(reply)
    raise TypeError(f"not a Redis reply: {reply!r}")


def error_table(text: str | bytes) -> LuaTable:
    """The table `{err = text}` that `redis.pcall` gives and `redis.call` throws."""
    line = _one_line(text.partition(b"\0")[0]) if isinstance(text, bytes) else one_line(text).encode("utf-8", "replace")
    return LuaTable(None, {b"err": line})


def _one_line(text: bytes) -> bytes:
    return text.replace(b"\r", b" ").replace(b"\n", b" ")


def to_reply(value: object, depth: int = 0) -> object:
    """What a script returned, as a reply: int, bytes, `None`, list or `Status`; an error is an `ErrorReply` object.

    An error inside an array stays an element of the list; the caller raises the outermost one. A table that nests too
    deep, such as one that holds itself, raises `ErrorReply`.
    """
    kind = value.__class__
    if kind is bytes:
        return value
    if kind is float:
        return to_integer(value)
    if kind is bool:
        return 1 if value else None
    if isinstance(value, LuaTable):
        return _table_reply(value, depth)
    return None


def _table_reply(table: LuaTable, depth: int) -> object:
    if depth > NESTING_MAX:
        raise ErrorReply("ERR reached lua stack limit")
    get = table.hash.get
    if (text := get(b"err")).__class__ is bytes:
        return ErrorReply(one_line(text))
    if (text := get(b"ok")).__class__ is bytes:
        return Status(_one_line(text.partition(b"\0")[0]))
    if get(b"double").__class__ is float:
        return double_text(get(b"double"))
    if isinstance(get(b"map"), LuaTable):
        return [to_reply(each, depth + 1) for pair in get(b"map").pairs() for each in pair]
    if isinstance(get(b"set"), LuaTable):
        return [to_reply(key, depth + 1) for key, _ in get(b"set").pairs()]
    if (text := get(b"big_number")).__class__ is bytes:
        return _one_line(text)
    if isinstance(get(b"verbatim_string"), LuaTable):
        text, form = (get(b"verbatim_string").get(name) for name in (b"string", b"format"))
        if text.__class__ is bytes and form.__class__ is bytes:
            return text
    found = []
    index = 1.0
    while (value := LuaTable.get(table, index)) is not None:  # raw: `_G` would refuse to be asked
        found.append(to_reply(value, depth + 1))
        index += 1.0
    return found


def double_text(value: float) -> bytes:
    """A double as a RESP2 text, `%.17g`."""
    return number_text(value) if value != value else b"%.17g" % value


def to_argument(value: object) -> bytes | None:
    """A script value as a command's argument: text as it is, numbers in full (`%.17g`); `None` for all others."""
    if value.__class__ is bytes:
        return value
    if value.__class__ is not float:
        return None
    if -4503599627370496.0 < value < 4503599627370496.0 and value.is_integer() and value:
        return b"%d" % int(value)
    return double_text(value)
