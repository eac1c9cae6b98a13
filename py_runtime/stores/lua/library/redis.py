"""The `redis` library: commands, replies, the log.

Decides what may be an argument of a command and how a command's error reaches the script: `redis.call` throws it,
`redis.pcall` returns `{err = …}`. The command itself is the run's `call`.
"""

import hashlib

from py_runtime.stores.lua.conversion import error_table, to_argument, to_lua
from py_runtime.stores.lua.errors import Raised
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import to_integer, to_number, to_text
from py_runtime.stores.replies import ErrorReply

LEVELS = {b"LOG_DEBUG": 0.0, b"LOG_VERBOSE": 1.0, b"LOG_NOTICE": 2.0, b"LOG_WARNING": 3.0}


def redis_call(run: object, arguments: list) -> object:
    for argument in arguments:
        if argument.__class__ is not bytes:
            arguments = [to_argument(argument) for argument in arguments]
            break
    try:
        if None in arguments:
            raise ErrorReply("ERR Lua redis lib command arguments must be strings or integers")
        if not arguments:
            raise ErrorReply("ERR Please specify at least one argument for this redis lib call")
        reply = run.call(arguments)
    except ErrorReply as error:
        raise Raised(run.keep(error_table(error.text))) from None
    kind = reply.__class__
    if kind is int:
        return (float(reply),)
    return (reply,) if kind is bytes else (to_lua(reply, run.keep),)


def redis_pcall(run: object, arguments: list) -> object:
    try:
        return redis_call(run, arguments)
    except Raised as error:
        return (error.value,)


def _error_reply(run: object, arguments: list) -> object:
    if len(arguments) != 1 or arguments[0].__class__ is not bytes:
        return (run.keep(error_table("ERR wrong number or type of arguments")),)
    return (run.keep(error_table(_with_code(arguments[0].partition(b"\0")[0]))),)


def _with_code(text: bytes) -> bytes:
    """`-CODE text` and `CODE text` keep their code; a single word becomes `ERR word`."""
    bare = text.removeprefix(b"-")
    return bare if b" " in bare else b"ERR " + bare


def _status_reply(run: object, arguments: list) -> object:
    if len(arguments) != 1 or arguments[0].__class__ is not bytes:
        return (run.keep(error_table("ERR wrong number or type of arguments")),)
    return (run.keep(LuaTable(None, {b"ok": arguments[0]})),)


def _sha1hex(run: object, arguments: list) -> object:
    if len(arguments) != 1:
        raise Raised(error_table("ERR wrong number of arguments"))
    text = to_text(arguments[0]) or b""
    return (hashlib.sha1(text, usedforsecurity=False).hexdigest().encode(),)


def _log(run: object, arguments: list) -> object:
    if len(arguments) < 2:
        raise Raised(error_table("ERR redis.log() requires two arguments or more."))
    level = to_number(arguments[0])
    if level is None:
        raise Raised(error_table("ERR First argument must be a number (log level)."))
    number = to_integer(level)
    if not 0 <= number <= 3:
        raise Raised(error_table("ERR Invalid debug level."))
    if run.log is not None:
        texts = [to_text(argument) for argument in arguments[1:]]
        run.log(number, b" ".join(text for text in texts if text is not None))
    return ()


def _setresp(run: object, arguments: list) -> object:
    if len(arguments) != 1:
        raise Raised(error_table("ERR redis.setresp() requires one argument."))
    version = to_number(arguments[0])
    if version not in (2.0, 3.0):
        raise Raised(error_table("ERR RESP version must be 2 or 3."))
    if version == 3.0:
        raise Raised(error_table("ERR redis.setresp(3) is not supported by this Lua"))
    return ()


def _replicate_commands(run: object, arguments: list) -> object:
    return (True,)


def _set_repl(run: object, arguments: list) -> object:
    if len(arguments) != 1:
        raise Raised(error_table("ERR redis.set_repl() requires two arguments."))
    flags = to_number(arguments[0])
    flags = 0.0 if flags is None else flags
    if not 0 <= flags <= 3:
        text = "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE."
        raise Raised(error_table(text))
    if flags != 3:
        raise Raised(error_table("ERR redis.set_repl() is supported by this Lua for redis.REPL_ALL only"))
    return ()


def _breakpoint(run: object, arguments: list) -> object:
    return (False,)


def _debug(run: object, arguments: list) -> object:
    return ()


FIELDS = {
    b"call": redis_call,
    b"pcall": redis_pcall,
    b"error_reply": _error_reply,
    b"status_reply": _status_reply,
    b"sha1hex": _sha1hex,
    b"log": _log,
    b"replicate_commands": _replicate_commands,
    b"set_repl": _set_repl,
    b"setresp": _setresp,
    b"breakpoint": _breakpoint,
    b"debug": _debug,
    **LEVELS,
    b"REPL_NONE": 0.0,
    b"REPL_AOF": 1.0,
    b"REPL_SLAVE": 2.0,
    b"REPL_REPLICA": 2.0,
    b"REPL_ALL": 3.0,
    b"REDIS_VERSION": b"7.0.15",
    b"REDIS_VERSION_NUM": 458767.0,
}
