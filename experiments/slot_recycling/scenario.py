"""Tasks arrive at a fixed gap, each a process of its own; every n-th that is admitted is killed while it works."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from py_runtime.lab import Setting, Stage
from py_runtime.sim import Actor, us_from_ms
from py_runtime.stores import RedisServer

PROGRAM = {"counter": "counter.py", "lease": "lease.py", "lease-repaired": "lease_repaired.py"}
LEASE_LOST = "LeaseLost"  # the exception by which the repaired program says that it gave up its work


@dataclass(frozen=True)
class Settings:
    """What a quota may use besides Redis: lengths in ms, and the caller's wall clock in ms."""

    heartbeat_ms: int
    lease_ms: int
    now_ms: Callable[[], int]


def scenario(stage: Stage) -> None:
    """Actors `task-1` … in the pool `task`, and `redis`. A kill runs no `finally`."""
    world, setting = stage.world, stage.setting
    quota_class, run_task = stage.program(PROGRAM[setting.variant], "Quota", "run_task")
    redis = RedisServer(world).client()
    admitted = 0

    def make_quota(actor: Actor):
        settings = Settings(setting["heartbeat_ms"], setting["lease_ms"], actor.clock.wall_ms)
        return quota_class(redis, setting["limit"], settings)

    def kill(actor: Actor) -> None:
        if actor.main_tasks:  # a task that has ended cannot be killed any more
            world.crash(actor)

    async def work(actor: Actor) -> None:
        nonlocal admitted
        world.touch("admitted")
        admitted += 1
        world.mark("admitted", task=actor.name, number=admitted)
        if setting["crash_every"] and admitted % setting["crash_every"] == 0:
            world.call_at(world.now_us + us_from_ms(setting["crash_after_ms"]), kill, actor)
        await asyncio.sleep(setting["task_ms"] / 1000)
        world.mark("finished", task=actor.name)

    async def process(actor: Actor) -> None:
        try:
            if not await run_task(make_quota(actor), actor.name, lambda: work(actor)):
                world.mark("refused", task=actor.name)
        except Exception as error:
            if type(error).__name__ != LEASE_LOST:
                raise
            world.mark("lost", task=actor.name)

    def arrive(number: int) -> None:
        actor = world.actor(f"task-{number}", pool="task")
        world.spawn(actor, process(actor))

    if hasattr(quota_class, "publish_limit"):
        deployment = world.actor("deployment")
        world.spawn(deployment, make_quota(deployment).publish_limit())
    arrivals_ms = range(setting["arrival_first_ms"], setting["duration_ms"], setting["arrival_every_ms"])
    for number, at_ms in enumerate(arrivals_ms, start=1):
        stage.call_at_ms(at_ms, arrive, number)


def until_us(setting: Setting) -> int:
    """The run ends, and the readings are taken, at duration_ms; arrivals come before it."""
    return us_from_ms(setting["duration_ms"])
