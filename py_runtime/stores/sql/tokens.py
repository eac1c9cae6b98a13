"""Cuts the text of a statement into tokens, and writes tokens back as one tidy line.

Decides where a token starts and ends and what a literal is worth. Knows no grammar: whether a token may stand where it
stands is the parser's business.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.values import literal_text, refuse_bad_text

TOKEN = re.compile(
    r"""
      (?P<space>\s+|--[^\n]*|/\*.*?\*/)
    | (?P<decimal>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    | (?P<integer>\d+)
    | (?P<name>[^\W\d]\w*)
    | (?P<quoted>"(?:[^"]|"")+")
    | (?P<text>'(?:[^']|'')*')
    | (?P<symbol>::|<>|!=|<=|>=|\|\||[(),.;=<>+\-*%]|/(?!\*))
    | :(?P<parameter>[^\W\d]\w*)
    """,
    re.VERBOSE | re.DOTALL,
)
UNFINISHED = {"'": "quoted string", '"': "quoted identifier", "/": "/* comment"}
OTHER_PLACEHOLDERS = "?$@"


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a statement. `kind` is a group name of `TOKEN` or `end`; `word` is the upper-case text of a name."""

    kind: str
    text: str
    value: object
    word: str
    start: int
    end: int
    line: int
    column: int

    @property
    def place(self) -> dict[str, int]:
        """Line and column, ready to be passed to SqlError."""
        return {"line": self.line, "column": self.column}


def tokenize(source: str) -> tuple[Token, ...]:
    """Return the tokens of `source`, an `end` token last. Raises SqlError at the first character that fits nothing."""
    refuse_bad_text(source)
    tokens: list[Token] = []
    position, line, line_start = 0, 1, 0
    while position < len(source):
        match = TOKEN.match(source, position)
        column = position - line_start + 1
        if match is None:
            raise _unreadable(source, position, line, column)
        kind, text, end = match.lastgroup or "", match.group(), match.end()
        if kind in ("integer", "decimal") and (junk := re.match(r"\w+", source[end:])):
            message = f'trailing junk after numeric literal at or near "{text}{junk[0]}"'
            raise SqlError(message, line=line, column=column)
        if kind != "space":
            word = text.upper() if kind == "name" else ""
            tokens.append(Token(kind, text, _value(kind, text), word, position, end, line, column))
        if "\n" in text:
            line += text.count("\n")
            line_start = position + text.rindex("\n") + 1
        position = end
    tokens.append(Token("end", "", None, "", position, position, line, position - line_start + 1))
    return tuple(tokens)


def one_line(tokens: Sequence[Token], parameters: Mapping[str, object] | None = None) -> str:
    """Write `tokens` on one line: one space wherever the source had any gap, comments gone, parameters filled in."""
    pieces: list[str] = []
    previous_end: int | None = None
    for token in tokens:
        if previous_end is not None and token.start > previous_end:
            pieces.append(" ")
        known = token.kind == "parameter" and parameters is not None and token.value in parameters
        pieces.append(literal_text(parameters[token.value]) if known else token.text)
        previous_end = token.end
    return "".join(pieces).strip()


_BIGINT_DIGITS = 19  # what has more is no BIGINT; Python, too, has a limit to the integers that it reads


def _value(kind: str, text: str) -> object:
    if kind == "integer":
        digits = text.lstrip("0") or "0"
        return int(digits) if len(digits) <= _BIGINT_DIGITS else float(text)
    if kind == "decimal":
        return float(text)
    if kind == "text":
        return text[1:-1].replace("''", "'")
    if kind == "quoted":
        return text[1:-1].replace('""', '"')
    if kind == "name":
        return text.lower()
    return text[1:] if kind == "parameter" else text


def _unreadable(source: str, position: int, line: int, column: int) -> SqlError:
    character = source[position]
    if character in UNFINISHED and not (character == "/" and source[position : position + 2] != "/*"):
        message = f'unterminated {UNFINISHED[character]} at or near "{source[position:]}"'
        return SqlError(message, line=line, column=column)
    hint = "; write parameters as :name" if character in OTHER_PLACEHOLDERS else ""
    return SqlError(f'syntax error at or near "{character}"{hint}', line=line, column=column)
