"""SELECT: which rows, grouped or not, in which order, how many, and locked or not."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from py_runtime.stores.sql.binding import Binder, Scope
from py_runtime.stores.sql.bound import Environment, Evaluate, Version, constant
from py_runtime.stores.sql.conversions import adapt
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.explain import Condition, lock_failure
from py_runtime.stores.sql.plans import Outputs, bind_items, find_table, row_binder, scope_of, show
from py_runtime.stores.sql.sessions import Result, Session, Steps
from py_runtime.stores.sql.syntax import ColumnName, Expression, Literal, Parsed, Select, SortKey
from py_runtime.stores.sql.tables import Row, Table
from py_runtime.stores.sql.values import BIGINT, INTEGER

SKIP_LOCKED, NOWAIT = "FOR UPDATE SKIP LOCKED", "FOR UPDATE NOWAIT"


@dataclass(slots=True)
class Entry:
    """One row on its way to the result, or one group, whose `version` is its first row's."""

    row: Row | None
    version: Version
    aggregates: list[object] = field(default_factory=list)


class SelectPlan:
    """A bound SELECT. Without FROM it sees one row without columns."""

    def __init__(self, parsed: Parsed, types: Mapping[str, str], tables: Mapping[str, Table]) -> None:
        statement: Select = parsed.statement
        self.table = None if statement.table is None else find_table(tables, statement.table)
        self.condition = _condition(parsed, types, statement, self.table)
        scope = Scope({}) if self.table is None else scope_of(self.table, statement.table.alias)
        binder = Binder(parsed, types, scope, [])
        self.outputs: Outputs = bind_items(binder, statement.items)
        self.order = [(_sort_value(binder, key, self.outputs), key) for key in statement.order]
        self.group = tuple(binder.bind(column).evaluate for column in statement.group)
        self.aggregates = binder.aggregates
        self.grouped = bool(self.aggregates or self.group)
        if self.grouped:
            _check_grouping(binder, statement)
        self.locking = statement.locking
        if self.locking and (self.grouped or self.table is None):
            why = "with GROUP BY or aggregate functions" if self.grouped else "without a table"
            raise SqlError(f"FOR UPDATE is not allowed {why}", sqlstate="0A000")
        self.limit = _count(parsed, types, statement.limit, "LIMIT")
        self.offset = _count(parsed, types, statement.offset, "OFFSET")

    def run(self, session: Session, environment: Environment) -> Steps:
        """Read, group, sort, lock, cut. A row is locked only when its turn comes before LIMIT, as in PostgreSQL."""
        entries = self._sorted(self._entries(session, environment), environment)
        first = self.offset(environment) or 0
        limit = self.limit(environment)
        after = None if limit is None else first + limit
        result = Result()
        if self.locking:
            entries = yield from self._locked(session, environment, entries, after, result)
        for entry in entries[first:after]:
            environment.aggregates = entry.aggregates
            result.rows.append(show(self.outputs, entry.version, environment))
        result.row_count = len(result.rows)
        if self.locking and not result.rows:
            self.condition.explain(session, environment, result)
        return result

    def _entries(self, session: Session, environment: Environment) -> list[Entry]:
        if self.condition is None:
            found = [Entry(None, {})]
        else:
            found = [Entry(row, version) for row, version in self.condition.matching(session, environment)]
        if not self.grouped:
            return found
        groups: dict[tuple, list[Entry]] = {} if self.group else {(): []}
        for entry in found:
            environment.row = entry.version
            groups.setdefault(tuple(value(environment) for value in self.group), []).append(entry)
        return [self._group(members, environment) for members in groups.values()]

    def _group(self, members: list[Entry], environment: Environment) -> Entry:
        values: list[list[object]] = [[] for _aggregate in self.aggregates]
        for entry in members:
            environment.row = entry.version
            for aggregate, seen in zip(self.aggregates, values, strict=True):
                value = aggregate.argument(environment)
                if value is not None:
                    seen.append(value)
        folded = [aggregate.fold(seen) for aggregate, seen in zip(self.aggregates, values, strict=True)]
        return Entry(None, members[0].version if members else {}, folded)

    def _sorted(self, entries: list[Entry], environment: Environment) -> list[Entry]:
        """Sort by the last key first; each sort keeps the order of equal entries, so the first key decides."""
        for value, key in reversed(self.order):
            known: list[tuple[object, Entry]] = []
            null: list[Entry] = []
            for entry in entries:
                environment.row, environment.aggregates = entry.version, entry.aggregates
                sort_value = value(environment)
                if sort_value is None:
                    null.append(entry)
                else:
                    known.append((sort_value, entry))
            known.sort(key=lambda pair: pair[0], reverse=key.descending)
            ordered = [entry for _value, entry in known]
            entries = null + ordered if key.nulls_first else ordered + null
        return entries

    def _locked(
        self, session: Session, environment: Environment, entries: list[Entry], wanted: int | None, result: Result
    ) -> Steps:
        """Lock entries in order until `wanted` are; a row that changed meanwhile must match still."""
        kept: list[Entry] = []
        for entry in entries:
            if wanted is not None and len(kept) >= wanted:
                break
            row, table = entry.row, self.table
            if row.holder not in (None, session):
                if self.locking == NOWAIT:
                    message = f'could not obtain lock on row in relation "{table.name}"'
                    raise SqlError(message, sqlstate="55P03")
                if self.locking == SKIP_LOCKED:
                    failed = [lock_failure(self.locking)]
                    result.add_unmatched({"row": table.label(row, entry.version), "failed": failed})
                    continue
            yield from session.lock(row, table)
            version = row.pending
            if version is not None and (version is entry.version or self.condition.holds(version, environment)):
                kept.append(Entry(row, version))
        if kept:
            result.forget_unmatched()
        return kept


def _condition(parsed: Parsed, types: Mapping[str, str], statement: Select, table: Table | None) -> Condition | None:
    if table is not None:
        return Condition(row_binder(parsed, types, table, statement.table, "WHERE"), statement.where, table)
    if statement.where is not None:
        raise SqlError("WHERE needs FROM and a table", sqlstate="0A000", **parsed.place_of(statement.where))
    return None


def _sort_value(binder: Binder, key: SortKey, outputs: Outputs) -> Evaluate:
    """Find what a sort key means: the number of an output, the name of one, or an expression of its own."""
    node = key.expression
    if isinstance(node, Literal) and node.type == INTEGER:
        if not 1 <= node.value <= len(outputs):
            message = f"ORDER BY position {node.value} is not in select list"
            raise SqlError(message, sqlstate="42P10", **binder.parsed.place_of(node))
        return outputs[node.value - 1][1]
    if isinstance(node, ColumnName) and node.table is None:
        for name, evaluate in outputs:
            if name == node.name:
                return evaluate
    return binder.bind(node).evaluate


def _check_grouping(binder: Binder, statement: Select) -> None:
    grouped = [column.name for column in statement.group]
    if any(item.expression is None for item in statement.items):
        raise SqlError("SELECT * cannot be grouped; name the columns of GROUP BY", sqlstate="42803")
    for column in binder.columns_seen:
        if column.name not in grouped:
            name = f'"{statement.table.alias}.{column.name}"'
            message = f"column {name} must appear in the GROUP BY clause or be used in an aggregate function"
            raise SqlError(message, sqlstate="42803", **binder.parsed.place_of(column))


def _count(parsed: Parsed, types: Mapping[str, str], node: Expression | None, clause: str) -> Evaluate:
    """Bind LIMIT or OFFSET: a whole number, not negative, of no column; NULL is as good as leaving it out."""
    if node is None:
        return constant(None)
    bound = adapt(Binder(parsed, types, Scope({}), None, clause).bind(node), BIGINT)
    if bound.type not in (INTEGER, BIGINT):
        message = f"argument of {clause} must be type bigint, not type {bound.type}"
        raise SqlError(message, sqlstate="42804", **parsed.place_of(node))

    def count(environment: Environment) -> object:
        value = bound.evaluate(environment)
        if value is not None and value < 0:
            raise SqlError(f"{clause} must not be negative", sqlstate="2201W")
        return value

    return count
