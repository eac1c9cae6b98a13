"""What is known while a statement is bound: its text, its parameters' types, the tables, and its subqueries.

Decides what a parameter's type is and when a subquery runs: once, before the statement around it looks at any row, so
that it sees what the statement's beginning saw. A subquery that fails does so only where its value is asked for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from py_runtime.stores.sql.bound import Bound, Environment
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import Span, Subquery
from py_runtime.stores.sql.sessions import Result, Session, Steps
from py_runtime.stores.sql.syntax import Parsed, Select
from py_runtime.stores.sql.tables import Table
from py_runtime.stores.sql.values import BOOLEAN, TEXT, UNKNOWN, type_of

DEFINITE = ("40", "55")
"""Errors that end the statement at once, whether or not the subquery's value is asked for: of locks and of levels."""


class Plan(Protocol):
    """A statement whose names and types are settled; it may be run any number of times."""

    def run(self, session: Session, environment: Environment) -> Steps: ...


class SelectsValues(Protocol):
    """What a subquery needs of a bound SELECT: its columns' types, the first one's values, why there were none."""

    types: list[str]

    def values(self, session: Session, environment: Environment, result: Result) -> Steps: ...

    def explain(self, session: Session, environment: Environment, result: Result) -> None: ...


@dataclass(slots=True)
class Preparation:
    """`plan_select` makes the plan of a subquery; None where there may be none."""

    parsed: Parsed
    parameter_types: Mapping[str, str]
    tables: Mapping[str, Table]
    plan_select: Callable[["Preparation", Select], SelectsValues] | None = None
    subqueries: dict[Span, SelectsValues] = field(default_factory=dict)
    """By place in the text: an expression may be bound several times, and its subquery runs once all the same."""

    def subquery(self, node: Subquery, clause: str) -> tuple[str, int]:
        """Plan a subquery; returns the type of its column and its number in `Environment.subqueries`."""
        if self.plan_select is None:
            raise SqlError(f"cannot use subquery in {clause}", sqlstate="0A000")
        if node.span not in self.subqueries:
            self.subqueries[node.span] = self.plan_select(self, node.select)
        types = self.subqueries[node.span].types
        if len(types) != 1 and not node.exists:
            raise SqlError("subquery must return only one column")
        name = TEXT if types[:1] == [UNKNOWN] else types[0]
        return name, list(self.subqueries).index(node.span)

    def with_subqueries(self, plan: Plan) -> Plan:
        """Return the plan to run: one that runs the subqueries first, where there are any."""
        return PlanWithSubqueries(plan, list(self.subqueries.values())) if self.subqueries else plan


class Answered:
    """The values that a subquery found, or the error it ended with."""

    def __init__(self, values: list[object], error: SqlError | None = None) -> None:
        self._values = values
        self._error = error

    @property
    def values(self) -> list[object]:
        """The values. Raises the subquery's error."""
        if self._error is not None:
            raise self._error
        return self._values

    def one(self) -> object:
        """The one value; NULL where there is none."""
        values = self.values
        if len(values) > 1:
            raise SqlError("more than one row returned by a subquery used as an expression", sqlstate="21000")
        return values[0] if values else None


class PlanWithSubqueries:
    """A plan that runs subqueries, the inner ones first, before the statement they stand in."""

    def __init__(self, plan: Plan, subqueries: list[SelectsValues]) -> None:
        self._plan = plan
        self._subqueries = subqueries

    def run(self, session: Session, environment: Environment) -> Steps:
        """Run all; where nothing came of it because a subquery found no row, say what that one passed over."""
        passed_over = Result()
        empty: list[tuple[SelectsValues, Environment]] = []
        for subquery in self._subqueries:
            inner = Environment(environment.parameters, environment.transaction_us, environment.clock)
            inner.subqueries = environment.subqueries
            try:
                answer = Answered((yield from subquery.values(session, inner, passed_over)))
                if not answer.values:
                    empty.append((subquery, inner))
            except SqlError as error:
                if error.sqlstate[:2] in DEFINITE:
                    raise
                answer = Answered([], error)
            environment.subqueries.append(answer)
        result = yield from self._plan.run(session, environment)
        if result.unmatched:
            for subquery, inner in empty:
                subquery.explain(session, inner, passed_over)
            if passed_over.unmatched:
                result.unmatched, result.unmatched_left_out = passed_over.unmatched, passed_over.unmatched_left_out
        return result


def subquery_value(name: str, number: int) -> Bound:
    """Return the one value of a subquery as an expression."""
    return Bound(name, lambda environment: environment.subqueries[number].one())


def subquery_exists(number: int) -> Bound:
    """Return EXISTS of a subquery."""
    return Bound(BOOLEAN, lambda environment: bool(environment.subqueries[number].values))


def parameter_types(parsed: Parsed, parameters: Mapping[str, object]) -> dict[str, str]:
    """Return the type of each parameter in the text; others are no matter. Raises SqlError when one is missing."""
    for name in parsed.parameters:
        if name not in parameters:
            used = ", ".join(f":{name}" for name in parsed.parameters)
            token = next(token for token in parsed.tokens if token.kind == "parameter" and token.value == name)
            message = f"parameter :{name} has no value; the statement uses {used}"
            raise SqlError(message, sqlstate="07002", **token.place)
    return {name: type_of(name, parameters[name]) for name in parsed.parameters}
