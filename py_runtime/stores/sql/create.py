"""CREATE TABLE: from its definition to an empty table with PostgreSQL's names for unnamed constraints."""

from py_runtime.stores.sql.binding import Binder
from py_runtime.stores.sql.bound import Bound, constant
from py_runtime.stores.sql.conversions import Column, assignment
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.plans import scope_of
from py_runtime.stores.sql.preparation import Preparation
from py_runtime.stores.sql.scope import Scope
from py_runtime.stores.sql.syntax import ColumnDefinition, ConstraintDefinition, CreateTable, Parsed
from py_runtime.stores.sql.tables import CheckConstraint, Table, UniqueConstraint


def create_table(parsed: Parsed) -> Table:
    """Build the table that a CREATE TABLE describes. Raises SqlError when the definition contradicts itself."""
    statement: CreateTable = parsed.statement
    if parsed.parameters:
        at = next(token for token in parsed.tokens if token.kind == "parameter")
        raise SqlError(f"CREATE TABLE takes no parameters, here :{at.value}", sqlstate="42P02", **at.place)
    keys = [each for each in statement.constraints if each.kind == "PRIMARY KEY"]
    if len(keys) > 1:
        name = statement.table.name
        raise _refusal(f'multiple primary keys for table "{name}" are not allowed', keys[1], "42P16")
    required = keys[0].columns if keys else ()
    columns: dict[str, Column] = {}
    for definition in statement.columns:
        if definition.name in columns:
            message = f'column "{definition.name}" specified more than once'
            raise SqlError(message, sqlstate="42701", **definition.at.place)
        columns[definition.name] = _column(parsed, definition, definition.name in required)
    table = Table(statement.table.name, columns, [], [])
    names: list[str] = []
    for each in statement.constraints:
        if each.kind == "CHECK":
            _add_check(parsed, table, each, names)
        else:
            _add_unique(table, each, names)
    table.unique.sort(key=lambda constraint: not constraint.primary)
    table.checks.sort(key=lambda check: check.name)
    return table


def _column(parsed: Parsed, definition: ColumnDefinition, in_primary_key: bool) -> Column:
    column = Column(
        definition.name,
        definition.type,
        definition.length,
        definition.not_null or in_primary_key,
        Bound(definition.type, constant(None)),
    )
    if definition.default is None:
        return column
    value = Binder(Preparation(parsed, {}, {}), Scope({}), None, "DEFAULT expression").bind(definition.default)
    try:
        default = assignment(value, column)
    except SqlError as error:
        place = parsed.place_of(definition.default)
        raise SqlError(error.message, sqlstate=error.sqlstate, **place) from None
    return Column(column.name, column.type, column.length, column.not_null, default)


def _add_unique(table: Table, definition: ConstraintDefinition, names: list[str]) -> None:
    for name in definition.columns:
        if name not in table.columns:
            raise _refusal(f'column "{name}" named in key does not exist', definition, "42703")
        if definition.columns.count(name) > 1:
            raise _refusal(f'column "{name}" appears twice in {definition.kind}', definition, "42701")
    primary = definition.kind == "PRIMARY KEY"
    usual = f"{table.name}_pkey" if primary else f"{table.name}_{'_'.join(definition.columns)}_key"
    name = _name(definition, usual, names)
    table.unique.append(UniqueConstraint(name, definition.columns, primary))


def _add_check(parsed: Parsed, table: Table, definition: ConstraintDefinition, names: list[str]) -> None:
    binder = Binder(Preparation(parsed, {}, {}), scope_of(table, table.name), None, "check constraints")
    condition = binder.condition(definition.condition, "CHECK")
    used = definition.columns or tuple(dict.fromkeys(column.name for column in binder.columns_seen))
    usual = f"{table.name}_{used[0]}_check" if len(used) == 1 else f"{table.name}_check"
    table.checks.append(CheckConstraint(_name(definition, usual, names), condition))


def _name(definition: ConstraintDefinition, usual: str, names: list[str]) -> str:
    """Return the name given, or the usual one, numbered when it is taken."""
    if definition.name in names:
        if definition.kind == "CHECK":
            raise _refusal(f'check constraint "{definition.name}" already exists', definition, "42710")
        raise _refusal(f'relation "{definition.name}" already exists', definition, "42P07")
    name, number = definition.name or usual, 0
    while name in names:
        number += 1
        name = f"{usual}{number}"
    names.append(name)
    return name


def _refusal(message: str, definition: ConstraintDefinition, sqlstate: str) -> SqlError:
    return SqlError(message, sqlstate=sqlstate, **definition.at.place)
