"""Which type may become which: when values meet, when one is stored in a column, and when a cast asks for it.

The rules are PostgreSQL's with fewer types. A quoted literal takes the type its surroundings want; a parameter has the
type of its Python value, so text is never quietly read as a number.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from py_runtime.stores.sql.bound import Bound, constant
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.values import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INTEGER,
    INTEGER_LIMITS,
    INTERVAL,
    NUMERIC_RANK,
    REAL,
    TEXT,
    TIMESTAMP,
    UNKNOWN,
    from_text,
    in_range,
    to_text,
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column as the table declares it; `length` is that of VARCHAR(n). `default` has the column's type already."""

    name: str
    type: str
    length: int | None
    not_null: bool
    default: Bound


def adapt(bound: Bound, wanted: str) -> Bound:
    """Give a literal of unknown type, or text that was passed for a time, the type `wanted`; else change nothing."""
    if wanted == TIMESTAMP and _may_be_time(bound):
        return cast(bound, wanted)
    if bound.type != UNKNOWN:
        return bound
    if bound.literal is None:
        return Bound(wanted, bound.evaluate)
    return Bound(wanted, constant(from_text(bound.literal, wanted)))


def common_type(bounds: list[Bound]) -> str | None:
    """Return the type in which the values are compared, or None when they cannot be."""
    known = [bound.type for bound in bounds if bound.type != UNKNOWN]
    if TIMESTAMP in known:
        known = [bound.type for bound in bounds if bound.type != UNKNOWN and not _may_be_time(bound)]
    if not known:
        return TEXT
    if all(name in NUMERIC_RANK for name in known):
        return max(known, key=NUMERIC_RANK.__getitem__)
    return known[0] if len(set(known)) == 1 else None


def assignment(bound: Bound, column: Column) -> Bound:
    """Return `bound` as it is stored in `column`. Raises SqlError, naming the column, when the type does not fit."""
    convert: Callable[[object], object] | None
    if bound.type == UNKNOWN or (column.type == TIMESTAMP and _may_be_time(bound)):
        try:
            bound = adapt(bound, column.type)
        except SqlError as error:
            raise SqlError(f'{error.message} (column "{column.name}")', sqlstate=error.sqlstate) from None
        convert = _same
    elif bound.type == column.type:
        convert = _same
    elif column.type == TEXT:
        convert = to_text
    elif bound.type in NUMERIC_RANK and column.type in NUMERIC_RANK:
        convert = _number(column.type, f' for column "{column.name}"', bound.literal is not None)
    else:
        message = f'column "{column.name}" is of type {column.type} but expression is of type {bound.type}'
        raise SqlError(message, sqlstate="42804")
    if column.length is not None:
        convert = _limited(convert, column)
    return bound if convert is _same else Bound(column.type, _on_value(bound, convert))


def cast(bound: Bound, wanted: str) -> Bound:
    """Return `CAST(bound AS wanted)`."""
    if bound.type == UNKNOWN:
        return adapt(bound, wanted)
    if bound.type == wanted:
        return Bound(wanted, bound.evaluate)
    if wanted == TEXT:
        return Bound(TEXT, _on_value(bound, to_text))
    if bound.type == TEXT:
        return Bound(wanted, _on_value(bound, lambda text: from_text(text, wanted)))
    if bound.type in NUMERIC_RANK and wanted in NUMERIC_RANK:
        return Bound(wanted, _on_value(bound, _number(wanted, "", bound.literal is not None)))
    if (bound.type, wanted) in ((BOOLEAN, INTEGER), (INTEGER, BOOLEAN)):
        return Bound(wanted, _on_value(bound, int if wanted == INTEGER else bool))
    raise SqlError(f"cannot cast type {bound.type} to {wanted}", sqlstate="42846")


def same_class(type_name: str, wanted: str) -> bool:
    """Say whether a function that takes `wanted`, a type or the name of a class of types, accepts this type."""
    classes = {"number": tuple(NUMERIC_RANK), "time": (TIMESTAMP, INTERVAL)}
    classes["ordered"] = (*NUMERIC_RANK, TEXT, TIMESTAMP, INTERVAL)
    return type_name in classes.get(wanted, (wanted,))


def _may_be_time(bound: Bound) -> bool:
    return bound.parameter and bound.type == TEXT


def _same(value: object) -> object:
    return value


def _on_value(bound: Bound, convert: Callable[[object], object]) -> Callable:
    evaluate = bound.evaluate

    def converted(environment: object) -> object:
        value = evaluate(environment)
        return None if value is None else convert(value)

    return converted


def _number(wanted: str, where: str, literal: bool) -> Callable[[object], object]:
    """Convert between numeric types. A half is rounded to even, but away from zero when it is written as a literal."""
    if wanted in (REAL, DOUBLE):
        return float

    def whole(value: object) -> int:
        number = math.floor(abs(value) + 0.5) * (1 if value > 0 else -1) if literal else round(value)
        if not in_range(number, wanted):
            raise SqlError(f"{wanted} out of range{where}", sqlstate="22003")
        return number

    assert wanted in INTEGER_LIMITS and wanted in (INTEGER, BIGINT)
    return whole


def _limited(convert: Callable[[object], object], column: Column) -> Callable[[object], object]:
    def limited(value: object) -> object:
        text = convert(value)
        if len(text) > column.length:
            message = f'value too long for type character varying({column.length}) (column "{column.name}")'
            raise SqlError(message, sqlstate="22001")
        return text

    return limited
