"""The database as an actor: what the trace holds, and what outages, lost replies, crashes and waiting do."""

import asyncio

import pytest

from py_runtime.sim import DROP, PASS, REPLY, FifoScheduler, SeededScheduler, Stream, World
from py_runtime.stores.sql import IntegrityError, SqlError, SqlServer
from py_runtime.stores.sql.client import TEXT_LENGTH_MAX
from py_runtime.stores.sql.errors import SerializationFailure

CLAIM = """
    UPDATE jobs SET owner = :worker, epoch = epoch + 1
     WHERE id = :id AND owner IS NULL AND epoch = :epoch  -- one row or none
"""
SECOND_US = 1_000_000


class Scene:
    """A world with a database that holds one job, and workers that run a program each."""

    def __init__(self, scheduler=None, **latency_us: int) -> None:
        self.world = World(seed=1, scheduler=scheduler or FifoScheduler())
        self.server = SqlServer(self.world, **latency_us)
        self.database = self.server.client()
        self.server.database.execute("CREATE TABLE jobs (id INTEGER PRIMARY KEY, owner TEXT, epoch INTEGER, load REAL)")
        self.server.database.execute("INSERT INTO jobs VALUES (42, NULL, 0, 0.5)")
        self.seen: list[object] = []

    def spawn(self, name: str, program) -> None:
        self.world.spawn(self.world.actor(name), program(name))

    def run(self, *programs, until_us: int = 60 * SECOND_US) -> list[object]:
        """Run each program as an actor of its own; returns what they saw, in order."""
        for number, program in enumerate(programs, 1):
            self.spawn(f"W{number}", program)
        self.world.run(until_us)
        self.world.close()
        return self.seen

    def fields(self, kind: str) -> list[dict[str, object]]:
        return [dict(event.fields) for event in self.world.events if event.kind == kind]

    async def claim(self, worker: str) -> None:
        answer = await self.database.execute(CLAIM, {"worker": worker, "id": 42, "epoch": 0})
        self.seen.append((worker, answer.row_count))


def test_two_workers_claim_and_exactly_one_row_is_hit():
    scene = Scene()
    assert scene.run(scene.claim, scene.claim) == [("W1", 1), ("W2", 0)]
    assert scene.server.rows("jobs") == [{"id": 42, "owner": "W1", "epoch": 1, "load": 0.5}]


def test_every_order_of_two_claims_has_one_winner():
    winners = set()
    for seed in range(20):
        scene = Scene(SeededScheduler(Stream(seed, "schedule")))
        counts = dict(scene.run(scene.claim, scene.claim))
        assert sorted(counts.values()) == [0, 1]
        winners.add(max(counts, key=counts.get))
    assert winners == {"W1", "W2"}


def test_the_trace_shows_the_statement_on_one_line_with_its_values():
    scene = Scene()
    scene.run(scene.claim)
    [started] = scene.fields("call.started")
    text = "UPDATE jobs SET owner = 'W1', epoch = epoch + 1 WHERE id = 42 AND owner IS NULL AND epoch = 0"
    assert (started["to"], started["text"]) == ("sql", text)


def test_the_trace_shows_row_count_changes_and_why_nothing_matched():
    scene = Scene()
    scene.run(scene.claim, scene.claim)
    won, lost = scene.fields("call.applied")
    change = {"store": "sql", "key": "jobs/42", "type": "row", "value": {"id": 42, "owner": "W1", "epoch": 1}}
    change["value"]["load"] = "0.5"
    assert (won["row_count"], won["reply"], won["changes"]) == (1, {"row_count": 1}, [change])
    assert "unmatched" not in won and "changes" not in lost
    assert lost["row_count"] == 0
    [entry] = lost["unmatched"]
    assert [each["text"] for each in entry["failed"]] == [
        "owner is 'W1', the statement wants NULL",
        "epoch is 1, the statement wants 0",
    ]


def test_rows_come_as_dictionaries_and_fetch_one_gives_none_without_rows():
    scene = Scene()

    async def program(_worker: str) -> None:
        text = "SELECT id, load FROM jobs WHERE id = :id"
        scene.seen.append(await scene.database.fetch_one(text, {"id": 42}))
        scene.seen.append(await scene.database.fetch_one(text, {"id": 43}))
        scene.seen.append(await scene.database.fetch_all(text, {"id": 42}))

    assert scene.run(program) == [{"id": 42, "load": 0.5}, None, [{"id": 42, "load": 0.5}]]
    assert scene.fields("call.completed")[0]["reply"] == {"row_count": 1, "rows": [{"id": 42, "load": "0.5"}]}


def test_a_long_statement_is_cut_in_the_trace_and_an_unreadable_one_is_shown_as_it_is():
    scene = Scene()

    async def program(_worker: str) -> None:
        await scene.database.execute(f"SELECT '{'x' * 300}' AS x")
        with pytest.raises(SqlError, match="unterminated quoted string"):
            await scene.database.execute("SELECT\n  'abc")
        scene.seen.append("refused")

    assert scene.run(program) == ["refused"]
    long, unreadable = (fields["text"] for fields in scene.fields("call.started"))
    assert (len(long), long[-1]) == (TEXT_LENGTH_MAX, "…")
    assert unreadable == "SELECT 'abc"


def test_an_error_reaches_the_caller_as_it_was_raised():
    scene = Scene()

    async def program(_worker: str) -> None:
        with pytest.raises(IntegrityError) as caught:
            await scene.database.execute("INSERT INTO jobs (id) VALUES (42)")
        scene.seen.append(caught.value.constraint)

    assert scene.run(program) == ["jobs_pkey"]
    message = 'duplicate key value violates unique constraint "jobs_pkey": Key (id)=(42) already exists.'
    assert [fields["error"] for fields in scene.fields("call.failed")] == [message]


def test_a_lost_reply_leaves_the_claim_made_and_its_claimer_unaware():
    scene = Scene()
    scene.database = scene.server.client(timeout=1.0)
    scene.world.network.rule(lambda message: DROP if message.direction == REPLY else PASS, until_us=SECOND_US)

    async def program(worker: str) -> None:
        try:
            await scene.claim(worker)
        except TimeoutError as error:
            scene.seen.append(str(error))
        await scene.claim(worker)

    assert scene.run(program) == ["no answer from sql within 1.0 seconds", ("W1", 0)]
    assert scene.server.rows("jobs")[0]["owner"] == "W1"


def test_an_outage_refuses_calls_and_keeps_committed_rows():
    scene = Scene()
    scene.server.set_down(True)

    async def program(worker: str) -> None:
        with pytest.raises(ConnectionRefusedError):
            await scene.claim(worker)
        scene.server.set_down(False)
        await scene.claim(worker)

    assert scene.run(program) == [("W1", 1)]


def hold(scene: Scene, seconds: float, failing: bool = False):
    """Return a program that claims the job in a transaction and keeps that open for a while."""

    async def program(worker: str) -> None:
        async with scene.database.transaction() as connection:
            answer = await connection.execute(CLAIM, {"worker": worker, "id": 42, "epoch": 0})
            scene.seen.append((worker, answer.row_count))
            await asyncio.sleep(seconds)
            if failing:
                raise ValueError("the program fails inside its transaction")

    return program


def late(scene: Scene, seconds: float = 0.5):
    """Return a program that claims the job a little later and notes when it got its answer."""

    async def program(worker: str) -> None:
        await asyncio.sleep(seconds)
        await scene.claim(worker)
        scene.seen.append(scene.world.now_us)

    return program


def test_a_transaction_may_be_of_another_level_and_is_then_refused_what_changed_meanwhile():
    scene = Scene()

    async def program(worker: str) -> None:
        with pytest.raises(SerializationFailure, match="could not serialize access due to concurrent update"):
            async with scene.database.transaction("repeatable read") as connection:
                await connection.execute("SELECT epoch FROM jobs")
                await scene.claim("W9")
                await connection.execute(CLAIM, {"worker": worker, "id": 42, "epoch": 0})
        scene.seen.append("refused")

    assert scene.run(program) == [("W9", 1), "refused"]


def test_a_claim_waits_for_a_transaction_and_finds_the_job_taken():
    scene = Scene()
    assert scene.run(hold(scene, 2.0), late(scene)) == [("W1", 1), ("W2", 0), 2 * SECOND_US]
    changes = [fields.get("changes", []) for fields in scene.fields("call.applied")]
    assert [len(each) for each in changes] == [0, 0, 1, 0]
    assert scene.server.waiting_count == 0


def test_an_exception_in_a_transaction_rolls_it_back():
    scene = Scene()
    assert scene.run(hold(scene, 2.0, failing=True), late(scene)) == [("W1", 1), ("W2", 1), 2 * SECOND_US]
    [failed] = scene.fields("task.failed")
    assert failed["error"] == "ValueError: the program fails inside its transaction"


def test_a_crash_undoes_the_open_transaction_and_lets_the_waiting_claim_go_on():
    scene = Scene(request_us=1_000, reply_us=1_000)
    scene.world.call_at(SECOND_US, lambda: scene.world.crash(scene.world.actor("W1")))
    assert scene.run(hold(scene, 9.0), late(scene)) == [("W1", 1), ("W2", 1), SECOND_US + 2_000]
    assert scene.server.rows("jobs")[0]["owner"] == "W2"


def test_a_pause_keeps_the_transaction_open():
    scene = Scene()
    scene.world.call_at(SECOND_US, lambda: scene.world.pause(scene.world.actor("W1"), 10 * SECOND_US))
    assert scene.run(hold(scene, 2.0), late(scene)) == [("W1", 1), ("W2", 0), 11 * SECOND_US]


def test_a_statement_sent_before_the_crash_is_carried_out():
    scene = Scene(request_us=1_000)
    scene.world.call_at(500, lambda: scene.world.crash(scene.world.actor("W1")))
    assert scene.run(scene.claim) == []
    assert scene.server.rows("jobs")[0]["owner"] == "W1"


def test_an_outage_undoes_open_transactions_and_fails_what_waits():
    scene = Scene()

    async def waiting(worker: str) -> None:
        await asyncio.sleep(0.5)
        with pytest.raises(ConnectionResetError):
            await scene.claim(worker)
        scene.seen.append(worker)

    scene.world.call_at(SECOND_US, lambda: scene.server.set_down(True))
    scene.world.call_at(SECOND_US + 1, lambda: scene.server.set_down(False))
    assert scene.run(hold(scene, 2.0), waiting) == [("W1", 1), "W2"]
    assert scene.server.rows("jobs")[0]["owner"] is None
    assert scene.fields("task.failed")[0]["error"] == "ConnectionResetError: sql has closed this connection"


def test_a_caller_that_gives_up_waiting_can_roll_back():
    scene = Scene()

    async def impatient(worker: str) -> None:
        await asyncio.sleep(0.5)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5), scene.database.transaction() as connection:
                await connection.execute(CLAIM, {"worker": worker, "id": 42, "epoch": 0})
        scene.seen.append((worker, scene.world.now_us))

    assert scene.run(hold(scene, 2.0), impatient) == [("W1", 1), ("W2", SECOND_US)]
    assert scene.server.waiting_count == 0
    assert scene.server.rows("jobs")[0]["owner"] == "W1"


def test_a_connection_takes_one_statement_at_a_time():
    scene = Scene()

    async def program(_worker: str) -> None:
        await asyncio.sleep(0.5)
        connection = scene.database.connect()
        update = asyncio.create_task(connection.execute("UPDATE jobs SET epoch = 9"))
        await asyncio.sleep(0.5)
        with pytest.raises(SqlError, match="another statement is in progress on this connection"):
            await connection.execute("SELECT 1")
        scene.seen.append((await update).row_count)

    assert scene.run(hold(scene, 2.0), program) == [("W1", 1), 1]


def test_begin_on_the_shared_client_is_refused():
    scene = Scene()

    async def program(_worker: str) -> None:
        with pytest.raises(SqlError, match="BEGIN needs a connection of its own"):
            await scene.database.execute("BEGIN")
        scene.seen.append("refused")

    assert scene.run(program) == ["refused"]


def test_now_is_the_servers_clock_and_not_the_callers():
    scene = Scene()
    scene.server.clock_offset_us = 5 * SECOND_US

    async def program(_worker: str) -> None:
        await asyncio.sleep(1.5)
        scene.seen.append(await scene.database.fetch_one("SELECT now() AS t, now() - interval '2 seconds' AS u"))

    assert scene.run(program) == [{"t": "1970-01-01 00:00:06.5", "u": "1970-01-01 00:00:04.5"}]


def test_the_same_run_has_the_same_digest():
    digests = set()
    for _ in range(3):
        scene = Scene(SeededScheduler(Stream(7, "schedule")))
        scene.run(hold(scene, 1.0), late(scene), scene.claim)
        digests.add(scene.world.digest())
    assert len(digests) == 1
