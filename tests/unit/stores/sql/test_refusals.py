"""Statements outside the subset, and mistakes: one sentence that names the spot and what is allowed there."""

import pytest

from py_runtime.stores.sql import SqlDatabase, SqlError


@pytest.fixture
def database() -> SqlDatabase:
    database = SqlDatabase()
    database.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT, owner TEXT, epoch INTEGER)")
    return database


def refusal(database: SqlDatabase, text: str, parameters: dict[str, object] | None = None) -> str:
    with pytest.raises(SqlError) as caught:
        database.execute(text, parameters)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "syntax error at end of input; allowed here: INSERT, SELECT, UPDATE, DELETE, CREATE, BEGIN, START, COMMIT, "
            "END, ROLLBACK, ABORT, SET (line 1, column 1)",
        ),
        (
            "DROP TABLE jobs",
            'syntax error at or near "DROP"; allowed here: INSERT, SELECT, UPDATE, DELETE, CREATE, BEGIN, START, '
            "COMMIT, END, ROLLBACK, ABORT, SET (line 1, column 1)",
        ),
        (
            "SELECT id FROM jobs JOIN other",
            'syntax error at or near "JOIN"; allowed here: AS, WHERE, GROUP BY, HAVING, ORDER BY, FOR UPDATE, LIMIT, '
            "OFFSET, the end of the statement (line 1, column 21)",
        ),
        (
            "SELECT id\n  FROM jobs\n WHERE id = 1 FOR SHARE",
            'syntax error at or near "FOR"; allowed here: an operator, BETWEEN, IN, LIKE, IS, AND, OR, GROUP BY, '
            "HAVING, ORDER BY, FOR UPDATE, LIMIT and 2 more (line 3, column 15)",
        ),
        (
            "CREATE INDEX i ON jobs (id)",
            'syntax error at or near "INDEX"; allowed here: TABLE (line 1, column 8)',
        ),
        (
            "UPDATE jobs SET (id, epoch) = (1, 2)",
            'syntax error at or near "("; allowed here: a column (line 1, column 17)',
        ),
        (
            "INSERT INTO jobs SELECT 1",
            'syntax error at or near "SELECT"; allowed here: a list of columns in parentheses, VALUES '
            "(line 1, column 18)",
        ),
        (
            "INSERT INTO jobs (id) VALUES (1) ON CONFLICT DO UPDATE SET id = 2",
            'syntax error at or near "UPDATE"; allowed here: NOTHING (line 1, column 49)',
        ),
        (
            "CREATE TABLE t (a SERIAL)",
            'syntax error at or near "SERIAL"; allowed here: INTEGER, INT, BIGINT, TEXT, VARCHAR, BOOLEAN, BOOL, REAL, '
            "DOUBLE PRECISION, TIMESTAMP, INTERVAL (line 1, column 19)",
        ),
        (
            "CREATE TABLE t (a INTEGER REFERENCES jobs)",
            'syntax error at or near "REFERENCES"; allowed here: CONSTRAINT, NOT NULL, NULL, DEFAULT, PRIMARY KEY, '
            'UNIQUE, CHECK, ",", ")" (line 1, column 27)',
        ),
        (
            "SELECT id FROM jobs WHERE id = ANY (SELECT 1)",
            'syntax error at or near "ANY"; allowed here: a value (line 1, column 32)',
        ),
        (
            "SELECT 1 < 2 < 3",
            'syntax error at or near "<": comparisons do not chain; join two of them with AND (line 1, column 14)',
        ),
        (
            "SELECT 1; SELECT 2",
            'syntax error at or near "SELECT" (line 1, column 11)',
        ),
        ("SELECT 'abc", 'unterminated quoted string at or near "\'abc" (line 1, column 8)'),
        ("SELECT 1 /* abc", 'unterminated /* comment at or near "/* abc" (line 1, column 10)'),
        ('SELECT "abc', 'unterminated quoted identifier at or near ""abc" (line 1, column 8)'),
        ("SELECT 1e400", '"1e400" is out of range for type double precision (line 1, column 8)'),
        (
            f"SELECT\n1{'0' * 5000}",
            f'"1{"0" * 5000}" is out of range for type double precision (line 2, column 1)',
        ),
        ("SELECT 123abc", 'trailing junk after numeric literal at or near "123abc" (line 1, column 8)'),
        (
            "SELECT id FROM jobs WHERE id = $1",
            'syntax error at or near "$"; write parameters as :name (line 1, column 32)',
        ),
        (
            "SELECT id FROM jobs WHERE id = ?",
            'syntax error at or near "?"; write parameters as :name (line 1, column 32)',
        ),
        (
            "SELECT sqrt(2)",
            "function sqrt does not exist; the functions are coalesce, nullif, greatest, least, abs, length, lower, "
            "upper, now, clock_timestamp, extract, count, min, max, sum, avg (line 1, column 8)",
        ),
    ],
)
def test_what_is_outside_the_subset_is_named_with_its_place_and_what_is_allowed(database, text, message):
    assert refusal(database, text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SELECT id FROM job", 'relation "job" does not exist; there are jobs (line 1, column 16)'),
        (
            "SELECT name FROM jobs",
            'column "name" does not exist; "jobs" has id, state, owner, epoch (line 1, column 8)',
        ),
        ("SELECT id", 'column "id" does not exist; no table is named here (line 1, column 8)'),
        (
            "SELECT jobs.id FROM jobs AS j",
            'invalid reference to FROM-clause entry for table "jobs"; the table is called "j" here (line 1, column 8)',
        ),
        (
            "UPDATE jobs SET name = 'x'",
            'column "name" of relation "jobs" does not exist; it has id, state, owner, epoch (line 1, column 17)',
        ),
        ("UPDATE jobs SET id = 1, id = 2", 'multiple assignments to same column "id" (line 1, column 25)'),
        ("INSERT INTO jobs (id, id) VALUES (1, 2)", 'column "id" specified more than once (line 1, column 23)'),
        ("INSERT INTO jobs (id) VALUES (1, 2)", "INSERT has more expressions than target columns (line 1, column 30)"),
        (
            "INSERT INTO jobs (id, state) VALUES (1)",
            "INSERT has more target columns than expressions (line 1, column 37)",
        ),
        ("INSERT INTO jobs VALUES (1,2,3,4,5)", "INSERT has more expressions than target columns (line 1, column 34)"),
        (
            "SELECT id FROM jobs WHERE epoch",
            "argument of WHERE must be type boolean, not type integer (line 1, column 27)",
        ),
        ("SELECT id FROM jobs WHERE owner = 4", "operator does not exist: text = integer (line 1, column 27)"),
        (
            "SELECT id FROM jobs WHERE id = 'one'",
            'invalid input syntax for type integer: "one" (line 1, column 27)',
        ),
        ("SELECT state AND true FROM jobs", "argument of AND must be type boolean, not type text (line 1, column 8)"),
        (
            "SELECT coalesce(owner, id) FROM jobs",
            "COALESCE types text and integer cannot be matched (line 1, column 8)",
        ),
        (
            "SELECT nullif(id) FROM jobs",
            "nullif is called as nullif(value, unwanted), here with 1 arguments (line 1, column 8)",
        ),
        ("SELECT length(id) FROM jobs", "function length(integer) does not exist; use length(text) (line 1, column 8)"),
        ("SELECT id FROM jobs WHERE count(*) > 1", "aggregate functions are not allowed in WHERE (line 1, column 27)"),
        (
            "SELECT id, count(*) FROM jobs",
            'column "jobs.id" must appear in the GROUP BY clause or be used in an aggregate function '
            "(line 1, column 8)",
        ),
        (
            "SELECT count(*) FROM jobs FOR UPDATE",
            "FOR UPDATE is not allowed with aggregate functions (line 1, column 27)",
        ),
        ("SELECT id FROM jobs ORDER BY 2", "ORDER BY position 2 is not in select list (line 1, column 30)"),
        ("SELECT id FROM jobs LIMIT 'x'", 'invalid input syntax for type bigint: "x"'),
        ("SELECT id FROM jobs LIMIT -1", "LIMIT must not be negative"),
        (
            "SELECT min(id), min(epoch) FROM jobs",
            'two results are called "min"; give one another name with AS (line 1, column 17)',
        ),
        (
            "INSERT INTO jobs (id) VALUES (1) ON CONFLICT (owner) DO NOTHING",
            "there is no unique or exclusion constraint matching the ON CONFLICT specification; "
            'unique keys of "jobs": (id) (line 1, column 34)',
        ),
        (
            "INSERT INTO jobs (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET epoch = epoch + 1",
            'column reference "epoch" is ambiguous: write jobs.epoch or excluded.epoch (line 1, column 73)',
        ),
    ],
)
def test_a_name_or_type_that_does_not_fit_is_refused_before_any_row_is_read(database, text, message):
    assert database.rows("jobs") == []
    assert refusal(database, text) == message


def test_a_missing_parameter_is_named_with_those_the_statement_uses(database):
    text = "UPDATE jobs SET owner = :worker WHERE id = :id AND epoch = :epoch"
    message = "parameter :epoch has no value; the statement uses :worker, :id, :epoch (line 1, column 60)"
    assert refusal(database, text, {"id": 1, "worker": "W2"}) == message


def test_parameters_that_are_not_in_the_statement_are_no_matter(database):
    assert database.execute("SELECT :id AS x", {"id": 1, "epoch": object()}).rows == [{"x": 1}]


def test_a_reserved_word_names_a_column_only_in_double_quotes(database):
    assert refusal(database, "CREATE TABLE t (order INTEGER)").startswith('syntax error at or near "order"')
    database.execute('CREATE TABLE t ("order" INTEGER)')
    database.execute("INSERT INTO t VALUES (1)")
    assert database.execute('SELECT "order" FROM t').rows == [{"order": 1}]


def test_names_are_lower_case_unless_double_quoted(database):
    database.execute("INSERT INTO JOBS (ID) VALUES (1)")
    assert database.execute("SELECT Id FROM Jobs").rows == [{"id": 1}]
    assert refusal(database, 'SELECT "Id" FROM jobs').startswith('column "Id" does not exist')


@pytest.mark.parametrize(
    ("before", "after", "most"),
    [
        ("(", ")", 25),
        ("coalesce(", ")", 25),
        ("(SELECT ", ")", 25),
        ("CASE WHEN true THEN ", " END", 25),
        ("1 + ", "", 200),
        ("- ", "", 200),
        ("id::text || ", "", 100),
    ],
)
def test_an_expression_is_nested_so_deep_and_no_deeper(database, before, after, most):
    assert database.execute(f"SELECT {before * most}1{after * most} FROM jobs").rows == []
    message = "stack depth limit exceeded: an expression is nested deeper than 200 operators"
    assert message in refusal(database, f"SELECT {before * (most + 1)}1{after * (most + 1)}")


def test_a_list_may_be_long(database):
    assert database.execute(f"SELECT 1 IN ({', '.join(['-2'] * 5_000)}) AS x").rows == [{"x": False}]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a\0b", "PostgreSQL text fields cannot contain NUL (0x00) bytes"),
        ("\udfff", 'invalid byte sequence for encoding "UTF8": half a character, U+DFFF'),
        (float("nan"), "parameter :v is nan; numbers must be finite"),
        (2**63, "parameter :v is out of range for type bigint"),
        (b"x", "parameter :v is a bytes; allowed are None, bool, int, float and str"),
    ],
)
def test_a_value_that_no_column_holds_is_refused(database, value, message):
    assert refusal(database, "SELECT :v AS v", {"v": value}) == message
    if isinstance(value, str):
        assert refusal(database, f"SELECT '{value}' AS v") == message
