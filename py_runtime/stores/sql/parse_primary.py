"""The grammar of what stands between operators: literals, parameters, columns, calls, CASE, casts, subqueries."""

import math
from abc import abstractmethod
from typing import TYPE_CHECKING

from py_runtime.stores.sql.cursor import Cursor
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import (
    Call,
    Case,
    Cast,
    ColumnName,
    Expression,
    Literal,
    Parameter,
    Subquery,
)
from py_runtime.stores.sql.functions import AGGREGATES, FUNCTIONS
from py_runtime.stores.sql.values import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INTEGER,
    INTERVAL,
    RESULT_NAMES,
    TIMESTAMP,
    TYPE_NAMES,
    UNKNOWN,
    in_range,
)

if TYPE_CHECKING:
    from py_runtime.stores.sql.syntax import Select

CONSTANTS = {"TRUE": (True, BOOLEAN), "FALSE": (False, BOOLEAN), "NULL": (None, UNKNOWN)}
TYPED_LITERALS = {"INTERVAL": INTERVAL, "TIMESTAMP": TIMESTAMP}


class PrimaryParser(Cursor):
    """Reads one operand."""

    @abstractmethod
    def expression(self) -> Expression:
        """Read a whole expression."""

    @abstractmethod
    def select(self) -> "Select":
        """Read what follows SELECT inside parentheses."""

    def type_name(self) -> tuple[str, int | None]:
        """Read a type; returns its name and the length of a VARCHAR(n)."""
        for written, name in TYPE_NAMES.items():
            if self.accept(*written.split()):
                length = None
                if written == "VARCHAR" and self.accept_symbol("("):
                    length = self.require_integer("a length")
                    self.require_symbol(")")
                return name, length
        self.refuse()

    def cast_type(self) -> tuple[str, str]:
        """Read the type of a cast; returns its name, and how a result of it is called."""
        varchar = self.token.word == "VARCHAR"
        name, _length = self.type_name()
        return name, "varchar" if varchar else RESULT_NAMES[name]

    def require_integer(self, what: str) -> int:
        if self.token.kind != "integer":
            self.note(what)
            self.refuse()
        return int(self.advance().text)

    def span(self, first: int) -> tuple[int, int]:
        return first, self.position

    def expression_list(self) -> tuple[Expression, ...]:
        """Read expressions with commas between them."""
        items = [self.expression()]
        while self.accept_symbol(","):
            items.append(self.expression())
        return tuple(items)

    def subquery(self, first: int, exists: bool = False) -> Subquery:
        """Read the rest of `(SELECT …)`; `first` is where the whole expression began."""
        select = self.select()
        self.require_symbol(")")
        return Subquery(self.span(first), select, exists)

    def primary(self) -> Expression:
        first, token = self.position, self.token
        if token.kind in ("integer", "decimal"):
            self.advance()
            if token.value == math.inf:
                message = f'"{token.text}" is out of range for type double precision'
                raise SqlError(message, sqlstate="22003", **token.place)
            return number(self.span(first), token.value)
        if token.kind == "text":
            self.advance()
            return Literal(self.span(first), token.value, UNKNOWN)
        if token.kind == "parameter":
            self.advance()
            return Parameter(self.span(first), str(token.value))
        if self.accept_symbol("(", "a value"):
            if self.accept("SELECT"):
                return self.subquery(first)
            inner = self.expression()
            self.require_symbol(")")
            return inner
        if token.word in CONSTANTS:
            self.advance()
            return Literal(self.span(first), *CONSTANTS[token.word])
        if token.word in TYPED_LITERALS and self.tokens[self.position + 1].kind == "text":
            self.advance()
            literal = Literal((self.position, self.position + 1), self.advance().value, UNKNOWN)
            wanted = TYPED_LITERALS[token.word]
            return Cast(self.span(first), literal, wanted, RESULT_NAMES[wanted])
        special = {"CASE": self._case, "CAST": self._cast_call, "EXTRACT": self._extract}
        if token.word in special and (token.word != "EXTRACT" or self.tokens[self.position + 1].text == "("):
            self.advance()
            return special[token.word](first)
        if token.word == "EXISTS" and self.tokens[self.position + 1].text == "(":
            self.advance()
            self.advance()
            self.require("SELECT")
            return self.subquery(first, exists=True)
        if token.word == "CURRENT_TIMESTAMP":
            self.advance()
            return Call(self.span(first), "now", ())
        return self._name_or_call(first)

    def _name_or_call(self, first: int) -> Expression:
        name = self.require_name("a value")
        if name.kind == "name" and self.token.text == "(" and self.token.kind == "symbol":
            return self._call(first, str(name.value))
        if self.accept_symbol(".", "an operator"):
            column = self.require_name("a column")
            return ColumnName(self.span(first), str(name.value), str(column.value))
        return ColumnName(self.span(first), None, str(name.value))

    def _call(self, first: int, name: str) -> Expression:
        if name not in FUNCTIONS and name not in AGGREGATES:
            token = self.tokens[first]
            known = ", ".join((*FUNCTIONS, *AGGREGATES))
            message = f"function {name} does not exist; the functions are {known}"
            raise SqlError(message, sqlstate="42883", **token.place)
        self.require_symbol("(")
        star = name == "count" and self.accept_symbol("*")
        distinct = not star and name in AGGREGATES and self.accept("DISTINCT")
        arguments = () if star or self.token.text == ")" else self.expression_list()
        self.require_symbol(")")
        return Call(self.span(first), name, arguments, star, distinct)

    def _case(self, first: int) -> Expression:
        operand = None if self.token.word == "WHEN" else self.expression()
        branches = []
        while self.accept("WHEN"):
            condition = self.expression()
            self.require("THEN")
            branches.append((condition, self.expression()))
        if not branches:
            self.refuse()
        otherwise = self.expression() if self.accept("ELSE") else None
        self.require("END")
        return Case(self.span(first), operand, tuple(branches), otherwise)

    def _cast_call(self, first: int) -> Expression:
        self.require_symbol("(")
        operand = self.expression()
        self.require("AS")
        wanted = self.cast_type()
        self.require_symbol(")")
        return Cast(self.span(first), operand, *wanted)

    def _extract(self, first: int) -> Expression:
        self.require_symbol("(")
        self.require("EPOCH", "FROM")
        operand = self.expression()
        self.require_symbol(")")
        return Call(self.span(first), "extract", (operand,))


def number(span: tuple[int, int], value: object) -> Literal:
    if isinstance(value, float):
        return Literal(span, value, DOUBLE)
    kind = next((name for name in (INTEGER, BIGINT) if in_range(value, name)), DOUBLE)
    return Literal(span, float(value) if kind == DOUBLE else value, kind)
