"""Tables: rows with a committed and perhaps an uncommitted version, the constraints on them, and their unique keys.

Decides whether a row may exist. Does not decide who may write or wait: a row's `holder` is set by `sessions.py`, and
a key held by somebody else's unfinished change is reported, not waited for, here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from py_runtime.stores.sql.bound import Bound, Environment, Version
from py_runtime.stores.sql.conversions import Column
from py_runtime.stores.sql.errors import CheckViolation, IntegrityError, NotNullViolation, UniqueViolation
from py_runtime.stores.sql.values import output_text, plain, to_text

SHOWN_LENGTH_MAX = 64
"""How much of a value the detail of an error shows; PostgreSQL counts bytes."""


@dataclass(slots=True, eq=False)
class Row:
    """One row. `committed` and `pending` are the same object unless `holder` has changed it; None means no row.

    `holder` is the session that locked the row, by FOR UPDATE or by changing it; only the holder sees `pending`.
    """

    number: int
    committed: Version | None
    pending: Version | None
    holder: Any = None
    past: Sequence[tuple[int, Version | None]] = ()
    """Commits that changed the row, each with the version before it, while a snapshot may need them."""

    def seen_by(self, session: Any) -> Version | None:
        """Return the version that `session` reads: its own, else the one of its snapshot, else the last committed."""
        if self.holder is session and self.pending is not self.committed:
            return self.pending
        if self.past and session is not None and session.snapshot is not None:
            return next((before for number, before in self.past if number > session.snapshot), self.committed)
        return self.committed

    def keys_of(self, constraint: "UniqueConstraint") -> list[tuple | None]:
        """Return the row's keys in all its versions."""
        versions = [self.committed, self.pending, *(before for _number, before in self.past)]
        return [constraint.key_of(version) for version in versions]


@dataclass(slots=True, eq=False)
class UniqueConstraint:
    """A primary key or UNIQUE. `rows` finds rows by key, in any of their versions; a key with a NULL is not kept."""

    name: str
    columns: tuple[str, ...]
    primary: bool
    rows: dict[tuple, list[Row]] = field(default_factory=dict)

    def key_of(self, version: Version | None) -> tuple | None:
        """Return the key of a version, or None when it has none: no row, or a NULL in it."""
        if version is None:
            return None
        key = tuple(version[name] for name in self.columns)
        return None if None in key else key

    def drop(self, key: tuple, row: Row) -> None:
        """Forget that `row` has `key`."""
        self.rows[key].remove(row)
        if not self.rows[key]:
            del self.rows[key]

    def violated_by(self, version: Version, table: str) -> IntegrityError:
        """Return the error for a version whose key another row has."""
        names, values = ", ".join(self.columns), ", ".join(output_text(value) for value in self.key_of(version))
        return UniqueViolation(
            f'duplicate key value violates unique constraint "{self.name}"',
            sqlstate="23505",
            table=table,
            constraint=self.name,
            detail=f"Key ({names})=({values}) already exists.",
        )


@dataclass(frozen=True, slots=True)
class CheckConstraint:
    name: str
    condition: Bound


@dataclass(frozen=True, slots=True)
class Clash:
    """Another row with the same key. `undecided` means that its holder has changed it, in whatever column, and may yet
    undo that: PostgreSQL waits for the outcome."""

    constraint: UniqueConstraint
    row: Row
    undecided: bool


@dataclass(slots=True)
class Table:
    """A table and its rows, in the order in which they were inserted."""

    name: str
    columns: dict[str, Column]
    unique: list[UniqueConstraint]
    checks: list[CheckConstraint]
    rows: dict[int, Row] = field(default_factory=dict)
    rows_made: int = 0

    @property
    def primary_key(self) -> UniqueConstraint | None:
        return next((constraint for constraint in self.unique if constraint.primary), None)

    def scan(self, session: object) -> Iterator[tuple[Row, Version]]:
        """Yield each row that `session` sees, with the version it sees."""
        for row in list(self.rows.values()):
            version = row.seen_by(session)
            if version is not None:
                yield row, version

    def check(self, version: Version, environment: Environment) -> None:
        """Raise IntegrityError when NOT NULL or a CHECK forbids `version`; a CHECK that gives NULL is satisfied."""
        for column in self.columns.values():
            if column.not_null and version[column.name] is None:
                raise NotNullViolation(
                    f'null value in column "{column.name}" of relation "{self.name}" violates not-null constraint',
                    sqlstate="23502",
                    table=self.name,
                    constraint=column.name,
                    detail=_failing(version),
                )
        environment.row = version
        for check in self.checks:
            if check.condition.evaluate(environment) is False:
                raise CheckViolation(
                    f'new row for relation "{self.name}" violates check constraint "{check.name}"',
                    sqlstate="23514",
                    table=self.name,
                    constraint=check.name,
                    detail=_failing(version),
                )

    def clash(
        self, version: Version, session: object, own: Row | None, constraints: list[UniqueConstraint]
    ) -> Clash | None:
        """Return a row, other than `own`, that has a key of `version` or may turn out to have it."""
        for constraint in constraints:
            key = constraint.key_of(version)
            for row in constraint.rows.get(key, ()) if key is not None else ():
                if row is own:
                    continue
                if row.holder in (None, session):
                    if constraint.key_of(row.pending) == key:
                        return Clash(constraint, row, undecided=False)
                    continue
                if key in (constraint.key_of(row.committed), constraint.key_of(row.pending)):
                    return Clash(constraint, row, undecided=row.pending is not row.committed)
        return None

    def add(self, row: Row, version: Version) -> None:
        """Enter a new row, with `version` pending."""
        self.rows[row.number] = row
        self.put(row, version)

    def put(self, row: Row, version: Version | None) -> None:
        """Make `version` the row's pending one and findable under its keys; the committed one stays findable."""
        for constraint in self.unique:
            committed, old, new = (constraint.key_of(each) for each in (row.committed, row.pending, version))
            if old not in (None, committed, new):
                constraint.drop(old, row)
            if new not in (None, committed, old):
                constraint.rows.setdefault(new, []).append(row)
        row.pending = version

    def settle(self, row: Row, version: Version | None) -> None:
        """Make `version` the row's only one, after a commit or a rollback, and free the row."""
        for constraint in self.unique:
            kept = constraint.key_of(version)
            for key in dict.fromkeys((constraint.key_of(row.committed), constraint.key_of(row.pending))):
                if key not in (None, kept):
                    constraint.drop(key, row)
        row.committed = row.pending = version
        row.holder = None
        if version is None and not row.past:
            self.rows.pop(row.number, None)

    def label(self, row: Row, version: Version) -> str:
        """Name a row for people and for the trace: `table/primary key`, or `table/#number` without a primary key."""
        key = None if self.primary_key is None else self.primary_key.key_of(version)
        return f"{self.name}/#{row.number}" if key is None else self.key_label(key)

    def key_label(self, key: tuple) -> str:
        return f"{self.name}/{'/'.join(to_text(value) for value in key)}"


def view(version: Version) -> dict[str, object]:
    """Return a version as results and the trace show it."""
    return {name: plain(value) for name, value in version.items()}


def _failing(version: Version) -> str:
    """Write a refused row as PostgreSQL does, with long values cut."""
    shown = ["null" if value is None else output_text(value) for value in version.values()]
    cut = [text if len(text) <= SHOWN_LENGTH_MAX else f"{text[:SHOWN_LENGTH_MAX]}..." for text in shown]
    return f"Failing row contains ({', '.join(cut)})."
