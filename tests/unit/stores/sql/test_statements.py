"""SELECT, INSERT, UPDATE and DELETE: which rows, what they answer, and what the trace is told."""

import pytest

from py_runtime.stores.sql import IntegrityError, SqlDatabase, SqlError


@pytest.fixture
def database() -> SqlDatabase:
    """Five jobs, inserted out of order."""
    database = SqlDatabase()
    database.execute(
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT NOT NULL DEFAULT 'queued', owner TEXT, cost INTEGER)"
    )
    database.execute(
        "INSERT INTO jobs (id, state, owner, cost) VALUES"
        " (3, 'done', 'W1', 30), (1, DEFAULT, NULL, 10), (5, 'queued', 'W2', NULL), (2, 'done', 'W2', 20),"
        " (4, 'lost', NULL, 30)"
    )
    return database


def ids(database: SqlDatabase, rest: str, **parameters: object) -> list[object]:
    return [row["id"] for row in database.execute(f"SELECT id FROM jobs {rest}", parameters).rows]


def test_rows_come_in_insertion_order_without_order_by(database):
    assert ids(database, "") == [3, 1, 5, 2, 4]
    database.execute("UPDATE jobs SET cost = 0 WHERE id = 3")
    assert ids(database, "") == [3, 1, 5, 2, 4]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("ORDER BY id", [1, 2, 3, 4, 5]),
        ("ORDER BY cost, id DESC", [1, 2, 4, 3, 5]),
        ("ORDER BY cost DESC, id", [5, 3, 4, 2, 1]),
        ("ORDER BY cost DESC NULLS LAST, id", [3, 4, 2, 1, 5]),
        ("ORDER BY owner NULLS FIRST, id", [1, 4, 3, 2, 5]),
        ("ORDER BY 1 LIMIT 2", [1, 2]),
        ("ORDER BY 1 LIMIT 2 OFFSET 3", [4, 5]),
        ("ORDER BY 1 OFFSET 4 LIMIT 9", [5]),
        ("ORDER BY id LIMIT NULL OFFSET 3", [4, 5]),
        ("ORDER BY id LIMIT 0", []),
        ("ORDER BY -id LIMIT 1", [5]),
    ],
)
def test_order_limit_and_offset(database, rest, expected):
    assert ids(database, rest) == expected


def test_equal_never_finds_null(database):
    assert ids(database, "WHERE owner = NULL") == []
    assert ids(database, "WHERE owner = :owner", owner=None) == []
    assert ids(database, "WHERE owner <> 'W1'") == [5, 2]
    assert ids(database, "WHERE owner IS NULL") == [1, 4]


def test_a_select_list_has_expressions_names_and_all_columns(database):
    [row] = database.execute("SELECT j.id, cost * 2 AS double, upper(owner) loud FROM jobs AS j WHERE j.id = 3").rows
    assert row == {"id": 3, "double": 60, "loud": "W1"}
    [row] = database.execute("SELECT *, 1 AS one FROM jobs WHERE id = 1").rows
    assert row == {"id": 1, "state": "queued", "owner": None, "cost": 10, "one": 1}


def test_aggregates_leave_null_out_and_count_star_does_not(database):
    text = "SELECT count(*) AS rows, count(cost) AS costs, min(cost) AS low, max(owner) AS last, sum(cost) FROM jobs"
    assert database.execute(text).rows == [{"rows": 5, "costs": 4, "low": 10, "last": "W2", "sum": 90}]
    none = "SELECT count(*), sum(cost), min(cost) FROM jobs WHERE id > 9"
    assert database.execute(none).rows == [{"count": 0, "sum": None, "min": None}]


def test_group_by_makes_one_row_per_group(database):
    text = "SELECT state, count(*) AS jobs, sum(cost) / count(*) AS mean FROM jobs GROUP BY state ORDER BY jobs, state"
    assert database.execute(text).rows == [
        {"state": "lost", "jobs": 1, "mean": 30},
        {"state": "done", "jobs": 2, "mean": 25},
        {"state": "queued", "jobs": 2, "mean": 5},
    ]
    assert database.execute("SELECT state FROM jobs WHERE id > 9 GROUP BY state").rows == []


def test_an_update_reads_old_values_only(database):
    text = "UPDATE jobs SET id = cost, cost = id WHERE id = 4 RETURNING id, cost, state AS was"
    result = database.execute(text)
    assert (result.row_count, result.rows) == (1, [{"id": 30, "cost": 4, "was": "lost"}])


def test_changes_name_each_row_by_its_primary_key(database):
    changed = database.execute("UPDATE jobs SET id = 9 WHERE id = 4").changes
    value = {"id": 9, "state": "lost", "owner": None, "cost": 30}
    assert changed == [
        {"store": "sql", "key": "jobs/4", "type": "row", "value": None},
        {"store": "sql", "key": "jobs/9", "type": "row", "value": value},
    ]
    deleted = database.execute("DELETE FROM jobs WHERE id = 9")
    assert deleted.changes == [{"store": "sql", "key": "jobs/9", "type": "row", "value": None}]
    assert database.execute("SELECT 1").changes == []


def test_a_row_without_primary_key_is_named_by_its_number():
    database = SqlDatabase(store="ledger")
    database.execute("CREATE TABLE charges (amount INTEGER)")
    [first, second] = database.execute("INSERT INTO charges VALUES (5), (5)").changes
    assert (first["store"], first["key"], second["key"]) == ("ledger", "charges/#1", "charges/#2")


def test_delete_returns_what_is_gone(database):
    result = database.execute("DELETE FROM jobs WHERE state = 'done' RETURNING id")
    assert (result.row_count, result.rows) == (2, [{"id": 3}, {"id": 2}])
    assert ids(database, "") == [1, 5, 4]


def test_on_conflict_do_nothing_keeps_the_row_that_is_there(database):
    text = "INSERT INTO jobs (id, cost) VALUES (1, 99), (6, 60) ON CONFLICT (id) DO NOTHING RETURNING id"
    result = database.execute(text)
    assert (result.row_count, result.rows) == (1, [{"id": 6}])
    assert database.execute("SELECT cost FROM jobs WHERE id = 1").rows == [{"cost": 10}]


def test_on_conflict_do_update_sees_both_rows(database):
    text = (
        "INSERT INTO jobs (id, cost) VALUES (1, 7), (7, 70) ON CONFLICT (id) "
        "DO UPDATE SET cost = jobs.cost + excluded.cost RETURNING id, cost"
    )
    assert database.execute(text).rows == [{"id": 1, "cost": 17}, {"id": 7, "cost": 70}]


def test_on_conflict_do_update_may_refuse_by_its_own_condition(database):
    text = "INSERT INTO jobs (id, cost) VALUES (1, 7) ON CONFLICT (id) DO UPDATE SET cost = 7 WHERE jobs.cost < :cost"
    assert database.execute(text, {"cost": 10}).row_count == 0
    assert database.execute(text, {"cost": 11}).row_count == 1


def test_on_conflict_touches_no_row_twice(database):
    text = "INSERT INTO jobs (id) VALUES (8), (8) ON CONFLICT (id) DO UPDATE SET cost = 1"
    with pytest.raises(SqlError, match="cannot affect row a second time"):
        database.execute(text)
    assert 8 not in ids(database, "")


def test_on_conflict_on_one_key_does_not_excuse_another():
    database = SqlDatabase()
    database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE)")
    database.execute("INSERT INTO t VALUES (1, 'x')")
    assert database.execute("INSERT INTO t VALUES (2, 'x') ON CONFLICT DO NOTHING").row_count == 0
    with pytest.raises(IntegrityError, match='unique constraint "t_b_key"'):
        database.execute("INSERT INTO t VALUES (2, 'x') ON CONFLICT (a) DO NOTHING")


def test_a_failing_statement_changes_nothing(database):
    before = database.rows("jobs")
    for text in (
        "INSERT INTO jobs (id) VALUES (6), (7), (3)",
        "UPDATE jobs SET id = id + 1",
        "UPDATE jobs SET state = CASE WHEN id = 4 THEN NULL ELSE 'new' END",
        "UPDATE jobs SET cost = 10 / (id - 2)",
    ):
        with pytest.raises(SqlError):
            database.execute(text)
        assert database.rows("jobs") == before
    assert database.execute("INSERT INTO jobs (id) VALUES (6), (7)").row_count == 2


def test_insert_without_columns_fills_from_the_left_and_defaults_the_rest(database):
    [row] = database.execute("INSERT INTO jobs VALUES (6, 'done') RETURNING *").rows
    assert row == {"id": 6, "state": "done", "owner": None, "cost": None}


def test_the_same_text_is_read_once_and_planned_once_per_parameter_types(database):
    for number in (1, 2, 3):
        database.execute("SELECT id FROM jobs WHERE id = :id", {"id": number})
    database.execute("SELECT id FROM jobs WHERE id = :id", {"id": None})
    plans = [key for key in database._plans if key[0] == "SELECT id FROM jobs WHERE id = :id"]
    assert plans == [
        ("SELECT id FROM jobs WHERE id = :id", "integer"),
        ("SELECT id FROM jobs WHERE id = :id", "unknown"),
    ]
