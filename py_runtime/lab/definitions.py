"""Where a program's text defines what an error names: for errors that are raised before a line of the program runs.

A call with the wrong arguments fails in the scenario that makes it, so no line of the program is on the way of the
error; what is at fault is the line that defines the function. Knows Python's own words for such errors.
"""

import ast
import re
from difflib import get_close_matches
from functools import lru_cache

_OF_THEIR_OWN = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)  # their names stay inside
_CALLED = re.compile(r"([\w.<>]+)\(\) (?:missing|takes|got) ")


@lru_cache(maxsize=16)
def definitions(text: str) -> dict[str, int]:
    """Qualified name → the line that binds it last: classes, functions, and what the top level assigns.

    Empty for a text that cannot be read.
    """
    lines: dict[str, int] = {}
    try:
        _walk(ast.parse(text), "", lines)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    return lines


def _walk(node: ast.AST, within: str, lines: dict[str, int]) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            lines[within + child.name] = child.lineno
            _walk(child, f"{within}{child.name}.", lines)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines[within + child.name] = child.lineno
            _walk(child, f"{within}{child.name}.<locals>.", lines)
        elif not isinstance(child, _OF_THEIR_OWN):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store) and not within:
                lines[child.id] = child.lineno
            _walk(child, within, lines)


def named_in(error: BaseException) -> str | None:
    """The qualified name of what was called with the wrong arguments, or of the class that lacks an attribute."""
    if type(error) is TypeError:
        called = _CALLED.match(str(error))
        return called[1] if called else None
    if type(error) is AttributeError:
        lacking = error.obj
        return (lacking if issubclass(type(lacking), type) else type(lacking)).__qualname__
    return None


def like(name: str, text: str) -> tuple[str, int] | None:
    """The top-level name that is `name`, or nearly, with its line: what may have been meant."""
    known = {each: line for each, line in definitions(text).items() if "." not in each}
    close = [name] if name in known else get_close_matches(name, sorted(known), 1)
    return (close[0], known[close[0]]) if close else None
