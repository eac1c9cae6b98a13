"""How deep a statement's expressions are nested, and the refusal of one that is nested too deep.

Parsing, binding and evaluating descend into an expression as it is written, so depth is bounded before any of them
starts: at a number, so that a statement is refused in every Python alike, whatever its stack holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.tokens import Token

DEPTH_MAX = 200
"""The deepest expression: an operator counts 1, a pair of parentheses `PARENTHESES` since the parser passes every
level of precedence there. Python's stack of 1000 calls is then never half full; statements people write reach 20."""
PARENTHESES = 8

_OPENING, _CLOSING, _SEPARATING = ("(", "CASE"), (")", "END"), (",", "WHEN", "THEN", "ELSE", "WHERE", ";")
_OPERATORS = ("AND", "OR", "NOT", "IS", "IN", "LIKE", "BETWEEN")
_NO_OPERATORS = (*_OPENING, *_CLOSING, *_SEPARATING, ".")


@dataclass(slots=True)
class _Level:
    """One pair of parentheses: operators since the last comma, the deepest inner pair since, the deepest before."""

    operators: int = 0
    inner: int = 0
    before: int = 0

    @property
    def depth(self) -> int:
        return max(self.before, self.operators + self.inner)


def refuse_too_deep(tokens: Sequence[Token]) -> None:
    """Raise SqlError at the token that takes a statement beyond `DEPTH_MAX`."""
    levels = [_Level()]
    for token in tokens:
        mark = token.word or (token.text if token.kind == "symbol" else "")
        if mark in _OPENING:
            levels.append(_Level())
        elif mark in _CLOSING and len(levels) > 1:
            depth = levels.pop().depth + PARENTHESES
            levels[-1].inner = max(levels[-1].inner, depth)
        elif mark in _SEPARATING:
            levels[-1] = _Level(before=levels[-1].depth)
        elif mark in _OPERATORS or (token.kind == "symbol" and mark not in _NO_OPERATORS):
            levels[-1].operators += 1
        if levels[-1].depth + PARENTHESES * (len(levels) - 1) > DEPTH_MAX:
            message = f"stack depth limit exceeded: an expression is nested deeper than {DEPTH_MAX} operators"
            raise SqlError(message, sqlstate="54001", **token.place)
