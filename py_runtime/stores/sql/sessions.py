"""Sessions: transactions at PostgreSQL's three levels, row locks, and waiting for them without blocking anything.

Decides who may write a row and who waits for whom. A statement runs as a generator: it yields a `Session` it has to
wait for and is resumed after that session's transaction has ended. Does not know what statements do.

Rules kept from PostgreSQL: a reader never waits and sees committed rows plus its own changes; a writer waits for the
row's holder and then looks at the row again; an error ends the transaction's effects at once, and until ROLLBACK every
further statement is refused. Two sessions that wait for each other are a deadlock: the one that would close the circle
fails (PostgreSQL notices after `deadlock_timeout`, one second by default; here it is at once). At REPEATABLE READ and
SERIALIZABLE a row that somebody else changed since the transaction's snapshot cannot be locked.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field

from py_runtime.stores.sql.bound import Version
from py_runtime.stores.sql.commits import READ_COMMITTED, SERIALIZABLE, Commits
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.footprint import Footprint
from py_runtime.stores.sql.serializable import Transaction
from py_runtime.stores.sql.tables import Clash, Row, Table, view

Steps = Generator["Session", None, "Result"]
"""A running statement: yields the session it waits for, returns its result."""

UNMATCHED_ROWS_MAX = 10
"""How many rows an explanation lists. Experiments hold a few rows per table; more would not be read."""


@dataclass(slots=True)
class Result:
    """What a statement answers.

    `rows` are the rows of SELECT or RETURNING; `row_count` is how many rows were returned by SELECT, or inserted,
    updated or deleted; `changes` are the committed row changes, in the form the trace keeps; `unmatched` says, when a
    conditional write touched nothing, which conditions failed on which row; `unmatched_left_out` counts the rows
    beyond those listed.
    """

    rows: list[dict[str, object]] = field(default_factory=list)
    row_count: int = 0
    changes: list[dict[str, object]] = field(default_factory=list)
    unmatched: list[dict[str, object]] = field(default_factory=list)
    unmatched_left_out: int = 0

    def add_unmatched(self, entry: dict[str, object]) -> None:
        """List one more row, or count it when enough are listed."""
        if len(self.unmatched) < UNMATCHED_ROWS_MAX:
            self.unmatched.append(entry)
        else:
            self.unmatched_left_out += 1

    def forget_unmatched(self) -> None:
        """Drop the list: something was touched after all."""
        self.unmatched.clear()
        self.unmatched_left_out = 0


@dataclass(slots=True, eq=False)
class Session:
    """One connection's state.

    `single` is for one statement only, without BEGIN; `explicit` is True between BEGIN and COMMIT or ROLLBACK,
    `failed` after an error in between.
    """

    store: str
    commits: Commits
    single: bool = False
    explicit: bool = False
    failed: bool = False
    isolation: str = READ_COMMITTED
    snapshot: int | None = None
    """The last commit it sees; None means every one there is."""
    serializable: Transaction | None = None
    started_us: int | None = None
    queried: bool = False
    waits_for: Session | None = None
    footprint: Footprint | None = None
    """What its statement looks at and changes, where an exploration asks."""
    touched: list[tuple[Table, Row]] = field(default_factory=list)
    """The rows this session has locked or made, in that order, until its transaction ends."""

    def query(self) -> None:
        """Note a statement that reads or writes; above READ COMMITTED, a transaction's first one takes a snapshot."""
        if not self.queried:
            self.queried = True
            if self.isolation != READ_COMMITTED:
                self.commits.hold(self)
            if self.isolation == SERIALIZABLE:
                self.serializable = self.commits.overlapping.begin(self.snapshot)

    def lock(self, row: Row, table: Table, to_write: bool = True) -> Steps:
        """Take the row's lock, waiting for its holder as long as needed. Raises SqlError when it changed too late.

        Whoever found the row through the snapshot asks `refuse_if_changed` first, so as not to wait in vain.
        """
        while row.holder not in (None, self):
            yield from self.wait(row.holder)
        self.refuse_if_changed(row, to_write)
        if row.holder is None:
            row.holder = self
            self.touched.append((table, row))

    def wait(self, holder: Session) -> Steps:
        """Wait until the holder's transaction has ended. Raises SqlError when the holder waits for this session."""
        other: Session | None = holder
        while other is not None:
            if other is self:
                raise SqlError("deadlock detected", sqlstate="40P01")
            other = other.waits_for
        if self.snapshot is None:
            self.commits.hold(self)
        self.waits_for = holder
        try:
            yield holder
        finally:
            self.waits_for = None

    def note_write(self, table: Table, *versions: Version | None) -> None:
        """Tell the other serializable transactions of a change between these versions of a row, before it is made."""
        if self.serializable is not None:
            self.commits.overlapping.write(self.serializable, table, versions)

    def write(self, row: Row, table: Table, version: Version | None) -> None:
        """Change a row whose lock this session has; None deletes it."""
        assert row.holder is self
        if self.footprint is not None:
            self.footprint.changes(table, row, version)
        table.put(row, version)

    def insert(self, table: Table, version: Version) -> Row:
        """Add a row that nobody else sees before the commit."""
        table.rows_made += 1
        row = Row(table.rows_made, None, None, self)
        self.touched.append((table, row))
        if self.footprint is not None:
            self.footprint.changes(table, row, version)
        table.add(row, version)
        return row

    def commit(self) -> list[dict[str, object]]:
        """Make this session's changes everybody's, free its locks, and return the changes."""
        gone: dict[str, None] = {}
        values: dict[str, dict[str, object]] = {}
        for table, row in self.touched:
            if row.pending is row.committed:
                continue
            if row.committed is not None:
                gone[table.label(row, row.committed)] = None
            if row.pending is not None:
                values[table.label(row, row.pending)] = view(row.pending)
        self.commits.record(self, self.touched)
        if self.serializable is not None:
            self.commits.overlapping.committed(self.serializable, self.commits.count)
            self.serializable = None
        self._settle(lambda row: row.pending)
        merged: dict[str, dict[str, object] | None] = {**gone, **values}
        return [{"store": self.store, "key": key, "type": "row", "value": value} for key, value in merged.items()]

    def rollback(self) -> None:
        """Undo this session's changes and free its locks."""
        if self.serializable is not None:
            self.commits.overlapping.rolled_back(self.serializable)
            self.serializable = None
        self._settle(lambda row: row.committed)

    def end_statement(self) -> None:
        """At READ COMMITTED, let the next statement see what has been committed meanwhile."""
        if self.snapshot is not None and self.isolation == READ_COMMITTED:
            self.commits.release(self)

    def refuse_failed(self) -> None:
        """Raise SqlError when an error has ended the transaction and ROLLBACK has not come yet."""
        if self.failed:
            message = "current transaction is aborted, commands ignored until end of transaction block"
            raise SqlError(message, sqlstate="25P02")

    def refuse_if_changed(self, row: Row, to_write: bool = False) -> None:
        """Above READ COMMITTED, raise when a commit that the snapshot does not see has changed the row."""
        if row.past and self.isolation != READ_COMMITTED and row.past[-1][0] > self.snapshot:
            how = "delete" if to_write and row.committed is None else "update"
            raise SqlError(f"could not serialize access due to concurrent {how}", sqlstate="40001")

    def settle_keys(self, clash: Clash | None, table: Table, version: Version) -> None:
        """End the search for another row with a key of `version`: raise if there is one.

        A transaction that cannot commit any more, perhaps since it waited for a key, hears of that instead.
        """
        if self.serializable is not None:
            self.serializable.refuse_if_doomed()
        if clash is not None:
            raise clash.constraint.violated_by(version, table.name)

    def _settle(self, choose: Callable[[Row], Version | None]) -> None:
        for table, row in self.touched:
            table.settle(row, choose(row))
        self.touched.clear()
        if self.snapshot is not None:
            self.commits.release(self)
        self.explicit = self.failed = self.queried = False
        self.isolation = READ_COMMITTED
        self.started_us = None


class Execution:
    """One statement on its way: finished, or waiting for another session.

    `result` or `error` is set once it is `done`; `on_done(execution)` is then called, also when it finished at once.
    """

    def __init__(
        self, session: Session, steps: Steps, wake: Callable[[Session], None], on_done: Callable[[Execution], None]
    ) -> None:
        self.session = session
        self.waits_for: Session | None = None
        self.result: Result | None = None
        self.error: SqlError | None = None
        self._steps = steps
        self._wake = wake
        self._on_done = on_done

    @property
    def done(self) -> bool:
        return self.result is not None or self.error is not None

    def resume(self) -> None:
        """Go on until the statement has finished or has to wait (again)."""
        try:
            self.waits_for = next(self._steps)
            return
        except StopIteration as stop:
            self.result = stop.value
        except SqlError as error:
            self.error = error
        self._finish()

    def cancel(self, error: SqlError) -> None:
        """End a waiting statement with `error`; its transaction is undone."""
        self._steps.close()
        self.error = error
        self._finish()

    def _finish(self) -> None:
        """End the transaction where the statement ends it, tell the caller, then let waiting statements go on."""
        session = self.session
        session.end_statement()
        self.waits_for = None
        if self.error is not None:
            was_explicit = session.explicit
            session.rollback()
            session.explicit = session.failed = was_explicit
        elif not session.explicit:
            self.result.changes = session.commit()
        self._on_done(self)
        self._wake(session)
