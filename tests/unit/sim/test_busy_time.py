"""Busy time: a step that spends time stalls its own actor and nobody else, and what it does afterwards comes later."""

import asyncio

import pytest

from py_runtime.sim import Bounds, SimulationError


async def _beat(world, count, every_ms=10):
    for _ in range(count):
        world.mark("beat")
        await asyncio.sleep(every_ms / 1000)


def test_a_busy_step_stalls_the_other_tasks_of_its_actor(bench):
    async def block(world):
        await asyncio.sleep(0.015)
        world.spend(40_000)

    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, _beat(world, 5))
    world.spawn(actor, block(world))
    world.run(1_000_000)
    # Beats at 0 and 10 ms; the one due at 20 ms waits until 15 + 40 = 55 ms, the next come 10 ms after each.
    assert [at_us for at_us, _ in bench.timed(world)] == [0, 10_000, 55_000, 65_000, 75_000]


def test_the_rest_of_the_world_goes_on_meanwhile(bench):
    async def block(world):
        world.spend(25_000)

    world = bench.world()
    world.spawn(world.actor("busy"), block(world))
    world.spawn(world.actor("other"), _beat(world, 4))
    world.run(1_000_000)
    assert [at_us for at_us, _ in bench.timed(world)] == [0, 10_000, 20_000, 30_000]


def test_what_a_step_does_after_spending_comes_at_its_own_instant(bench, store_of):
    async def program(world):
        world.mark("before")
        world.spend(100)
        world.mark("between")
        asyncio.get_running_loop().call_later(0.000_050, world.mark, "50 later")
        world.spend(200)
        world.mark(f"after {world.now_us}")
        await world.network.call("store", "x")
        world.mark("answered")

    world = bench.world()
    store = store_of(world, request_us=7)
    world.spawn(world.actor("a"), program(world))
    world.run(1_000)
    # The timer was due at 100 + 50, but its actor is busy until 300. The request leaves at 300 and takes 7.
    expected = [(0, "before"), (100, "between"), (300, "after 300"), (300, "50 later"), (307, "answered")]
    assert bench.timed(world) == expected
    assert store.applied == [(307, "x")]


def test_the_trace_is_in_the_order_of_time_whoever_is_busy(bench, store_of):
    async def program(world, name, length):
        for number in range(4):
            world.spend(length)
            world.mark(f"{name}{number}")
            await world.network.call("store", number)
            await asyncio.sleep(length / 3_000_000)

    world = bench.world()
    store_of(world, request_us=5, reply_us=11)
    for name, length in (("a", 30), ("b", 70), ("c", 110)):
        world.spawn(world.actor(name), program(world, name, length))
    world.run(10_000)
    instants = [event.at_us for event in world.events]
    assert instants == sorted(instants)
    assert len(bench.marks(world)) == 12
    assert [event.sequence for event in world.events] == list(range(len(instants)))


def test_busy_time_is_recorded_as_a_pair(bench):
    async def program(world):
        world.spend(300)
        world.spend(0)  # costs nothing, so nothing is recorded

    world = bench.run(program)
    assert bench.timed(world, "busy.started", "busy.completed") == [(0, "busy.started"), (300, "busy.completed")]


def test_an_actors_clock_includes_what_its_step_has_spent_and_others_do_not(bench):
    async def program(world):
        actor, loop = world.current_actor(), asyncio.get_running_loop()
        start_s, start_us = loop.time(), actor.clock.monotonic_us()
        world.spend(1_500)
        world.mark(f"{actor.clock.wall_us()} {actor.clock.wall_ms()} {actor.clock.monotonic_us() - start_us}")
        world.mark(f"{loop.time() - start_s:.6f}")

    async def other(world):
        world.mark(f"other {world.now_us}")

    world = bench.world()
    world.spawn(world.actor("a"), program(world))
    world.spawn(world.actor("b"), other(world))
    world.run(10_000)
    assert bench.marks(world) == ["other 0", "1500 1 1500", "0.001500"]


def test_clocks_can_be_wrong_and_origins_differ(bench):
    world = bench.world()
    fast, slow = world.actor("fast").clock, world.actor("slow").clock
    fast.drift_ppm = 200
    slow.offset_us = -500
    world.run(10_000_000)
    # 200 µs per second for 10 s is 2,000 µs.
    assert (fast.wall_us(), slow.wall_us()) == (10_002_000, 9_999_500)
    slow.step(700)
    assert slow.wall_us() == 10_000_200
    assert abs(fast.monotonic_us() - slow.monotonic_us()) >= 1_000_000_000


def test_spending_outside_any_step_is_a_mistake_and_moves_no_time(bench):
    world = bench.world()
    with pytest.raises(SimulationError, match="charges the step that runs"):
        world.spend(5)
    world.call_at(10, world.spend, 5)
    with pytest.raises(SimulationError):
        world.run(100)
    assert world.now_us == 10


def test_time_is_spent_in_whole_microseconds_forward(bench):
    async def program(world):
        with pytest.raises(ValueError, match="at least 0, got -5"):
            world.spend(-5)
        with pytest.raises(TypeError, match="integer of microseconds"):
            world.spend(0.5)
        world.mark("refused")

    assert bench.marks(bench.run(program)) == ["refused"]


def test_a_task_of_the_scenarios_own_actor_may_be_busy_too(bench):
    async def program(world):
        world.spend(50)
        world.mark("done")

    world = bench.world()
    world.spawn(world.actor("scenario"), program(world))
    world.run(100)
    assert bench.timed(world) == [(50, "done")]


def test_a_service_is_busy_for_what_its_handler_spends_and_serves_one_call_at_a_time(bench):
    world = bench.world()

    def handle(request):
        world.mark(f"begin {request.payload}")
        world.spend(100)
        request.complete(request.payload)

    world.network.serve("store", handle)
    for name in ("p", "q"):
        world.spawn(world.actor(name), world.network.call("store", name))
    world.run(1_000)
    assert bench.timed(world, "mark", "busy.completed", "call.completed") == [
        (0, "begin p"), (100, "busy.completed"), (100, "begin q"), (100, "call.completed"),
        (200, "busy.completed"), (200, "call.completed"),
    ]  # fmt: skip
    assert {event.actor for event in world.events if event.kind.startswith("busy")} == {"store"}


def test_a_run_may_end_in_the_middle_of_busy_time_and_go_on(bench):
    async def program(world):
        world.spend(1_000)
        world.mark("after")

    world = bench.world()
    world.spawn(world.actor("a"), program(world))
    first = world.run(400)
    assert (first.reason, first.at_us, bench.marks(world)) == ("until", 400, [])
    second = world.run(2_000)
    assert (second.reason, bench.timed(world)) == ("quiet", [(1_000, "after")])


def test_a_step_that_never_ends_its_busy_time_fails_instead_of_filling_memory(bench):
    async def program(world):
        while True:
            world.spend(1)

    world = bench.run(program, bounds=Bounds(events_max=100))
    assert bench.failures(world) == []  # the trace was full before the failure could be told
    assert world.ended.reason == "full"
    assert len(world.events) == 100
