"""The grammar of operators: what may be written as a value or a condition, and what binds tighter.

Precedence is PostgreSQL's, loosest first: OR, AND, NOT, IS, comparison (which does not chain), BETWEEN/IN/LIKE, `||`,
`+ -`, `* / %`, sign, `::`. Knows no types and no tables.
"""

from collections.abc import Callable

from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import (
    Between,
    Binary,
    Cast,
    Expression,
    InList,
    InSubquery,
    IsTest,
    Like,
    Literal,
    Unary,
)
from py_runtime.stores.sql.parse_primary import PrimaryParser, number
from py_runtime.stores.sql.values import BIGINT, DOUBLE, INTEGER

COMPARISONS = ("=", "<>", "!=", "<=", ">=", "<", ">")
TRUTH_TESTS = {"NULL": None, "UNKNOWN": None, "TRUE": True, "FALSE": False}


class ExpressionParser(PrimaryParser):
    """Reads one expression at a time from the tokens."""

    def expression(self) -> Expression:
        first, left = self.position, self._conjunction()
        while self.accept("OR"):
            right = self._conjunction()
            left = Binary(self.span(first), "OR", left, right)
        return left

    def _conjunction(self) -> Expression:
        first, left = self.position, self._negation()
        while self.accept("AND"):
            right = self._negation()
            left = Binary(self.span(first), "AND", left, right)
        return left

    def _negation(self) -> Expression:
        first = self.position
        if self.accept("NOT"):
            operand = self._negation()
            return Unary(self.span(first), "NOT", operand)
        return self._is_test()

    def _is_test(self) -> Expression:
        first, left = self.position, self._comparison()
        while self.accept("IS"):
            negated = self.accept("NOT")
            if self.accept("DISTINCT", "FROM"):
                right = self._comparison()
                operator = "IS NOT DISTINCT FROM" if negated else "IS DISTINCT FROM"
                left = Binary(self.span(first), operator, left, right)
                continue
            wanted = next((word for word in TRUTH_TESTS if self.accept(word)), None)
            if wanted is None:
                self.refuse()
            left = self._compared(first, IsTest(self.span(first), left, TRUTH_TESTS[wanted], negated))
        return left

    def _comparison(self) -> Expression:
        first = self.position
        return self._compared(first, self._range_test())

    def _compared(self, first: int, left: Expression) -> Expression:
        """Read the rest of a comparison, if there is one."""
        operator = self._operator(COMPARISONS)
        if operator is None:
            return left
        right = self._range_test()
        if self.token.text in COMPARISONS and self.token.kind == "symbol":
            token = self.token
            message = f'syntax error at or near "{token.text}": comparisons do not chain; join two of them with AND'
            raise SqlError(message, **token.place)
        return Binary(self.span(first), "<>" if operator == "!=" else operator, left, right)

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
                operand = Between(self.span(first), operand, low, high, negated)
            elif self.accept("IN"):
                operand = self._in(first, operand, negated)
            elif self.accept("LIKE"):
                pattern = self._concatenation()
                operand = Like(self.span(first), operand, pattern, negated)
            else:
                return operand

    def _in(self, first: int, operand: Expression, negated: bool) -> Expression:
        opening = self.position
        self.require_symbol("(")
        if self.accept("SELECT"):
            query = self.subquery(opening)
            return InSubquery(self.span(first), operand, query, negated)
        items = self.expression_list()
        self.require_symbol(")")
        return InList(self.span(first), operand, items, negated)

    def _operator(self, symbols: tuple[str, ...]) -> str | None:
        if self.token.kind == "symbol" and self.token.text in symbols:
            return self.advance().text
        self.note("an operator")
        return None

    def _chain(self, symbols: tuple[str, ...], operand: Callable[[], Expression]) -> Expression:
        first, left = self.position, operand()
        while operator := self._operator(symbols):
            right = operand()
            left = Binary(self.span(first), operator, left, right)
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
                    return number(self.span(first), -operand.value)
                return Unary(self.span(first), sign, operand)
        return self._cast()

    def _cast(self) -> Expression:
        first, operand = self.position, self.primary()
        while self.accept_symbol("::", "an operator"):
            operand = Cast(self.span(first), operand, *self.cast_type())
        return operand
