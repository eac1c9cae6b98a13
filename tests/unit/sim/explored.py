"""What the tests of the explorer share: running a tiny program once per attempt, and two such programs."""

import asyncio

from py_runtime.sim import World
from py_runtime.sim.explorer import Judged


class Program:
    """Runs `setup(world)` to the end once per attempt; `setup` returns what gives the end state.

    ends: end state → how many runs came to it. wrong(state): the names of what it violates.
    """

    def __init__(self, setup, wrong=lambda state: (), until_us=100_000):
        self.setup, self.wrong, self.until_us = setup, wrong, until_us
        self.ends = {}

    def __call__(self, attempt):
        world = World(tracing=False)
        attempt.attach(world)
        state = self.setup(world)
        world.run(self.until_us)
        end = None
        if not attempt.given_up:
            end = state()
            self.ends[end] = self.ends.get(end, 0) + 1
        world.close()
        return Judged(tuple(self.wrong(end)) if end is not None else ())


def yielding(actors, steps):
    """`actors` that share nothing, each with `steps` steps."""

    def setup(world):
        async def program():
            for _ in range(steps - 1):
                await asyncio.sleep(0)

        for number in range(actors):
            world.spawn(world.actor(f"a{number}"), program())
        return lambda: "done"

    return setup


def store_update(clients):
    """The same over messages, against a service of which the lab knows nothing."""

    def setup(world):
        values = [0]

        def handle(request):
            if request.payload is not None:
                values.append(request.payload)
            request.complete(values[-1])

        world.network.serve("store", handle)

        async def client():
            seen = await world.network.call("store", None)
            await world.network.call("store", seen + 1)

        for number in range(clients):
            world.spawn(world.actor(f"c{number}"), client())
        return lambda: values[-1]

    return setup
