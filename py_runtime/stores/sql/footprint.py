"""What a statement looks at and changes, as an exploration asks: it swaps only statements with something in common.

Decides under which names (see py_runtime/sim/races.py). A row goes by its number. A search by a unique key reads that
key, which stands for whether there is such a row, and the rows that have it; a search without one reads every row, and
which rows there are. A change writes its row and the keys that it takes or gives up; a row that comes or goes changes
which rows there are. Knows nothing of transactions: what is part of one touches the whole database (server.py).
"""

from collections.abc import Iterable

from py_runtime.stores.sql.bound import Version
from py_runtime.stores.sql.tables import Row, Table, UniqueConstraint

_ROWS = "which rows"


class Footprint:
    """Gathers the names of one statement. whole: it has to do with everything, as CREATE TABLE has."""

    def __init__(self) -> None:
        self.reads: dict[tuple, None] = {}
        self.writes: dict[tuple, None] = {}
        self.whole = False

    def saw_all(self, table: Table) -> None:
        """The statement has looked at every row of the table."""
        self._saw((table.name, _ROWS), table, table.rows.values())

    def saw_key(self, table: Table, constraint: UniqueConstraint, key: tuple) -> None:
        """The statement has looked for the rows with that key."""
        self._saw((table.name, constraint.name, key), table, constraint.rows.get(key, ()))

    def _saw(self, name: tuple, table: Table, rows: Iterable[Row]) -> None:
        self.reads[name] = None
        self.reads.update(((table.name, row.number), None) for row in rows)

    def changes(self, table: Table, row: Row, version: Version | None) -> None:
        """The statement is about to make `version` the row's; None deletes it."""
        self.writes[table.name, row.number] = None
        if row.pending is None or version is None:
            self.writes[table.name, _ROWS] = None
        for constraint in table.unique:
            before, after = constraint.key_of(row.pending), constraint.key_of(version)
            if before != after:
                keys = [key for key in (before, after) if key is not None]
                self.writes.update(((table.name, constraint.name, key), None) for key in keys)
