"""W1 holds a socket and runs a long job; W2 and W3 are idle; a short job comes in on that socket.

One tick is one second of virtual time. In the variant `preemption` every claimant is paused half a tick after its
claim: the first wakes at late_started_tick, a later one stays paused to the end, so that only one write is left.
"""

import asyncio

from py_runtime.lab import InputError, Setting, Stage
from py_runtime.sim import US_PER_S, World
from py_runtime.stores import RedisServer, SqlServer

TICK_US = US_PER_S
SHORT_TICKS = 2  # how long the short job runs
CLAIM_AFTER = 2  # persisted, indexed, claimed: the first claim comes two ticks after the job
SHORT = "short"
WORKERS = ("W2", "W3")


class Ticks:
    """The tick as the programs see it."""

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def now(self) -> int:
        return self._world.now_us // TICK_US

    async def until(self, tick: int) -> None:
        """Wait for the beginning of a tick."""
        await asyncio.sleep((tick * TICK_US - self._world.now_us) / US_PER_S)

    async def next(self) -> None:
        """Wait for the beginning of the next tick."""
        await self.until(self.now + 1)

    async def between(self) -> None:
        """Wait for the next middle of a tick."""
        half = TICK_US // 2
        wait_us = (half - self._world.now_us) % TICK_US or TICK_US
        await asyncio.sleep(wait_us / US_PER_S)


def scenario(stage: Stage) -> None:
    """Actors W1 (gateway and long job), W2, W3, `supervisor`, `redis` and `database`."""
    if stage.setting.variant == "local-queue":
        _local_queue(stage)
    else:
        _global_claim(stage)


def _local_queue(stage: Stage) -> None:
    world, setting = stage.world, stage.setting
    [worker_class] = stage.program("local_queue.py", "LocalWorker")
    ticks, entry = Ticks(world), world.actor("W1")
    worker = worker_class("W1", world.mark)

    async def connection() -> None:
        await worker.submit("long", lambda: ticks.until(setting["long_ends_tick"]))
        await ticks.until(setting["short_enters_tick"])
        world.mark("entered", job=SHORT)
        await worker.submit(SHORT, lambda: asyncio.sleep(SHORT_TICKS * TICK_US / US_PER_S))

    world.spawn(entry, worker.run(), "worker")
    world.spawn(entry, connection(), "connection")
    for name in WORKERS:  # awake to the end: a worker that has nothing to do is no deadlock
        world.spawn(world.actor(name), ticks.until(until_us(setting) // TICK_US + 1), name)


def _global_claim(stage: Stage) -> None:
    world, setting = stage.world, stage.setting
    [jobs_class] = stage.program("claims.py", "Jobs")
    [run_worker] = stage.program("worker.py", "run_worker")
    submit, forward_events, release_unstarted = stage.program(
        "gateway.py", "submit", "forward_events", "release_unstarted"
    )
    ticks, entry = Ticks(world), world.actor("W1")
    redis, server = RedisServer(world).client(), SqlServer(world, "database")
    jobs = jobs_class(server.client(), lambda: ticks.now)
    tokens = 0

    def new_token() -> str:
        nonlocal tokens
        world.touch("tokens")
        tokens += 1
        return f"token-{tokens}"

    async def run(input: str) -> str:
        await asyncio.sleep(SHORT_TICKS * TICK_US / US_PER_S)
        return f"answer to {input}"

    async def connection() -> None:
        await jobs.create_table()
        await ticks.until(setting["short_enters_tick"])
        world.mark("entered", job=SHORT)
        await submit(SHORT, "a short question", jobs, redis, ticks, world.mark)

    async def long_job() -> None:
        world.mark("started", worker="W1", job="long", rows=None)
        await ticks.until(setting["long_ends_tick"])
        world.mark("ended", worker="W1", job="long")

    world.spawn(entry, connection(), "connection")
    world.spawn(entry, long_job(), "long-job")
    world.spawn(entry, forward_events(SHORT, redis, world.mark), "events")
    for name in WORKERS:
        world.spawn(world.actor(name), run_worker(name, jobs, redis, ticks, new_token, run, world.mark), name)
    if setting.variant == "preemption":
        supervisor = world.actor("supervisor")

        async def supervise() -> None:
            await ticks.until(setting["release_tick"])
            await release_unstarted(SHORT, jobs, redis, ticks, world.mark)

        world.spawn(supervisor, supervise(), "supervise")
        _pause_claimants(world, setting, server)


def _pause_claimants(world: World, setting: Setting, server: SqlServer) -> None:
    """Look at the row half a tick after every tick; pause an owner that is new and has not started."""
    paused: list[str] = []

    def look() -> None:
        for row in server.rows("jobs"):
            owner = row["owner"]
            if owner is None or owner in paused or row["state"] != "queued":
                continue
            wakes_us = until_us(setting) + TICK_US if paused else setting["late_started_tick"] * TICK_US
            paused.append(owner)
            world.pause(world.actor(owner), wakes_us - world.now_us)

    for tick in range(setting["short_enters_tick"], until_us(setting) // TICK_US + 1):
        world.call_at(tick * TICK_US + TICK_US // 2, look)


def until_us(setting: Setting) -> int:
    """Until the short job has ended; with preemption, a quarter tick after the late write and the second claim."""
    if setting.variant == "preemption":
        return max(setting["late_started_tick"], setting["release_tick"] + 1) * TICK_US + TICK_US // 4
    last = max(setting["long_ends_tick"], setting["short_enters_tick"] + CLAIM_AFTER + 1)
    return (last + SHORT_TICKS + 1) * TICK_US


def check(setting: Setting) -> None:
    """With preemption, release and late start come after the first claim; the pause begins half a tick after it."""
    if setting.variant != "preemption":
        return
    first = setting["short_enters_tick"] + CLAIM_AFTER
    for name in ("release_tick", "late_started_tick"):
        if setting[name] <= first:
            raise InputError(
                f"{name} must come after the first claim, which is {CLAIM_AFTER} ticks after short_enters_tick, "
                f"at tick {first}; got {setting[name]}"
            )
