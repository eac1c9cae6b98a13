"""Jobs whose row decides who owns them, on PostgreSQL: a process that races for them, and the experiment's worker."""

import time

from tests.conformance.programs.postgres_client import Database
from tests.conformance.programs.redis_client import redis_client
from tests.conformance.programs.roles import program

claims = program("task_ownership", "claims")


def wall_s() -> int:
    """The wall clock in seconds, which fit the table's INTEGER."""
    return int(time.time())


async def racer(orders, tell, *, name: str, postgres: str) -> None:
    """Claims the job that an order names, at once or, with a moment, by the clock that all processes share."""
    jobs = claims.Jobs(await Database.open(postgres), wall_s)
    tell("ready")
    while True:
        job_id, _, at_ns = (await orders.next()).partition(" ")
        while time.monotonic_ns() < int(at_ns or 0):
            pass
        begin = time.monotonic_ns()
        claim = await jobs.claim(job_id, name, f"token-{name}")
        tell("claimed", job=job_id, epoch=claim and claim.epoch, begin=begin, end=time.monotonic_ns())


class OrderedTicks:
    """The worker's ticks: each comes when the test says so."""

    def __init__(self, orders, tell) -> None:
        self._orders = orders
        self._tell = tell

    async def between(self) -> None:
        await self.next()

    async def next(self) -> None:
        self._tell("waits")
        await self._orders.next()


async def worker(orders, tell, *, name: str, postgres: str, redis: int) -> None:
    """The experiment's worker; it goes on to its next step when ordered, and its work takes no time."""
    tokens = iter(range(1, 1000))

    async def run(given: str) -> str:
        return f"{name} did {given}"

    jobs = claims.Jobs(await Database.open(postgres), wall_s)
    client, ticks = redis_client(redis, tell), OrderedTicks(orders, tell)
    run_worker = program("task_ownership", "worker").run_worker
    await run_worker(name, jobs, client, ticks, lambda: f"{name}-{next(tokens)}", run, tell)
