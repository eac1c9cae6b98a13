"""The shapes that values and conditions of a statement are made of. Data only: no meaning, no types, no tables.

`span` of an expression is (first, after last) as indices into the statement's tokens, so that its text and place can
be found again when something about it has to be said.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py_runtime.stores.sql.syntax import Select

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Expression:
    """Anything that has a value."""

    span: Span


@dataclass(frozen=True, slots=True)
class Literal(Expression):
    """A value written in the statement."""

    value: object
    type: str


@dataclass(frozen=True, slots=True)
class Parameter(Expression):
    """`:name`."""

    name: str


@dataclass(frozen=True, slots=True)
class ColumnName(Expression):
    """A column, perhaps with its table's name or alias before it."""

    table: str | None
    name: str


@dataclass(frozen=True, slots=True)
class Unary(Expression):
    """NOT, - or + before one operand."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(Expression):
    """An operator between two operands, AND and OR among them."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class IsTest(Expression):
    """`operand IS [NOT] wanted`, where wanted is None (NULL or UNKNOWN), True or False."""

    operand: Expression
    wanted: bool | None
    negated: bool


@dataclass(frozen=True, slots=True)
class InList(Expression):
    """`operand [NOT] IN (items)`."""

    operand: Expression
    items: tuple[Expression, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class Between(Expression):
    """`operand [NOT] BETWEEN low AND high`, both ends included."""

    operand: Expression
    low: Expression
    high: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class Like(Expression):
    """`operand [NOT] LIKE pattern`."""

    operand: Expression
    pattern: Expression
    negated: bool


@dataclass(frozen=True, slots=True)
class Case(Expression):
    """`CASE [operand] WHEN … THEN … ELSE … END`."""

    operand: Expression | None
    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function or an aggregate; `star` is for count(*), `distinct` for count(DISTINCT value)."""

    name: str
    arguments: tuple[Expression, ...]
    star: bool = False
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Cast(Expression):
    """`CAST(operand AS type)` or `operand::type`; `shown` is how PostgreSQL calls a result of it."""

    operand: Expression
    type: str
    shown: str


@dataclass(frozen=True, slots=True)
class Subquery(Expression):
    """`(SELECT …)` for its one value, or, as `exists`, for whether it has a row."""

    select: "Select"
    exists: bool = False


@dataclass(frozen=True, slots=True)
class InSubquery(Expression):
    """`operand [NOT] IN (SELECT …)`."""

    operand: Expression
    query: Subquery
    negated: bool


def conjuncts(condition: Expression | None) -> list[Expression]:
    """Split a condition at its outermost ANDs, left to right; no condition gives no parts."""
    if condition is None:
        return []
    if isinstance(condition, Binary) and condition.operator == "AND":
        return conjuncts(condition.left) + conjuncts(condition.right)
    return [condition]
