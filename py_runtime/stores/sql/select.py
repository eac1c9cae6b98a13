"""SELECT: which rows, grouped or not, in which order, how many, and locked or not."""

from dataclasses import dataclass, field

from py_runtime.stores.sql.binding import Binder
from py_runtime.stores.sql.bound import Environment, Evaluate, Version, constant
from py_runtime.stores.sql.conversions import adapt
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.explain import Condition, lock_failure
from py_runtime.stores.sql.expressions import ColumnName, Expression, Literal
from py_runtime.stores.sql.plans import Outputs, bind_items, check_distinct, check_grouping, find_table, scope_of, show
from py_runtime.stores.sql.preparation import Preparation
from py_runtime.stores.sql.scope import Scope
from py_runtime.stores.sql.sessions import Result, Session, Steps
from py_runtime.stores.sql.syntax import Select, SortKey
from py_runtime.stores.sql.tables import Row
from py_runtime.stores.sql.tokens import Token
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

    def __init__(self, preparation: Preparation, statement: Select | None = None) -> None:
        statement = statement or preparation.parsed.statement
        self.table = None if statement.table is None else find_table(preparation.tables, statement.table)
        scope = Scope({}) if self.table is None else scope_of(self.table, statement.table.alias)
        self.condition = self.filter = None
        if self.table is not None:
            self.condition = Condition(Binder(preparation, scope, None, "WHERE"), statement.where, self.table)
        elif statement.where is not None:
            self.filter = Binder(preparation, scope, None, "WHERE").condition(statement.where, "WHERE").evaluate
        binder = Binder(preparation, scope, [])
        self.outputs: Outputs = bind_items(binder, statement.items)
        self.types = [output.type for output in self.outputs]
        self.having = None if statement.having is None else binder.condition(statement.having, "HAVING").evaluate
        self.order = [(_sort_value(binder, key, self.outputs), key) for key in statement.order]
        self.group = tuple(binder.bind(column).evaluate for column in statement.group)
        self.aggregates = binder.aggregates
        self.grouped = bool(self.aggregates or self.group or self.having)
        if self.grouped:
            check_grouping(binder, statement)
        self.distinct = statement.distinct
        if self.distinct:
            check_distinct(binder, statement, self.outputs)
        self.locking = statement.locking
        self._refuse_locking(statement.locking_at)
        self.limit = _count(preparation, statement.limit, "LIMIT")
        self.offset = _count(preparation, statement.offset, "OFFSET")

    def run(self, session: Session, environment: Environment) -> Steps:
        """Read, group, sort, lock, cut; the chosen rows are the result."""
        result = Result()
        for entry in (yield from self._chosen(session, environment, result)):
            environment.aggregates = entry.aggregates
            result.rows.append(show(self.outputs, entry.version, environment))
        result.row_count = len(result.rows)
        if self.locking and not result.rows:
            session.end_statement()
            self.condition.explain(session, environment, result)
        return result

    def values(self, session: Session, environment: Environment, result: Result) -> Steps:
        """Return the values of the first column, for a statement this stands in; `result` gets the rows passed over."""
        evaluate, found = self.outputs[0].evaluate, []
        for entry in (yield from self._chosen(session, environment, result)):
            environment.row, environment.aggregates = entry.version, entry.aggregates
            found.append(evaluate(environment))
        return found

    def explain(self, session: Session, environment: Environment, result: Result) -> None:
        """Fill `result.unmatched` with why no row was chosen."""
        if self.condition is not None:
            self.condition.explain(session, environment, result)

    def _refuse_locking(self, at: Token) -> None:
        if self.locking and (self.grouped or self.distinct or self.table is None):
            why = "with DISTINCT clause" if self.distinct else "with aggregate functions"
            if self.group or self.having:
                why = f"with {'GROUP BY' if self.group else 'HAVING'} clause"
            why = "without a table" if self.table is None else why
            raise SqlError(f"FOR UPDATE is not allowed {why}", sqlstate="0A000", **at.place)

    def _chosen(self, session: Session, environment: Environment, result: Result) -> Steps:
        """Return the rows or groups. A row is locked only when its turn comes before LIMIT, as in PostgreSQL."""
        entries = self._entries(session, environment)
        if self.distinct:
            entries = self._distinct(entries, environment)
        entries = self._sorted(entries, environment)
        first = self.offset(environment) or 0
        limit = self.limit(environment)
        after = None if limit is None else first + limit
        if self.locking:
            entries = yield from self._locked(session, environment, entries, after, result)
        return entries[first:after]

    def _distinct(self, entries: list[Entry], environment: Environment) -> list[Entry]:
        kept: dict[tuple, Entry] = {}
        for entry in entries:
            environment.row, environment.aggregates = entry.version, entry.aggregates
            kept.setdefault(tuple(output.evaluate(environment) for output in self.outputs), entry)
        return list(kept.values())

    def _entries(self, session: Session, environment: Environment) -> list[Entry]:
        if self.condition is None:
            found = [Entry(None, {})] if self.filter is None or self.filter(environment) is True else []
        else:
            found = [Entry(row, version) for row, version in self.condition.matching(session, environment)]
        if not self.grouped:
            return found
        groups: dict[tuple, list[Entry]] = {} if self.group else {(): []}
        for entry in found:
            environment.row = entry.version
            groups.setdefault(tuple(value(environment) for value in self.group), []).append(entry)
        entries = [self._group(members, environment) for members in groups.values()]
        return entries if self.having is None else [entry for entry in entries if self._has(entry, environment)]

    def _has(self, entry: Entry, environment: Environment) -> bool:
        environment.row, environment.aggregates = entry.version, entry.aggregates
        return self.having(environment) is True

    def _group(self, members: list[Entry], environment: Environment) -> Entry:
        values: list[list[object]] = [[] for _aggregate in self.aggregates]
        for entry in members:
            environment.row = entry.version
            for aggregate, seen in zip(self.aggregates, values, strict=True):
                value = aggregate.argument(environment)
                if value is not None:
                    seen.append(value)
        folded = [aggregate.result(seen) for aggregate, seen in zip(self.aggregates, values, strict=True)]
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
            session.refuse_if_changed(row)
            if row.holder not in (None, session):
                if self.locking == NOWAIT:
                    message = f'could not obtain lock on row in relation "{table.name}"'
                    raise SqlError(message, sqlstate="55P03")
                if self.locking == SKIP_LOCKED:
                    failed = [lock_failure(self.locking)]
                    result.add_unmatched({"row": table.label(row, entry.version), "failed": failed})
                    continue
            yield from session.lock(row, table, to_write=False)
            version = row.pending
            if version is not None and (version is entry.version or self.condition.holds(version, environment)):
                kept.append(Entry(row, version))
        if kept:
            result.forget_unmatched()
        return kept


def _sort_value(binder: Binder, key: SortKey, outputs: Outputs) -> Evaluate:
    """Find what a sort key means: the number of an output, the name of one, or an expression of its own."""
    node = key.expression
    if isinstance(node, Literal) and node.type == INTEGER:
        if not 1 <= node.value <= len(outputs):
            message = f"ORDER BY position {node.value} is not in select list"
            raise SqlError(message, sqlstate="42P10", **binder.parsed.place_of(node))
        return outputs[node.value - 1].evaluate
    if isinstance(node, Literal):
        raise SqlError("non-integer constant in ORDER BY", **binder.parsed.place_of(node))
    if isinstance(node, ColumnName) and node.table is None:
        for output in outputs:
            if output.name == node.name:
                return output.evaluate
    return binder.bind(node).evaluate


def _count(preparation: Preparation, node: Expression | None, clause: str) -> Evaluate:
    """Bind LIMIT or OFFSET: a whole number, not negative, of no column; NULL is as good as leaving it out."""
    if node is None:
        return constant(None)
    bound = adapt(Binder(preparation, Scope({}), None, clause).bind(node), BIGINT)
    if bound.type not in (INTEGER, BIGINT):
        message = f"argument of {clause} must be type bigint, not type {bound.type}"
        raise SqlError(message, sqlstate="42804", **preparation.parsed.place_of(node))

    def count(environment: Environment) -> object:
        value = bound.evaluate(environment)
        if value is not None and value < 0:
            raise SqlError(f"{clause} must not be negative", sqlstate="2201W")
        return value

    return count
