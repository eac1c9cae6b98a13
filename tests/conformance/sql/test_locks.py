"""Several connections at READ COMMITTED: who waits for whom, and what a statement finds when it goes on."""

import pytest

from tests.conformance.sql.stories import ON_POSTGRESQL, Queue, refused, values

pytestmark = ON_POSTGRESQL

CLAIM = "UPDATE jobs SET state = 'claimed', owner = :worker WHERE id = :id AND state = 'queued'"
TAKE = (
    "UPDATE jobs SET state = 'claimed', owner = :worker WHERE id = (SELECT id FROM jobs WHERE state = 'queued' "
    "ORDER BY id FOR UPDATE SKIP LOCKED LIMIT 1) RETURNING id"
)
NEXT = "SELECT id FROM jobs WHERE state = 'queued' ORDER BY id LIMIT 1 FOR UPDATE"


@pytest.fixture
def start(sql):
    """Makes a table of three jobs; returns connections, of which the first two have a transaction open."""

    async def make(transactions: int = 2, level: str = ""):
        await sql.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, state TEXT NOT NULL, owner TEXT UNIQUE)")
        await sql.execute("INSERT INTO jobs (id, state) VALUES (1, 'queued'), (2, 'queued'), (3, 'done')")
        connections = [sql.connect() for _ in range(3)]
        for connection in connections[:transactions]:
            await connection.execute(f"BEGIN {level}")
        return connections

    return make


@pytest.fixture
def queue(sql_arm, sql):
    return Queue(sql_arm, sql)


@pytest.mark.parametrize(("end", "count", "owner"), [("COMMIT", 0, "W1"), ("ROLLBACK", 1, "W2")])
async def test_a_second_claim_waits_and_looks_at_the_row_again(sql, start, queue, end, count, owner):
    first, second, _third = await start(1)
    assert (await first.execute(CLAIM, {"id": 1, "worker": "W1"})).row_count == 1
    late = await queue.wait(second.execute(CLAIM, {"id": 1, "worker": "W2"}))
    await first.execute(end)
    assert (await late).row_count == count
    assert await values(sql, "SELECT owner FROM jobs WHERE id = 1") == [(owner,)]


async def test_a_waiting_update_ignores_rows_that_match_only_since_it_began(sql, start, queue):
    first, second, _third = await start(1)
    await first.execute("UPDATE jobs SET state = 'queued' WHERE id = 3")
    await first.execute("UPDATE jobs SET state = 'claimed' WHERE id = 1")
    late = await queue.wait(second.execute("UPDATE jobs SET owner = 'W2' WHERE state = 'queued' AND id <> 2"))
    await first.execute("COMMIT")
    assert (await late).row_count == 0


async def test_a_waiting_update_computes_from_the_row_as_it_is_afterwards(sql, start, queue):
    first, second, _third = await start(1)
    await first.execute("UPDATE jobs SET owner = 'a' WHERE id = 1")
    late = await queue.wait(second.execute("UPDATE jobs SET owner = owner || 'b' WHERE id = 1 RETURNING owner"))
    await first.execute("COMMIT")
    assert (await late).rows == [{"owner": "ab"}]


async def test_a_waiting_delete_of_a_deleted_row_hits_nothing(start, queue):
    first, second, _third = await start(1)
    await first.execute("DELETE FROM jobs WHERE id = 1")
    late = await queue.wait(second.execute("DELETE FROM jobs WHERE id = 1"))
    await first.execute("COMMIT")
    assert (await late).row_count == 0


async def test_readers_never_wait_and_see_what_is_committed(start):
    first, second, _third = await start(1)
    await first.execute("UPDATE jobs SET state = 'claimed' WHERE id = 1")
    await first.execute("DELETE FROM jobs WHERE id = 2")
    await first.execute("INSERT INTO jobs VALUES (9, 'queued', NULL)")
    assert await values(first, "SELECT id, state FROM jobs ORDER BY id") == [(1, "claimed"), (3, "done"), (9, "queued")]
    assert await values(second, "SELECT id, state FROM jobs ORDER BY id") == [(1, "queued"), (2, "queued"), (3, "done")]


async def test_at_read_committed_each_statement_sees_the_commits_before_it(start):
    first, second, _third = await start()
    assert await values(second, "SELECT state FROM jobs WHERE id = 1") == [("queued",)]
    await first.execute(CLAIM, {"id": 1, "worker": "W1"})
    await first.execute("COMMIT")
    assert await values(second, "SELECT state FROM jobs WHERE id = 1") == [("claimed",)]


async def test_each_worker_takes_another_job_and_the_last_finds_none(sql, start):
    first, second, third = await start()
    assert await values(first, TAKE, {"worker": "W1"}) == [(1,)]
    assert await values(second, TAKE, {"worker": "W2"}) == [(2,)]
    assert await values(third, TAKE, {"worker": "W3"}) == []
    await first.execute("COMMIT")
    await second.execute("ROLLBACK")
    assert await values(third, TAKE, {"worker": "W3"}) == [(2,)]
    assert await values(sql, "SELECT id, owner FROM jobs ORDER BY id") == [(1, "W1"), (2, "W3"), (3, None)]


async def test_without_skip_locked_the_second_waits_and_takes_the_next_job(start, queue):
    first, second, _third = await start()
    assert await values(first, NEXT) == [(1,)]
    late = await queue.wait(second.execute(NEXT))
    await first.execute("UPDATE jobs SET state = 'claimed' WHERE id = 1")
    await first.execute("COMMIT")
    assert (await late).rows == [{"id": 2}]


async def test_nowait_is_refused_where_the_row_is_held(start):
    first, second, _third = await start(1)
    await first.execute("SELECT id FROM jobs WHERE id = 1 FOR UPDATE")
    held = 'LockNotAvailable: could not obtain lock on row in relation "jobs"'
    assert await refused(second.execute("SELECT id FROM jobs WHERE id = 1 FOR UPDATE NOWAIT")) == held
    assert await values(second, "SELECT id FROM jobs WHERE id = 2 FOR UPDATE NOWAIT") == [(2,)]


@pytest.mark.parametrize(
    ("end", "text", "outcome"),
    [
        ("COMMIT", "INSERT INTO jobs VALUES (7, 'x', NULL)", "UniqueViolation"),
        ("ROLLBACK", "INSERT INTO jobs VALUES (7, 'x', NULL)", 1),
        ("COMMIT", "INSERT INTO jobs VALUES (7, 'x', NULL) ON CONFLICT DO NOTHING", 0),
        ("ROLLBACK", "INSERT INTO jobs VALUES (7, 'x', NULL) ON CONFLICT DO NOTHING", 1),
        ("COMMIT", "INSERT INTO jobs VALUES (7, 'x', NULL) ON CONFLICT (id) DO UPDATE SET state = 'y'", 1),
        ("COMMIT", "UPDATE jobs SET id = 7 WHERE id = 2", "UniqueViolation"),
    ],
)
async def test_a_second_row_with_a_key_waits_for_the_outcome_of_the_first(start, queue, end, text, outcome):
    first, second, _third = await start(1)
    await first.execute("INSERT INTO jobs VALUES (7, 'new', NULL)")
    late = await queue.wait(second.execute(text))
    await first.execute(end)
    if isinstance(outcome, int):
        assert (await late).row_count == outcome
    else:
        assert (await refused(late)).startswith(outcome)


async def test_an_insert_waits_for_a_holder_that_has_changed_another_column(start, queue):
    first, second, third = await start(1)
    await first.execute("UPDATE jobs SET state = 'x' WHERE id = 1")
    late = await queue.wait(second.execute("INSERT INTO jobs VALUES (1, 'y', NULL) ON CONFLICT DO NOTHING"))
    await first.execute("COMMIT")
    assert (await late).row_count == 0
    await third.execute("BEGIN")
    await third.execute("SELECT id FROM jobs WHERE id = 1 FOR UPDATE")
    assert (await refused(second.execute("INSERT INTO jobs VALUES (1, 'y', NULL)"))).startswith("UniqueViolation")
    await third.execute("ROLLBACK")


async def test_waiting_statements_go_on_in_the_order_in_which_they_came(sql, start, queue):
    first, second, third = await start(1)
    await first.execute(CLAIM, {"id": 1, "worker": "W1"})
    earlier = await queue.wait(second.execute(CLAIM, {"id": 1, "worker": "W2"}))
    later = await queue.wait(third.execute(CLAIM, {"id": 1, "worker": "W3"}))
    await first.execute("ROLLBACK")
    assert ((await earlier).row_count, (await later).row_count) == (1, 0)


async def test_of_two_that_wait_for_each_other_one_is_refused_and_the_other_goes_on(sql, start, queue):
    first, second, _third = await start()
    await first.execute("UPDATE jobs SET state = 'a' WHERE id = 1")
    await second.execute("UPDATE jobs SET state = 'b' WHERE id = 2")
    patient = await queue.wait(first.execute("UPDATE jobs SET state = 'a' WHERE id = 2"))
    closing = second.execute("UPDATE jobs SET state = 'b' WHERE id = 1")
    outcomes = [await refused(closing), await refused(patient)]
    assert sum(outcome == "DeadlockDetected: deadlock detected" for outcome in outcomes) == 1
