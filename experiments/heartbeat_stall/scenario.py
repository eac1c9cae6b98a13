"""One worker with a heartbeat and, at a fixed moment, one upload whose store call takes a fixed time."""

import asyncio

from py_runtime.lab import Stage
from py_runtime.sim import World, us_from_ms, us_from_seconds

UPLOAD = {"in-loop": "in_loop.py", "offloaded": "offloaded.py"}
TIMER = {"sleep-loop": "sleep_loop", "phase-keeping": "phase_keeping"}


class BlockingStore:
    """An object store with a synchronous client: `put` costs the calling thread `put_us` of virtual time."""

    def __init__(self, world: World, put_us: int) -> None:
        self._world = world
        self._put_us = put_us

    def put(self, key: str, payload: bytes) -> None:
        self._world.mark("upload.started", key=key, bytes=len(payload))
        self._world.spend(self._put_us)
        self._world.mark("upload.completed", key=key)


def scenario(stage: Stage) -> None:
    """Actor `worker`: heartbeat and upload share its event loop."""
    world, setting = stage.world, stage.setting
    [heartbeat] = stage.program("heartbeat.py", TIMER[setting["timer"]])
    [handle_upload] = stage.program(UPLOAD[setting.variant], "handle_upload")
    store = BlockingStore(world, us_from_ms(setting["block_ms"]))
    worker = world.actor("worker")

    def on_beat(late_s: float) -> None:
        world.mark("beat", late_us=us_from_seconds(late_s))

    async def upload() -> None:
        await asyncio.sleep(setting["block_at_ms"] / 1000)
        await handle_upload(store, "report.pdf", b"the same bytes every time")

    world.spawn(worker, heartbeat(setting["interval_ms"] / 1000, on_beat), "heartbeat")
    world.spawn(worker, upload(), "upload")


def until_us(setting) -> int:
    """The run is the observed window."""
    return us_from_ms(setting["window_ms"])
