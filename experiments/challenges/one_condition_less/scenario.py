"""Jobs come in at a gateway; the workers W2 and W3 try to claim them; a supervisor takes back silent claims.

One tick is one second of virtual time. Each attempt of a worker is an actor of its own, since one may stand still
while the worker goes on. The first one whose claim succeeds is disturbed half a tick later.
"""

import asyncio

from py_runtime.lab import Setting, Stage
from py_runtime.sim import US_PER_S, Actor
from py_runtime.stores import SqlServer

TICK_US = US_PER_S
HALF_US = TICK_US // 2
SWEEP_TICKS = 2  # how often the supervisor looks for silent claims
ANSWER_WITHIN_S = 0.2  # after which a client takes an answer for lost
WORKERS = ("W2", "W3")

CREATE_TABLE = """
CREATE TABLE jobs (
  id TEXT PRIMARY KEY,
  input TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  owner TEXT,
  claimed_at INTEGER,
  epoch INTEGER NOT NULL DEFAULT 0,
  token TEXT,
  execution_id TEXT,
  execution_started_at INTEGER,
  result TEXT
)
"""


class WorkFailed(Exception):
    """What the work of a job raises where it is to fail."""


def scenario(stage: Stage) -> None:
    """Actors `gateway`, `supervisor`, `database` and one per attempt, as W2-1. Marks: works, worked, gave-up."""
    world, setting = stage.world, stage.setting
    server = SqlServer(world, "database")
    gateway, supervisor = world.actor("gateway"), world.actor("supervisor")
    attempts, busy = dict.fromkeys(WORKERS, 0), dict.fromkeys(WORKERS, 0)
    run_job = {worker: stage.program("jobs.py", "run_job")[0] for worker in WORKERS}
    [release_silent] = stage.program("jobs.py", "release_silent")
    disturbed: list[str] = []

    async def submit() -> None:
        client = server.client()
        await client.execute(CREATE_TABLE)
        await asyncio.sleep(setting["enters_tick"])
        for number in range(1, setting["jobs"] + 1):
            await client.execute(
                "INSERT INTO jobs (id, input) VALUES (:id, :input)",
                {"id": f"job-{number}", "input": f"question {number}"},
            )

    async def supervise() -> None:
        client = server.client(ANSWER_WITHIN_S)
        await asyncio.sleep(setting["enters_tick"] + 1)
        while True:
            await release_silent(client, setting["grace_ticks"])
            await asyncio.sleep(SWEEP_TICKS)

    async def work(input: str) -> str:
        world.mark("works", job=f"job-{input.split()[-1]}")
        await asyncio.sleep(setting["work_ticks"])
        if setting["work_fails"] == "yes":
            world.mark("gave-up")
            raise WorkFailed("the model refused")
        world.mark("worked")
        return f"answer to {input}"

    async def attempt(actor: Actor, worker: str, job: str) -> None:
        await asyncio.sleep(HALF_US / US_PER_S)
        try:
            await run_job[worker](
                server.client(ANSWER_WITHIN_S), job, worker, f"token of {actor.name}",
                lambda: asyncio.sleep(setting["startup_ticks"]), work,
            )  # fmt: skip
        except WorkFailed:
            pass  # an attempt may end with its work's error, once the row says so
        busy[worker] -= 1

    def look() -> None:
        """Between two ticks: a worker with a free slot tries the first job that nobody owns, at the next tick."""
        rows = server.rows("jobs")
        free = next((row["id"] for row in rows if row["state"] == "queued" and row["owner"] is None), None)
        for worker in WORKERS if free else ():
            if busy[worker] < setting["slots"]:
                busy[worker] += 1
                attempts[worker] += 1
                actor = world.actor(f"{worker}-{attempts[worker]}")
                world.spawn(actor, attempt(actor, worker, free))

    def disturb() -> None:
        owner = next((row["owner"] for row in server.rows("jobs") if row["owner"] in WORKERS), None)
        if disturbed or owner is None:
            return
        disturbed.append(owner)
        first = world.actor(f"{owner}-{attempts[owner]}")
        if setting["disturbed"] == "killed":
            world.crash(first)
        elif setting["wakes_tick"] * TICK_US > world.now_us:
            world.pause(first, setting["wakes_tick"] * TICK_US - world.now_us)

    for tick in range(setting["enters_tick"] + 1, until_us(setting) // TICK_US):
        if setting["disturbed"] != "no":
            world.call_at(tick * TICK_US + HALF_US, disturb)
        world.call_at(tick * TICK_US + HALF_US, look)
    world.spawn(gateway, submit())
    world.spawn(supervisor, supervise())


def until_us(setting: Setting) -> int:
    """Long enough for a claim to run out, for another, and for every job to be worked on one after another."""
    again = setting["enters_tick"] + 2 + setting["grace_ticks"] + 1
    wakes = setting["wakes_tick"] if setting["disturbed"] == "paused" else 0
    each = setting["startup_ticks"] + setting["work_ticks"] + 1
    return (max(again, wakes) + setting["jobs"] * each + 2) * TICK_US + HALF_US
