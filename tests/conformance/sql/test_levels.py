"""REPEATABLE READ and SERIALIZABLE: one snapshot per transaction, and who is told to try again."""

import pytest

from tests.conformance.sql.stories import ON_POSTGRESQL, Queue, refused, values

pytestmark = ON_POSTGRESQL

UPDATED = "SerializationFailure: could not serialize access due to concurrent update"
DELETED = "SerializationFailure: could not serialize access due to concurrent delete"
SKEWED = "SerializationFailure: could not serialize access due to read/write dependencies among transactions"
ON_CALL = "SELECT count(*) AS n FROM doctors WHERE on_call"


@pytest.fixture
def start(sql):
    """Makes a table of two doctors on call; returns two connections, both in a transaction of the level."""

    async def make(level: str):
        await sql.execute("CREATE TABLE doctors (id INTEGER PRIMARY KEY, on_call BOOLEAN NOT NULL)")
        await sql.execute("INSERT INTO doctors VALUES (1, true), (2, true)")
        connections = [sql.connect(), sql.connect()]
        for connection in connections:
            await connection.execute(f"BEGIN ISOLATION LEVEL {level}")
        return connections

    return make


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
async def test_a_transaction_reads_what_was_committed_when_its_first_statement_ran(sql, start, level):
    first, _second = await start(level)
    await sql.execute("INSERT INTO doctors VALUES (3, false)")
    assert await values(first, "SELECT id FROM doctors ORDER BY id") == [(1,), (2,), (3,)]
    await sql.execute("UPDATE doctors SET on_call = false WHERE id = 1")
    await sql.execute("DELETE FROM doctors WHERE id = 2")
    await sql.execute("INSERT INTO doctors VALUES (4, true)")
    before = [(1, True), (2, True), (3, False)]
    assert await values(first, "SELECT id, on_call FROM doctors ORDER BY id") == before
    assert await values(first, "SELECT on_call FROM doctors WHERE id = 2") == [(True,)]
    assert await values(first, "SELECT on_call FROM doctors WHERE id = 4") == []
    assert await refused(first.execute("INSERT INTO doctors VALUES (4, false)")) == (
        'UniqueViolation: duplicate key value violates unique constraint "doctors_pkey"'
    )
    await first.execute("ROLLBACK")
    assert await values(first, "SELECT id FROM doctors ORDER BY id") == [(1,), (3,), (4,)]


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
@pytest.mark.parametrize(
    ("meanwhile", "text", "error"),
    [
        ("UPDATE doctors SET on_call = false WHERE id = 1", "UPDATE doctors SET on_call = true WHERE id = 1", UPDATED),
        ("UPDATE doctors SET on_call = false WHERE id = 1", "SELECT id FROM doctors WHERE id = 1 FOR UPDATE", UPDATED),
        ("DELETE FROM doctors WHERE id = 1", "UPDATE doctors SET on_call = true WHERE id = 1", DELETED),
        ("DELETE FROM doctors WHERE id = 1", "DELETE FROM doctors WHERE id = 1", DELETED),
        ("DELETE FROM doctors WHERE id = 1", "SELECT id FROM doctors WHERE id = 1 FOR UPDATE", UPDATED),
        ("INSERT INTO doctors VALUES (3, true)",
         "INSERT INTO doctors VALUES (3, true) ON CONFLICT DO NOTHING", UPDATED),
        ("INSERT INTO doctors VALUES (3, true)",
         "INSERT INTO doctors VALUES (3, true) ON CONFLICT (id) DO UPDATE SET on_call = true", UPDATED),
    ],
)  # fmt: skip
async def test_a_row_changed_since_the_snapshot_cannot_be_written(sql, start, level, meanwhile, text, error):
    first, _second = await start(level)
    await first.execute(ON_CALL)
    await sql.execute(meanwhile)
    assert await refused(first.execute(text)) == error


@pytest.mark.parametrize("level", ["REPEATABLE READ", "SERIALIZABLE"])
@pytest.mark.parametrize(
    "text",
    [
        "UPDATE doctors SET on_call = true WHERE id = 1",
        "DELETE FROM doctors WHERE id = 1",
        "SELECT id FROM doctors WHERE id = 1 FOR UPDATE",
        "SELECT id FROM doctors WHERE id = 1 FOR UPDATE SKIP LOCKED",
        "SELECT id FROM doctors WHERE id = 1 FOR UPDATE NOWAIT",
    ],
)
async def test_a_row_changed_since_the_snapshot_is_refused_at_once_though_somebody_holds_it(sql, start, level, text):
    first, second = await start(level)
    await first.execute(ON_CALL)
    await sql.execute("UPDATE doctors SET on_call = false WHERE id = 1")
    await second.execute("UPDATE doctors SET on_call = true WHERE id = 1")
    assert await refused(first.execute(text)) == UPDATED


@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK"])
async def test_a_row_found_by_its_key_is_waited_for_before_it_is_refused(sql_arm, sql, start, end):
    first, second = await start("REPEATABLE READ")
    await first.execute(ON_CALL)
    await sql.execute("UPDATE doctors SET on_call = false WHERE id = 1")
    await second.execute("UPDATE doctors SET on_call = true WHERE id = 1")
    text = "INSERT INTO doctors VALUES (1, true) ON CONFLICT (id) DO UPDATE SET on_call = EXCLUDED.on_call"
    late = await Queue(sql_arm, sql).wait(first.execute(text))
    await second.execute(end)
    assert await refused(late) == UPDATED


@pytest.mark.parametrize(("end", "error"), [("COMMIT", UPDATED), ("ROLLBACK", None)])
async def test_a_write_waits_to_learn_whether_the_row_is_changed(sql_arm, sql, start, end, error):
    first, second = await start("REPEATABLE READ")
    await second.execute(ON_CALL)
    await first.execute("UPDATE doctors SET on_call = false WHERE id = 1")
    late = await Queue(sql_arm, sql).wait(second.execute("UPDATE doctors SET on_call = false WHERE id = 1"))
    await first.execute(end)
    if error is None:
        assert (await late).row_count == 1
    else:
        assert await refused(late) == error


@pytest.mark.parametrize(("level", "refusal"), [("REPEATABLE READ", None), ("SERIALIZABLE", SKEWED)])
async def test_two_doctors_go_off_call_each_trusting_the_other(sql, start, level, refusal):
    first, second = await start(level)
    assert await values(first, ON_CALL) == await values(second, ON_CALL) == [(2,)]
    await first.execute("UPDATE doctors SET on_call = false WHERE id = 1")
    await second.execute("UPDATE doctors SET on_call = false WHERE id = 2")
    await first.execute("COMMIT")
    outcome = await refused(second.execute("COMMIT"))
    assert outcome == refusal if refusal else outcome.startswith("not refused")
    assert await values(sql, ON_CALL) == [(1 if refusal else 0,)]
    assert await values(second, "SELECT 1") == [(1,)]


async def test_the_one_refused_succeeds_when_it_tries_again(sql, start):
    first, second = await start("SERIALIZABLE")
    for connection, doctor in ((first, 1), (second, 2)):
        await connection.execute(ON_CALL)
        await connection.execute(f"UPDATE doctors SET on_call = false WHERE id = {doctor}")
    await first.execute("COMMIT")
    assert await refused(second.execute("COMMIT")) == SKEWED
    await second.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
    assert await values(second, ON_CALL) == [(1,)]
    await second.execute("COMMIT")


async def test_an_insert_that_the_other_did_not_see_counts_as_a_change_of_what_it_read(start):
    first, second = await start("SERIALIZABLE")
    for connection, doctor in ((first, 3), (second, 4)):
        await connection.execute(ON_CALL)
        await connection.execute(f"INSERT INTO doctors VALUES ({doctor}, true)")
    await first.execute("COMMIT")
    assert await refused(second.execute("COMMIT")) == SKEWED


async def test_transactions_that_overlap_without_a_circle_all_commit(start):
    first, second = await start("SERIALIZABLE")
    assert await values(first, ON_CALL) == [(2,)]
    await second.execute("UPDATE doctors SET on_call = false WHERE id = 2")
    await second.execute("COMMIT")
    assert await values(first, ON_CALL) == [(2,)]
    await first.execute("COMMIT")
