"""Settles names and types: turns the expressions of a parsed statement into functions of the environment.

Decides which column a name means, which type every part has, and refuses what does not fit before any row is looked at,
as PostgreSQL does. Knows columns and parameter types only; rows come later.
"""

from dataclasses import dataclass, field

from py_runtime.stores.sql import operators
from py_runtime.stores.sql.bound import Bound, Environment, Evaluate, constant
from py_runtime.stores.sql.conversions import adapt, cast, common_type, same_class
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import (
    Between,
    Binary,
    Call,
    Case,
    Cast,
    ColumnName,
    Expression,
    InList,
    InSubquery,
    IsTest,
    Like,
    Literal,
    Parameter,
    Subquery,
    Unary,
)
from py_runtime.stores.sql.functions import AGGREGATES, ALIKE, FUNCTIONS, NUMBER, ORDERED, SAME, TIME
from py_runtime.stores.sql.preparation import Preparation, subquery_exists, subquery_value
from py_runtime.stores.sql.scope import Aggregation, Scope
from py_runtime.stores.sql.syntax import Parsed
from py_runtime.stores.sql.values import BIGINT, BOOLEAN, DOUBLE, INTEGER, TEXT, TIMESTAMP, UNKNOWN


@dataclass(slots=True)
class Binder:
    """Binds expressions of one statement for parameters of the given types.

    `columns_seen` counts names bound outside aggregates, so a caller can tell whether an expression depends on the
    row. `aggregates` is None where aggregate functions are not allowed; `clause` names the place in the refusal.
    """

    preparation: Preparation
    scope: Scope
    aggregates: list[Aggregation] | None = None
    clause: str = ""
    columns_seen: list[ColumnName] = field(default_factory=list)

    @property
    def parsed(self) -> Parsed:
        """The statement's text and tokens."""
        return self.preparation.parsed

    def bind(self, node: Expression) -> Bound:
        """Return the bound form of `node`. Raises SqlError with the place of the part that does not fit."""
        try:
            return getattr(self, _BINDERS[type(node)])(node)
        except SqlError as error:
            if error.line is not None:
                raise
            raise SqlError(error.message, sqlstate=error.sqlstate, **self.parsed.place_of(node)) from None

    def condition(self, node: Expression, clause: str) -> Bound:
        """Bind a condition: the argument of WHERE, CHECK, AND, OR, NOT or WHEN."""
        bound = adapt(self.bind(node), BOOLEAN)
        if bound.type != BOOLEAN:
            message = f"argument of {clause} must be type boolean, not type {bound.type}"
            raise SqlError(message, sqlstate="42804", **self.parsed.place_of(node))
        return bound

    def row_free(self, node: Expression) -> bool:
        """Say whether `node`, once bound, looks at no column."""
        first, after = node.span
        return not any(first <= seen.span[0] < after for seen in self.columns_seen)

    def _literal(self, node: Literal) -> Bound:
        open_ended = node.type in (UNKNOWN, DOUBLE) and node.value is not None
        return Bound(node.type, constant(node.value), str(node.value) if open_ended else None)

    def _parameter(self, node: Parameter) -> Bound:
        name = node.name
        return Bound(
            self.preparation.parameter_types[name], lambda environment: environment.parameters[name], parameter=True
        )

    def _column(self, node: ColumnName) -> Bound:
        scope, name = self.scope, node.name
        if node.table == "excluded" and scope.excluded:
            return Bound(self._column_type(node), lambda environment: environment.excluded[name])
        if node.table not in (None, scope.alias):
            problem = "invalid reference to" if node.table == scope.table else "missing"
            named = f'; the table is called "{scope.alias}" here' if scope.alias else ""
            raise SqlError(f'{problem} FROM-clause entry for table "{node.table}"{named}', sqlstate="42P01")
        type_name = self._column_type(node)
        if scope.excluded and node.table is None:
            message = f'column reference "{name}" is ambiguous: write {scope.alias}.{name} or excluded.{name}'
            raise SqlError(message, sqlstate="42702")
        self.columns_seen.append(node)
        return Bound(type_name, lambda environment: environment.row[name])

    def _column_type(self, node: ColumnName) -> str:
        if node.name not in self.scope.columns:
            known = ", ".join(self.scope.columns)
            of_table = f'; "{self.scope.table}" has {known}' if known else "; no table is named here"
            raise SqlError(f'column "{node.name}" does not exist{of_table}', sqlstate="42703")
        return self.scope.columns[node.name]

    def _unary(self, node: Unary) -> Bound:
        if node.operator == "NOT":
            return Bound(BOOLEAN, operators.negate(self.condition(node.operand, "NOT").evaluate))
        return operators.sign(node.operator, self.bind(node.operand))

    def _binary(self, node: Binary) -> Bound:
        name = node.operator
        if name in ("AND", "OR"):
            left, right = self.condition(node.left, name), self.condition(node.right, name)
            combine = operators.both if name == "AND" else operators.either
            return Bound(BOOLEAN, combine(left.evaluate, right.evaluate))
        left, right = self.bind(node.left), self.bind(node.right)
        if name in operators.COMPARISONS:
            return operators.compare(name, left, right)
        if name == "||":
            return operators.concatenate(left, right)
        if name.startswith("IS"):
            return operators.distinct(left, right, negated="NOT" in name)
        return operators.arithmetic(name, left, right)

    def _is_test(self, node: IsTest) -> Bound:
        if node.wanted is None:
            operand = self.bind(node.operand)
        else:
            operand = self.condition(node.operand, f"IS {str(node.wanted).upper()}")
        evaluate, wanted, negated = operand.evaluate, node.wanted, node.negated
        return Bound(BOOLEAN, lambda environment: (evaluate(environment) is wanted) != negated)

    def _in_list(self, node: InList) -> Bound:
        operand = self.bind(node.operand)
        tests = [operators.compare("=", operand, self.bind(item)).evaluate for item in node.items]
        found = operators.any_of(tests)
        return Bound(BOOLEAN, operators.negate(found) if node.negated else found)

    def _subquery(self, node: Subquery) -> Bound:
        name, number = self.preparation.subquery(node, self.clause)
        return subquery_exists(number) if node.exists else subquery_value(name, number)

    def _in_subquery(self, node: InSubquery) -> Bound:
        name, number = self.preparation.subquery(node.query, self.clause)
        found = operators.among(
            self.bind(node.operand), name, lambda environment: environment.subqueries[number].values
        )
        return Bound(BOOLEAN, operators.negate(found.evaluate)) if node.negated else found

    def _between(self, node: Between) -> Bound:
        operand = self.bind(node.operand)
        above = operators.compare(">=", operand, self.bind(node.low))
        below = operators.compare("<=", operand, self.bind(node.high))
        inside = operators.both(above.evaluate, below.evaluate)
        return Bound(BOOLEAN, operators.negate(inside) if node.negated else inside)

    def _like(self, node: Like) -> Bound:
        bound = operators.like(self.bind(node.operand), self.bind(node.pattern))
        return Bound(BOOLEAN, operators.negate(bound.evaluate)) if node.negated else bound

    def _case(self, node: Case) -> Bound:
        operand = None if node.operand is None else self.bind(node.operand)
        tests: list[Evaluate] = []
        for when, _then in node.branches:
            if operand is None:
                tests.append(self.condition(when, "CASE/WHEN").evaluate)
            else:
                tests.append(operators.compare("=", operand, self.bind(when)).evaluate)
        otherwise = Literal(node.span, None, UNKNOWN) if node.otherwise is None else node.otherwise
        name, results = self._alike([otherwise, *(then for _when, then in node.branches)], "CASE")
        last, branches = results[0], list(zip(tests, results[1:], strict=True))

        def evaluate(environment: Environment) -> object:
            for test, result in branches:
                if test(environment) is True:
                    return result(environment)
            return last(environment)

        return Bound(name, evaluate)

    def _cast(self, node: Cast) -> Bound:
        return cast(self.bind(node.operand), node.type)

    def _call(self, node: Call) -> Bound:
        if node.name in AGGREGATES:
            return self._aggregate(node)
        function = FUNCTIONS[node.name]
        count, most = len(node.arguments), function.arguments_max
        if count < function.arguments_min or (most is not None and count > most):
            raise SqlError(f"{node.name} is called as {function.form}, here with {count} arguments", sqlstate="42883")
        if function.takes == ALIKE:
            name, evaluators = self._alike(list(node.arguments), node.name.upper())
        else:
            name, evaluate = self._argument(node, function.takes, function.form)
            evaluators = [evaluate]
        apply = function.apply
        result = name if function.gives == SAME else function.gives
        return Bound(result, lambda environment: apply(environment, evaluators))

    def _aggregate(self, node: Call) -> Bound:
        if self.aggregates is None:
            place = self.clause or "a condition or value on one row"
            raise SqlError(f"aggregate functions are not allowed in {place}", sqlstate="42803")
        function = AGGREGATES[node.name]
        if len(node.arguments) != (0 if node.star else 1):
            message = f"{node.name} is called as {function.form}, here with {len(node.arguments)} arguments"
            raise SqlError(message, sqlstate="42883")
        inner = Binder(self.preparation, self.scope, None, "another aggregate")
        name, argument = (BIGINT, constant(1)) if node.star else inner._argument(node, function.takes, function.form)
        self.aggregates.append(Aggregation(argument, function.fold, node.distinct))
        index = len(self.aggregates) - 1
        result = name if function.gives == SAME else function.gives
        if result == INTEGER and function.takes == NUMBER:
            result = BIGINT
        return Bound(result, lambda environment: environment.aggregates[index])

    def _argument(self, node: Call, takes: str, form: str) -> tuple[str, Evaluate]:
        """Bind the one argument of a call, which must be of the class `takes`."""
        bound = self.bind(node.arguments[0])
        if bound.type == UNKNOWN:
            bound = adapt(bound, _LITERAL_TYPES.get(takes, takes))
        if takes != ALIKE and not same_class(bound.type, takes):
            raise SqlError(f"function {node.name}({bound.type}) does not exist; use {form}", sqlstate="42883")
        return bound.type, bound.evaluate

    def _alike(self, nodes: list[Expression], what: str) -> tuple[str, list[Evaluate]]:
        """Bind values that must share one type."""
        bounds = [self.bind(node) for node in nodes]
        name = common_type(bounds)
        if name is None:
            first, second = list(dict.fromkeys(bound.type for bound in bounds if bound.type != UNKNOWN))[:2]
            raise SqlError(f"{what} types {first} and {second} cannot be matched", sqlstate="42804")
        return name, [adapt(bound, name).evaluate for bound in bounds]


_LITERAL_TYPES = {ALIKE: TEXT, ORDERED: TEXT, NUMBER: DOUBLE, TIME: TIMESTAMP}
"""The type a quoted literal gets as an argument of each class."""

_BINDERS = {
    Literal: "_literal",
    Parameter: "_parameter",
    ColumnName: "_column",
    Unary: "_unary",
    Binary: "_binary",
    IsTest: "_is_test",
    InList: "_in_list",
    Between: "_between",
    Like: "_like",
    Case: "_case",
    Cast: "_cast",
    Call: "_call",
    Subquery: "_subquery",
    InSubquery: "_in_subquery",
}
