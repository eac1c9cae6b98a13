"""Programs: the text of a program file becomes a namespace that a scenario takes classes and functions from.

The same files can be imported as ordinary modules and run against a real Redis and a real PostgreSQL; here their
*text* is used, so that a reader's edit takes the same road. Decides what a program may import: what the lab can
simulate. This keeps honest programs inside the simulation; it is no defence against hostile ones, which the browser's
sandbox provides.
"""

import asyncio
import builtins
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, ModuleType
from typing import Any

from py_runtime.sim import EscapeError, describe_error, place_of

from .errors import ProgramError

# What a program may import: all of it is deterministic, or asks the running loop.
ALLOWED = frozenset(
    "__future__ abc asyncio base64 binascii bisect collections contextlib contextvars copy dataclasses decimal enum "
    "fractions functools hashlib heapq itertools json math numbers operator re string textwrap types typing".split()
)

# Imports that programs in the wild use and that would leave the simulation, with what to use instead.
INSTEAD: dict[str, str] = {
    "datetime": "use the clock that the program is handed",
    "js": "programs know only the clients they are handed",
    "multiprocessing": "the scenario gives each process an actor of its own",
    "os": "programs know only the clients they are handed",
    "pyodide": "programs know only the clients they are handed",
    "random": "take chance from the scenario, so that a run can be repeated",
    "secrets": "take chance from the scenario, so that a run can be repeated",
    "signal": "the scenario crashes and pauses actors",
    "socket": "use the store clients that the program is handed",
    "subprocess": "the scenario gives each process an actor of its own",
    "sys": "programs know only the clients they are handed",
    "threading": "use asyncio.to_thread, which runs on a simulated pool",
    "time": "use asyncio.sleep, or the loop's own time()",
    "uuid": "take identifiers from the scenario, so that a run can be repeated",
}

SOURCE_MAX = 200_000  # characters of one edited program; far above any that a page shows

_compiled: dict[tuple[str, str], CodeType] = {}
_COMPILED_MAX = 64


def load_program(
    file: str, text: str, name: str, loop: asyncio.AbstractEventLoop, write: Callable[[str], None]
) -> dict[str, Any]:
    """Run the program's text and return its namespace.

    file: how errors and traces call it. name: its code file name, unique in the run. loop: the run's. write(text): gets
    what it prints. Raises ProgramError with file and line for a syntax error or an exception at its top level.
    """
    code = _compile(file, text, name)
    module = ModuleType(f"program:{file}")
    module.__dict__["__builtins__"] = _builtins(write)
    try:
        with _as_loading(module, loop):
            exec(code, module.__dict__)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a program's text must not end the lab
        where = place_of(error, {name: file})
        raise ProgramError(f"{file} failed while loading: {describe_error(error)}", file, where[1]) from error
    return module.__dict__


@contextmanager
def _as_loading(module: ModuleType, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    """While a program's top level runs, its module can be found by name, as dataclasses need, and the run's loop is
    the running one, so that an `asyncio.run` there is refused instead of waiting in real time."""
    outer = asyncio._get_running_loop()
    asyncio._set_running_loop(loop)
    sys.modules[module.__name__] = module
    try:
        yield
    finally:
        del sys.modules[module.__name__]
        asyncio._set_running_loop(outer)


def _compile(file: str, text: str, name: str) -> CodeType:
    key = (name, text)
    code = _compiled.get(key)
    if code is None:
        try:
            code = compile(text, name, "exec", dont_inherit=True)
        except SyntaxError as error:
            where = file if error.lineno is None else f"{file}, line {error.lineno}"
            raise ProgramError(f"{where}: {error.msg}", file, error.lineno) from error
        except (ValueError, RecursionError, MemoryError) as error:
            raise ProgramError(f"{file} cannot be compiled: {error}", file) from error
        if len(_compiled) >= _COMPILED_MAX:
            _compiled.clear()
        _compiled[key] = code
    return code


def _builtins(write: Callable[[str], None]) -> dict[str, Any]:
    """Python's own, with the doors that lead outside replaced."""
    names = dict(vars(builtins))

    def guarded_import(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        top = name.partition(".")[0]
        if level or top not in ALLOWED:
            instead = INSTEAD.get(top, f"a program may import: {', '.join(sorted(ALLOWED - {'__future__'}))}")
            raise EscapeError(f"import {name}", instead)
        return builtins.__import__(name, globals, locals, fromlist, level)

    def written(*values: Any, sep: str | None = " ", end: Any = None, file: Any = None, flush: Any = None) -> None:
        write((" " if sep is None else sep).join(str(value) for value in values))

    names["__import__"] = guarded_import
    names["print"] = written
    for name in ("open", "input", "breakpoint", "help", "exit", "quit"):
        names[name] = _refused(name)
    return names


def _refused(name: str) -> Callable[..., Any]:
    def refuse(*arguments: Any, **options: Any) -> Mapping[str, Any]:
        raise EscapeError(f"{name}()", "programs know only the clients they are handed")

    return refuse
