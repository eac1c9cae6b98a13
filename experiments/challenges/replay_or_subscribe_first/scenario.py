"""A worker emits a job's events at a fixed gap; a page opens in the middle of them, and another one later.

What is on its way to the pages may be lost, or come late: whatever Redis pushes to a page within one gap from the
instant of that event on.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from py_runtime.lab import InputError, Setting, Stage
from py_runtime.sim import DROP, PASS, PUSH, Actor, Message, Verdict, delay, us_from_ms
from py_runtime.stores import RedisServer

JOB = "job-1"
PAGES = ("page-1", "page-2")


def scenario(stage: Stage) -> None:
    """Actors `worker`, `redis` and the pages. Marks: shown (seq; as_emitted, whether it was), closed."""
    world, setting = stage.world, stage.setting
    message_us = us_from_ms(setting["message_ms"])
    server = RedisServer(world, request_us=message_us, reply_us=message_us)
    [emit] = stage.program("events.py", "emit")
    redis = server.client()  # the worker's; each page has its own, and its own copy of the program

    async def work() -> None:
        for seq in range(1, setting["events"] + 1):
            await asyncio.sleep((emitted_us(seq, setting) - world.now_us) / 1_000_000)
            await emit(redis, JOB, event_of(seq, setting))

    def show(event: dict[str, Any]) -> None:
        world.mark("shown", seq=event["seq"], as_emitted=event == event_of(event["seq"], setting))

    async def page(follow: Any) -> None:
        await follow(server.client(), JOB, show, setting["idle_ms"] / 1000)
        world.mark("closed")

    def open_page(actor: Actor) -> None:
        world.spawn(actor, page(*stage.program("events.py", "follow")))

    world.spawn(world.actor("worker"), work())
    for name, at_ms in zip(PAGES, (setting["opens_ms"], setting["reload_ms"]), strict=True):
        stage.call_at_ms(at_ms, open_page, world.actor(name))
    if setting["lost_event"]:
        _disturb(stage, setting["lost_event"], lambda: DROP)
    if setting["late_event"]:
        _disturb(stage, setting["late_event"], lambda: delay(us_from_ms(setting["late_ms"])))


def _disturb(stage: Stage, seq: int, verdict: Callable[[], Verdict]) -> None:
    def judge(message: Message) -> Verdict:
        return verdict() if message.direction == PUSH and message.receiver in PAGES else PASS

    from_us = emitted_us(seq, stage.setting)
    stage.world.network.rule(judge, from_us, from_us + us_from_ms(stage.setting["every_ms"]))


def event_of(seq: int, setting: Setting) -> dict[str, Any]:
    """What the worker emits."""
    return {"seq": seq, "text": f"part {seq}", "type": "done" if seq == setting["events"] else "text"}


def emitted_us(seq: int, setting: Setting) -> int:
    """When the worker begins to emit an event, if Redis answers it before that."""
    return us_from_ms(seq * setting["every_ms"])


def until_us(setting: Setting) -> int:
    """Long enough for every page to hear of the last event by two silences."""
    last_ms = max(setting["events"] * setting["every_ms"], setting["opens_ms"], setting["reload_ms"])
    return us_from_ms(last_ms + 4 * setting["idle_ms"] + setting["late_ms"] + 40 * setting["message_ms"] + 1)


def check(setting: Setting) -> None:
    """A worker that waits for two answers of Redis must be ready for the next event."""
    least = 10 * setting["message_ms"]
    if setting["every_ms"] < least:
        raise InputError(f"every_ms must be at least ten times message_ms, which is {least}; got {setting['every_ms']}")
