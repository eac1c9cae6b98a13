"""A pause: an actor stands still and knows nothing of it."""

import asyncio

import pytest


async def _beat(world, count=6):
    for _ in range(count):
        world.mark("beat")
        await asyncio.sleep(0.01)


def _paused(bench, *pauses, program=_beat):
    """Run `program` in the actor `a` with pauses (at_us, duration_us)."""
    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, program(world))
    for at_us, duration_us in pauses:
        world.call_at(at_us, world.pause, actor, duration_us)
    world.run(1_000_000)
    return world


def _instants(bench, world):
    return [at_us for at_us, _ in bench.timed(world)]


def test_a_paused_actor_takes_no_step_and_then_goes_on_where_it_was(bench):
    world = _paused(bench, (15_000, 30_000))
    # Beats at 0 and 10 ms; the one due at 20 comes when the pause ends, at 15 + 30 = 45.
    assert _instants(bench, world) == [0, 10_000, 45_000, 55_000, 65_000, 75_000]
    assert bench.timed(world, "actor.paused", "actor.resumed") == [(15_000, "actor.paused"), (45_000, "actor.resumed")]


def test_several_timers_that_came_due_meanwhile_run_in_their_order_afterwards(bench):
    async def program(world):
        for name, delay in (("second", 0.03), ("first", 0.02), ("third", 0.04)):
            asyncio.get_running_loop().call_later(delay, world.mark, name)
        await asyncio.sleep(1)

    world = _paused(bench, (10_000, 50_000), program=program)
    assert bench.timed(world) == [(60_000, "first"), (60_000, "second"), (60_000, "third")]


def test_a_pause_in_the_middle_of_busy_time_makes_the_rest_come_later(bench):
    async def program(world):
        world.spend(100)
        world.mark("after 100")
        world.spend(100)
        world.mark("after 200")

    world = _paused(bench, (150, 1_000), program=program)
    assert bench.timed(world, "mark", "actor.paused", "actor.resumed", "busy.completed") == [
        (100, "busy.completed"), (100, "after 100"), (150, "actor.paused"), (1_150, "actor.resumed"),
        (1_200, "busy.completed"), (1_200, "after 200"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("pauses", "goes_on", "resumed"),
    [
        ([(10, 100), (60, 100)], 160, 1),  # overlapping: from 10 to 160
        ([(10, 100), (20, 30)], 110, 1),  # one inside the other
        ([(10, 100), (10, 100)], 110, 1),  # the same twice
        ([(10, 100), (110, 50)], 160, 1),  # one right after the other: the actor does nothing between
        ([(10, 20), (200, 20)], 220, 2),  # apart
    ],
)
def test_pauses_that_overlap_are_one_pause_to_the_end_of_the_last(bench, pauses, goes_on, resumed):
    async def program(world):
        await asyncio.sleep(0.000_205 if pauses[-1][0] == 200 else 0.000_015)
        world.mark("goes on")

    world = _paused(bench, *pauses, program=program)
    assert bench.timed(world) == [(goes_on, "goes on")]
    ends = [at_us for at_us, _ in bench.timed(world, "actor.resumed")]
    assert (ends[-1], len(ends)) == (goes_on, resumed)


def test_overlapping_pauses_of_a_busy_actor_add_only_what_they_cover(bench):
    async def program(world):
        world.spend(100)
        world.mark("done")

    # Busy from 0; stands still from 50 to 150 and on to 180: 50 of 100 µs are left, so it is done at 230.
    assert bench.timed(_paused(bench, (50, 100), (80, 100), program=program)) == [(230, "done")]


def test_a_pause_freezes_the_pool_threads_too(bench):
    async def program(world):
        def work():
            world.spend(100)
            world.mark("worked")

        await asyncio.to_thread(work)
        world.mark("told")

    assert bench.timed(_paused(bench, (40, 1_000), program=program)) == [(1_100, "worked"), (1_100, "told")]


def test_a_paused_service_answers_later_and_in_the_order_of_arrival(bench, store_of):
    async def caller(world, name, delay):
        await asyncio.sleep(delay)
        await world.network.call("store", name)

    world = bench.world()
    store = store_of(world)
    for index, name in enumerate("pqr"):
        world.spawn(world.actor(name), caller(world, name, 0.000_020 + index / 100_000))
    world.call_at(10, world.pause, store.actor, 1_000)
    world.run(5_000)
    assert store.applied == [(1_010, "p"), (1_010, "q"), (1_010, "r")]


def test_a_request_that_arrives_as_a_service_resumes_waits_behind_older_ones(bench, store_of, every_order):
    async def pipelined(world):
        async def send(number, delay):
            await asyncio.sleep(delay)
            await world.network.call("store", number)

        await asyncio.gather(send(1, 0.000_050), send(2, 0.000_100))

    def run(scheduler):
        world = bench.world(scheduler=scheduler)
        store = store_of(world)
        world.spawn(world.actor("a"), pipelined(world))
        world.call_at(10, world.pause, store.actor, 90)  # to 100, where the second request is sent
        world.run(5_000)
        return tuple(payload for _, payload in store.applied)

    results = every_order(run)
    assert set(results) == {(1, 2)}
    assert len(results) > 1


def test_a_blocked_call_of_a_paused_service_times_out_when_it_goes_on(bench, store_of):
    world = bench.world()
    store = store_of(world, hold=True)

    async def program():
        await world.network.call("store", "x")

    world.spawn(world.actor("a"), program())
    world.call_at(10, lambda: store.held[0].call_later(50, store.held[0].complete, "late"))
    world.call_at(20, world.pause, store.actor, 500)
    world.run(5_000)
    assert bench.timed(world, "call.completed") == [(520, "call.completed")]


def test_what_a_paused_actor_had_sent_arrives_and_its_reply_waits_for_it(bench, store_of):
    world = bench.world()
    store = store_of(world, request_us=100, reply_us=100)
    actor = world.actor("a")
    world.spawn(actor, world.network.call("store", "x"))
    world.call_at(50, world.pause, actor, 1_000)
    world.run(5_000)
    assert store.applied == [(100, "x")]
    assert bench.timed(world, "call.completed") == [(1_050, "call.completed")]


def test_an_actor_may_pause_itself_and_what_its_step_does_then_comes_after_the_pause(bench, store_of):
    async def program(world):
        world.spend(10)
        world.mark("before")
        world.pause(world.current_actor(), 500)
        world.mark(f"after, at {world.now_us}")
        await world.network.call("store", "x")

    world = bench.world()
    store = store_of(world)
    world.spawn(world.actor("a"), program(world))
    world.run(5_000)
    assert bench.timed(world, "mark", "actor.paused", "actor.resumed") == [
        (10, "before"), (10, "actor.paused"), (510, "actor.resumed"), (510, "after, at 510"),
    ]  # fmt: skip
    assert store.applied == [(510, "x")]


def test_a_pause_from_outside_prolongs_a_pause_of_ones_own(bench):
    async def program(world):
        world.pause(world.current_actor(), 100)
        world.mark("goes on")

    world = _paused(bench, (50, 100), program=program)
    assert bench.timed(world, "mark", "actor.resumed") == [(150, "actor.resumed"), (150, "goes on")]


def test_a_thread_may_pause_its_actor(bench):
    async def program(world):
        def work():
            world.spend(20)
            world.pause(actor, 300)
            world.mark("thread goes on")

        call = asyncio.create_task(asyncio.to_thread(work))
        await asyncio.sleep(0.000_030)
        world.mark("loop goes on")
        await call

    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, program(world))
    world.run(5_000)
    assert sorted(bench.timed(world)) == [(320, "loop goes on"), (320, "thread goes on")]


def test_a_busy_actor_that_pauses_another_does_so_at_its_own_instant(bench):
    async def controller(world, victim):
        world.spend(25_000)
        world.pause(victim, 10_000)

    world = bench.world()
    victim = world.actor("victim")
    world.spawn(victim, _beat(world))
    world.spawn(world.actor("controller"), controller(world, victim))
    world.run(100_000)
    assert _instants(bench, world)[:4] == [0, 10_000, 20_000, 35_000]


def test_a_pause_of_a_crashed_actor_or_of_no_length_changes_nothing(bench):
    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, _beat(world))
    world.call_at(5, world.pause, actor, 0)
    world.call_at(15_000, world.crash, actor)
    world.call_at(16_000, world.pause, actor, 1_000)
    world.run(100_000)
    assert bench.kinds(world, "mark") == ["actor.started", "actor.crashed"]
    assert _instants(bench, world) == [0, 10_000]


def test_an_actor_that_crashes_while_paused_never_goes_on(bench):
    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, _beat(world))
    world.call_at(5_000, world.pause, actor, 10_000)
    world.call_at(7_000, world.crash, actor)
    world.run(100_000)
    assert bench.kinds(world, "mark") == ["actor.started", "actor.paused", "actor.crashed"]
    assert _instants(bench, world) == [0]
