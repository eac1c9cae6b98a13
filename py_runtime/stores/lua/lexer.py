"""Cuts a script into tokens, one at a time, so that the first error in reading order is the one reported.

Decides numerals, string escapes, long brackets and comments as Lua 5.1 does. Works on bytes seen as Latin-1 text: one
character is one byte, so positions and string contents need no conversion. Knows no grammar.
"""

import re

from py_runtime.stores.lua.errors import LuaSyntaxError, c_text
from py_runtime.stores.lua.values import parse_number

KEYWORDS = frozenset(
    "and break do else elseif end false for function if in local nil not or repeat return then true until while".split()
)

_SKIP = re.compile(r"[ \t\r\v\f\n]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Lua looks for an exponent's letter, its sign, and a second and third point by C's strchr, which finds a zero byte too.
_NUMERAL = re.compile(r"\.?[0-9][0-9.]*(?:[eE\0][+\-\0]?)?[A-Za-z0-9_]*")
_OPERATOR = re.compile(r"\.[.\0]{1,2}|[=~<>]=|[-+*/%^#<>=(){}\[\];:,.]")
_LONG_OPEN = re.compile(r"\[(=*)\[")
_PLAIN = re.compile(r"[^\\\r\n'\"]+")
_DIGITS = re.compile(r"[0-9]{1,3}")
_NEWLINE = re.compile(r"\r\n|\n\r|\r|\n")
_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


class Lexer:
    """The current token and how to get the next one.

    `kind` is `name`, `number`, `string`, `eof`, or the keyword or operator itself; `value` its meaning; `line` the
    line it ends on.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source.decode("latin-1")
        self.position = 0
        self.line = 1
        self.last_line = 1
        self.kind = "eof"
        self.value: object = None
        self.start = 0
        self._ahead_line: int | None = None
        self.advance()

    def advance(self) -> None:
        """Reads the next token into `kind`, `value`, `line`; `last_line` is then the line of the one before."""
        self.last_line = self.line if self._ahead_line is None else self._ahead_line
        self._ahead_line = None
        self._skip_blank()
        source, start = self.source, self.position
        self.start = start
        if start >= len(source):
            self.kind, self.value = "eof", None
            return
        match = _NAME.match(source, start)
        if match is not None:
            text = match[0]
            self.kind, self.value = (text, None) if text in KEYWORDS else ("name", text)
            self.position = match.end()
        elif (match := _NUMERAL.match(source, start)) is not None:
            self.position = match.end()
            self.kind, self.value = "number", parse_number(match[0].encode("latin-1"))
            if self.value is None:
                raise self.error_near("malformed number", match[0])
        elif source[start] in "'\"":
            self.kind, self.value = "string", self._short_string(source[start])
        elif (match := _LONG_OPEN.match(source, start)) is not None:
            self.kind, self.value = "string", self._long_text(match, "string")
        elif source.startswith("[=", start):
            raise self.error_near("invalid long string delimiter", re.compile(r"\[=*").match(source, start)[0])
        else:
            match = _OPERATOR.match(source, start)
            self.kind, self.value = (match[0].replace("\0", ".") if match else source[start]), None
            self.position = match.end() if match else start + 1

    def peek_is(self, operator: str) -> bool:
        """Whether the token after the current one is this operator (used for `name =` in a table only).

        As in Lua, whose reader has then been on that token's line already, the current one counts as standing there.
        """
        saved = (self.position, self.line, self.last_line, self.kind, self.value, self.start)
        ahead_line = self.line
        try:
            self.advance()
            ahead_line = self.line
            return self.kind == operator
        finally:
            self.position, self.line, self.last_line, self.kind, self.value, self.start = saved
            self._ahead_line = ahead_line

    def near(self) -> str:
        """The current token as an error shows it."""
        if self.kind == "eof":
            return "<eof>"
        source, start = self.source, self.start
        if self.kind in ("name", "number"):
            return _shown(source[start : self.position])
        if self.kind != "string":
            return _shown(self.kind)
        text = self.value.decode("latin-1")  # as it was read: with its escapes resolved
        if source[start] != "[":
            return _shown(source[start] + text + source[start])
        opening = _LONG_OPEN.match(source, start)
        return _shown(opening[0] + text + "]" + opening[1] + "]")

    def error(self, message: str, near: str | None = None) -> LuaSyntaxError:
        """An error at the current token, Lua's way: `<message> near '<token>'`."""
        near = self.near() if near is None else near
        named = "" if near == _shown("\0") else f" near '{near}'"  # Lua takes a zero byte for no token at all
        return self._located(message + named, self.start)

    def error_near(self, message: str, text: str) -> LuaSyntaxError:
        """An error inside a token that cannot be finished; `text` is what has been read of it."""
        return self._located(f"{message} near '{_shown(text)}'", self.start)

    def plain_error(self, message: str, start: int | None = None) -> LuaSyntaxError:
        """An error that names no token; `start` is where it points, by default the current token."""
        if start is None:
            return self._located(message, self.start)
        return self._located(message, start, 1 + len(_NEWLINE.findall(self.source, 0, start)))

    def _located(self, message: str, start: int, line: int | None = None) -> LuaSyntaxError:
        line = self.line if line is None else line
        line_start = max(self.source.rfind("\n", 0, start), self.source.rfind("\r", 0, start)) + 1
        before = self.source[line_start:start].encode("latin-1").decode("utf-8", "replace")
        return LuaSyntaxError(message, line, len(before) + 1)

    def _skip_blank(self) -> None:
        source = self.source
        while True:
            match = _SKIP.match(source, self.position)
            if match is not None:
                self._count_lines(match[0])
                self.position = match.end()
            if not source.startswith("--", self.position):
                return
            self.start = self.position
            match = _LONG_OPEN.match(source, self.position + 2)
            if match is not None:
                self._long_text(match, "comment")
                continue
            while self.position < len(source) and source[self.position] not in "\r\n":
                self.position += 1

    def _count_lines(self, text: str) -> None:
        self.line += len(_NEWLINE.findall(text))

    def _long_text(self, opening: re.Match, what: str) -> bytes:
        end = self.source.find("]" + opening[1] + "]", opening.end())
        if end < 0:
            self._count_lines(self.source[opening.end() :])
            raise self.error(f"unfinished long {what}", "<eof>")
        text = self.source[opening.end() : end]
        self._count_lines(text)
        self.position = end + len(opening[1]) + 2
        text = _NEWLINE.sub("\n", text)
        return text.removeprefix("\n").encode("latin-1")

    def _short_string(self, quote: str) -> bytes:
        source, position = self.source, self.position + 1
        parts = []
        while True:
            match = _PLAIN.match(source, position)
            if match is not None:
                parts.append(match[0])
                position = match.end()
            if position >= len(source):
                raise self.error("unfinished string", "<eof>")
            character = source[position]
            if character == quote:
                self.position = position + 1
                return "".join(parts).encode("latin-1")
            if character in "\r\n":
                raise self.error_near("unfinished string", quote + "".join(parts))
            if character != "\\":
                parts.append(character)
                position += 1
                continue
            text, position = self._escape(position + 1, quote + "".join(parts))
            parts.append(text)

    def _escape(self, position: int, before: str) -> tuple[str, int]:
        source = self.source
        if position >= len(source):
            return "", position
        match = _DIGITS.match(source, position)
        if match is not None:
            if int(match[0]) > 255:
                raise self.error_near("escape sequence too large", before)
            return chr(int(match[0])), match.end()
        match = _NEWLINE.match(source, position)
        if match is not None:
            self.line += 1
            return "\n", match.end()
        return _ESCAPES.get(source[position], source[position]), position + 1


def _shown(text: str) -> str:
    if len(text) == 1 and text < " ":
        return f"char({ord(text)})"
    return c_text(text.encode("latin-1"))
