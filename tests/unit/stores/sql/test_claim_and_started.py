"""The two conditional writes that decide who owns a job: claim and started, tried on a row in every state."""

from itertools import product

import pytest

from py_runtime.stores.sql import SqlDatabase

JOBS = """
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    owner TEXT,
    claimed_at BIGINT,
    epoch INTEGER NOT NULL,
    token TEXT,
    execution_id TEXT,
    execution_started_at BIGINT
)
"""
PUT = """
INSERT INTO jobs VALUES (:id, :state, :owner, :claimed_at, :epoch, :token, :execution_id, :execution_started_at)
"""
CLAIM = """
UPDATE jobs
   SET owner = :worker, claimed_at = :now, epoch = epoch + 1, token = :token
 WHERE id = :id AND state = 'queued' AND owner IS NULL AND claimed_at IS NULL
   AND execution_id IS NULL AND execution_started_at IS NULL
"""
STARTED = """
UPDATE jobs
   SET state = 'running', execution_id = :execution, execution_started_at = :now
 WHERE id = :id AND state = 'queued' AND owner = :worker AND claimed_at IS NOT NULL
   AND epoch = :epoch AND token = :token AND execution_id IS NULL AND execution_started_at IS NULL
"""
RELEASE = """
UPDATE jobs
   SET owner = NULL, claimed_at = NULL, token = NULL
 WHERE id = :id AND state = 'queued' AND owner = :worker AND epoch = :epoch AND token = :token
   AND execution_id IS NULL AND execution_started_at IS NULL
"""
QUEUED = {
    "id": 42,
    "state": "queued",
    "owner": None,
    "claimed_at": None,
    "epoch": 0,
    "token": None,
    "execution_id": None,
    "execution_started_at": None,
}
ROWS = [
    dict(zip(QUEUED, (42, *values), strict=True))
    for values in product(
        ("queued", "running", "done"),
        (None, "W2", "W3"),
        (None, 4),
        (1, 2),
        (None, "t1", "t2"),
        (None, "x1"),
        (None, 5),
    )
]


def database_with(*rows: dict[str, object]) -> SqlDatabase:
    database = SqlDatabase()
    database.execute(JOBS)
    for row in rows:
        database.execute(PUT, row)
    return database


def claim(database: SqlDatabase, worker: str, token: str, now: int = 4) -> int:
    return database.execute(CLAIM, {"id": 42, "worker": worker, "now": now, "token": token}).row_count


def start(database: SqlDatabase, worker: str, epoch: int, token: str) -> int:
    values = {"id": 42, "worker": worker, "epoch": epoch, "token": token, "execution": f"x-{token}", "now": 12}
    return database.execute(STARTED, values).row_count


def release(database: SqlDatabase, worker: str, epoch: int, token: str) -> int:
    return database.execute(RELEASE, {"id": 42, "worker": worker, "epoch": epoch, "token": token}).row_count


def test_a_claim_hits_exactly_the_rows_that_are_queued_and_untouched():
    database = database_with()
    hits = 0
    for row in ROWS:
        database.execute("DELETE FROM jobs")
        database.execute(PUT, row)
        untouched = (row["owner"], row["claimed_at"], row["execution_id"], row["execution_started_at"]) == (None,) * 4
        expected = int(row["state"] == "queued" and untouched)
        assert claim(database, "W9", "t9") == expected, row
        changed = {"owner": "W9", "claimed_at": 4, "epoch": row["epoch"] + 1, "token": "t9"}
        assert database.rows("jobs") == [row | changed if expected else row]
        hits += expected
    assert (len(ROWS), hits) == (432, 6)


def test_started_hits_exactly_the_rows_that_this_claim_owns_and_nobody_started():
    database = database_with()
    hits = 0
    for row in ROWS:
        database.execute("DELETE FROM jobs")
        database.execute(PUT, row)
        mine = (row["owner"], row["epoch"], row["token"]) == ("W2", 1, "t1")
        unstarted = row["execution_id"] is None and row["execution_started_at"] is None
        expected = int(row["state"] == "queued" and mine and row["claimed_at"] is not None and unstarted)
        assert start(database, "W2", 1, "t1") == expected, row
        changed = {"state": "running", "execution_id": "x-t1", "execution_started_at": 12}
        assert database.rows("jobs") == [row | changed if expected else row]
        hits += expected
    assert hits == 1


def test_of_two_claims_one_hits_the_row_and_the_other_none():
    database = database_with(QUEUED)
    assert [claim(database, "W2", "t1"), claim(database, "W3", "t2")] == [1, 0]
    assert database.rows("jobs")[0]["owner"] == "W2"


def test_a_late_start_with_the_old_epoch_hits_nothing_before_and_after_the_new_owners_start():
    database = database_with(QUEUED)
    assert claim(database, "W2", "t1") == 1
    assert release(database, "W2", 1, "t1") == 1
    assert claim(database, "W3", "t2", now=10) == 1
    assert start(database, "W2", 1, "t1") == 0
    assert database.rows("jobs") == [QUEUED | {"owner": "W3", "claimed_at": 10, "epoch": 2, "token": "t2"}]
    assert start(database, "W3", 2, "t2") == 1
    assert start(database, "W2", 1, "t1") == 0


def test_the_late_start_says_which_conditions_failed_with_both_values():
    row = QUEUED | {"owner": "W3", "claimed_at": 10, "epoch": 2, "token": "t2"}
    values = {"id": 42, "worker": "W2", "epoch": 1, "token": "t1", "execution": "x1", "now": 12}
    result = database_with(row).execute(STARTED, values)
    assert (result.row_count, result.changes) == (0, [])
    assert result.unmatched == [
        {
            "row": "jobs/42",
            "failed": [
                {
                    "condition": "owner = :worker",
                    "left": "W3",
                    "right": "W2",
                    "text": "owner is 'W3', the statement wants 'W2'",
                },
                {"condition": "epoch = :epoch", "left": 2, "right": 1, "text": "epoch is 2, the statement wants 1"},
                {
                    "condition": "token = :token",
                    "left": "t2",
                    "right": "t1",
                    "text": "token is 't2', the statement wants 't1'",
                },
            ],
        }
    ]


def test_the_same_worker_claiming_again_is_told_apart_by_epoch_and_token_alone():
    database = database_with(QUEUED)
    claim(database, "W2", "t1")
    release(database, "W2", 1, "t1")
    claim(database, "W2", "t2")
    assert start(database, "W2", 1, "t1") == 0
    owner_only = "UPDATE jobs SET state = 'running' WHERE id = :id AND owner = :worker"
    assert database.execute(owner_only, {"id": 42, "worker": "W2"}).row_count == 1


@pytest.mark.parametrize("first", ["start", "release"])
def test_start_and_release_exclude_each_other(first):
    database = database_with(QUEUED)
    claim(database, "W2", "t1")
    actions = [start, release] if first == "start" else [release, start]
    assert [action(database, "W2", 1, "t1") for action in actions] == [1, 0]


def test_a_release_that_keeps_claimed_at_leaves_the_job_unclaimable():
    database = database_with(QUEUED)
    claim(database, "W2", "t1")
    database.execute("UPDATE jobs SET owner = NULL, token = NULL WHERE id = 42")
    assert claim(database, "W3", "t2") == 0
