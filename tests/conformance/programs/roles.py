"""What a process may be: a racer, a worker or a supervisor of jobs, a holder of a slot, a caller of a flight.

Decides what the programs are handed besides the clients: settings, clocks, and an upstream and ticks that the test
holds in its hand. A role is `async (orders, tell, **settings)`; the programs are the experiments' files, unchanged.
"""

import time
from importlib import import_module

from experiments.single_flight_takeover.scenario import Settings as FlightSettings
from experiments.slot_recycling.scenario import Settings as SlotSettings
from experiments.task_ownership.programs.claims import Jobs
from experiments.task_ownership.programs.worker import run_worker
from tests.conformance.programs.clients import Database, redis_client


def wall_s() -> int:
    """The wall clock in seconds, which fit the table's INTEGER."""
    return int(time.time())


async def racer(orders, tell, *, name: str, postgres: str) -> None:
    """Claims the job that an order names, at once or, with a moment, by the clock that all processes share."""
    jobs = Jobs(await Database.open(postgres), wall_s)
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

    jobs = Jobs(await Database.open(postgres), wall_s)
    client = redis_client(redis, tell)
    await run_worker(name, jobs, client, OrderedTicks(orders, tell), lambda: f"{name}-{next(tokens)}", run, tell)


def _program(experiment: str, name: str):
    return import_module(f"experiments.{experiment}.programs.{name}")


async def holder(orders, tell, *, name: str, redis: int, program: str, limit: int, heartbeat_ms: int, lease_ms: int):
    """Runs a task in a slot with each order; the task ends with the next order."""
    slots = _program("slot_recycling", program)
    settings = SlotSettings(heartbeat_ms, lease_ms, lambda: time.time_ns() // 1_000_000)
    quota = slots.Quota(redis_client(redis, tell), limit, settings)
    if hasattr(quota, "publish_limit"):
        await quota.publish_limit()

    async def work() -> None:
        tell("working")
        await orders.next()

    tell("ready")
    while True:
        await orders.next()
        tell("ended" if await slots.run_task(quota, name, work) else "refused")


async def caller(
    orders, tell, *, name: str, redis: int, program: str, jitter_ms: int, lease_ms: int, heartbeat_ms: int
):
    """Asks the flight with each order; what its upstream answers is the order after it told that it is asked."""

    class Upstream:
        async def fetch(self) -> str:
            tell("fetching")
            return await orders.next()

    settings = FlightSettings(name, jitter_ms, lease_ms, heartbeat_ms)
    flight = _program("single_flight_takeover", program).Flight(redis_client(redis, tell), Upstream(), settings)
    tell("ready")
    while True:
        await orders.next()
        token, answer = await flight.get()
        tell("answered", token=token, answer=answer)


ROLES = {"racer": racer, "worker": worker, "holder": holder, "caller": caller}
