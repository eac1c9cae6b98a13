"""What the database supports, as data: for the reference page, and for tests that run every example.

Types are in `values.TYPE_NAMES`, functions in `functions.FUNCTIONS` and `functions.AGGREGATES`; here are the
statements, the operators, and the known differences from PostgreSQL.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Form:
    """One thing that may be written: `form` with optional parts in brackets, what it means, and an example.

    Examples are whole statements for statements and values for operators; those of statements run one after another.
    """

    form: str
    meaning: str
    example: str


STATEMENTS = (
    Form(
        "CREATE TABLE [IF NOT EXISTS] name (column type [NOT NULL] [DEFAULT value] [PRIMARY KEY] [UNIQUE] [CHECK (…)], "
        "… [[CONSTRAINT name] PRIMARY KEY (…) | UNIQUE (…) | CHECK (…)])",
        "makes a table",
        "CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT NOT NULL DEFAULT 'queued', owner TEXT, "
        "epoch INTEGER DEFAULT 0 CHECK (epoch >= 0), CONSTRAINT owned CHECK (state <> 'running' OR owner IS NOT NULL))",
    ),
    Form(
        "INSERT INTO table [(columns)] VALUES (values | DEFAULT), … [ON CONFLICT [(columns)] DO NOTHING] "
        "[RETURNING list]",
        "adds rows; where a row with the same key exists, an error or nothing",
        "INSERT INTO jobs (id) VALUES (1), (2) ON CONFLICT (id) DO NOTHING RETURNING id",
    ),
    Form(
        "INSERT … ON CONFLICT (columns) DO UPDATE SET column = value, … [WHERE condition] [RETURNING list]",
        "adds rows; where a row with the same key exists, changes that; EXCLUDED is the row that was not added",
        "INSERT INTO jobs (id, epoch) VALUES (1, 5) ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch "
        "WHERE jobs.epoch < excluded.epoch",
    ),
    Form(
        "UPDATE table [[AS] alias] SET column = value | DEFAULT, … [WHERE condition] [RETURNING list]",
        "changes the rows on which the condition is TRUE",
        "UPDATE jobs SET owner = 'W2', epoch = epoch + 1 WHERE id = 1 AND owner IS NULL RETURNING epoch",
    ),
    Form(
        "DELETE FROM table [[AS] alias] [WHERE condition] [RETURNING list]",
        "removes the rows on which the condition is TRUE",
        "DELETE FROM jobs WHERE id = 2",
    ),
    Form(
        "SELECT [DISTINCT] list [FROM table [[AS] alias]] [WHERE condition] [GROUP BY columns] [HAVING condition] "
        "[ORDER BY value [ASC | DESC] [NULLS FIRST | LAST], …] [LIMIT count | ALL] [OFFSET count]",
        "reads rows of one table, in insertion order without ORDER BY; an aggregate may take DISTINCT values only, as "
        "count(DISTINCT owner)",
        "SELECT state, count(*) AS jobs FROM jobs WHERE epoch > 0 GROUP BY state HAVING count(*) > 0 "
        "ORDER BY jobs DESC LIMIT 5",
    ),
    Form(
        "SELECT … FOR UPDATE [NOWAIT | SKIP LOCKED]",
        "reads rows and holds them until the transaction ends; one held by another is waited for, an error, or passed",
        "SELECT id FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED",
    ),
    Form(
        "UPDATE … WHERE column = (SELECT … LIMIT 1 FOR UPDATE SKIP LOCKED)",
        "a job queue in one statement: takes the first row that nobody holds",
        "UPDATE jobs SET owner = 'W3' WHERE id = (SELECT id FROM jobs WHERE owner IS NULL OR owner <> 'W3' "
        "ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id",
    ),
    Form(
        "BEGIN | START TRANSACTION [ISOLATION LEVEL READ COMMITTED | REPEATABLE READ | SERIALIZABLE]",
        "opens a transaction on a connection of its own, at READ COMMITTED where no level is named (READ UNCOMMITTED "
        "is the same); without it every statement is one",
        "BEGIN",
    ),
    Form(
        "SET TRANSACTION ISOLATION LEVEL …",
        "the level of the transaction that has just begun, before its first statement",
        "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
    ),
    Form("COMMIT | END", "makes the transaction's changes visible to others", "COMMIT"),
    Form("ROLLBACK | ABORT", "undoes the transaction's changes", "ROLLBACK"),
)

OPERATORS = (
    Form("a OR b, a AND b, NOT a", "three-valued logic: NULL is unknown", "NOT (true AND NULL OR false)"),
    Form("a IS [NOT] NULL | TRUE | FALSE | UNKNOWN", "tests that are never unknown", "NULL IS NULL"),
    Form("a IS [NOT] DISTINCT FROM b", "comparison that takes NULL for a value", "1 IS DISTINCT FROM NULL"),
    Form("a = b, <>, !=, <, <=, >, >=", "comparison; unknown when a side is NULL, also NULL = NULL", "1 <= 2"),
    Form("a [NOT] BETWEEN low AND high", "within bounds that count as inside", "2 BETWEEN 1 AND 3"),
    Form("a [NOT] IN (b, …)", "equal to one of the values", "'a' NOT IN ('b', 'c')"),
    Form("a [NOT] IN (SELECT …)", "equal to one of the values that a subquery finds", "1 IN (SELECT 1)"),
    Form("(SELECT …)", "the one value that a subquery finds, NULL where it finds no row", "(SELECT 1) + 1"),
    Form("EXISTS (SELECT …)", "whether a subquery finds a row", "EXISTS (SELECT 1 WHERE false)"),
    Form("a [NOT] LIKE pattern", "% stands for any text, _ for one character", "'queued' LIKE 'q%'"),
    Form("a || b", "text joined", "'job-' || 42"),
    Form("a + b, -, *, /, %", "arithmetic; / between integers cuts toward zero", "7 / 2 + -7 % 3"),
    Form(
        "CASE [a] WHEN b THEN c … [ELSE d] END", "the first branch that fits", "CASE WHEN 1 > 2 THEN 'a' ELSE 'b' END"
    ),
    Form("CAST(a AS type), a::type", "the value as another type", "CAST('12' AS INTEGER) + '30'::integer"),
    Form(":name", "a parameter; every one needs a value, and values that are not in the text are no matter", ""),
    Form("TIMESTAMP 'text', INTERVAL 'text'", "a time, a length of time", "TIMESTAMP '2024-03-01' - INTERVAL '1 day'"),
)

DIFFERENCES = (
    "One table per SELECT: no JOIN, no UNION, no WITH, no INSERT … SELECT, no CREATE INDEX, no foreign keys, no "
    "sequences. What is not supported is refused by name.",
    "A subquery runs once, before the statement around it, and cannot look at that statement's row.",
    "No NUMERIC: decimal literals and avg() are DOUBLE PRECISION, and sum() of BIGINT is BIGINT. REAL keeps all 64 "
    "bits. Numbers are finite.",
    "TIMESTAMP has no time zone, and now() starts at 1970-01-01 00:00:00 with virtual time. Results show it as text, "
    "and text passed as a parameter is read as a timestamp where one is compared or stored.",
    "A parameter has the type of its Python value: text for an INTEGER column is an error, as with asyncpg.",
    "Text is ordered by code point, as under the collation C.",
    "Rows without ORDER BY come in insertion order; PostgreSQL promises none.",
    "A deadlock is found at once, at the statement that would close the circle; PostgreSQL looks after a second.",
    "BEGIN inside a transaction and COMMIT outside one are errors, not warnings; no savepoints; CREATE TABLE cannot "
    "be part of a transaction.",
    "At SERIALIZABLE, a condition that fixes a unique key reads that key, any other reads the whole table; PostgreSQL "
    "counts by page of an index or by table, as its plan has it, so it may refuse more.",
    "Two results of the same name are an error, since rows are dictionaries.",
    "A list may be as long as it likes, but an expression has at most 200 operators in a chain, or 25 pairs of "
    "parentheses inside each other, and a parameter is no larger than BIGINT.",
    "A caller that gives up waiting does not take its statement back, unless it uses the same connection again.",
)
