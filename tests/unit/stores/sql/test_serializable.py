"""Serializable transactions that overlap answer as if they had run one after another, in some order.

Random short transactions are interleaved; those that commit are then run alone, in every order, on a fresh database,
and one order must give every answer and the same rows. The twin at REPEATABLE READ shows that the check can fail. Left
out is ON CONFLICT DO NOTHING: the row it meets does not count as read, in PostgreSQL neither, so that a transaction
which must have come before may have deleted it.
"""

from itertools import permutations
from random import Random

import pytest

from py_runtime.stores.sql import IntegrityError, SqlDatabase
from py_runtime.stores.sql.database import Connection
from py_runtime.stores.sql.sessions import Execution

TRANSACTIONS = 3
Answer = tuple[str, list[tuple], int]


def fresh() -> SqlDatabase:
    database = SqlDatabase()
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)")
    database.execute("INSERT INTO t VALUES (1, 0), (2, 0), (3, 1)")
    return database


def draw(random: Random) -> list[str]:
    """Two or three statements: half of what they read they find by key, half by looking at every row."""
    row, value = (lambda: random.randint(1, 4)), (lambda: random.randint(0, 2))
    forms = [
        lambda: f"SELECT v FROM t WHERE id = {row()}",
        lambda: f"SELECT count(*) AS n FROM t WHERE v = {value()}",
        lambda: f"UPDATE t SET v = {value()} WHERE id = {row()}",
        lambda: f"UPDATE t SET v = v + 1 WHERE id = {row()} RETURNING v",
        lambda: f"UPDATE t SET v = 2 WHERE id = {row()} AND v = (SELECT min(v) FROM t)",
        lambda: f"DELETE FROM t WHERE id = {row()}",
        lambda: f"INSERT INTO t VALUES ({row()}, {value()})",
    ]
    return [random.choice(forms)() for _ in range(random.randint(2, 3))]


def answered(text: str, execution: Execution) -> Answer:
    result = execution.result
    return text, [tuple(row.values()) for row in result.rows], result.row_count


class Interleaved:
    """Transactions on connections of their own, one statement at a time in a random order."""

    def __init__(self, random: Random, level: str) -> None:
        self.database = fresh()
        self.committed: list[list[Answer]] = []
        self._waiting: set[Connection] = set()
        todo: dict[Connection, list[str]] = {}
        answers: dict[Connection, list[Answer]] = {}
        for _ in range(TRANSACTIONS):
            connection = self.database.connect()
            connection.execute(f"BEGIN ISOLATION LEVEL {level}")
            todo[connection], answers[connection] = [*draw(random), "COMMIT"], []
        while todo:
            connection = random.choice([each for each in todo if each not in self._waiting])
            text = todo[connection].pop(0)
            self._waiting.add(connection)

            def ended(execution: Execution, connection: Connection = connection, text: str = text) -> None:
                self._waiting.discard(connection)
                if execution.error is not None:
                    todo.pop(connection, None)
                elif text == "COMMIT":
                    self.committed.append(answers[connection])
                    todo.pop(connection)
                else:
                    answers[connection].append(answered(text, execution))

            connection.start(text, None, ended)
            if connection not in todo and connection not in self._waiting:
                connection.close()

    def has_a_serial_order(self) -> bool:
        """Say whether the committed ones, run alone in some order, give the same answers and the same rows."""
        return any(self._is_serial(order) for order in permutations(self.committed))

    def _is_serial(self, order: tuple[list[Answer], ...]) -> bool:
        alone = fresh()
        for transaction in order:
            for text, rows, row_count in transaction:
                try:
                    result = alone.execute(text)
                except IntegrityError:
                    return False
                if ([tuple(row.values()) for row in result.rows], result.row_count) != (rows, row_count):
                    return False
        return rows_of(alone) == rows_of(self.database)


def rows_of(database: SqlDatabase) -> list[tuple]:
    return sorted(tuple(row.values()) for row in database.rows("t"))


@pytest.mark.parametrize(("level", "always"), [("SERIALIZABLE", True), ("REPEATABLE READ", False)])
def test_what_commits_has_a_serial_order(level, always):
    cases = [Interleaved(Random(f"{level}:{number}"), level) for number in range(100)]
    assert sum(len(case.committed) for case in cases) > 150
    assert all(case.has_a_serial_order() for case in cases) is always
