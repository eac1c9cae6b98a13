"""What an expression becomes once names and types are settled: a type and a function of the environment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Version = dict[str, object]
"""The values of one row by column name; never changed in place, so a version can be kept and compared by identity."""


@dataclass(slots=True)
class Environment:
    """What an expression can look at while it is evaluated. Times are microseconds on the database's clock."""

    parameters: Mapping[str, object]
    transaction_us: int
    clock: Callable[[], int]
    row: Version = field(default_factory=dict)
    excluded: Version = field(default_factory=dict)
    aggregates: list[object] = field(default_factory=list)
    subqueries: list[Any] = field(default_factory=list)
    """What the statement's subqueries answered, as `preparation.Answered`, in the order in which they are bound."""


Evaluate = Callable[[Environment], object]


@dataclass(frozen=True, slots=True)
class Bound:
    """An expression ready to run.

    `literal` is the text of a literal whose type is not settled by itself: one in quotes, or a decimal number, which
    PostgreSQL takes for NUMERIC and so rounds half away from zero, unlike a DOUBLE PRECISION value. `parameter` marks
    a parameter: one that is text is read as a timestamp where it meets one, since results show timestamps as text.
    """

    type: str
    evaluate: Evaluate
    literal: str | None = None
    parameter: bool = False


def constant(value: object) -> Evaluate:
    """Return an evaluator that always gives `value`."""
    return lambda _environment: value
