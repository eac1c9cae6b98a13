"""What the tests of the simulation share: worlds that are closed afterwards, and short ways to look at a trace."""

import asyncio

import pytest

from py_runtime.sim import World


class Bench:
    """Makes worlds, runs programs in them, and reads their traces."""

    def __init__(self) -> None:
        self.worlds: list[World] = []

    def world(self, *arguments, **options) -> World:
        world = World(*arguments, **options)
        self.worlds.append(world)
        return world

    def run(self, program, until_us: int = 60_000_000, **options) -> World:
        """Run `program(world)`, a coroutine function, as the only task of the actor `a`."""
        world = self.world(**options)
        world.spawn(world.actor("a"), program(world))
        world.ended = world.run(until_us)
        return world

    @staticmethod
    def marks(world: World) -> list[str]:
        """The names of the marks, in order."""
        return [event.fields["name"] for event in world.events if event.kind == "mark"]

    @staticmethod
    def timed(world: World, *kinds: str) -> list[tuple[int, str]]:
        """Instant and name (of a mark) or kind of the events of these kinds; by default of all marks."""
        return [
            (event.at_us, event.fields["name"] if event.kind == "mark" else event.kind)
            for event in world.events
            if event.kind in (kinds or ("mark",))
        ]

    @staticmethod
    def kinds(world: World, *without: str) -> list[str]:
        return [event.kind for event in world.events if event.kind not in without]

    @staticmethod
    def failures(world: World) -> list[str]:
        """The errors of tasks and callbacks that nobody caught."""
        return [event.fields["error"] for event in world.events if event.kind == "task.failed"]


@pytest.fixture
def bench():
    bench = Bench()
    yield bench
    for world in bench.worlds:
        world.close()
    assert asyncio._get_running_loop() is None, "a world has kept asyncio's slot"


class Store:
    """A service that keeps a list of what it carried out; `held` requests wait until `answer()`."""

    def __init__(self, world: World, name: str = "store", hold: bool = False, **latency: int) -> None:
        self.applied: list[tuple[int, object]] = []
        self.held: list[object] = []
        self.hold = hold
        self.actor = world.network.serve(name, self._handle, **latency)

    def _handle(self, request) -> None:
        self.applied.append((request.now_us, request.payload))
        if self.hold:
            self.held.append(request)
        else:
            request.complete(request.payload)


@pytest.fixture
def store_of():
    """`store_of(world, …)` makes the service `store` in a world."""
    return Store


class Odometer:
    """A scheduler that, made anew from the choices of the last run, takes the next of all orders of lanes.

    It counts as a mechanical odometer does: the last wheel first, its neighbour when it has gone round.
    """

    def __init__(self, prefix: list[int]) -> None:
        self._prefix = prefix
        self.choices: list[int] = []
        self.bounds: list[int] = []

    def choose(self, bound: int) -> int:
        point = len(self.choices)
        choice = self._prefix[point] if point < len(self._prefix) else 0
        self.choices.append(choice)
        self.bounds.append(bound)
        return choice

    def next_prefix(self) -> list[int] | None:
        """The choices to begin the next run with; None when every order has been taken."""
        choices = list(self.choices)
        while choices and choices[-1] + 1 == self.bounds[len(choices) - 1]:
            choices.pop()
        if not choices:
            return None
        return [*choices[:-1], choices[-1] + 1]


@pytest.fixture
def every_order():
    """`every_order(run)` calls `run(scheduler)` once for each order of lanes and gives the list of its results."""

    def explore(run) -> list[object]:
        results, prefix = [], []
        while prefix is not None:
            odometer = Odometer(prefix)
            results.append(run(odometer))
            prefix = odometer.next_prefix()
        return results

    return explore
