"""A crash is SIGKILL: nothing of the actor runs any more, neither during the run nor when it is disposed of."""

import asyncio
import contextlib
import gc

import pytest


class Leases:
    """A store that counts who holds a lease, and the client whose `finally` would give it back."""

    def __init__(self, world, hold_releases=False):
        self.world = world
        self.held: list[str] = []
        self.releases: list[str] = []
        self.undone: list[str] = []  # which `finally` and `except` blocks ran at all
        world.network.serve("leases", self._handle)

    def _handle(self, request):
        verb, holder = request.payload
        if verb == "ACQUIRE":
            self.held.append(holder)
        else:
            self.held.remove(holder)
            self.releases.append(holder)
        request.complete("OK", changes=[{"store": "leases", "key": "held", "type": "list", "value": self.held}])

    async def acquire(self, holder):
        await self.world.network.call("leases", ("ACQUIRE", holder), text=f"ACQUIRE {holder}")

    async def release(self, holder):
        self.undone.append(holder)
        await self.world.network.call("leases", ("RELEASE", holder), text=f"RELEASE {holder}")

    @contextlib.asynccontextmanager
    async def lease(self, holder):
        await self.acquire(holder)
        try:
            yield
        finally:
            await self.release(holder)


async def with_finally(leases):
    await leases.acquire("a")
    try:
        await asyncio.sleep(10)
    finally:
        await leases.release("a")


async def with_except(leases):
    await leases.acquire("a")
    try:
        await asyncio.sleep(10)
    except BaseException:
        await leases.release("a")
        raise


async def with_async_with(leases):
    async with leases.lease("a"):
        await asyncio.sleep(10)


async def with_async_generator(leases):
    async def ticks():
        async with leases.lease("a"):
            while True:
                await asyncio.sleep(1)
                yield

    async for _ in ticks():
        pass


async def with_task_group(leases):
    async def child():
        await with_finally(leases)

    async with asyncio.TaskGroup() as group:
        group.create_task(child())


async def with_retries(leases):
    await leases.acquire("a")
    try:
        await asyncio.sleep(10)
    finally:
        while True:  # tries until it works, whatever happens
            try:
                async with asyncio.timeout(1):
                    await asyncio.sleep(0.1)
                    await leases.release("a")
                break
            except:  # noqa: E722
                continue


async def with_background_task(leases):
    async def forgotten():
        await with_finally(leases)

    asyncio.create_task(forgotten())
    await asyncio.sleep(10)


async def with_cycle(leases):
    class Node:
        pass

    node = Node()
    node.itself, node.coroutine = node, with_finally(leases)
    node.task = asyncio.create_task(node.coroutine)
    del node
    await asyncio.Event().wait()


PROGRAMS = [
    with_finally, with_except, with_async_with, with_async_generator, with_task_group, with_retries,
    with_background_task, with_cycle,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_crashed_program_never_releases_what_it_holds(bench, program):
    world = bench.world()
    leases = Leases(world)
    actor = world.actor("a")
    world.spawn(actor, program(leases))
    world.call_at(3_500_000, world.crash, actor)
    for at_us in range(3_600_000, 4_000_000, 100_000):
        world.call_at(at_us, gc.collect)
    world.run(30_000_000)
    assert (leases.held, leases.releases, leases.undone) == (["a"], [], [])
    assert [event.fields["text"] for event in world.events if event.kind == "call.started"] == ["ACQUIRE a"]
    before = (world.digest(), len(world.events), world.loop.steps, world.now_us)
    world.close()
    gc.collect()
    assert (world.digest(), len(world.events), world.loop.steps, world.now_us) == before
    assert (leases.held, leases.releases) == (["a"], [])


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_cut_short_by_the_end_of_the_run_has_no_effect_when_disposed_of(bench, program):
    world = bench.world()
    leases = Leases(world)
    world.spawn(world.actor("a"), program(leases))
    ended = world.run(2_000_000)
    before = (world.digest(), leases.held.copy())
    world.close()
    gc.collect()
    assert (ended.reason, ended.waiting) == ("until", ("a",))
    assert (world.digest(), leases.held) == before
    assert leases.releases == []


def test_a_live_program_does_release(bench):
    world = bench.world()
    leases = Leases(world)
    world.spawn(world.actor("a"), with_async_with(leases))
    world.run(30_000_000)
    assert (leases.held, leases.releases) == ([], ["a"])


def test_a_dropped_async_generator_is_not_finished_by_the_garbage_collector(bench):
    async def program(leases):
        async def ticks():
            async with leases.lease("a"):
                yield 1

        async for _ in ticks():
            break
        gc.collect()
        await asyncio.sleep(1)
        leases.world.mark("went on")

    world = bench.world()
    leases = Leases(world)
    world.spawn(world.actor("a"), program(leases))
    world.run(5_000_000)
    assert (bench.marks(world), leases.releases) == (["went on"], [])


def test_programs_that_were_never_started_are_disposed_of_without_a_warning(bench):
    # Warnings are errors in these tests, so "was never awaited" would fail this one.
    async def program(world):
        asyncio.create_task(asyncio.sleep(1))
        world.crash(world.current_actor())

    world = bench.run(program)
    world.spawn(world.actor("never run"), asyncio.sleep(1))
    world.close()
    gc.collect()


def test_what_was_sent_before_the_crash_still_arrives_and_its_reply_is_lost(bench, store_of):
    world = bench.world()
    store = store_of(world, request_us=100, reply_us=100)
    actor = world.actor("a")
    world.spawn(actor, world.network.call("store", "x"))
    world.call_at(50, world.crash, actor)
    world.run(1_000)
    assert store.applied == [(100, "x")]
    assert bench.kinds(world) == ["actor.started", "call.started", "actor.crashed", "call.applied", "call.lost"]
    assert world.events[-1].fields == {"call": 1, "direction": "reply", "reason": "a is gone"}


def test_what_a_busy_actor_would_have_sent_after_its_crash_is_never_sent(bench, store_of):
    async def program(world):
        world.mark("at once")
        world.spend(100)
        world.mark("too late")
        await world.network.call("store", "x")

    world = bench.world()
    store = store_of(world)
    actor = world.actor("a")
    world.spawn(actor, program(world))
    world.call_at(50, world.crash, actor)
    world.run(1_000)
    assert (bench.marks(world), store.applied) == (["at once"], [])
    assert "call.started" not in bench.kinds(world)


def test_a_step_that_crashes_its_own_actor_has_no_further_effect(bench, store_of):
    async def program(world):
        loop = asyncio.get_running_loop()
        world.crash(world.current_actor())
        world.mark("dead men tell no tales")
        asyncio.create_task(program(world))
        loop.call_soon(world.mark, "soon")
        loop.call_later(0.1, world.mark, "later")
        loop.run_in_executor(None, world.mark, "thread")
        world.pause(world.actor("other"), 5_000_000)
        await world.network.call("store", "x")
        world.mark("answered")

    async def other(world):
        await asyncio.sleep(1)
        world.mark("alive")

    world = bench.world()
    store = store_of(world)
    world.spawn(world.actor("a"), program(world))
    world.spawn(world.actor("other"), other(world))
    world.run(10_000_000)
    assert bench.timed(world) == [(1_000_000, "alive")]
    assert store.applied == []


def test_a_busy_step_that_crashes_its_own_actor_dies_at_its_own_instant(bench, store_of):
    async def program(world):
        world.spend(100)
        world.mark("last words")
        world.crash(world.current_actor())
        world.mark("too late")
        await world.network.call("store", "x")

    world = bench.world()
    store = store_of(world)
    world.spawn(world.actor("a"), program(world))
    world.run(1_000)
    assert bench.timed(world, "mark", "actor.crashed") == [(100, "last words"), (100, "actor.crashed")]
    assert store.applied == []


def test_a_crash_stops_all_tasks_timers_and_threads_of_the_actor_and_of_no_other(bench):
    async def child(world, name):
        while True:
            world.mark(name)
            await asyncio.sleep(0.01)

    async def program(world, name):
        def work():
            world.spend(25_000)
            world.mark(f"{name} worked")

        asyncio.create_task(child(world, name))
        asyncio.get_running_loop().call_later(0.02, world.mark, f"{name} timer")
        await asyncio.to_thread(work)
        world.mark(f"{name} told")

    world = bench.world()
    for name in ("a", "b"):
        world.spawn(world.actor(name), program(world, name))
    world.call_at(15_000, world.crash, world.actor("a"))
    world.run(40_000)
    late = [name for at_us, name in bench.timed(world) if at_us >= 15_000]
    assert set(late) == {"b", "b timer", "b worked", "b told"}


def test_a_service_that_crashes_lets_its_callers_wait_for_ever_and_the_run_says_who_waits(bench, store_of):
    async def program(world, delay):
        await asyncio.sleep(delay)
        await world.network.call("store", "x")

    world = bench.world()
    store = store_of(world, hold=True)
    world.spawn(world.actor("before"), program(world, 0))
    world.spawn(world.actor("after"), program(world, 1))
    world.call_at(500_000, world.crash, store.actor)
    ended = world.run(10_000_000)
    assert (ended.reason, ended.at_us, ended.waiting) == ("quiet", 1_000_000, ("before", "after"))
    lost = [event for event in world.events if event.kind == "call.lost"]
    assert [(event.actor, event.fields["reason"]) for event in lost] == [("after", "store is gone")]
    store.held[0].complete("from beyond the grave")
    assert world.run(20_000_000).waiting == ("before", "after")


def test_a_reply_that_had_left_a_service_before_its_crash_arrives(bench, store_of):
    world = bench.world()
    store = store_of(world, reply_us=100)
    world.spawn(world.actor("a"), world.network.call("store", "x"))
    world.call_at(50, world.crash, store.actor)
    ended = world.run(1_000)
    assert (ended.waiting, bench.timed(world, "call.completed")) == ((), [(100, "call.completed")])


def test_a_service_learns_of_a_crashed_caller_behind_its_last_request_even_when_it_is_paused(bench):
    async def program(world):
        for number in range(2):
            await asyncio.sleep(0.000_010)
            asyncio.create_task(world.network.call("store", number))
        await asyncio.Event().wait()

    world = bench.world()
    seen = []
    service = world.network.serve(
        "store", lambda request: seen.append(request.payload), when_closed=lambda actor: seen.append(str(actor))
    )
    actor = world.actor("a")
    world.spawn(actor, program(world))
    world.call_at(15, world.pause, service, 100)
    world.call_at(30, world.crash, actor)
    world.run(1_000)
    assert seen == [0, 1, "a"]


def test_a_program_started_in_a_crashed_actor_never_runs(bench):
    async def program(world):
        world.mark("ran")

    world = bench.world()
    actor = world.actor("a")
    world.crash(actor)
    world.crash(actor)
    world.spawn(actor, program(world))
    ended = world.run(10)
    assert (bench.kinds(world), ended.waiting) == (["actor.crashed"], ())
