"""Tasks come one after another; the first may stand still or be killed at work.

Each is a process of its own: it loads the program and makes its client for itself.

What it sends shortly before its end may arrive late, after what it sends later: two calls of a process may take two
connections.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import PASS, REQUEST, Actor, Message, Verdict, delay, names_of, us_from_ms
from py_runtime.stores import RedisServer

LEASE_LOST = "LeaseLost"  # the exception by which a program says that it gave up its work


class WorkFailed(Exception):
    """What the first task's work ends with where it fails."""


@dataclass(frozen=True)
class Settings:
    """What a quota may use besides Redis; lengths in ms."""

    limit: int
    heartbeat_ms: int
    lease_ms: int


def scenario(stage: Stage) -> None:
    """Actors `task-1` … and `redis`. Marks: admitted, finished, failed, stopped (work was cancelled), refused."""
    world, setting = stage.world, stage.setting
    server = RedisServer(world)
    settings = Settings(setting["limit"], setting["heartbeat_ms"], setting["lease_ms"])

    async def work() -> None:
        world.mark("admitted")
        fails = setting["fails_after_ms"] and world.current_actor().name == "task-1"
        try:
            await asyncio.sleep(setting["fails_after_ms" if fails else "task_ms"] / 1000)
        except asyncio.CancelledError:
            world.mark("stopped")
            raise
        if fails:
            world.mark("failed")
            raise WorkFailed("the upstream answered 500")
        world.mark("finished")

    async def process(actor: Actor, quota_class: Any, run_task: Any) -> None:
        try:
            if not await run_task(quota_class(server.client(), settings), actor.name, work):
                world.mark("refused")
        except Exception as error:
            # A program's group of tasks hands them on in a group.
            if not names_of(error) <= {LEASE_LOST, WorkFailed.__name__}:
                raise

    def arrive(number: int) -> None:
        actor = world.actor(f"task-{number}")
        world.spawn(actor, process(actor, *stage.program("lease.py", "Quota", "run_task")))

    for number in range(1, setting["tasks"] + 1):
        stage.call_at_ms((number - 1) * setting["arrival_every_ms"], arrive, number)

    late_us, end_us = us_from_ms(setting["late_ms"]), us_from_ms(setting["task_ms"])

    def late(message: Message) -> Verdict:
        return delay(late_us) if (message.sender, message.direction) == ("task-1", REQUEST) else PASS

    if late_us:
        world.network.rule(late, from_us=max(end_us - late_us, 0), until_us=end_us)
    first = world.actor("task-1")
    if setting["stall_ms"]:
        stage.call_at_ms(setting["stall_at_ms"], world.pause, first, us_from_ms(setting["stall_ms"]))
    if setting["crash_at_ms"]:
        stage.call_at_ms(setting["crash_at_ms"], world.crash, first)


def until_us(setting: Setting) -> int:
    """Long enough for the last task to end, even if it stands still meanwhile, and for its lease to run out."""
    last_ms = (setting["tasks"] - 1) * setting["arrival_every_ms"] + setting["task_ms"]
    return us_from_ms(last_ms + setting["stall_ms"] + 2 * setting["lease_ms"])
