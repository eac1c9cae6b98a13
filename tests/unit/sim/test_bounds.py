"""Every run ends, and says why; memory does not grow with the number of steps."""

import asyncio
import gc
import tracemalloc

import pytest

from py_runtime.sim import FULL, LIVELOCK, QUIET, STEPS, UNTIL, Bounds


async def _spin():
    while True:
        await asyncio.sleep(0)


async def _tick(world):
    while True:
        world.mark("tick")
        await asyncio.sleep(0.001)


def test_steps_that_go_on_while_time_does_not_are_a_livelock(bench):
    world = bench.world(bounds=Bounds(instant_steps_max=1_000))
    world.call_at(7, lambda: world.spawn(world.actor("a"), _spin()))
    ended = world.run(1_000_000)
    # The scenario's timer is a step too, of the instant that it begins.
    assert (ended.reason, ended.at_us, ended.steps, ended.waiting) == (LIVELOCK, 7, 1_000, ("a",))
    assert bench.kinds(world) == ["actor.started"]


def test_a_busy_program_is_no_livelock_since_its_time_moves(bench):
    async def program(world):
        for _ in range(5_000):
            world.spend(1)
            await asyncio.sleep(0)

    world = bench.run(program, bounds=Bounds(instant_steps_max=100), tracing=False)
    assert world.ended.reason == QUIET


def test_the_bound_on_steps_ends_a_run_with_the_trace_so_far(bench):
    world = bench.world(bounds=Bounds(steps_max=101))
    world.spawn(world.actor("a"), _tick(world))
    ended = world.run(10**12)
    # A tick at the first step, then one in every two (the timer's callback, the task's step): 1 + 50 by step 101.
    assert (ended.reason, ended.steps, ended.at_us) == (STEPS, 101, 50_000)
    assert bench.marks(world) == ["tick"] * 51
    assert world.run(10**12).reason == STEPS


def test_the_bound_on_events_ends_a_run_with_a_full_trace(bench):
    world = bench.world(bounds=Bounds(events_max=50))
    world.spawn(world.actor("a"), _tick(world))
    ended = world.run(10**12)
    assert (ended.reason, len(world.events), ended.at_us) == (FULL, 50, 49_000)  # actor.started and 49 ticks from 0


def test_the_bound_on_characters_ends_a_run_whose_few_events_hold_much(bench):
    async def program(world):
        while True:
            world.mark("grown", value="x" * 100, items=["y" * 10] * 5, found={"key": 7})
            await asyncio.sleep(0.001)

    world = bench.world(bounds=Bounds(characters_max=1_000))
    world.spawn(world.actor("a"), program(world))
    ended = world.run(10**12)
    # Each: 19 in the fields' names, the mark's own name 5, the text 100, five items of 10 with their places 55, and a
    # key of 3 with a number 4: 183. Six of them are 1,098.
    assert (ended.reason, len(world.events), world.trace.characters) == (FULL, 7, 1_098)  # with actor.started
    assert ended.at_us == 6_000  # where a seventh did not fit


def test_a_deadlock_is_quiet_with_somebody_waiting(bench):
    async def program(world, mine, other):
        async with mine:
            await asyncio.sleep(1)
            async with other:
                world.mark("both")

    world = bench.world()
    actor, left, right = world.actor("a"), asyncio.Lock(), asyncio.Lock()
    world.spawn(actor, program(world, left, right))
    world.spawn(actor, program(world, right, left))
    world.spawn(world.actor("b"), asyncio.sleep(2))
    ended = world.run(60_000_000)
    assert (ended.reason, ended.at_us, ended.waiting) == (QUIET, 2_000_000, ("a",))


def test_a_run_in_which_all_is_done_lasts_until_the_end_that_was_asked_for(bench):
    world = bench.world()
    world.spawn(world.actor("a"), asyncio.sleep(1))
    ended = world.run(60_000_000)
    assert (ended.reason, ended.at_us, ended.waiting, world.now_us) == (QUIET, 60_000_000, (), 60_000_000)


def test_a_run_may_be_continued_and_is_the_same_as_in_one_piece(bench):
    def build():
        world = bench.world()
        for name in ("a", "b"):
            world.spawn(world.actor(name), _tick(world))
        return world

    pieces, whole = build(), build()
    for until_us in (0, 1, 999, 1_000, 1_000, 5_500, 20_000):
        ended = pieces.run(until_us)
        assert (ended.reason, ended.at_us, pieces.now_us) == (UNTIL, until_us, until_us)
    whole.run(20_000)
    assert pieces.digest() == whole.digest()
    with pytest.raises(ValueError, match="until_us must be at least 20000"):
        pieces.run(19_999)


def test_a_run_of_no_length_runs_what_is_due_at_once(bench):
    world = bench.world()
    world.spawn(world.actor("a"), _tick(world))
    world.call_at(0, world.mark, "timer")
    world.run(0)
    assert bench.timed(world) == [(0, "tick"), (0, "timer")]


def _growth(run) -> int:
    """Bytes that `run()` leaves allocated beyond what a first run of it left."""
    run()
    gc.collect()
    tracemalloc.start()
    try:
        run()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        run()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


async def _sleeps(world, count):
    for _ in range(count):
        await asyncio.sleep(0.000_001)


async def _calls(world, count):
    for _ in range(count // 5):
        await world.network.call("store", "x")


async def _tasks(world, count):
    for _ in range(count // 3):
        await asyncio.create_task(asyncio.sleep(0))


async def _timeouts(world, count):
    for _ in range(count // 3):
        async with asyncio.timeout(3_600):
            await asyncio.sleep(0)


async def _threads(world, count):
    for _ in range(count // 5):
        await asyncio.to_thread(world.spend, 1)


async def _generators(world, count):
    async def numbers():
        yield 1
        await asyncio.sleep(0)
        yield 2

    for _ in range(count // 3):
        async for _ in numbers():
            pass


async def _busy(world, count):
    for _ in range(count // 2):
        world.spend(1)
        await asyncio.sleep(0)


async def _cancellations(world, count):
    for _ in range(count // 30):
        tasks = [asyncio.create_task(asyncio.sleep(3_600)) for _ in range(10)]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


@pytest.mark.parametrize(
    "program",
    [_sleeps, _calls, _tasks, _timeouts, _threads, _generators, _busy, _cancellations],
    ids=lambda program: program.__name__.strip("_"),
)
def test_memory_does_not_grow_with_the_number_of_steps(bench, store_of, program):
    world = bench.world(tracing=False)
    world.network.serve("store", lambda request: request.complete("ok"))
    actor = world.actor("a")
    world.loop.bounds = Bounds(instant_steps_max=1_000_000)

    def run():
        world.spawn(actor, program(world, 6_000))
        assert world.run(world.now_us + 3_600_000_000).reason in (QUIET, UNTIL)

    # 6,000 steps that each left the smallest object behind (32 bytes) would leave some 190,000. What remains is at most
    # the finished tasks (some 700 bytes each) and cancelled timers that wait for a sweep, 64 and more of each.
    assert _growth(run) < 150_000


def test_a_storm_of_cancelled_timers_leaves_a_small_heap(bench):
    async def program(world):
        loop = asyncio.get_running_loop()
        kept = [loop.call_later(7_200, world.mark, "kept") for _ in range(100)]
        for _ in range(20_000):
            loop.call_later(3_600, world.mark, "never").cancel()
            sizes.append(len(loop._timers))
        for handle in kept[1:]:
            handle.cancel()
            handle.cancel()  # counts once

    sizes: list[int] = []
    world = bench.run(program, until_us=10**11)
    assert max(sizes) <= 2 * 101 + 64  # half of the heap may be cancelled before a sweep, of at least 64 timers
    assert bench.marks(world) == ["kept"]


def test_cancelling_timers_that_have_already_fired_sweeps_no_live_one(bench):
    async def program(world):
        loop = asyncio.get_running_loop()
        loop.call_later(5, world.mark, "live")
        fired = [loop.call_later(0.001, int) for _ in range(500)]
        await asyncio.sleep(1)
        for handle in fired:
            handle.cancel()
        await asyncio.sleep(10)

    assert bench.marks(bench.run(program)) == ["live"]


def test_finished_tasks_are_swept_in_time_that_grows_with_their_number_only(bench):
    async def program(world):
        actor, sweeps, last = world.current_actor(), 0, None
        live = [asyncio.create_task(asyncio.sleep(1)) for _ in range(127)]
        for _ in range(2_000):
            asyncio.create_task(asyncio.sleep(0))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            sweeps += actor.tasks is not last
            last = actor.tasks
        world.mark(f"{sweeps}")
        await asyncio.gather(*live)

    # 128 live tasks and as many finished ones before each sweep: about 2000 / 128 sweeps, not one per task.
    assert int(bench.marks(bench.run(program))[0]) < 40
