"""The parts that the plans of several kinds of statement share."""

from collections.abc import Mapping
from typing import NamedTuple

from py_runtime.stores.sql.binding import Binder
from py_runtime.stores.sql.bound import Environment, Evaluate, Version
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import Literal
from py_runtime.stores.sql.preparation import Preparation
from py_runtime.stores.sql.scope import Scope
from py_runtime.stores.sql.syntax import Item, Select, TableName
from py_runtime.stores.sql.tables import Table
from py_runtime.stores.sql.values import plain


class Output(NamedTuple):
    """One column of a result."""

    name: str
    evaluate: Evaluate
    type: str


Outputs = list[Output]


def find_table(tables: Mapping[str, Table], name: TableName) -> Table:
    """Return the table, or raise SqlError that lists those there are."""
    if name.name not in tables:
        known = f"; there are {', '.join(tables)}" if tables else "; there are no tables yet"
        message = f'relation "{name.name}" does not exist{known}'
        raise SqlError(message, sqlstate="42P01", **name.at.place)
    return tables[name.name]


def scope_of(table: Table, alias: str, excluded: bool = False) -> Scope:
    """Return the scope in which the table's columns can be named."""
    columns = {name: column.type for name, column in table.columns.items()}
    return Scope(columns, table.name, alias, excluded)


def row_binder(preparation: Preparation, table: Table, name: TableName, clause: str) -> Binder:
    """Return a binder for expressions on one row of `table`."""
    return Binder(preparation, scope_of(table, name.alias), None, clause)


def bind_items(binder: Binder, items: tuple[Item, ...]) -> Outputs:
    """Bind a select list or RETURNING; `*` stands for every column. Names must differ, as rows are dictionaries."""
    outputs: Outputs = []
    for item in items:
        if item.expression is None:
            if not binder.scope.columns:
                raise SqlError("SELECT * with no tables specified is not valid", **item.at.place)
            outputs += [Output(name, _reader(name), kind) for name, kind in binder.scope.columns.items()]
        else:
            bound = binder.bind(item.expression)
            outputs.append(Output(item.name, bound.evaluate, bound.type))
    names = [output.name for output in outputs]
    for name in names:
        if names.count(name) > 1:
            at = next((item.at for item in reversed(items) if item.name == name), items[-1].at)
            message = f'two results are called "{name}"; give one another name with AS'
            raise SqlError(message, sqlstate="42701", **at.place)
    return outputs


def check_grouping(binder: Binder, statement: Select) -> None:
    """Refuse columns outside GROUP BY and outside aggregates."""
    grouped = [column.name for column in statement.group]
    if any(item.expression is None for item in statement.items):
        at = next(item.at for item in statement.items if item.expression is None)
        raise SqlError("SELECT * cannot be grouped; name the columns of GROUP BY", sqlstate="42803", **at.place)
    for column in binder.columns_seen:
        if column.name not in grouped:
            name = f'"{statement.table.alias}.{column.name}"'
            message = f"column {name} must appear in the GROUP BY clause or be used in an aggregate function"
            raise SqlError(message, sqlstate="42803", **binder.parsed.place_of(column))


def check_distinct(binder: Binder, statement: Select, outputs: Outputs) -> None:
    """Refuse an order by what SELECT DISTINCT does not show."""
    parsed = binder.parsed
    shown = [output.name for output in outputs]
    shown += [parsed.text_of(item.expression) for item in statement.items if item.expression is not None]
    for key in statement.order:
        if not isinstance(key.expression, Literal) and parsed.text_of(key.expression) not in shown:
            message = "for SELECT DISTINCT, ORDER BY expressions must appear in select list"
            raise SqlError(message, sqlstate="42P10", **parsed.place_of(key.expression))


def show(outputs: Outputs, version: Version, environment: Environment) -> dict[str, object]:
    """Return one result row."""
    environment.row = version
    return {name: plain(evaluate(environment)) for name, evaluate, _type in outputs}


def _reader(name: str) -> Evaluate:
    return lambda environment: environment.row[name]
