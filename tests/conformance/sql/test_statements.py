"""One connection: what statements answer and what they leave."""

import pytest

from tests.conformance.sql.stories import ON_POSTGRESQL, values

JOBS = """
    CREATE TABLE jobs (
        id INT NOT NULL PRIMARY KEY, state VARCHAR(8) NOT NULL DEFAULT 'queued', owner TEXT UNIQUE,
        epoch INTEGER DEFAULT 0 CHECK (epoch >= 0), CONSTRAINT owned CHECK (state <> 'running' OR owner IS NOT NULL),
        UNIQUE (state, epoch, id)
    )
"""
ROWS = "INSERT INTO jobs (id, owner, epoch) VALUES (1, 'W1', 3), (2, NULL, 1), (3, NULL, NULL), (4, 'W4', 1)"


@pytest.fixture
def jobs(sql):
    """Makes the table with its four rows; the client to await it on is `sql`."""

    async def make():
        await sql.execute(JOBS)
        assert (await sql.execute(ROWS)).row_count == 4

    return make


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("SELECT id FROM jobs WHERE epoch = 1 ORDER BY id", [(2,), (4,)]),
        ("SELECT id FROM jobs WHERE owner = NULL", []),
        ("SELECT id FROM jobs WHERE owner IS NULL ORDER BY id DESC", [(3,), (2,)]),
        ("SELECT id FROM jobs WHERE NOT (owner = 'W1') ORDER BY id", [(4,)]),
        ("SELECT id FROM jobs WHERE owner IN ('W1', 'W4') AND epoch BETWEEN 2 AND 4", [(1,)]),
        ("SELECT j.id FROM jobs AS j WHERE j.owner LIKE '%4'", [(4,)]),
        ("SELECT id FROM jobs ORDER BY epoch NULLS FIRST, id", [(3,), (2,), (4,), (1,)]),
        ("SELECT id FROM jobs ORDER BY epoch DESC NULLS LAST, id DESC", [(1,), (4,), (2,), (3,)]),
        ("SELECT id, epoch + 1 AS next FROM jobs ORDER BY next NULLS LAST, 1 LIMIT 2", [(2, 2), (4, 2)]),
        ("SELECT id FROM jobs ORDER BY id LIMIT 2 OFFSET 1", [(2,), (3,)]),
        ("SELECT id FROM jobs ORDER BY id LIMIT 0", []),
        ("SELECT count(*), count(owner) AS k, min(epoch), max(owner), sum(epoch) FROM jobs", [(4, 2, 1, "W4", 5)]),
        ("SELECT count(*), sum(epoch), min(id) AS low FROM jobs WHERE id > 9", [(0, None, None)]),
        ("SELECT count(DISTINCT epoch), avg(id) FROM jobs", [(2, 2.5)]),
        ("SELECT epoch, count(*) FROM jobs GROUP BY epoch ORDER BY epoch NULLS LAST", [(1, 2), (3, 1), (None, 1)]),
        ("SELECT epoch FROM jobs GROUP BY epoch HAVING count(*) > 1", [(1,)]),
        ("SELECT DISTINCT epoch FROM jobs ORDER BY epoch NULLS FIRST", [(None,), (1,), (3,)]),
        ("SELECT id FROM jobs WHERE epoch = (SELECT max(epoch) FROM jobs)", [(1,)]),
        ("SELECT id FROM jobs WHERE id IN (SELECT id FROM jobs WHERE epoch = 1) ORDER BY id", [(2,), (4,)]),
        ("SELECT id FROM jobs WHERE id NOT IN (SELECT epoch FROM jobs)", []),
        ("SELECT id FROM jobs WHERE EXISTS (SELECT 1 FROM jobs WHERE epoch > 9)", []),
        ("SELECT 1 AS one WHERE 1 = 1", [(1,)]),
    ],
)
async def test_a_select_finds(sql, jobs, text, rows):
    await jobs()
    assert await values(sql, text) == rows


@pytest.mark.parametrize(
    ("text", "count", "left"),
    [
        ("UPDATE jobs SET owner = 'W2' WHERE id = 2 AND owner IS NULL",
         1, [(1, "W1"), (2, "W2"), (3, None), (4, "W4")]),
        ("UPDATE jobs SET owner = 'W2' WHERE id = 1 AND owner IS NULL",
         0, [(1, "W1"), (2, None), (3, None), (4, "W4")]),
        ("UPDATE jobs SET owner = NULL WHERE owner = 'W1' OR epoch < 2", 3, [(n, None) for n in (1, 2, 3, 4)]),
        ("UPDATE jobs SET owner = owner || epoch", 4, [(1, "W13"), (2, None), (3, None), (4, "W41")]),
        ("DELETE FROM jobs WHERE epoch <> 1", 1, [(2, None), (3, None), (4, "W4")]),
        ("DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE owner IS NULL)", 2, [(1, "W1"), (4, "W4")]),
        ("DELETE FROM jobs", 4, []),
        ("INSERT INTO jobs (id) VALUES (4), (5) ON CONFLICT DO NOTHING", 1, [
            (1, "W1"), (2, None), (3, None), (4, "W4"), (5, None)]),
        ("INSERT INTO jobs (id, owner) VALUES (1, 'X'), (6, 'Y') ON CONFLICT (id) DO UPDATE "
         "SET owner = excluded.owner || jobs.owner", 2, [(1, "XW1"), (2, None), (3, None), (4, "W4"), (6, "Y")]),
        ("INSERT INTO jobs (id, epoch) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET owner = 'new' "
         "WHERE jobs.epoch < excluded.epoch", 0, [(1, "W1"), (2, None), (3, None), (4, "W4")]),
        ("UPDATE jobs SET id = id + 10, owner = id WHERE id = 4", 1, [(1, "W1"), (2, None), (3, None), (14, "4")]),
    ],
)  # fmt: skip
async def test_a_write_changes(sql, jobs, text, count, left):
    await jobs()
    assert (await sql.execute(text)).row_count == count
    assert await values(sql, "SELECT id, owner FROM jobs ORDER BY id") == left


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("INSERT INTO jobs (id) VALUES (7) RETURNING *", [(7, "queued", None, 0)]),
        ("INSERT INTO jobs (id, epoch) VALUES (7, NULL) RETURNING id, epoch", [(7, None)]),
        ("UPDATE jobs SET epoch = epoch + 1 WHERE id = 1 RETURNING id, epoch", [(1, 4)]),
        ("DELETE FROM jobs WHERE id = 1 RETURNING owner, epoch", [("W1", 3)]),
        ("DELETE FROM jobs WHERE id = 9 RETURNING owner", []),
        ("INSERT INTO jobs (id) VALUES (1) ON CONFLICT DO NOTHING RETURNING id", []),
    ],
)
async def test_returning_shows_the_rows_as_they_are_afterwards(sql, jobs, text, rows):
    await jobs()
    answer = await sql.execute(text)
    assert ([tuple(row.values()) for row in answer.rows], answer.row_count) == (rows, len(rows))


@ON_POSTGRESQL  # SQLite has no FOR UPDATE
async def test_a_job_is_taken_in_one_statement_until_none_is_left(sql, jobs):
    await jobs()
    take = (
        "UPDATE jobs SET owner = :worker WHERE id = (SELECT id FROM jobs WHERE owner IS NULL "
        "ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id"
    )
    taken = [await values(sql, take, {"worker": f"X{number}"}) for number in range(3)]
    assert taken == [[(2,)], [(3,)], []]


@ON_POSTGRESQL  # SQLite sorts NULL first
async def test_null_sorts_as_the_largest_value(sql, jobs):
    await jobs()
    assert await values(sql, "SELECT id FROM jobs ORDER BY epoch, id") == [(2,), (4,), (1,), (3,)]
    assert await values(sql, "SELECT id FROM jobs ORDER BY epoch DESC, id") == [(3,), (1,), (2,), (4,)]


async def test_a_transaction_is_undone_or_kept_whole(sql, jobs):
    await jobs()
    connection = sql.connect()
    for end, ids in (("ROLLBACK", [1, 2, 3, 4]), ("COMMIT", [1, 3, 5])):
        await connection.execute("BEGIN")
        await connection.execute("DELETE FROM jobs WHERE id IN (2, 4)")
        await connection.execute("INSERT INTO jobs (id) VALUES (5)")
        assert await values(connection, "SELECT count(*) FROM jobs") == [(3,)]
        await connection.execute(end)
        assert await values(sql, "SELECT id FROM jobs ORDER BY id") == [(number,) for number in ids]
