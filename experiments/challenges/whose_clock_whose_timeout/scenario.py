"""Some workers agree about everything; another has a clock, a lease length and a limit of its own.

The operator has put the limit that counts into Redis. Messages of the first task may be lost while it works.
Each worker is a process of its own: it loads the program and makes its client for itself.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import InputError, Setting, Stage
from py_runtime.sim import DROP, PASS, REQUEST, Actor, Message, Verdict, names_of, us_from_ms
from py_runtime.stores import RedisServer

LIMIT = "{llm}:limit"
LEASE_LOST = "LeaseLost"  # the exception by which a program says that it gave up its work
FIRST, OTHER, LATER = "task-1", "other", "later"


@dataclass(frozen=True)
class Settings:
    """What a worker was configured with, lengths in ms, and its host's wall clock in ms."""

    limit: int
    lease_ms: int
    answer_ms: int
    now_ms: Callable[[], int]


def scenario(stage: Stage) -> None:
    """Actors `operator`, `task-1` …, `other`, `later`, and `redis`.

    Marks: asked, admitted, finished, stopped (work was cancelled), left (one that was admitted is over), refused.
    """
    world, setting = stage.world, stage.setting
    server = RedisServer(world)

    async def work() -> None:
        world.mark("admitted")
        try:
            await asyncio.sleep(setting["task_ms"] / 1000)
        except asyncio.CancelledError:
            world.mark("stopped")
            raise
        world.mark("finished")

    async def process(actor: Actor, settings: Settings, quota_class: Any, run_task: Any) -> None:
        world.mark("asked")
        try:
            had_slot = await run_task(quota_class(server.client(), settings), actor.name, work)
        except Exception as error:
            # A program's group of tasks hands it on in a group.
            if names_of(error) != {LEASE_LOST}:
                raise
            had_slot = True
        world.mark("left" if had_slot else "refused")

    def arrive(actor: Actor, limit: int, lease_ms: int) -> None:
        settings = Settings(limit, lease_ms, setting["answer_ms"], actor.clock.wall_ms)
        world.spawn(actor, process(actor, settings, *stage.program("lease.py", "Quota", "run_task")))

    async def configure() -> None:
        await server.client().set(LIMIT, setting["limit"])

    world.spawn(world.actor("operator"), configure())
    usual = setting["limit"], setting["lease_ms"]
    for number in range(1, setting["tasks"] + 1):
        stage.call_at_ms(setting["arrival_ms"], arrive, world.actor(f"task-{number}"), *usual)
    other = world.actor(OTHER)
    other.clock.step(us_from_ms(1) * setting["skew_ms"])
    stage.call_at_ms(setting["other_at_ms"], arrive, other, setting["other_limit"], setting["other_lease_ms"])
    if setting["later_at_ms"]:
        stage.call_at_ms(setting["later_at_ms"], arrive, world.actor(LATER), *usual)
    if setting["crash_at_ms"]:
        stage.call_at_ms(setting["crash_at_ms"], world.crash, other)

    left = setting["lost_beats"]

    def beats(message: Message) -> Verdict:
        nonlocal left
        if not left or (message.sender, message.direction) != (FIRST, REQUEST):
            return PASS
        left -= 1
        return DROP

    if left:
        # Its admission is over within this millisecond: calls take no time.
        world.network.rule(beats, from_us=us_from_ms(setting["arrival_ms"] + 1))


def check(setting: Setting) -> None:
    """Refuse what would let the last one come before the others."""
    if setting["later_at_ms"] and setting["later_at_ms"] < max(setting["arrival_ms"], setting["other_at_ms"]):
        raise InputError("later_at_ms must be 0, or come after arrival_ms and other_at_ms")


def until_us(setting: Setting) -> int:
    """Long enough for the last task to end, and for every lease to run out."""
    last_ms = max(setting["arrival_ms"], setting["other_at_ms"], setting["later_at_ms"])
    return us_from_ms(last_ms + setting["task_ms"] + setting["lease_ms"] + setting["other_lease_ms"])
