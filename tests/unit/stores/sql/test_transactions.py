"""Transactions at READ COMMITTED: what others see, who waits for whom, and what a waiting write does afterwards."""

import pytest

from py_runtime.stores.sql import IntegrityError, SqlDatabase, SqlError
from py_runtime.stores.sql.database import Connection
from py_runtime.stores.sql.sessions import Execution


@pytest.fixture
def database() -> SqlDatabase:
    database = SqlDatabase()
    database.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT NOT NULL, owner TEXT UNIQUE)")
    database.execute("INSERT INTO jobs VALUES (1, 'queued', NULL), (2, 'queued', NULL), (3, 'done', NULL)")
    return database


@pytest.fixture
def first(database) -> Connection:
    """A connection with a transaction open."""
    connection = database.connect()
    connection.execute("BEGIN")
    return connection


@pytest.fixture
def second(database) -> Connection:
    """Another connection, without a transaction."""
    return database.connect()


class Waiting:
    """Starts statements and keeps the order in which they finish."""

    def __init__(self) -> None:
        self.finished: list[str] = []

    def start(self, connection: Connection, text: str, name: str = "it") -> Execution:
        return connection.start(text, {}, lambda _execution: self.finished.append(name))


CLAIM = "UPDATE jobs SET state = 'claimed', owner = '{}' WHERE id = 1 AND state = 'queued'"


def states(connection: Connection | SqlDatabase) -> list[object]:
    return [row["state"] for row in connection.execute("SELECT state FROM jobs ORDER BY id").rows]


def test_nobody_else_sees_a_change_before_the_commit(database, first, second):
    result = first.execute(CLAIM.format("W1"))
    assert (result.row_count, result.changes) == (1, [])
    assert states(first) == ["claimed", "queued", "done"]
    assert states(second) == database_states(database) == ["queued", "queued", "done"]
    [change] = first.execute("COMMIT").changes
    assert change["value"] == {"id": 1, "state": "claimed", "owner": "W1"}
    assert states(second) == ["claimed", "queued", "done"]


def database_states(database: SqlDatabase) -> list[object]:
    return [row["state"] for row in database.rows("jobs")]


def test_rollback_undoes_insert_update_and_delete(database, first):
    before = database.rows("jobs")
    first.execute("UPDATE jobs SET id = 9, owner = 'W1' WHERE id = 1")
    first.execute("DELETE FROM jobs WHERE id = 2")
    first.execute("INSERT INTO jobs VALUES (1, 'new', 'W2'), (2, 'new', 'W3')")
    assert first.execute("ROLLBACK").changes == []
    assert database.rows("jobs") == before
    assert database.execute("INSERT INTO jobs VALUES (9, 'new', 'W1')").row_count == 1


def test_a_commit_reports_each_row_once_with_its_last_value(first):
    first.execute("UPDATE jobs SET id = 4, state = 'a' WHERE id = 1")
    first.execute("UPDATE jobs SET id = 5, state = 'b' WHERE id = 4")
    first.execute("DELETE FROM jobs WHERE id = 2")
    first.execute("INSERT INTO jobs VALUES (2, 'again', NULL), (6, 'brief', NULL)")
    first.execute("DELETE FROM jobs WHERE id = 6")
    changes = {
        change["key"]: change["value"] and change["value"]["state"] for change in first.execute("COMMIT").changes
    }
    assert changes == {"jobs/1": None, "jobs/2": "again", "jobs/5": "b"}


def test_a_second_claim_waits_then_looks_again_and_hits_nothing(database, first, second):
    waiting = Waiting()
    first.execute(CLAIM.format("W1"))
    late = waiting.start(second, CLAIM.format("W2"))
    assert (late.done, waiting.finished) == (False, [])
    first.execute("COMMIT")
    assert (late.result.row_count, waiting.finished) == (0, ["it"])
    [entry] = late.result.unmatched
    assert [each["text"] for each in entry["failed"]] == ["state is 'claimed', the statement wants 'queued'"]


def test_a_second_claim_wins_when_the_first_rolls_back(database, first, second):
    first.execute(CLAIM.format("W1"))
    late = Waiting().start(second, CLAIM.format("W2"))
    first.execute("ROLLBACK")
    assert late.result.row_count == 1
    assert late.result.changes[0]["value"]["owner"] == "W2"


def test_a_waiting_update_ignores_rows_that_match_only_since_it_began(database, first, second):
    first.execute("UPDATE jobs SET state = 'queued' WHERE id = 3")
    first.execute("UPDATE jobs SET state = 'claimed' WHERE id = 1")
    late = Waiting().start(second, "UPDATE jobs SET owner = 'W2' WHERE state = 'queued' AND id <> 2")
    first.execute("COMMIT")
    assert late.result.row_count == 0
    assert states(database) == ["claimed", "queued", "queued"]


def test_a_waiting_write_to_a_row_that_is_deleted_meanwhile_hits_nothing(first, second):
    first.execute("DELETE FROM jobs WHERE id = 1")
    late = Waiting().start(second, "UPDATE jobs SET state = 'x' WHERE id = 1")
    first.execute("COMMIT")
    assert late.result.unmatched[0]["failed"][0]["text"] == "no row of jobs has id 1"


def test_an_insert_waits_for_the_outcome_of_another_with_the_same_key(database, first, second):
    insert = "INSERT INTO jobs VALUES (7, 'new', NULL)"
    first.execute(insert)
    failing = Waiting().start(second, insert)
    skipping = Waiting().start(database.connect(), insert + " ON CONFLICT (id) DO NOTHING")
    assert (failing.done, skipping.done) == (False, False)
    first.execute("COMMIT")
    assert isinstance(failing.error, IntegrityError)
    assert skipping.result.row_count == 0


def test_an_insert_goes_on_when_the_other_with_the_same_key_rolls_back(database, first, second):
    insert = "INSERT INTO jobs VALUES (7, 'new', NULL)"
    first.execute(insert)
    late = Waiting().start(second, insert)
    first.execute("ROLLBACK")
    assert late.result.row_count == 1


def test_on_conflict_do_update_inserts_when_the_row_it_waited_for_is_gone(first, second):
    first.execute("DELETE FROM jobs WHERE id = 1")
    late = Waiting().start(
        second, "INSERT INTO jobs VALUES (1, 'new', NULL) ON CONFLICT (id) DO UPDATE SET state = 'old' RETURNING state"
    )
    first.execute("COMMIT")
    assert late.result.rows == [{"state": "new"}]


def test_waiting_statements_go_on_in_the_order_in_which_they_came(database, first):
    waiting = Waiting()
    first.execute(CLAIM.format("W1"))
    executions = [waiting.start(database.connect(), CLAIM.format(f"W{number}"), f"W{number}") for number in (2, 3, 4)]
    first.execute("ROLLBACK")
    assert waiting.finished == ["W2", "W3", "W4"]
    assert [execution.result.row_count for execution in executions] == [1, 0, 0]


def test_a_waiting_transaction_keeps_what_it_has_and_makes_the_next_one_wait(database, first, second):
    second.execute("BEGIN")
    first.execute("UPDATE jobs SET state = 'a' WHERE id = 1")
    two = Waiting().start(second, "UPDATE jobs SET state = 'b' WHERE id = 1")
    three = Waiting().start(database.connect(), "UPDATE jobs SET state = 'c' WHERE id = 1")
    first.execute("COMMIT")
    assert (two.done, three.done) == (True, False)
    second.execute("COMMIT")
    assert three.result.row_count == 1
    assert states(database)[0] == "c"


def test_two_transactions_that_wait_for_each_other_are_a_deadlock(database, first, second):
    second.execute("BEGIN")
    first.execute("UPDATE jobs SET state = 'a' WHERE id = 1")
    second.execute("UPDATE jobs SET state = 'b' WHERE id = 2")
    patient = Waiting().start(first, "UPDATE jobs SET state = 'a' WHERE id = 2")
    with pytest.raises(SqlError, match="deadlock detected") as caught:
        second.execute("UPDATE jobs SET state = 'b' WHERE id = 1")
    assert caught.value.sqlstate == "40P01"
    assert patient.result.row_count == 1
    first.execute("COMMIT")
    assert states(database) == ["a", "a", "done"]


def test_after_an_error_a_transaction_takes_nothing_but_its_end(database, first):
    first.execute("UPDATE jobs SET state = 'a' WHERE id = 1")
    with pytest.raises(IntegrityError):
        first.execute("INSERT INTO jobs VALUES (2, 'x', NULL)")
    assert database.execute("UPDATE jobs SET state = 'free' WHERE id = 1").row_count == 1
    with pytest.raises(SqlError, match="current transaction is aborted, commands ignored until end of transaction"):
        first.execute("SELECT 1")
    assert first.execute("COMMIT").changes == []
    assert states(first) == ["free", "queued", "done"]


def test_for_update_holds_the_row_until_the_end_and_changes_nothing(database, first, second):
    assert first.execute("SELECT state FROM jobs WHERE id = 1 FOR UPDATE").rows == [{"state": "queued"}]
    assert states(second) == ["queued", "queued", "done"]
    late = Waiting().start(second, CLAIM.format("W2"))
    assert not late.done
    assert first.execute("COMMIT").changes == []
    assert late.result.row_count == 1


def test_for_update_skip_locked_takes_the_next_free_row(database, first, second):
    take = "SELECT id FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED"
    assert first.execute(take).rows == [{"id": 1}]
    second.execute("BEGIN")
    assert second.execute(take).rows == [{"id": 2}]
    third = database.execute(take)
    assert third.rows == []
    skipped = [(entry["row"], entry["failed"][-1]["text"]) for entry in third.unmatched]
    assert skipped == [
        ("jobs/1", "another transaction holds the row's lock"),
        ("jobs/2", "another transaction holds the row's lock"),
        ("jobs/3", "state is 'done', the statement wants 'queued'"),
    ]


def test_for_update_nowait_fails_instead_of_waiting(database, first):
    first.execute("SELECT id FROM jobs WHERE id = 1 FOR UPDATE")
    with pytest.raises(SqlError, match='could not obtain lock on row in relation "jobs"'):
        database.execute("SELECT id FROM jobs WHERE id = 1 FOR UPDATE NOWAIT")


def test_waiting_for_update_reads_the_row_as_it_is_afterwards(first, second):
    first.execute("UPDATE jobs SET owner = 'W1' WHERE id = 1")
    late = Waiting().start(second, "SELECT owner FROM jobs WHERE id = 1 FOR UPDATE")
    first.execute("COMMIT")
    assert late.result.rows == [{"owner": "W1"}]


def test_a_call_that_cannot_wait_fails_and_undoes_what_it_did(database, first):
    first.execute("UPDATE jobs SET state = 'a' WHERE id = 2")
    with pytest.raises(SqlError, match="another connection's transaction holds it"):
        database.execute("UPDATE jobs SET state = 'b'")
    first.execute("ROLLBACK")
    assert states(database) == ["queued", "queued", "done"]


def test_closing_a_connection_undoes_its_transaction_and_lets_others_go_on(database, first, second):
    first.execute(CLAIM.format("W1"))
    late = Waiting().start(second, CLAIM.format("W2"))
    first.close()
    assert late.result.row_count == 1


def test_closing_a_connection_ends_the_statement_it_waits_in(database, first, second):
    first.execute(CLAIM.format("W1"))
    late = Waiting().start(second, CLAIM.format("W2"))
    second.close()
    assert str(late.error) == "the connection was closed"
    first.execute("ROLLBACK")
    assert states(database)[0] == "queued"


@pytest.mark.parametrize(
    ("begun", "text", "message"),
    [
        (True, "BEGIN", "there is already a transaction in progress"),
        (False, "COMMIT", "there is no transaction in progress"),
        (False, "ROLLBACK", "there is no transaction in progress"),
        (True, "CREATE TABLE t (a INTEGER)", "CREATE TABLE is not supported inside a transaction"),
    ],
)
def test_what_does_not_fit_the_state_of_the_transaction_is_refused(first, second, begun, text, message):
    with pytest.raises(SqlError) as caught:
        (first if begun else second).execute(text)
    assert str(caught.value) == message


def test_begin_needs_a_connection(database):
    with pytest.raises(SqlError, match="BEGIN needs a connection of its own"):
        database.execute("BEGIN")


def test_now_stands_still_in_a_transaction_and_clock_timestamp_does_not():
    instants = iter(range(0, 10_000_000, 1_000_000))
    connection = SqlDatabase(clock=lambda: next(instants)).connect()
    text = "SELECT extract(epoch FROM now())::integer AS began, extract(epoch FROM clock_timestamp())::integer AS reads"
    connection.execute("BEGIN")
    assert connection.execute(text).rows == [{"began": 0, "reads": 1}]
    assert connection.execute(text).rows == [{"began": 0, "reads": 2}]
    connection.execute("COMMIT")
    assert connection.execute(text).rows[0]["began"] > 0
