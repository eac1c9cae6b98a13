"""Tasks come one after another, each a process of its own; what the first one sends or hears may be lost or late.

The first may also stand still, or be killed, and its job may be given out a second time: the same task, attempt 2.
Each process loads the program and makes its client for itself.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import DROP, PASS, Actor, Message, Verdict, delay, us_from_ms
from py_runtime.sim import REPLY as REPLY_MESSAGE
from py_runtime.sim import REQUEST as REQUEST_MESSAGE
from py_runtime.stores import RedisServer

from .readings import LEASES

FIRST = "task-1"
REPLY, LATE, NONE = "reply", "late", "none"  # what goes wrong on the way


class WorkFailed(Exception):
    """What the first task's work ends with where it fails."""


@dataclass(frozen=True)
class Settings:
    """What a quota may use besides Redis; lengths in ms. answer_ms: how long to wait for an answer."""

    limit: int
    lease_ms: int
    answer_ms: int


def scenario(stage: Stage) -> None:
    """Actors `task-1` …, `task-1-again` (its second attempt), and `redis`.

    Marks: asked, admitted, finished, failed, left (a task that was admitted is over), refused.
    """
    world, setting = stage.world, stage.setting
    server = RedisServer(world)
    settings = Settings(setting["limit"], setting["lease_ms"], setting["answer_ms"])

    async def work() -> None:
        world.mark("admitted")
        await asyncio.sleep(setting["task_ms"] / 1000)
        if setting["fails"] == "yes" and world.current_actor().name == FIRST:
            world.mark("failed")
            raise WorkFailed("the upstream answered 500")
        world.mark("finished")

    async def process(quota_class: Any, run_task: Any, task_id: str, attempt: int) -> None:
        world.mark("asked", task=task_id, attempt=attempt)
        try:
            had_slot = await run_task(quota_class(server.client(), settings), task_id, attempt, work)
        except WorkFailed:
            had_slot = True
        world.mark("left" if had_slot else "refused")

    def arrive(actor: Actor, task_id: str, attempt: int) -> None:
        world.spawn(actor, process(*stage.program("admission.py", "Quota", "run_task"), task_id, attempt))

    first_ms = setting["arrival_first_ms"]
    for number in range(1, setting["tasks"] + 1):
        at_ms = first_ms + (number - 1) * setting["arrival_every_ms"]
        name = f"task-{number}"
        stage.call_at_ms(at_ms, arrive, world.actor(name), name, 1)
    if setting["again_ms"]:
        stage.call_at_ms(first_ms + setting["again_ms"], arrive, world.actor(f"{FIRST}-again"), FIRST, 2)
    if setting["stall_ms"]:
        stage.call_at_ms(setting["stall_at_ms"], world.pause, world.actor(FIRST), us_from_ms(setting["stall_ms"]))
    if setting["crash_at_ms"]:
        stage.call_at_ms(setting["crash_at_ms"], world.crash, world.actor(FIRST))

    struck = False

    def first_only(message: Message) -> Verdict:
        """The answer to the first request of task-1 that put something into the set, or the first that names it."""
        nonlocal struck
        reply = setting["lost"] == REPLY
        direction, actor = (REPLY_MESSAGE, message.receiver) if reply else (REQUEST_MESSAGE, message.sender)
        if message.direction != direction or actor != FIRST or LEASES not in message.text:
            return PASS
        world.touch("struck")
        if struck or (reply and server.peek(LEASES) is None):
            return PASS
        struck = True
        return DROP if reply else delay(us_from_ms(setting["late_ms"]))

    if setting["lost"] != NONE:
        world.network.rule(first_only)


def until_us(setting: Setting) -> int:
    """Long enough for the last task to end, and for its lease to run out."""
    last_ms = setting["arrival_first_ms"] + (setting["tasks"] - 1) * setting["arrival_every_ms"]
    waits_ms = setting["again_ms"] + setting["stall_ms"] + setting["late_ms"] + 10 * setting["answer_ms"]
    return us_from_ms(last_ms + setting["task_ms"] + waits_ms + setting["lease_ms"])
