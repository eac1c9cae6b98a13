"""One task is executed once or twice, and another beside it; somebody cancels the first one's first execution.

Each worker, and whoever cancels, is a process of its own: it loads the program and makes its client for itself. The
messages to the first worker may go nowhere for a while, as when its connection to Redis is being made anew.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import DROP, PASS, PUSH, Message, Verdict, us_from_ms
from py_runtime.stores import RedisServer

CANCELLED = "first"  # the worker of the execution that is cancelled
WEB = "web"


@dataclass(frozen=True)
class Settings:
    """What the program may know besides; lengths in ms."""

    heartbeat_ms: int
    lease_ms: int


def starts_ms(setting: Setting) -> dict[str, tuple[str, int, int]]:
    """Worker → its task, which execution of it, and when it arrives; `other` and `again` only where they are wanted."""
    found = {CANCELLED: ("task-1", 1, setting["start_ms"])}
    if setting["others"]:
        found["other"] = "task-2", 1, 0
    if setting["again_ms"]:
        found["again"] = "task-1", 2, setting["again_ms"]
    return found


def scenario(stage: Stage) -> None:
    """Actors `first`, `other`, `again`, `web` and `redis`. Marks of a worker: arrived, began, finished, stopped (its
    work was cancelled), over (`run_execution` returned); of `web`: asked, and told where `cancel` returned."""
    world, setting = stage.world, stage.setting
    server = RedisServer(world)
    settings = Settings(setting["heartbeat_ms"], setting["lease_ms"])

    async def work() -> None:
        world.mark("began")
        try:
            await asyncio.sleep(setting["task_ms"] / 1000)
        except asyncio.CancelledError:
            world.mark("stopped")
            raise
        world.mark("finished")

    async def execute(run_execution: Any, task: str, execution: int) -> None:
        world.mark("arrived")
        done = await run_execution(server.client(), task, execution, work, settings)
        world.mark("over", done=bool(done))

    async def ask(cancel: Any) -> None:
        world.mark("asked")
        await cancel(server.client(), "task-1", 1, settings)
        world.mark("told")

    def arrive(name: str, task: str, execution: int) -> None:
        _, run_execution = stage.program("cancel.py", "cancel", "run_execution")
        world.spawn(world.actor(name), execute(run_execution, task, execution))

    def click() -> None:
        cancel, _ = stage.program("cancel.py", "cancel", "run_execution")
        world.spawn(world.actor(WEB), ask(cancel))

    for name, (task, execution, at_ms) in starts_ms(setting).items():
        stage.call_at_ms(at_ms, arrive, name, task, execution)
    if setting["cancel_ms"]:
        stage.call_at_ms(setting["cancel_ms"], click)

    def deaf(message: Message) -> Verdict:
        return DROP if (message.direction, message.receiver) == (PUSH, CANCELLED) else PASS

    if setting["deaf_ms"]:
        from_us = us_from_ms(setting["cancel_ms"])
        world.network.rule(deaf, from_us=from_us, until_us=from_us + us_from_ms(setting["deaf_ms"]))
    if setting["stall_ms"]:
        stage.call_at_ms(
            setting["stall_at_ms"], world.pause, world.actor(CANCELLED), us_from_ms(setting["stall_ms"])
        )  # fmt: skip


def until_us(setting: Setting) -> int:
    """Long enough for the last one to work to its end, also where it stands still in between."""
    last_ms = max(at_ms for _, _, at_ms in starts_ms(setting).values())
    last_ms = max(last_ms + setting["task_ms"], setting["cancel_ms"])
    return us_from_ms(last_ms + setting["stall_ms"] + 2 * setting["lease_ms"])
