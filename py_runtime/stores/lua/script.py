"""A compiled script and one run of it.

Decides the last step of an error: which text redis-server 7.0 answers for what the script threw.
"""

import hashlib
from collections.abc import Callable
from functools import lru_cache

from py_runtime.stores.lua import build_calls, build_loops, build_statements, build_values  # noqa: F401  register themselves
from py_runtime.stores.lua.builder import Builder
from py_runtime.stores.lua.conversion import to_reply
from py_runtime.stores.lua.errors import CHUNK, LuaError, LuaSyntaxError, Raised, StepsExhausted, one_line
from py_runtime.stores.lua.library import GLOBALS, global_table
from py_runtime.stores.lua.library.base import printed
from py_runtime.stores.lua.parser import Parser
from py_runtime.stores.lua.runs import Dice, Run, room_to_recurse
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import to_text
from py_runtime.stores.replies import ErrorReply

STEPS_MAX = 1_000_000
_KEPT = 128  # compiled texts: a search runs the few scripts of a program thousands of times, on a new server each time


class Script:
    """A script that compiled. Immutable: keep it by `sha1` and run it as often as you like, also inside itself."""

    __slots__ = ("text", "sha1", "_body", "_blank", "_cells", "_frames", "_uses_globals")

    def __init__(self, text: str | bytes) -> None:
        source = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        self.text = text
        self.sha1 = hashlib.sha1(source, usedforsecurity=False).hexdigest()
        with room_to_recurse():
            parser = Parser(source)
            main = parser.parse()
            builder = Builder(GLOBALS)
            self._body = builder.block(main.body)
        self._frames = builder.frames
        self._cells = tuple(variable.slot for variable in parser.given if variable.captured)
        self._uses_globals = b"_G" in source
        self._blank = [None] * (main.local_count - len(parser.given))

    def run(
        self,
        call: Callable[[list[bytes]], object],
        keys: list[bytes],
        args: list[bytes],
        steps_max: int = STEPS_MAX,
        log: Callable[[int, bytes], None] | None = None,
        dice: Dice | None = None,
    ) -> object:
        """Runs the script and returns its reply: int, bytes, `None`, list (may hold `ErrorReply` objects) or `Status`.

        `call(argv)` runs one command and returns its reply or raises `ErrorReply`; what it wrote stays when the script
        fails later. A step is a loop turn, a function call or 256 bytes of a string; more than `steps_max` end the
        run with a `BUSY …` error. `log(level, message)` gets what `redis.log` says. `math.random` draws from `dice`,
        without it from those of a server that has just started. Raises `LuaError` for an error of the script,
        `ErrorReply` when it returned one.
        """
        run = Run(call, steps_max, log, dice or Dice())
        key_table, argument_table = LuaTable(list(keys)), LuaTable(list(args))
        everything = global_table(key_table, argument_table) if self._uses_globals else None
        frame = [run, (), key_table, argument_table, everything, *self._blank]
        for slot in self._cells:
            frame[slot] = [frame[slot]]
        try:
            run.frames += self._frames
            if run.frames > run.frames_allowed:
                run.deepen()
            ended = self._body(frame)
            reply = to_reply(ended[0]) if ended else None
        except Raised as error:
            raise self._thrown(run, error) from None
        except StepsExhausted as error:
            text = f"BUSY Script stopped after {steps_max} steps (a step is a loop turn or a function call)."
            raise self._error(text, error.line) from None
        except RecursionError:
            raise self._error(f"ERR {CHUNK}: stack overflow", None) from None
        finally:
            run.close()
        if isinstance(reply, ErrorReply):
            raise reply
        return reply

    def _thrown(self, run: Run, error: Raised) -> LuaError:
        value = error.value
        if isinstance(value, LuaTable):
            text = to_text(value.get(b"err"))
            text = b"ERR unknown error" if text is None else text
        else:
            text = b"ERR " + printed(run, value)
        return self._error(one_line(text), error.line)

    def _error(self, text: str, line: int | None) -> LuaError:
        return LuaError(f"{text} script: {self.sha1}, on @{CHUNK}:{line or 0}.", line or 0)


@lru_cache(maxsize=_KEPT)
def compile_script(text: str | bytes) -> Script:
    """Compiles a script, or gives what this text was compiled to before.

    Raises `LuaSyntaxError`, an `ErrorReply` with redis-server's text plus `line` and `column`.
    """
    source = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if source.startswith(b"#!"):
        raise LuaSyntaxError("a script that starts with '#!' (flags, other engines) is not supported by this Lua", 1, 1)
    return Script(text)
