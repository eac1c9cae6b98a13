"""What is refused, with which class of error and in which words; and that the data stays as it was."""

import pytest

from tests.conformance.sql.stories import ON_POSTGRESQL, refused, values

TABLE = """
    CREATE TABLE jobs (
        id INTEGER PRIMARY KEY, state VARCHAR(8) NOT NULL, owner TEXT UNIQUE, done BOOLEAN,
        epoch INTEGER CHECK (epoch >= 0), CONSTRAINT owned CHECK (state <> 'running' OR owner IS NOT NULL)
    )
"""
ROW = "INSERT INTO jobs VALUES (1, 'queued', 'W1', true, 3)"


@ON_POSTGRESQL
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("INSERT INTO jobs (id, state) VALUES (1, 'x')",
         'UniqueViolation: duplicate key value violates unique constraint "jobs_pkey"'),
        ("UPDATE jobs SET state = NULL",
         'NotNullViolation: null value in column "state" of relation "jobs" violates not-null constraint'),
        ("UPDATE jobs SET epoch = -1",
         'CheckViolation: new row for relation "jobs" violates check constraint "jobs_epoch_check"'),
        ("UPDATE jobs SET owner = NULL, state = 'running'",
         'CheckViolation: new row for relation "jobs" violates check constraint "owned"'),
        ("UPDATE jobs SET state = 'more than eight'", "DataError: value too long for type character varying(8)"),
        ("UPDATE jobs SET epoch = 2147483647 + id", "DataError: integer out of range"),
        ("UPDATE jobs SET epoch = 9223372036854775807 + id", "DataError: bigint out of range"),
        ("UPDATE jobs SET epoch = 99999999999", "DataError: integer out of range"),
        ("SELECT epoch / (id - 1) FROM jobs", "DataError: division by zero"),
        ("SELECT epoch % (id - 1) FROM jobs", "DataError: division by zero"),
        ("SELECT 1e300::double precision * 1e300::double precision", "DataError: value out of range: overflow"),
        ("UPDATE jobs SET epoch = 'one'", 'DataError: invalid input syntax for type integer: "one"'),
        ("SELECT owner::integer FROM jobs", 'DataError: invalid input syntax for type integer: "W1"'),
        ("SELECT 'maybe'::boolean", 'DataError: invalid input syntax for type boolean: "maybe"'),
        ("SELECT TIMESTAMP '2024-02-30'", 'DataError: date/time field value out of range: "2024-02-30"'),
        ("SELECT 'ab' LIKE 'a\\'", "DataError: LIKE pattern must not end with escape character"),
        ("SELECT 1 LIMIT -1", "DataError: LIMIT must not be negative"),
        ("SELECT id FROM jobs WHERE id = (SELECT 1 + n FROM nowhere)",
         'ProgrammingError: relation "nowhere" does not exist'),
        ("SELECT (SELECT id, state FROM jobs)", "ProgrammingError: subquery must return only one column"),
        ("SELECT nothing FROM jobs", 'ProgrammingError: column "nothing" does not exist'),
        ("SELECT other.id FROM jobs", 'ProgrammingError: missing FROM-clause entry for table "other"'),
        ("UPDATE jobs SET nothing = 1", 'ProgrammingError: column "nothing" of relation "jobs" does not exist'),
        ("SELECT nothing(1)", "ProgrammingError: function nothing"),
        ("SELECT id FROM jobs WHERE owner = 1", "ProgrammingError: operator does not exist: text = integer"),
        ("SELECT id FROM jobs WHERE epoch",
         "ProgrammingError: argument of WHERE must be type boolean, not type integer"),
        ("SELECT id FROM jobs WHERE done AND epoch",
         "ProgrammingError: argument of AND must be type boolean, not type integer"),
        ("UPDATE jobs SET done = 1",
         'ProgrammingError: column "done" is of type boolean but expression is of type integer'),
        ("SELECT + INTERVAL '1 day'", "ProgrammingError: operator does not exist: + interval"),
        ("SELECT coalesce(owner, id) FROM jobs", "ProgrammingError: COALESCE types text and integer cannot be matched"),
        ("SELECT min(done) FROM jobs", "ProgrammingError: function min(boolean) does not exist"),
        ("SELECT id FROM jobs WHERE count(*) > 1", "ProgrammingError: aggregate functions are not allowed in WHERE"),
        ("SELECT id, count(*) FROM jobs",
         'ProgrammingError: column "jobs.id" must appear in the GROUP BY clause or be used in an aggregate function'),
        ("SELECT DISTINCT id FROM jobs ORDER BY epoch",
         "ProgrammingError: for SELECT DISTINCT, ORDER BY expressions must appear in select list"),
        ("SELECT count(*) FROM jobs FOR UPDATE",
         "NotSupportedError: FOR UPDATE is not allowed with aggregate functions"),
        ("SELECT DISTINCT id FROM jobs FOR UPDATE",
         "NotSupportedError: FOR UPDATE is not allowed with DISTINCT clause"),
        ("SELECT id FROM jobs ORDER BY 3", "ProgrammingError: ORDER BY position 3 is not in select list"),
        ("INSERT INTO jobs (id) VALUES (1, 2)", "ProgrammingError: INSERT has more expressions than target columns"),
        ("INSERT INTO jobs (id, state) VALUES (1)",
         "ProgrammingError: INSERT has more target columns than expressions"),
        ("INSERT INTO jobs (id) VALUES (2) ON CONFLICT (epoch) DO NOTHING",
         "ProgrammingError: there is no unique or exclusion constraint matching the ON CONFLICT specification"),
        ("INSERT INTO jobs VALUES (8, 'a', NULL), (8, 'b', NULL) ON CONFLICT (id) DO UPDATE SET state = 'c'",
         "ProgrammingError: ON CONFLICT DO UPDATE command cannot affect row a second time"),
        ("UPDATE jobs SET id = 1, id = 2", 'ProgrammingError: multiple assignments to same column "id"'),
        ("CREATE TABLE jobs (id INTEGER)", 'ProgrammingError: relation "jobs" already exists'),
        ("CREATE TABLE x (a INTEGER, a INTEGER)", 'ProgrammingError: column "a" specified more than once'),
        ("CREATE TABLE x (a INTEGER PRIMARY KEY, b INTEGER PRIMARY KEY)",
         'ProgrammingError: multiple primary keys for table "x" are not allowed'),
        ("CREATE TABLE x (a INTEGER CHECK (a > (SELECT 1)))",
         "NotSupportedError: cannot use subquery in check constraint"),
        ("CREATE TABLE x (a INTEGER DEFAULT (SELECT 1))",
         "NotSupportedError: cannot use subquery in DEFAULT expression"),
        ("SELECT id FROM jobs WHERE", "ProgrammingError: syntax error at end of input"),
        ("SELECT id FROM jobs WHERE id = = 1", 'ProgrammingError: syntax error at or near "="'),
        ("SELEC id FROM jobs", 'ProgrammingError: syntax error at or near "SELEC"'),
        ("UPDATE jobs SET WHERE id = 1", 'ProgrammingError: syntax error at or near "WHERE"'),
        ("SELECT 'abc", "ProgrammingError: unterminated quoted string at or near \"'abc\""),
        ("SELECT 1 = 1 = true", 'ProgrammingError: syntax error at or near "="'),
        ("SELECT \"abc", 'ProgrammingError: unterminated quoted identifier at or near ""abc"'),
        ("SELECT 1 /* abc", 'ProgrammingError: unterminated /* comment at or near "/* abc"'),
        ("SELECT 12abc", 'ProgrammingError: trailing junk after numeric literal at or near "12abc"'),
    ],
)  # fmt: skip
async def test_a_statement_is_refused_in_these_words_and_changes_nothing(sql, text, error):
    await sql.execute(TABLE)
    await sql.execute(ROW)
    assert (await refused(sql.execute(text))).startswith(error)
    assert await values(sql, "SELECT * FROM jobs") == [(1, "queued", "W1", True, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO jobs (id, state) VALUES (1, 'x')",
        "INSERT INTO jobs (id, state) VALUES (2, 'x'), (2, 'y')",
        "UPDATE jobs SET state = NULL",
        "UPDATE jobs SET epoch = -1",
        "INSERT INTO jobs (id, state, owner) VALUES (2, 'x', 'W1') ON CONFLICT (id) DO NOTHING",
    ],
)
async def test_a_broken_constraint_is_an_integrity_error_and_changes_nothing(sql, text):
    await sql.execute(TABLE)
    await sql.execute(ROW)
    kind = (await refused(sql.execute(text))).split(":")[0]
    assert kind in ("IntegrityError", "UniqueViolation", "NotNullViolation", "CheckViolation")
    assert await values(sql, "SELECT * FROM jobs") == [(1, "queued", "W1", True, 3)]


@ON_POSTGRESQL
async def test_after_an_error_a_transaction_takes_nothing_but_its_end(sql):
    await sql.execute(TABLE)
    await sql.execute(ROW)
    connection = sql.connect()
    await connection.execute("BEGIN")
    await connection.execute("UPDATE jobs SET epoch = 4")
    assert (await refused(connection.execute("SELECT 1 / 0"))) == "DataError: division by zero"
    aborted = "InFailedSqlTransaction: current transaction is aborted, commands ignored until end of transaction block"
    assert await refused(connection.execute("SELECT 1")) == aborted
    assert await refused(connection.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")) == aborted
    await connection.execute("COMMIT")
    assert await values(connection, "SELECT epoch FROM jobs") == [(3,)]


@ON_POSTGRESQL
async def test_a_level_is_chosen_before_the_first_statement(sql):
    connection = sql.connect()
    await connection.execute("START TRANSACTION")
    await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
    await connection.execute("SELECT 1")
    late = "InternalError: SET TRANSACTION ISOLATION LEVEL must be called before any query"
    assert await refused(connection.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")) == late
    await connection.execute("ABORT")
