"""The order of commits, and the old versions of rows for as long as somebody's snapshot may still read them.

Decides what a session sees that must not see newer commits: a transaction at REPEATABLE READ or SERIALIZABLE, from its
first statement on, and at READ COMMITTED a statement that had to wait. Knows no statements and no locks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from py_runtime.stores.sql.serializable import Overlapping

if TYPE_CHECKING:
    from py_runtime.stores.sql.sessions import Session
    from py_runtime.stores.sql.tables import Row, Table

READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE = "read committed", "repeatable read", "serializable"


@dataclass(slots=True)
class Commits:
    """`count` numbers the commits of one database; a snapshot is the number of the last commit it sees."""

    count: int = 0
    overlapping: Overlapping = field(default_factory=Overlapping)
    _holders: dict[Session, None] = field(default_factory=dict)
    _rows: list[tuple[Table, Row]] = field(default_factory=list)

    def hold(self, session: Session) -> None:
        """Let the session see what is committed now, and nothing newer, until `release`."""
        session.snapshot = self.count
        self._holders[session] = None

    def release(self, session: Session) -> None:
        """Let the session see every commit again; versions that nobody reads any more are dropped."""
        session.snapshot = None
        self._holders.pop(session, None)
        if self._holders:
            return
        for table, row in self._rows:
            row.past = ()
            if row.committed is None and row.holder is None:
                table.rows.pop(row.number, None)
        self._rows.clear()

    def record(self, session: Session, touched: list[tuple[Table, Row]]) -> None:
        """Number the session's commit; called while its rows still have both versions."""
        self.count += 1
        if not self._holders or (len(self._holders) == 1 and session in self._holders):
            return
        for table, row in touched:
            if row.pending is not row.committed:
                if not row.past:
                    row.past = []
                    self._rows.append((table, row))
                row.past.append((self.count, row.committed))
