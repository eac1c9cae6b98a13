"""When a conditional write touches no row it says which conditions failed, on which row, with both values."""

import pytest

from py_runtime.stores.sql import SqlDatabase
from py_runtime.stores.sql.sessions import UNMATCHED_ROWS_MAX


@pytest.fixture
def database() -> SqlDatabase:
    database = SqlDatabase()
    database.execute(
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT, owner TEXT, epoch INTEGER, token TEXT UNIQUE)"
    )
    database.execute("INSERT INTO jobs VALUES (42, 'queued', NULL, 2, 't2'), (43, 'done', 'W3', 5, 't5')")
    return database


def failed(database: SqlDatabase, condition: str, **parameters: object) -> list[tuple[object, ...]]:
    """Return (left, right, text) of each condition that fails on row 42."""
    result = database.execute(f"UPDATE jobs SET state = 'x' WHERE id = 42 AND {condition}", parameters)
    assert result.row_count == 0
    [entry] = result.unmatched
    assert entry["row"] == "jobs/42"
    return [(each["left"], each["right"], each["text"]) for each in entry["failed"]]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("epoch = 1", (2, 1, "epoch is 2, the statement wants 1")),
        ("1 = epoch", (2, 1, "epoch is 2, the statement wants 1")),
        ("epoch > 2 + 1", (2, 3, "epoch is 2, the statement wants > 3")),
        ("epoch % 2 = 1", (0, 1, "epoch % 2 is 0, the statement wants 1")),
        ("state <> 'queued'", ("queued", "queued", "state is 'queued', the statement wants <> 'queued'")),
        ("owner IS NOT NULL", (None, None, "owner is NULL, the statement wants NOT NULL")),
        ("state IS NULL", ("queued", None, "state is 'queued', the statement wants NULL")),
        ("owner = 'W2'", (None, "W2", "owner is NULL, and a comparison with NULL never matches")),
        ("epoch = NULL", (2, None, "epoch is 2; the statement compares it with NULL, which never matches")),
        ("owner = NULL", (None, None, "owner is NULL, and a comparison with NULL never matches")),
        (
            "state IN ('done', 'lost')",
            ("queued", ["done", "lost"], "state is 'queued', the statement wants one of ('done', 'lost')"),
        ),
        ("epoch NOT IN (1, 2)", (2, [1, 2], "epoch is 2, the statement wants none of (1, 2)")),
        ("epoch BETWEEN 3 AND 4", (2, [3, 4], "epoch is 2, the statement wants within (3, 4)")),
        ("NOT epoch = 2", (False, None, "NOT epoch = 2 is false, the statement wants it to be true")),
        (
            "(epoch = 1 OR owner = 'W2')",
            (None, None, "epoch = 1 OR owner = 'W2' is NULL, the statement wants it to be true"),
        ),
        ("epoch IS DISTINCT FROM 2", (2, 2, "epoch is 2, the statement wants IS DISTINCT FROM 2")),
    ],
)
def test_each_kind_of_condition_is_put_in_words(database, condition, expected):
    assert failed(database, condition) == [expected]


def test_conditions_that_hold_are_not_listed_and_the_text_is_that_of_the_statement(database):
    text = """DELETE FROM jobs AS j
              WHERE j.id = :id AND state = 'queued'
                AND (j.epoch = :epoch AND   owner
                     = :owner)"""
    [entry] = database.execute(text, {"id": 42, "epoch": 2, "owner": "W2"}).unmatched
    assert [each["condition"] for each in entry["failed"]] == ["owner = :owner"]


def test_a_key_that_no_row_has_is_said_to_be_missing(database):
    [entry] = database.execute("UPDATE jobs SET epoch = 1 WHERE id = :id AND state = 'queued'", {"id": 7}).unmatched
    failure = {"condition": "id = :id", "left": None, "right": 7, "text": "no row of jobs has id 7"}
    assert entry == {"row": "jobs/7", "failed": [failure]}


def test_another_unique_key_says_which_row_is_meant_too(database):
    [entry] = database.execute("UPDATE jobs SET epoch = 1 WHERE token = 't5' AND state = 'queued'").unmatched
    assert (entry["row"], len(entry["failed"])) == ("jobs/43", 1)


def test_without_a_key_every_row_is_listed_up_to_a_limit(database):
    result = database.execute("DELETE FROM jobs WHERE state = 'lost' AND epoch > 3")
    rows = [(entry["row"], [each["left"] for each in entry["failed"]]) for entry in result.unmatched]
    assert rows == [("jobs/42", ["queued", 2]), ("jobs/43", ["done"])]
    for number in range(100, 112):
        database.execute("INSERT INTO jobs (id) VALUES (:id)", {"id": number})
    result = database.execute("DELETE FROM jobs WHERE state = 'lost'")
    assert (len(result.unmatched), result.unmatched_left_out) == (UNMATCHED_ROWS_MAX, 14 - UNMATCHED_ROWS_MAX)


def test_a_write_that_touched_a_row_explains_nothing(database):
    assert database.execute("UPDATE jobs SET epoch = 9 WHERE state = 'queued'").unmatched == []
    assert database.execute("SELECT id FROM jobs WHERE id = 7").unmatched == []


def test_on_conflict_do_nothing_names_the_row_that_was_there(database):
    result = database.execute("INSERT INTO jobs (id) VALUES (42) ON CONFLICT (id) DO NOTHING")
    failure = {
        "condition": "ON CONFLICT (id) DO NOTHING",
        "left": 42,
        "right": 42,
        "text": "a row with id 42 exists already",
    }
    assert (result.row_count, result.unmatched) == (0, [{"row": "jobs/42", "failed": [failure]}])


def test_a_refused_on_conflict_update_names_its_condition(database):
    text = "INSERT INTO jobs (id, epoch) VALUES (42, 1) ON CONFLICT (id) DO UPDATE SET epoch = 1 WHERE {}"
    [entry] = database.execute(text.format("jobs.epoch < excluded.epoch")).unmatched
    [failure] = entry["failed"]
    assert (failure["left"], failure["right"]) == (2, 1)
    assert failure["text"] == "jobs.epoch is 2, the statement wants < 1"


def test_a_condition_that_cannot_be_computed_on_a_row_is_listed_with_its_error(database):
    [entry] = database.execute("DELETE FROM jobs WHERE id = 42 AND state = 'x' AND 1 / (epoch - 2) = 1").unmatched
    assert [each["text"] for each in entry["failed"]] == [
        "state is 'queued', the statement wants 'x'",
        "1 / (epoch - 2) = 1: division by zero",
    ]


TAKE = (
    "UPDATE jobs SET state = 'claimed' WHERE id = (SELECT id FROM jobs WHERE state = 'queued' AND epoch < 9 "
    "ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1)"
)


def test_a_claim_through_a_subquery_that_finds_nothing_tells_of_the_rows_the_subquery_passed_over(database):
    holder = database.connect()
    holder.execute("BEGIN")
    assert holder.execute(TAKE).row_count == 1
    result = database.execute(TAKE)
    assert [(entry["row"], [each["text"] for each in entry["failed"]]) for entry in result.unmatched] == [
        ("jobs/42", ["another transaction holds the row's lock"]),
        ("jobs/43", ["state is 'done', the statement wants 'queued'"]),
    ]


def test_a_condition_on_what_a_subquery_found_shows_its_values(database):
    assert failed(database, "epoch = (SELECT max(epoch) FROM jobs)") == [(2, 5, "epoch is 2, the statement wants 5")]
    text = "epoch is 2, the statement wants one of (5)"
    assert failed(database, "epoch IN (SELECT epoch FROM jobs WHERE owner = 'W3')") == [(2, [5], text)]
