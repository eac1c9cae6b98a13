"""Which serializable transactions may not all commit: PostgreSQL's rule of two dependencies in a row.

A transaction that read what another, at the same time, wrote comes before it in any order that explains both: a
dependency from reader to writer. Where a transaction has one on either side, and the last of the three committed
first, there may be no such order, and one of them is refused. The rule may refuse too much, never too little.

What is read counts by key where a condition fixes a unique key, else the whole table counts. Knows no locks and no
statements. The rule and the choice of the one that is refused are those of the paper by Ports and Grittner
(Serializable Snapshot Isolation in PostgreSQL, 2012), sections 3.3 and 5.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from py_runtime.stores.sql.errors import SqlError

if TYPE_CHECKING:
    from py_runtime.stores.sql.bound import Version
    from py_runtime.stores.sql.tables import Row, Table, UniqueConstraint

WholeTable = tuple[str, None, None]
OneKey = tuple[str, "UniqueConstraint", tuple]


@dataclass(slots=True, eq=False)
class Transaction:
    """A serializable transaction, kept after its commit for as long as one that overlapped it is open.

    `before` are those that read what this one wrote, `after` those that wrote what this one read.
    """

    snapshot: int
    committed_as: int | None = None
    doomed: bool = False
    wrote: bool = False
    followed: bool = False
    """At its commit, one of `after` had committed already."""
    reads: dict[WholeTable | OneKey, None] = field(default_factory=dict)
    before: dict[Transaction, None] = field(default_factory=dict)
    after: dict[Transaction, None] = field(default_factory=dict)

    @property
    def only_read(self) -> bool:
        """True of one that committed without writing."""
        return self.committed_as is not None and not self.wrote

    def refuse_if_doomed(self) -> None:
        """Raise the error of a transaction that another's commit made impossible."""
        if self.doomed:
            raise refusal()

    def has_read(self, table: Table, versions: tuple[Version | None, ...]) -> bool:
        """Say whether a change of a row between these versions changes what was read."""
        for name, constraint, key in self.reads:
            if name == table.name and (constraint is None or any(constraint.key_of(each) == key for each in versions)):
                return True
        return False


@dataclass(slots=True)
class Overlapping:
    """The serializable transactions that are open, and those that committed while one of them was."""

    _transactions: dict[Transaction, None] = field(default_factory=dict)
    _by_commit: dict[int, Transaction] = field(default_factory=dict)

    def begin(self, snapshot: int) -> Transaction:
        """Enter a transaction that sees the commits up to `snapshot`."""
        transaction = Transaction(snapshot)
        self._transactions[transaction] = None
        return transaction

    def read(self, reader: Transaction, what: WholeTable | OneKey, rows: list[Row]) -> None:
        """Note that `reader` looked at rows; whoever changed one since its snapshot comes after it."""
        reader.reads[what] = None
        if rows:
            reader.refuse_if_doomed()
        for row in rows:
            for number, _version in row.past:
                if number > reader.snapshot and number in self._by_commit:
                    self._depends(reader, self._by_commit[number], reader)
            writer = None if row.pending is row.committed else row.holder.serializable
            if writer not in (None, reader) and not writer.doomed:
                self._depends(reader, writer, reader)

    def write(self, writer: Transaction, table: Table, versions: tuple[Version | None, ...]) -> None:
        """Note that `writer` changes a row; whoever read it at the same time comes before it."""
        writer.wrote = True
        writer.refuse_if_doomed()
        for reader in list(self._transactions):
            overlaps = reader.committed_as is None or reader.committed_as > writer.snapshot
            if reader is not writer and not reader.doomed and overlaps and reader.has_read(table, versions):
                self._depends(reader, writer, writer)

    def refuse_commit(self, committing: Transaction) -> None:
        """Raise when it cannot commit; doom those that its commit makes impossible."""
        committing.refuse_if_doomed()
        for middle in committing.before:
            if middle.committed_as is not None or middle.doomed:
                continue
            if any(first is committing or (first.committed_as is None and not first.doomed) for first in middle.before):
                middle.doomed = True

    def committed(self, transaction: Transaction, number: int) -> None:
        """Note a commit."""
        transaction.committed_as = number
        self._by_commit[number] = transaction
        for other in list(transaction.after):
            if other.committed_as is not None:
                transaction.followed = transaction.followed or transaction.wrote
                _part(transaction, other)
        for other in list(transaction.before):
            if other.committed_as is not None:
                _part(other, transaction)
        self._forget()

    def rolled_back(self, transaction: Transaction) -> None:
        """Forget a transaction that changed nothing."""
        for other in list(transaction.after):
            _part(transaction, other)
        for other in list(transaction.before):
            _part(other, transaction)
        del self._transactions[transaction]
        self._forget()

    def _depends(self, reader: Transaction, writer: Transaction, running: Transaction) -> None:
        """Note that `reader` comes before `writer`; refuse or doom one where that closes a dangerous row of three."""
        if writer in reader.after:
            return
        if _dangerous(reader, writer):
            if running is writer or writer.committed_as is not None:
                raise refusal()
            writer.doomed = True
        reader.after[writer] = None
        writer.before[reader] = None

    def _forget(self) -> None:
        """Drop the committed transactions that no open one overlaps."""
        oldest = min((each.snapshot for each in self._transactions if each.committed_as is None), default=None)
        for each in list(self._transactions):
            if each.committed_as is not None and (oldest is None or each.committed_as <= oldest):
                del self._transactions[each]
                del self._by_commit[each.committed_as]


def _dangerous(reader: Transaction, writer: Transaction) -> bool:
    """Say whether reader and writer are two of three in a row, the last of which committed first."""
    if writer.committed_as is not None and writer.followed:
        return True
    for last in writer.after:
        if last.committed_as is None or (reader.only_read and last.committed_as > reader.snapshot):
            continue
        if all(each.committed_as is None or last.committed_as <= each.committed_as for each in (reader, writer)):
            return True
    if writer.committed_as is None or reader.only_read:
        return False
    for first in reader.before:
        later = first.committed_as is None or first.committed_as >= writer.committed_as
        if not first.doomed and later and (not first.only_read or first.snapshot >= writer.committed_as):
            return True
    return False


def _part(reader: Transaction, writer: Transaction) -> None:
    reader.after.pop(writer, None)
    writer.before.pop(reader, None)


def refusal() -> SqlError:
    """Return the error of a transaction that has to be tried again."""
    message = "could not serialize access due to read/write dependencies among transactions"
    return SqlError(message, sqlstate="40001")
