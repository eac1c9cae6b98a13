"""The grammar of expressions: what may be written as a value or a condition, and what binds tighter.

Precedence is PostgreSQL's, loosest first: OR, AND, NOT, IS, comparison (which does not chain), BETWEEN/IN/LIKE, `||`,
`+ -`, `* / %`, sign, `::`. Knows no types and no tables.
"""

from collections.abc import Callable

from py_runtime.stores.sql.cursor import Cursor
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.functions import AGGREGATES, FUNCTIONS
from py_runtime.stores.sql.syntax import (
    Between,
    Binary,
    Call,
    Case,
    Cast,
    ColumnName,
    Expression,
    InList,
    IsTest,
    Like,
    Literal,
    Parameter,
    Unary,
)
from py_runtime.stores.sql.values import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INTEGER,
    INTERVAL,
    TIMESTAMP,
    TYPE_NAMES,
    UNKNOWN,
    in_range,
)

COMPARISONS = ("=", "<>", "!=", "<=", ">=", "<", ">")
CONSTANTS = {"TRUE": (True, BOOLEAN), "FALSE": (False, BOOLEAN), "NULL": (None, UNKNOWN)}
TYPED_LITERALS = {"INTERVAL": INTERVAL, "TIMESTAMP": TIMESTAMP}
TRUTH_TESTS = {"NULL": None, "UNKNOWN": None, "TRUE": True, "FALSE": False}


class ExpressionParser(Cursor):
    """Reads one expression at a time from the tokens."""

    def expression(self) -> Expression:
        first, left = self.position, self._conjunction()
        while self.accept("OR"):
            right = self._conjunction()
            left = Binary(self._span(first), "OR", left, right)
        return left

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

    def require_integer(self, what: str) -> int:
        if self.token.kind != "integer":
            self.note(what)
            self.refuse()
        return int(self.advance().text)

    def _span(self, first: int) -> tuple[int, int]:
        return first, self.position

    def _conjunction(self) -> Expression:
        first, left = self.position, self._negation()
        while self.accept("AND"):
            right = self._negation()
            left = Binary(self._span(first), "AND", left, right)
        return left

    def _negation(self) -> Expression:
        first = self.position
        if self.accept("NOT"):
            operand = self._negation()
            return Unary(self._span(first), "NOT", operand)
        return self._is_test()

    def _is_test(self) -> Expression:
        first, left = self.position, self._comparison()
        while self.accept("IS"):
            negated = self.accept("NOT")
            if self.accept("DISTINCT", "FROM"):
                right = self._comparison()
                operator = "IS NOT DISTINCT FROM" if negated else "IS DISTINCT FROM"
                left = Binary(self._span(first), operator, left, right)
                continue
            wanted = next((word for word in TRUTH_TESTS if self.accept(word)), None)
            if wanted is None:
                self.refuse()
            left = IsTest(self._span(first), left, TRUTH_TESTS[wanted], negated)
        return left

    def _comparison(self) -> Expression:
        first, left = self.position, self._range_test()
        operator = self._operator(COMPARISONS)
        if operator is None:
            return left
        right = self._range_test()
        if self.token.text in COMPARISONS and self.token.kind == "symbol":
            token = self.token
            message = f'syntax error at or near "{token.text}": comparisons do not chain; join two of them with AND'
            raise SqlError(message, line=token.line, column=token.column)
        return Binary(self._span(first), "<>" if operator == "!=" else operator, left, right)

    def _range_test(self) -> Expression:
        first, operand = self.position, self._concatenation()
        while True:
            negated = self.token.word == "NOT" and self.tokens[self.position + 1].word in ("BETWEEN", "IN", "LIKE")
            if negated:
                self.advance()
            if self.accept("BETWEEN"):
                low = self._concatenation()
                self.require("AND")
                high = self._concatenation()
                operand = Between(self._span(first), operand, low, high, negated)
            elif self.accept("IN"):
                self.require_symbol("(")
                items = self.expression_list()
                self.require_symbol(")")
                operand = InList(self._span(first), operand, items, negated)
            elif self.accept("LIKE"):
                pattern = self._concatenation()
                operand = Like(self._span(first), operand, pattern, negated)
            else:
                return operand

    def expression_list(self) -> tuple[Expression, ...]:
        """Read expressions with commas between them."""
        items = [self.expression()]
        while self.accept_symbol(","):
            items.append(self.expression())
        return tuple(items)

    def _operator(self, symbols: tuple[str, ...]) -> str | None:
        if self.token.kind == "symbol" and self.token.text in symbols:
            return self.advance().text
        self.note("an operator")
        return None

    def _chain(self, symbols: tuple[str, ...], operand: Callable[[], Expression]) -> Expression:
        first, left = self.position, operand()
        while operator := self._operator(symbols):
            right = operand()
            left = Binary(self._span(first), operator, left, right)
        return left

    def _concatenation(self) -> Expression:
        return self._chain(("||",), self._sum)

    def _sum(self) -> Expression:
        return self._chain(("+", "-"), self._product)

    def _product(self) -> Expression:
        return self._chain(("*", "/", "%"), self._signed)

    def _signed(self) -> Expression:
        first = self.position
        for sign in ("-", "+"):
            if self.accept_symbol(sign, "a value"):
                operand = self._signed()
                if isinstance(operand, Literal) and operand.type in (INTEGER, BIGINT, DOUBLE) and sign == "-":
                    return _number(self._span(first), -operand.value)
                return Unary(self._span(first), sign, operand)
        return self._cast()

    def _cast(self) -> Expression:
        first, operand = self.position, self._primary()
        while self.accept_symbol("::", "an operator"):
            name, _length = self.type_name()
            operand = Cast(self._span(first), operand, name)
        return operand

    def _primary(self) -> Expression:
        first, token = self.position, self.token
        if token.kind in ("integer", "decimal"):
            self.advance()
            return _number(self._span(first), token.value)
        if token.kind == "text":
            self.advance()
            return Literal(self._span(first), token.value, UNKNOWN)
        if token.kind == "parameter":
            self.advance()
            return Parameter(self._span(first), str(token.value))
        if self.accept_symbol("(", "a value"):
            inner = self.expression()
            self.require_symbol(")")
            return inner
        if token.word in CONSTANTS:
            self.advance()
            return Literal(self._span(first), *CONSTANTS[token.word])
        if token.word in TYPED_LITERALS and self.tokens[self.position + 1].kind == "text":
            self.advance()
            literal = Literal((self.position, self.position + 1), self.advance().value, UNKNOWN)
            return Cast(self._span(first), literal, TYPED_LITERALS[token.word])
        special = {"CASE": self._case, "CAST": self._cast_call, "EXTRACT": self._extract}
        if token.word in special and (token.word == "CASE" or self.tokens[self.position + 1].text == "("):
            self.advance()
            return special[token.word](first)
        if token.word == "CURRENT_TIMESTAMP":
            self.advance()
            return Call(self._span(first), "now", ())
        return self._name_or_call(first)

    def _name_or_call(self, first: int) -> Expression:
        if self.token.word == "SELECT":
            token = self.token
            message = "subqueries are not supported: a SELECT cannot stand inside another statement"
            raise SqlError(message, sqlstate="0A000", line=token.line, column=token.column)
        name = self.require_name("a value")
        if name.kind == "name" and self.token.text == "(" and self.token.kind == "symbol":
            return self._call(first, str(name.value))
        if self.accept_symbol(".", "an operator"):
            column = self.require_name("a column")
            return ColumnName(self._span(first), str(name.value), str(column.value))
        return ColumnName(self._span(first), None, str(name.value))

    def _call(self, first: int, name: str) -> Expression:
        if name not in FUNCTIONS and name not in AGGREGATES:
            token = self.tokens[first]
            known = ", ".join((*FUNCTIONS, *AGGREGATES))
            message = f"function {name} does not exist; the functions are {known}"
            raise SqlError(message, sqlstate="42883", line=token.line, column=token.column)
        self.require_symbol("(")
        star = name == "count" and self.accept_symbol("*")
        arguments = () if star or self.token.text == ")" else self.expression_list()
        self.require_symbol(")")
        return Call(self._span(first), name, arguments, star)

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
        return Case(self._span(first), operand, tuple(branches), otherwise)

    def _cast_call(self, first: int) -> Expression:
        self.require_symbol("(")
        operand = self.expression()
        self.require("AS")
        name, _length = self.type_name()
        self.require_symbol(")")
        return Cast(self._span(first), operand, name)

    def _extract(self, first: int) -> Expression:
        self.require_symbol("(")
        self.require("EPOCH", "FROM")
        operand = self.expression()
        self.require_symbol(")")
        return Call(self._span(first), "extract", (operand,))


def _number(span: tuple[int, int], value: object) -> Literal:
    if isinstance(value, float):
        return Literal(span, value, DOUBLE)
    kind = next((name for name in (INTEGER, BIGINT) if in_range(value, name)), DOUBLE)
    return Literal(span, float(value) if kind == DOUBLE else value, kind)
