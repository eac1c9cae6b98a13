"""What the operators mean: which types they take, and three-valued logic where NULL takes part.

A comparison or a sum with NULL is NULL; AND and OR follow Kleene, so FALSE AND NULL is FALSE and TRUE OR NULL is TRUE.
"""

import math
import operator
import re
from collections.abc import Callable
from functools import lru_cache

from py_runtime.stores.sql.bound import Bound, Environment, Evaluate
from py_runtime.stores.sql.conversions import adapt, common_type
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.values import (
    BOOLEAN,
    INTEGER_LIMITS,
    INTERVAL,
    NUMERIC_RANK,
    TEXT,
    TIMESTAMP,
    UNKNOWN,
    Interval,
    Timestamp,
    in_range,
    to_text,
)

COMPARISONS = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
TIME_ARITHMETIC = {
    ("+", TIMESTAMP, INTERVAL): Timestamp,
    ("+", INTERVAL, TIMESTAMP): Timestamp,
    ("-", TIMESTAMP, INTERVAL): Timestamp,
    ("-", TIMESTAMP, TIMESTAMP): Interval,
    ("+", INTERVAL, INTERVAL): Interval,
    ("-", INTERVAL, INTERVAL): Interval,
}
_TYPE_OF_TIME = {Timestamp: TIMESTAMP, Interval: INTERVAL}


def compare(symbol: str, left: Bound, right: Bound) -> Bound:
    """Bind a comparison; NULL on either side gives NULL."""
    left, right = _alike(symbol, left, right)
    return Bound(BOOLEAN, _strict(left.evaluate, right.evaluate, COMPARISONS[symbol]))


def distinct(left: Bound, right: Bound, negated: bool) -> Bound:
    """Bind IS [NOT] DISTINCT FROM, the comparison that takes NULL for a value like any other."""
    left, right = _alike("=", left, right)
    a, b = left.evaluate, right.evaluate
    return Bound(BOOLEAN, lambda environment: (a(environment) == b(environment)) == negated)


def among(operand: Bound, name: str, values: Callable[[Environment], list]) -> Bound:
    """Bind IN for `values` of type `name`: NULL when it is not found and a NULL takes part."""
    common = common_type([operand, Bound(name, values)])
    if common is None:
        raise _no_operator("=", operand, Bound(name, values))
    evaluate = adapt(operand, common).evaluate

    def found(environment: Environment) -> bool | None:
        items = values(environment)
        if not items:
            return False
        value = evaluate(environment)
        if value is None:
            return None
        return True if value in items else None if None in items else False

    return Bound(BOOLEAN, found)


def both(left: Evaluate, right: Evaluate) -> Evaluate:
    """AND. The right side is not looked at when the left one is FALSE."""

    def evaluate(environment: Environment) -> bool | None:
        first = left(environment)
        if first is False:
            return False
        second = right(environment)
        return second if first is True or second is False else None

    return evaluate


def either(left: Evaluate, right: Evaluate) -> Evaluate:
    """OR. The right side is not looked at when the left one is TRUE."""

    def evaluate(environment: Environment) -> bool | None:
        first = left(environment)
        if first is True:
            return True
        second = right(environment)
        return second if first is False or second is True else None

    return evaluate


def any_of(tests: list[Evaluate]) -> Evaluate:
    """Join any number of tests by OR."""
    if len(tests) == 1:
        return tests[0]

    def evaluate(environment: Environment) -> bool | None:
        found: bool | None = False
        for test in tests:
            value = test(environment)
            if value is True:
                return True
            if value is None:
                found = None
        return found

    return evaluate


def negate(operand: Evaluate) -> Evaluate:
    """NOT; unknown stays unknown."""

    def evaluate(environment: Environment) -> bool | None:
        value = operand(environment)
        return None if value is None else not value

    return evaluate


def concatenate(left: Bound, right: Bound) -> Bound:
    """Bind `||`; one side at least must be text, the other is written as text."""
    if TEXT not in (left.type, right.type) and UNKNOWN not in (left.type, right.type):
        raise _no_operator("||", left, right)
    left, right = adapt(left, TEXT), adapt(right, TEXT)
    return Bound(TEXT, _strict(left.evaluate, right.evaluate, lambda a, b: to_text(a) + to_text(b)))


def like(operand: Bound, pattern: Bound) -> Bound:
    """Bind LIKE: `%` stands for any text, `_` for one character, a backslash takes the next character literally."""
    operand, pattern = adapt(operand, TEXT), adapt(pattern, TEXT)
    if operand.type != TEXT or pattern.type != TEXT:
        raise _no_operator("LIKE", operand, pattern)
    return Bound(BOOLEAN, _strict(operand.evaluate, pattern.evaluate, _matches))


def sign(symbol: str, operand: Bound) -> Bound:
    """Bind a leading `-` or `+`."""
    if operand.type not in NUMERIC_RANK and (operand.type != INTERVAL or symbol == "+"):
        raise SqlError(f"operator does not exist: {symbol} {operand.type}", sqlstate="42883")
    if symbol == "+":
        return operand
    evaluate, name = operand.evaluate, operand.type

    def negative(environment: Environment) -> object:
        value = evaluate(environment)
        return None if value is None else _checked(-value, name)

    return Bound(name, negative)


def arithmetic(symbol: str, left: Bound, right: Bound) -> Bound:
    """Bind `+ - * / %`. Whole numbers stay whole: `/` cuts toward zero, and a result out of range is an error."""
    left, right = _adapted(symbol, left, right)
    time = TIME_ARITHMETIC.get((symbol, left.type, right.type))
    if time is not None:
        step = operator.add if symbol == "+" else operator.sub
        moved = _strict(left.evaluate, right.evaluate, lambda a, b: time(step(int(a), int(b))))
        return Bound(_TYPE_OF_TIME[time], moved)
    if left.type not in NUMERIC_RANK or right.type not in NUMERIC_RANK:
        raise _no_operator(symbol, left, right)
    name = common_type([left, right])
    if name not in INTEGER_LIMITS and symbol == "%":
        raise _no_operator(symbol, left, right)
    compute = _COMPUTE[symbol]
    return Bound(name, _strict(left.evaluate, right.evaluate, lambda a, b: _checked(compute(a, b), name)))


def _adapted(symbol: str, left: Bound, right: Bound) -> tuple[Bound, Bound]:
    def wanted(other: str) -> str:
        return INTERVAL if other == TIMESTAMP and symbol == "+" else other

    if left.type == right.type == UNKNOWN:
        raise _no_operator(symbol, left, right)
    return adapt(left, wanted(right.type)), adapt(right, wanted(left.type))


def _alike(symbol: str, left: Bound, right: Bound) -> tuple[Bound, Bound]:
    name = common_type([left, right])
    if name is None:
        raise _no_operator(symbol, left, right)
    return adapt(left, name), adapt(right, name)


def _strict(left: Evaluate, right: Evaluate, compute: Callable[[object, object], object]) -> Evaluate:
    def evaluate(environment: Environment) -> object:
        a = left(environment)
        b = right(environment)
        return None if a is None or b is None else compute(a, b)

    return evaluate


def _no_operator(symbol: str, left: Bound, right: Bound) -> SqlError:
    return SqlError(f"operator does not exist: {left.type} {symbol} {right.type}", sqlstate="42883")


def _checked(value: object, name: str) -> object:
    if name == INTERVAL:
        return Interval(value)
    if name in INTEGER_LIMITS:
        if not in_range(value, name):
            raise SqlError(f"{name} out of range", sqlstate="22003")
    elif not math.isfinite(value):
        raise SqlError("value out of range: overflow", sqlstate="22003")
    return value


def _divide(a: object, b: object) -> object:
    if b == 0:
        raise SqlError("division by zero", sqlstate="22012")
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: int, b: int) -> int:
    return a - b * _divide(a, b)


_COMPUTE = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "%": _remainder}


def _matches(text: str, pattern: str) -> bool:
    unfinished = (len(pattern) - len(pattern.rstrip("\\"))) % 2 == 1
    if not unfinished:
        return _pattern(pattern).fullmatch(text) is not None
    if _pattern(pattern[:-1] + "_%").fullmatch(text):
        raise SqlError("LIKE pattern must not end with escape character", sqlstate="22025")
    return False


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    pieces, position = [], 0
    while position < len(text):
        character = text[position]
        if character == "\\":
            position += 1
            pieces.append(re.escape(text[position]))
        else:
            pieces.append({"%": ".*", "_": "."}.get(character) or re.escape(character))
        position += 1
    return re.compile("".join(pieces), re.DOTALL)
