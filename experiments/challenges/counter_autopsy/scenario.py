"""Requests arrive at given instants, each in a process of its own; one may fail at work, and one may be killed."""

import asyncio
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import Actor, us_from_ms
from py_runtime.stores import RedisServer


class UpstreamError(Exception):
    """What the work of a request ends with where it fails."""


@dataclass(frozen=True)
class Settings:
    """What a quota may use besides Redis; lengths in ms."""

    limit: int
    ttl_ms: int
    longest_ms: int


def scenario(stage: Stage) -> None:
    """Actors `request-1` … and `redis`.

    Marks: asked, admitted, finished, failed (its work raised), left (one that was admitted is over; `error`: what came
    out), refused.
    """
    world, setting = stage.world, stage.setting
    server = RedisServer(world)
    settings = Settings(setting["limit"], setting["ttl_ms"], setting["longest_ms"])

    async def work(actor: Actor, number: int) -> None:
        world.mark("admitted")
        if number == setting["crashes"]:
            world.call_at(world.now_us + us_from_ms(setting["crash_after_ms"]), world.crash, actor)
        if number == setting["fails"]:
            await asyncio.sleep(setting["fail_after_ms"] / 1000)
            world.mark("failed")
            raise UpstreamError("the upstream answered 500")
        await asyncio.sleep(setting["work_ms"] / 1000)
        world.mark("finished")

    async def process(actor: Actor, number: int, quota_class: Any, run_task: Any) -> None:
        world.mark("asked")
        try:
            had_slot = await run_task(quota_class(server.client(), settings), actor.name, lambda: work(actor, number))
        except UpstreamError as error:
            world.mark("left", error=str(error))
            return
        world.mark("left" if had_slot else "refused")

    def arrive(number: int, quota_class: Any, run_task: Any) -> None:
        actor = world.actor(f"request-{number}")
        world.spawn(actor, process(actor, number, quota_class, run_task))

    for number, at_ms in enumerate(setting["arrivals_ms"], start=1):
        loaded = stage.program("counter.py", "Quota", "run_task")  # by each process: nothing is shared in Python
        stage.call_at_ms(at_ms, arrive, number, *loaded)


def until_us(setting: Setting) -> int:
    """Long enough for the last request to end."""
    return us_from_ms(
        max(setting["arrivals_ms"], default=0) + max(setting["work_ms"], setting["fail_after_ms"]) + 1_000
    )
