"""What a bound statement offers to run, and the parts that several kinds of statement share."""

from collections.abc import Mapping
from typing import Protocol

from py_runtime.stores.sql.binding import Binder, Scope
from py_runtime.stores.sql.bound import Environment, Evaluate, Version
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.sessions import Session, Steps
from py_runtime.stores.sql.syntax import Item, Parsed, TableName
from py_runtime.stores.sql.tables import Table
from py_runtime.stores.sql.values import plain

Outputs = list[tuple[str, Evaluate]]


class Plan(Protocol):
    """A statement whose names and types are settled; it may be run any number of times."""

    def run(self, session: Session, environment: Environment) -> Steps: ...


def find_table(tables: Mapping[str, Table], name: TableName) -> Table:
    """Return the table, or raise SqlError that lists those there are."""
    if name.name not in tables:
        known = f"; there are {', '.join(tables)}" if tables else "; there are no tables yet"
        message = f'relation "{name.name}" does not exist{known}'
        raise SqlError(message, sqlstate="42P01", line=name.at.line, column=name.at.column)
    return tables[name.name]


def scope_of(table: Table, alias: str, excluded: bool = False) -> Scope:
    """Return the scope in which the table's columns can be named."""
    columns = {name: column.type for name, column in table.columns.items()}
    return Scope(columns, table.name, alias, excluded)


def row_binder(parsed: Parsed, types: Mapping[str, str], table: Table, name: TableName, clause: str) -> Binder:
    """Return a binder for expressions on one row of `table`."""
    return Binder(parsed, types, scope_of(table, name.alias), None, clause)


def bind_items(binder: Binder, items: tuple[Item, ...]) -> Outputs:
    """Bind a select list or RETURNING; `*` stands for every column. Names must differ, as rows are dictionaries."""
    outputs: Outputs = []
    for item in items:
        if item.expression is None:
            if not binder.scope.columns:
                raise SqlError("SELECT * with no tables specified is not valid")
            outputs += [(name, _reader(name)) for name in binder.scope.columns]
        else:
            outputs.append((item.name, binder.bind(item.expression).evaluate))
    names = [name for name, _evaluate in outputs]
    for name in names:
        if names.count(name) > 1:
            raise SqlError(f'two results are called "{name}"; give one another name with AS', sqlstate="42701")
    return outputs


def show(outputs: Outputs, version: Version, environment: Environment) -> dict[str, object]:
    """Return one result row."""
    environment.row = version
    return {name: plain(evaluate(environment)) for name, evaluate in outputs}


def _reader(name: str) -> Evaluate:
    return lambda environment: environment.row[name]
