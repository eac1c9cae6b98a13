"""The row decides who owns a job, in real processes on PostgreSQL: one claim wins, and a late start hits nothing."""

import asyncio
import time

import psycopg
import pytest
from psycopg.rows import dict_row

from experiments.task_ownership.programs.claims import Jobs
from experiments.task_ownership.programs.worker import READY
from tests.conformance.programs.postgres_client import Database
from tests.conformance.programs.processes import wait_until
from tests.conformance.programs.roles.jobs import wall_s

RACES = 200
RACES_MAX = 20 * RACES  # when so many races show too few that overlap, the machine runs one process at a time
HEAD_START_NS = 3_000_000  # an order reaches both within some 0.1 ms


class Table:
    """The table of jobs as the test itself sees it."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connection = psycopg.connect(address, autocommit=True, row_factory=dict_row)
        self.ask("create_table")

    def ask(self, method: str, *arguments: object) -> object:
        """Call a method of `Jobs` on a connection of its own."""

        async def call() -> object:
            return await getattr(Jobs(await Database.open(self.address), wall_s), method)(*arguments)

        return asyncio.run(call())

    def row(self, job_id: str) -> dict:
        return self.connection.execute("SELECT * FROM jobs WHERE id = %s", [job_id]).fetchone()

    def waiting(self) -> int:
        """How many connections wait for a lock."""
        text = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        return self.connection.execute(text).fetchone()["n"]


@pytest.fixture
def table(database):
    made = Table(database)
    yield made
    made.connection.close()


@pytest.fixture
def racers(spawn, table):
    """Two processes that are connected and wait for orders."""
    both = [spawn("jobs.racer", name=name, postgres=table.address) for name in ("W2", "W3")]
    for racer in both:
        racer.next("ready")
    return both


def winner_of(table: Table, racers: list, job_id: str) -> tuple[str, list[dict]]:
    """Exactly one of the two has the job; its name, and what both told."""
    told = [racer.next("claimed") for racer in racers]
    names = [racer.name for racer, claimed in zip(racers, told, strict=True) if claimed["epoch"] is not None]
    assert len(names) == 1, told
    row = table.row(job_id)
    assert (row["owner"], row["epoch"], row["token"]) == (names[0], 1, f"token-{names[0]}")
    return names[0], told


def test_of_two_claims_that_wait_for_the_row_one_gets_it(table, racers):
    winners = []
    with psycopg.connect(table.address) as holder:
        for number in range(RACES):
            job_id = f"job-{number}"
            table.connection.execute("INSERT INTO jobs (id, input) VALUES (%s, '')", [job_id])
            holder.execute("SELECT 1 FROM jobs WHERE id = %s FOR UPDATE", [job_id])
            for place, racer in enumerate(racers if number % 2 else racers[::-1], start=1):
                racer.order(job_id)
                wait_until(lambda place=place: table.waiting() == place, f"{place} claims wait for the row")
            holder.commit()
            winners.append(winner_of(table, racers, job_id)[0])
    assert set(winners) == {"W2", "W3"}


def test_of_two_claims_at_the_same_moment_one_gets_the_row(table, racers):
    overlapped = races = 0
    while overlapped < RACES:
        races += 1
        assert races <= RACES_MAX, f"only {overlapped} of {races - 1} races had claims that overlapped"
        job_id = f"job-{races}"
        table.connection.execute("INSERT INTO jobs (id, input) VALUES (%s, '')", [job_id])
        at_ns = time.monotonic_ns() + HEAD_START_NS
        for racer in racers:
            racer.order(f"{job_id} {at_ns}")
        _, (one, other) = winner_of(table, racers, job_id)
        overlapped += one["begin"] < other["end"] and other["begin"] < one["end"]


@pytest.mark.parametrize("started", [False, True], ids=["before the next start", "after it"])
def test_a_frozen_owners_start_hits_no_row_once_the_job_is_claimed_again(spawn, table, redis_port, raw, started):
    old, new = [spawn("jobs.worker", name=name, postgres=table.address, redis=redis_port) for name in ("W2", "W3")]

    def go_on(worker) -> None:
        worker.next("waits")
        worker.order()

    def claim(worker) -> dict:
        raw.call("ZADD", READY, 1, "short")
        go_on(worker)  # looks at the index
        go_on(worker)  # claims
        claimed = worker.next("claim")
        worker.next("waits")  # and would start
        return claimed

    table.ask("persist", "short", "input")
    assert claim(old) == {"event": "claim", "worker": "W2", "job": "short", "rows": 1, "epoch": 1}
    old.freeze()
    old.order()
    assert table.ask("release", "short") == 1
    assert claim(new) == {"event": "claim", "worker": "W3", "job": "short", "rows": 1, "epoch": 2}
    if started:
        new.order()
        assert new.next("ended")["job"] == "short"
    before = table.row("short")
    old.thaw()
    assert old.next("started") == {"event": "started", "worker": "W2", "job": "short", "rows": 0, "epoch": 1}
    assert table.row("short") == before
    assert (before["owner"], before["epoch"]) == ("W3", 2)
    if not started:
        assert (before["state"], before["execution_id"]) == ("queued", None)
        new.order()
        assert new.next("ended")["job"] == "short"
    assert new.told("started") == [{"event": "started", "worker": "W3", "job": "short", "rows": 1, "epoch": 2}]
    assert (table.row("short")["state"], table.row("short")["result"]) == ("done", "W3 did input")
