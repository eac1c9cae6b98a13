"""What commands have in common, as an exploration sees it: exact counts, and no end state left out by pruning."""

import asyncio

import pytest

from py_runtime.sim import Fault, World
from py_runtime.sim.explorer import Judged, Limits, Progress, explore
from py_runtime.stores.redis import RedisServer

MS = 0.001


def explored(setup, faults=(), **limits) -> tuple[Progress, set]:
    """Explore `setup(world, server)`, which gives what says the end state."""
    ends = {}

    def run(attempt) -> Judged:
        world = World(tracing=False)
        attempt.attach(world)
        state = setup(world, RedisServer(world))
        world.run(10_000)
        if not attempt.given_up:
            ends[state()] = None
        world.close()
        return Judged()

    return explore(run, Limits(runs_max=30_000, faults_max=1 if faults else 0, **limits), faults), set(ends)


def waiting(*keys, writes: str | None = None, command: str = "blpop"):
    """A client for each key waits for it for 1 ms; at the end of that time another one pushes to `writes`."""

    def setup(world, server):
        got = {}

        async def waiter(number, key):
            client = server.client()
            got[number] = await (client.blpop(key, MS) if command == "blpop" else client.xread({key: "0"}, block=1))

        async def writer():
            await asyncio.sleep(MS)
            if command == "blpop":
                await server.client().rpush(writes, "v")
            else:
                await server.client().xadd(writes, {"f": "v"}, id="1-1")

        for number, key in enumerate(keys):
            world.spawn(world.actor(f"waiter-{number}"), waiter(number, key))
        if writes is not None:
            world.spawn(world.actor("writer"), writer())
        return lambda: str((sorted(got.items()), server.peek(writes or keys[0])))

    return setup


@pytest.mark.parametrize(
    ("setup", "runs"),
    [
        # Two that take from one list are served in the order in which they began to wait; two readers are not.
        (waiting("x", "y"), 1),
        (waiting("x", "x"), 2),
        (waiting("x", "x", command="xread"), 1),
        # The end of a wait for x has nothing to do with a write to y, but with one to x, as far as names can tell.
        (waiting("x", writes="y"), 1),
        (waiting("x", writes="x"), 2),
        (waiting("x", command="xread", writes="x"), 2),
    ],
)
def test_the_end_of_a_wait_touches_what_was_waited_for(setup, runs):
    progress, ends = explored(setup)
    assert (progress.runs, progress.finished) == (runs, True)
    assert ends == explored(setup, pruning=False)[1]


def test_whoever_serves_a_waiting_call_looks_whether_its_caller_lives():
    """The caller waits for the list, and has another task whose turn comes as the push does. Killed before the push it
    takes nothing, killed after it the element is lost with it."""

    def setup(world, server):
        async def waiter():
            task = asyncio.create_task(asyncio.sleep(MS))
            await server.client().blpop("x", 0)
            await task

        async def writer():
            await asyncio.sleep(MS)
            await server.client().rpush("x", "v")

        world.spawn(world.actor("waiter"), waiter())
        world.spawn(world.actor("writer"), writer())
        return lambda: (server.peek("x") is None, world.actors["waiter"].crashed)

    faults = [Fault("crash", "waiter", from_us=1_000)]
    progress, ends = explored(setup, faults)
    assert progress.finished
    assert ends == {(True, False), (True, True), (False, True)}
