"""INSERT, UPDATE and DELETE: each row is locked, looked at again if it had to wait, checked, then changed."""

from py_runtime.stores.sql.binding import Binder
from py_runtime.stores.sql.bound import Bound, Environment, Version
from py_runtime.stores.sql.conversions import assignment
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.explain import Condition, conflict_failure
from py_runtime.stores.sql.plans import Outputs, bind_items, find_table, row_binder, scope_of, show
from py_runtime.stores.sql.preparation import Preparation
from py_runtime.stores.sql.scope import Scope
from py_runtime.stores.sql.sessions import Result, Session, Steps
from py_runtime.stores.sql.syntax import Assignment, Conflict, Delete, Insert, Update
from py_runtime.stores.sql.tables import Clash, Row, Table, UniqueConstraint
from py_runtime.stores.sql.tokens import Token, one_line

Assignments = dict[str, Bound]


class ChangePlan:
    """A bound UPDATE or DELETE; a DELETE has no assignments."""

    def __init__(self, preparation: Preparation) -> None:
        statement: Update | Delete = preparation.parsed.statement
        self.table = find_table(preparation.tables, statement.table)
        where = row_binder(preparation, self.table, statement.table, "WHERE")
        self.condition = Condition(where, statement.where, self.table)
        self.assignments: Assignments | None = None
        if isinstance(statement, Update):
            values = row_binder(preparation, self.table, statement.table, "UPDATE")
            self.assignments = _bind_assignments(values, self.table, statement.assignments)
        returning = row_binder(preparation, self.table, statement.table, "RETURNING")
        self.returning = bind_items(returning, statement.returning)

    def run(self, session: Session, environment: Environment) -> Steps:
        """Change every row that matches now and still matches once its lock is held."""
        result = Result()
        for row, seen in self.condition.matching(session, environment):
            session.refuse_if_changed(row, to_write=True)
            yield from session.lock(row, self.table)
            current = row.pending
            if current is None or not (current is seen or self.condition.holds(current, environment)):
                continue
            if self.assignments is None:
                session.note_write(self.table, current)
                session.write(row, self.table, None)
                changed = current
            else:
                changed = yield from _update(session, environment, self.table, row, self.assignments)
            result.row_count += 1
            if self.returning:
                result.rows.append(show(self.returning, changed, environment))
        if result.row_count == 0:
            session.end_statement()
            self.condition.explain(session, environment, result)
        return result


class InsertPlan:
    """A bound INSERT."""

    def __init__(self, preparation: Preparation) -> None:
        statement: Insert = preparation.parsed.statement
        self.table = find_table(preparation.tables, statement.table)
        binder = Binder(preparation, Scope({}), None, "VALUES")
        self.rows = [_bind_assignments(binder, self.table, _named(row, self.table)) for row in statement.rows]
        self.conflict = None
        if statement.conflict is not None:
            self.conflict = ConflictPlan(preparation, self.table, statement.conflict)
        returning = row_binder(preparation, self.table, statement.table, "RETURNING")
        self.returning: Outputs = bind_items(returning, statement.returning)

    def run(self, session: Session, environment: Environment) -> Steps:
        """Insert the rows one by one; the first that fails ends the statement, and nothing of it stays."""
        result = Result()
        written: list[Row] = []
        for values in self.rows:
            version = self._version(values, environment)
            self.table.check(version, environment)
            stored = yield from self._store(session, environment, version, written, result)
            if stored is None:
                continue
            result.row_count += 1
            if self.returning:
                result.rows.append(show(self.returning, stored, environment))
        if result.row_count:
            result.forget_unmatched()
        return result

    def _version(self, values: Assignments, environment: Environment) -> Version:
        columns = self.table.columns.values()
        return {column.name: values.get(column.name, column.default).evaluate(environment) for column in columns}

    def _store(
        self, session: Session, environment: Environment, version: Version, written: list[Row], result: Result
    ) -> Steps:
        """Insert `version`, or do what ON CONFLICT says; returns the stored version, or None when nothing was."""
        arbiters = [] if self.conflict is None else self.conflict.arbiters
        while True:
            clash = yield from _settled_clash(session, self.table, version, None, arbiters)
            if clash is not None:
                handled = yield from self.conflict.apply(session, environment, version, clash, written, result)
                if handled is _GONE:
                    continue
                return handled
            session.note_write(self.table, version)
            clash = yield from _settled_clash(session, self.table, version, None, self.table.unique)
            if clash is not None and clash.constraint in arbiters:
                continue
            session.settle_keys(clash, self.table, version)
            written.append(session.insert(self.table, version))
            return version


_GONE: Version = {}
"""What ON CONFLICT DO UPDATE answers, by identity, when the row it met has vanished while it waited."""


class ConflictPlan:
    """A bound ON CONFLICT."""

    def __init__(self, preparation: Preparation, table: Table, conflict: Conflict) -> None:
        self.table = table
        self.text = one_line(preparation.parsed.tokens[slice(*conflict.span)])
        self.arbiters = _arbiters(table, conflict, preparation.parsed.tokens[conflict.span[0]])
        self.assignments: Assignments = {}
        self.condition: Condition | None = None
        if conflict.assignments:
            scope = scope_of(table, table.name, excluded=True)
            binder = Binder(preparation, scope, None, "ON CONFLICT")
            self.assignments = _bind_assignments(binder, table, conflict.assignments)
            self.condition = Condition(binder, conflict.where, table)

    def apply(
        self,
        session: Session,
        environment: Environment,
        version: Version,
        clash: Clash,
        written: list[Row],
        result: Result,
    ) -> Steps:
        """Deal with a row that has the key of `version`; returns what it became, or None when it was left alone."""
        row, table = clash.row, self.table
        if self.condition is None:
            session.refuse_if_changed(row)
            failed = [conflict_failure(self.text, clash.constraint, version)]
            label = table.label(row, row.seen_by(session) or version)
            result.add_unmatched({"row": label, "failed": failed})
            return None
        if row in written:
            message = "ON CONFLICT DO UPDATE command cannot affect row a second time"
            raise SqlError(message, sqlstate="21000")
        yield from session.lock(row, table)
        if clash.constraint.key_of(row.pending) != clash.constraint.key_of(version):
            return _GONE
        environment.excluded = version
        if not self.condition.holds(row.pending, environment):
            result.add_unmatched(self.condition.failures(row, row.pending, environment))
            return None
        written.append(row)
        return (yield from _update(session, environment, table, row, self.assignments))


def _update(session: Session, environment: Environment, table: Table, row: Row, assignments: Assignments) -> Steps:
    """Write a locked row's new version: every value is computed from the old one."""
    environment.row = row.pending
    version = dict(row.pending)
    version.update({name: value.evaluate(environment) for name, value in assignments.items()})
    table.check(version, environment)
    session.note_write(table, row.pending, version)
    clash = yield from _settled_clash(session, table, version, row, table.unique)
    session.settle_keys(clash, table, version)
    session.write(row, table, version)
    return version


def _settled_clash(
    session: Session, table: Table, version: Version, own: Row | None, constraints: list[UniqueConstraint]
) -> Steps:
    """Return the clash that stays, waiting for as long as another session's change leaves it open."""
    if session.footprint is not None:
        for constraint in constraints:
            key = constraint.key_of(version)
            if key is not None:
                session.footprint.saw_key(table, constraint, key)
    while True:
        clash = table.clash(version, session, own, constraints)
        if clash is None or not clash.undecided:
            return clash
        yield from session.wait(clash.row.holder)


def _bind_assignments(binder: Binder, table: Table, assignments: tuple[Assignment, ...]) -> Assignments:
    bound: Assignments = {}
    for each in assignments:
        column = table.columns.get(each.column)
        if column is None:
            known = ", ".join(table.columns)
            message = f'column "{each.column}" of relation "{table.name}" does not exist; it has {known}'
            raise SqlError(message, sqlstate="42703", **each.at.place)
        if each.column in bound:
            raise SqlError(f'column "{each.column}" specified more than once', sqlstate="42701", **each.at.place)
        if each.value is None:
            bound[each.column] = column.default
            continue
        value = binder.bind(each.value)
        try:
            bound[each.column] = assignment(value, column)
        except SqlError as error:
            place = binder.parsed.place_of(each.value)
            raise SqlError(error.message, sqlstate=error.sqlstate, **place) from None
    return bound


def _named(row: tuple[Assignment, ...], table: Table) -> tuple[Assignment, ...]:
    """Give the values of an INSERT without a column list the table's columns, in order."""
    if row[0].column:
        return row
    if len(row) > len(table.columns):
        at = row[len(table.columns)].at
        raise SqlError("INSERT has more expressions than target columns", **at.place)
    return tuple(Assignment(name, each.value, each.at) for name, each in zip(table.columns, row, strict=False))


def _arbiters(table: Table, conflict: Conflict, at: Token) -> list[UniqueConstraint]:
    """Find the unique constraint on exactly the columns named; all of them when none are named."""
    if conflict.columns is None:
        return table.unique
    for constraint in table.unique:
        if sorted(constraint.columns) == sorted(conflict.columns):
            return [constraint]
    keys = ", ".join(f"({', '.join(constraint.columns)})" for constraint in table.unique) or "none"
    message = "there is no unique or exclusion constraint matching the ON CONFLICT specification"
    raise SqlError(f'{message}; unique keys of "{table.name}": {keys}', sqlstate="42P10", **at.place)
