"""The table of functions: how each is called, what it takes and gives, and what it computes.

Adding a function is adding a row. Decides nothing about syntax or about how argument types are found; see `binding.py`
for the meaning of ALIKE and of the type classes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from py_runtime.stores.sql.values import BIGINT, DOUBLE, INTEGER, TEXT, TIMESTAMP, Timestamp

ALIKE, NUMBER, TIME, ORDERED, SAME = "alike", "number", "time", "ordered", "same"
"""ALIKE: all arguments are brought to one type; NUMBER, TIME, ORDERED: any numeric type, a timestamp or interval, any
type but BOOLEAN; SAME: the result has the type of the arguments."""

Evaluators = Sequence[Callable]


@dataclass(frozen=True, slots=True)
class Function:
    """A function on the values of one row. `apply(environment, evaluators)` decides which arguments it looks at."""

    form: str
    meaning: str
    takes: str
    gives: str
    apply: Callable
    arguments_min: int = 1
    arguments_max: int | None = 1


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A function on all rows of a group. `fold` gets the values that are not NULL, in row order, perhaps none."""

    form: str
    meaning: str
    takes: str
    gives: str
    fold: Callable[[list], object]


def _strict(compute: Callable) -> Callable:
    """Make a function of values into one of evaluators that answers NULL as soon as one argument is NULL."""

    def apply(environment: object, evaluators: Evaluators) -> object:
        values = [evaluate(environment) for evaluate in evaluators]
        return None if None in values else compute(*values)

    return apply


def _coalesce(environment: object, evaluators: Evaluators) -> object:
    for evaluate in evaluators:
        value = evaluate(environment)
        if value is not None:
            return value
    return None


def _null_if(environment: object, evaluators: Evaluators) -> object:
    value, unwanted = (evaluate(environment) for evaluate in evaluators)
    return None if value is not None and value == unwanted else value


def _known(choose: Callable) -> Callable:
    """Apply `choose` to the arguments that are not NULL; NULL when all are."""

    def apply(environment: object, evaluators: Evaluators) -> object:
        values = [value for evaluate in evaluators if (value := evaluate(environment)) is not None]
        return choose(values) if values else None

    return apply


FUNCTIONS = {
    "coalesce": Function(
        "coalesce(value, …)", "the first value that is not NULL", ALIKE, SAME, _coalesce, arguments_max=None
    ),
    "nullif": Function(
        "nullif(value, unwanted)", "NULL when both are equal, else the value", ALIKE, SAME, _null_if, 2, 2
    ),
    "greatest": Function(
        "greatest(value, …)", "the largest value, NULLs left out", ALIKE, SAME, _known(max), arguments_max=None
    ),
    "least": Function(
        "least(value, …)", "the smallest value, NULLs left out", ALIKE, SAME, _known(min), arguments_max=None
    ),
    "abs": Function("abs(number)", "the number without its sign", NUMBER, SAME, _strict(abs)),
    "length": Function("length(text)", "how many characters the text has", TEXT, INTEGER, _strict(len)),
    "lower": Function("lower(text)", "the text in lower case", TEXT, TEXT, _strict(str.lower)),
    "upper": Function("upper(text)", "the text in upper case", TEXT, TEXT, _strict(str.upper)),
    "now": Function(
        "now()",
        "the database's time when the transaction began; also written CURRENT_TIMESTAMP",
        ALIKE,
        TIMESTAMP,
        lambda environment, _evaluators: Timestamp(environment.transaction_us),
        0,
        0,
    ),
    "clock_timestamp": Function(
        "clock_timestamp()",
        "the database's time at this instant",
        ALIKE,
        TIMESTAMP,
        lambda environment, _evaluators: Timestamp(environment.clock()),
        0,
        0,
    ),
    "extract": Function(
        "extract(epoch FROM time)",
        "seconds since 1970-01-01 of a timestamp, or seconds in an interval",
        TIME,
        DOUBLE,
        _strict(lambda time: int(time) / 1_000_000),
    ),
}


def _smallest(values: list) -> object:
    return min(values, default=None)


def _largest(values: list) -> object:
    return max(values, default=None)


def _sum(values: list) -> object:
    return sum(values) if values else None


def _average(values: list) -> object:
    return sum(values) / len(values) if values else None


AGGREGATES = {
    "count": Aggregate("count(*), count(value)", "how many rows, or values that are not NULL", ALIKE, BIGINT, len),
    "min": Aggregate("min(value)", "the smallest value", ORDERED, SAME, _smallest),
    "max": Aggregate("max(value)", "the largest value", ORDERED, SAME, _largest),
    "sum": Aggregate("sum(number)", "the sum; NULL without values", NUMBER, SAME, _sum),
    "avg": Aggregate("avg(number)", "the mean; NULL without values", NUMBER, DOUBLE, _average),
}
