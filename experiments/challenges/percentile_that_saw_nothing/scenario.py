"""Some workers with ordinary requests; one of them stands still for a while, in one synchronous call; somebody watches.

Where several positions are to be tried, the workers take turns at them.

Each worker is a process, whose loop also runs the program's sampler. The watcher is another process.
"""

import asyncio
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import US_PER_MS, US_PER_S, World, us_from_ms

APART_MS = 7  # between the starts of two workers, so that they do not all wake at the same instants
WATCHER_STARTS_MS = 3
REQUEST_AFTER_MS = 135


class Metrics:
    """Memory that all processes of the host share. What a worker does with it is counted, for it has a price."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.values: dict[str, Any] = {}
        self.uses: dict[str, list[int]] = {}  # actor → how often it used the metrics, by second

    def put(self, name: str, value: Any) -> None:
        """Write a value; the last one stays."""
        self._use(name, True)
        self.values[name] = value

    def add(self, name: str, amount: int = 1) -> None:
        """Add to a value, in one step; one that was never put is 0."""
        self._use(name, True)
        self.values[name] = self.values.get(name, 0) + amount

    def get(self, name: str) -> Any:
        """Read a value; 0 where nothing was put."""
        self._use(name, False)
        return self.values.get(name, 0)

    def _use(self, name: str, changes: bool) -> None:
        self._world.touch(("metrics", name), changes=changes)
        by_second = self.uses.setdefault(self._world.current_actor().name, [])
        second = self._world.now_us // US_PER_S
        by_second.extend([0] * (second + 1 - len(by_second)))
        by_second[second] += 1


def scenario(stage: Stage) -> None:
    """Actors worker-1 …, and `watcher`. Marks: alarm (with the worker named), and at the end measured."""
    world, setting = stage.world, stage.setting
    metrics, names = Metrics(world), workers(setting)

    def now_ms() -> int:
        return world.now_us // US_PER_MS

    async def requests() -> None:
        every_us = us_from_ms(setting["request_every_ms"])
        wait_us = us_from_ms(REQUEST_AFTER_MS)
        while True:
            due_us = world.now_us + wait_us
            await asyncio.sleep(wait_us / US_PER_S)
            world.spend(us_from_ms(setting["request_ms"]))
            wait_us = every_us - (world.now_us - due_us) % every_us  # what a freeze has swallowed is not made up for

    async def freeze(number: int) -> None:
        """Each position is counted from the worker's start or its last freeze, where its sampler began anew."""
        await asyncio.sleep(number * APART_MS / 1000)
        for position in range(number, setting["positions"], len(names)):
            await asyncio.sleep((setting["freeze_at_ms"] + position) / 1000)
            world.spend(us_from_ms(setting["freeze_ms"]))

    def measured() -> None:
        world.mark("measured", metrics={name: str(value) for name, value in metrics.values.items()}, uses=metrics.uses)

    # Each process loads the program for itself: nothing is shared in Python.
    samplers = {name: stage.program("lag.py", "sample")[0] for name in names}
    [watch] = stage.program("lag.py", "watch")

    def start(name: str) -> None:
        world.spawn(world.actor(name), samplers[name](name, metrics, now_ms), "sample")
        world.spawn(world.actor(name), requests(), "requests")

    def alarm(worker: str) -> None:
        world.mark("alarm", worker=str(worker))

    def start_watching() -> None:
        world.spawn(world.actor("watcher"), watch(names, metrics, now_ms, alarm))

    for number, name in enumerate(names):
        stage.call_at_ms(number * APART_MS, start, name)
    stage.call_at_ms(WATCHER_STARTS_MS, start_watching)
    if setting["freeze_ms"]:
        for number, name in enumerate(names[: setting["positions"]]):
            world.spawn(world.actor(name), freeze(number), "freeze")
    world.call_at(until_us(setting), measured)


def workers(setting: Setting) -> list[str]:
    """The names of all workers; where just one stands still, it is the first."""
    return [f"worker-{number}" for number in range(1, setting["workers"] + 1)]


def until_us(setting: Setting) -> int:
    """The run is the observed window."""
    return us_from_ms(setting["window_ms"])
