"""What Redis's own error texts leave out, in words for a reader: which word was not known, and what is allowed.

The text of an error stays Redis's, so that a program meets what it would meet in production; the hint goes beside it,
as a note on the exception. Decides only what is said; the table of commands says what there is.
"""

import re
from collections.abc import Mapping

from py_runtime.stores.redis.views import text

_KEYWORD = re.compile(r"[A-Z]{2,}")
_VALUE = re.compile(rb"[-+(\[]?[0-9.]+|[-+]?inf|[-+]", re.IGNORECASE)
_SHOWN_MAX = 40


def hint(argv: list[bytes], error: str, commands: Mapping) -> str | None:
    """A sentence for the error that this command line met; None where Redis's text says enough."""
    name = argv[0].upper()
    command = commands.get(name)
    if command is None:
        if not error.startswith(("ERR unknown command", "ERR Unknown Redis command")):
            return None
        return f"there is no {_shown(argv[0])} in this stand-in, which has {_names_like(name, commands)}"
    if error.startswith(("ERR wrong number", "ERR Wrong number")):
        return f"{text(name)} takes: {command.options or 'nothing'}"
    if not error.startswith("ERR syntax error"):
        return None
    unknown = _unknown_word(argv, command.options)
    said = f"{_shown(unknown)} is no option of {text(name)}, which" if unknown is not None else text(name)
    return f"{said} takes: {command.options or 'nothing'}"


def _names_like(name: bytes, commands: Mapping) -> str:
    """The commands with the same first letter, or all of them where none has it."""
    names = sorted(text(each) for each in commands)
    return ", ".join([each for each in names if each[:1] == text(name[:1])] or names)


def _unknown_word(argv: list[bytes], options: str) -> bytes | None:
    """The first word after the required ones that is neither an option of the command nor a number."""
    required = len(options.partition("[")[0].split())
    keywords = set(_KEYWORD.findall(options))
    for word in argv[1 + required :]:
        if text(word).upper() not in keywords and not _VALUE.fullmatch(word):
            return word
    return None


def _shown(word: bytes) -> str:
    return repr(text(word[:_SHOWN_MAX]))
