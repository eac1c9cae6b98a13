"""What may be stored: types are checked and named, constraints refuse in PostgreSQL's words."""

import pytest

from py_runtime.stores.sql import IntegrityError, SqlDatabase, SqlError


@pytest.fixture
def database() -> SqlDatabase:
    database = SqlDatabase()
    database.execute(
        """
        CREATE TABLE jobs (
            id INTEGER PRIMARY KEY,
            state VARCHAR(7) NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done')),
            epoch INTEGER NOT NULL DEFAULT 1 + 1 CHECK (epoch >= 0),
            token TEXT UNIQUE,
            due BIGINT,
            load REAL,
            urgent BOOLEAN,
            seen TIMESTAMP,
            CONSTRAINT busy CHECK (state <> 'running' OR token IS NOT NULL)
        )
        """
    )
    return database


def refusal(database: SqlDatabase, text: str, **parameters: object) -> str:
    with pytest.raises(SqlError) as caught:
        database.execute(text, parameters)
    assert database.rows("jobs") == []
    return str(caught.value)


def test_values_come_back_as_they_were_stored(database):
    row = {"id": 1, "state": "done", "epoch": 3, "token": "t", "due": 2**40, "load": 0.5, "urgent": True}
    text = "INSERT INTO jobs VALUES (:id, :state, :epoch, :token, :due, :load, :urgent, :seen)"
    database.execute(text, row | {"seen": "2024-02-29 12:00"})
    assert database.rows("jobs") == [row | {"seen": "2024-02-29 12:00:00"}]


def test_defaults_fill_what_is_left_out(database):
    database.execute("INSERT INTO jobs (id, state) VALUES (1, DEFAULT)")
    assert [database.rows("jobs")[0][name] for name in ("state", "epoch", "token")] == ["queued", 2, None]


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("epoch", "5", 'column "epoch" is of type integer but expression is of type text'),
        ("epoch", True, 'column "epoch" is of type integer but expression is of type boolean'),
        ("epoch", 2**31, 'integer out of range for column "epoch"'),
        ("urgent", 1, 'column "urgent" is of type boolean but expression is of type integer'),
        ("load", "much", 'column "load" is of type real but expression is of type text'),
        ("seen", 5, 'column "seen" is of type timestamp but expression is of type integer'),
        ("due", 2**63, "parameter :value is out of range for type bigint"),
        ("due", [1], "parameter :value is a list; allowed are None, bool, int, float and str"),
        ("load", float("nan"), "parameter :value is nan; numbers must be finite"),
        ("state", "cancelled", 'value too long for type character varying(7) (column "state")'),
    ],
)
def test_a_parameter_of_the_wrong_type_is_refused_by_name(database, column, value, message):
    with pytest.raises(SqlError) as caught:
        database.execute(f"INSERT INTO jobs (id, {column}) VALUES (1, :value)", {"value": value})
    assert caught.value.message == message
    assert database.rows("jobs") == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("'soon'", 'invalid input syntax for type integer: "soon" (column "epoch")'),
        ("'3000000000'", 'value "3000000000" is out of range for type integer (column "epoch")'),
        ("'a' || 'b'", 'column "epoch" is of type integer but expression is of type text'),
    ],
)
def test_a_literal_is_read_as_the_columns_type_or_refused(database, value, message):
    error = refusal(database, f"INSERT INTO jobs (id, epoch) VALUES (1, {value})")
    assert error == f"{message} (line 1, column 41)"


def test_a_number_becomes_text_in_a_text_column_and_a_fraction_is_rounded_in_an_integer_one(database):
    database.execute("INSERT INTO jobs (id, token, epoch, due) VALUES (1, 42, 2.5, :half)", {"half": 2.5})
    assert [database.rows("jobs")[0][name] for name in ("token", "epoch", "due")] == ["42", 3, 2]


def test_text_is_a_timestamp_where_it_is_passed_for_one(database):
    database.execute("INSERT INTO jobs (id, seen) VALUES (1, :seen)", {"seen": "2024-02-29T12:00:00.25"})
    text = "SELECT seen, seen - :before AS since FROM jobs WHERE seen > :before"
    [row] = database.execute(text, {"before": "2024-02-29"}).rows
    assert row == {"seen": "2024-02-29 12:00:00.25", "since": "12:00:00.25"}
    assert database.execute("SELECT id FROM jobs WHERE seen = :seen", {"seen": row["seen"]}).row_count == 1


def test_a_timestamp_that_does_not_exist_is_refused(database):
    text = "INSERT INTO jobs (id, seen) VALUES (1, '2023-02-29')"
    assert refusal(database, text).startswith('date/time field value out of range: "2023-02-29"')


@pytest.mark.parametrize(
    ("columns", "values", "message", "constraint"),
    [
        ("id", "NULL", 'null value in column "id" of relation "jobs" violates not-null constraint', "id"),
        (
            "id, state",
            "1, NULL",
            'null value in column "state" of relation "jobs" violates not-null constraint',
            "state",
        ),
        (
            "id, state",
            "1, 'lost'",
            'new row for relation "jobs" violates check constraint "jobs_state_check"',
            "jobs_state_check",
        ),
        (
            "id, epoch",
            "1, -1",
            'new row for relation "jobs" violates check constraint "jobs_epoch_check"',
            "jobs_epoch_check",
        ),
        ("id, state", "1, 'running'", 'new row for relation "jobs" violates check constraint "busy"', "busy"),
        (
            "id",
            "1), (1",
            'duplicate key value violates unique constraint "jobs_pkey": Key (id)=(1) already exists.',
            "jobs_pkey",
        ),
        (
            "id, token",
            "1, 't'), (2, 't'",
            'duplicate key value violates unique constraint "jobs_token_key": Key (token)=(t) already exists.',
            "jobs_token_key",
        ),
    ],
)
def test_constraints_refuse_in_postgresqls_words(database, columns, values, message, constraint):
    with pytest.raises(IntegrityError) as caught:
        database.execute(f"INSERT INTO jobs ({columns}) VALUES ({values})")
    assert str(caught.value).startswith(message)
    assert (caught.value.table, caught.value.constraint) == ("jobs", constraint)
    assert database.rows("jobs") == []


@pytest.mark.parametrize(
    ("values", "kind", "diag"),
    [
        ("1, NULL", "NotNullViolation", ("23502", "Failing row contains (1, null).", "s", None)),
        ("2, 'x'", "UniqueViolation", ("23505", "Key (n)=(2) already exists.", None, "t_n_key")),
        ("0, 'x'", "CheckViolation", ("23514", "Failing row contains (0, x).", None, "t_n_check")),
    ],
)
def test_an_error_has_its_class_and_its_parts_under_psycopgs_names(values, kind, diag):
    database = SqlDatabase()
    database.execute("CREATE TABLE t (n INTEGER UNIQUE CHECK (n > 0), s TEXT NOT NULL)")
    database.execute("INSERT INTO t VALUES (2, 'a')")
    with pytest.raises(IntegrityError) as caught:
        database.execute(f"INSERT INTO t VALUES ({values})")
    parts = caught.value.diag
    assert type(caught.value).__name__ == kind
    assert (parts.sqlstate, parts.message_detail, parts.column_name, parts.constraint_name) == diag
    assert (parts.table_name, parts.message_primary) == ("t", caught.value.message)


def test_a_check_that_is_unknown_is_satisfied_and_null_is_never_a_duplicate():
    database = SqlDatabase()
    database.execute("CREATE TABLE t (a INTEGER UNIQUE CHECK (a > 0))")
    assert database.execute("INSERT INTO t VALUES (NULL), (NULL)").row_count == 2


def test_a_key_of_several_columns_is_one_key():
    database = SqlDatabase()
    database.execute("CREATE TABLE events (execution TEXT, seq INTEGER, PRIMARY KEY (execution, seq), UNIQUE (seq))")
    [change] = database.execute("INSERT INTO events VALUES ('x1', 3)").changes
    assert change["key"] == "events/x1/3"
    with pytest.raises(IntegrityError, match=r"Key \(execution, seq\)=\(x1, 3\) already exists."):
        database.execute("INSERT INTO events VALUES ('x1', 3)")
    with pytest.raises(IntegrityError, match='"events_seq_key"'):
        database.execute("INSERT INTO events VALUES ('x2', 3)")


def test_unnamed_checks_are_named_and_numbered_as_in_postgresql():
    database = SqlDatabase()
    database.execute("CREATE TABLE t (a INTEGER CHECK (a > 1) CHECK (a > 2), b INTEGER, CHECK (a > b), CHECK (b > 0))")
    names = [check.name for check in database.tables["t"].checks]
    assert names == ["t_a_check", "t_a_check1", "t_b_check", "t_check"]


def test_create_table_if_not_exists_keeps_the_table_there_is(database):
    database.execute("INSERT INTO jobs (id) VALUES (1)")
    database.execute("CREATE TABLE IF NOT EXISTS jobs (other TEXT)")
    assert database.execute("SELECT id FROM jobs").rows == [{"id": 1}]
    with pytest.raises(SqlError, match='relation "jobs" already exists'):
        database.execute("CREATE TABLE jobs (other TEXT)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a INTEGER PRIMARY KEY, b TEXT PRIMARY KEY", 'multiple primary keys for table "t" are not allowed'),
        ("a INTEGER, a TEXT", 'column "a" specified more than once'),
        ("a INTEGER, UNIQUE (b)", 'column "b" named in key does not exist'),
        ("a INTEGER, UNIQUE (a, a)", 'column "a" appears twice in UNIQUE'),
        ("a INTEGER, CHECK (b > 1)", 'column "b" does not exist; "t" has a'),
        ("a INTEGER, CHECK (a)", "argument of CHECK must be type boolean, not type integer"),
        ("a INTEGER CHECK (count(a) > 1)", "aggregate functions are not allowed in check constraints"),
        ("a INTEGER DEFAULT 'x'", 'invalid input syntax for type integer: "x" (column "a")'),
        ("a INTEGER DEFAULT b", 'column "b" does not exist; no table is named here'),
        ("a INTERVAL", "a column cannot be of type interval here"),
        ("a INTEGER CHECK (a > :x)", "CREATE TABLE takes no parameters, here :x"),
        ("CONSTRAINT c CHECK (1 = 1), CONSTRAINT c CHECK (2 = 2)", 'check constraint "c" already exists'),
    ],
)
def test_a_definition_that_cannot_be_is_refused(text, message):
    database = SqlDatabase()
    with pytest.raises(SqlError) as caught:
        database.execute(f"CREATE TABLE t ({text})", {"x": 1} if ":x" in text else {})
    assert caught.value.message.startswith(message)
    assert database.tables == {}
