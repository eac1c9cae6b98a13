"""When things happen, and in which order: virtual time, timers, lanes, choice points."""

import asyncio
from math import comb, factorial, inf, nan

import pytest

from py_runtime.sim import LIVELOCK, QUIET, UNTIL, Bounds, FifoScheduler, SimulationError
from py_runtime.sim.units import FOREVER_US, require_us, us_from_seconds


class Recorder:
    """First in, first out, with a note of how many lanes were offered each time."""

    def __init__(self) -> None:
        self.bounds: list[int] = []

    def choose(self, bound: int) -> int:
        self.bounds.append(bound)
        return 0


class Last:
    """Always the lane that has waited for the shortest time."""

    def choose(self, bound: int) -> int:
        return bound - 1


def test_time_jumps_over_a_year_of_sleep_in_a_few_steps(bench):
    async def program(world):
        await asyncio.sleep(365 * 86_400)
        world.mark("awake")

    world = bench.run(program, until_us=10**15)
    assert bench.timed(world) == [(365 * 86_400 * 1_000_000, "awake")]
    assert world.ended.steps < 10


def test_durations_add_up_to_the_microsecond_whatever_their_route(bench):
    async def program(world):
        loop = asyncio.get_running_loop()
        start = loop.time()
        for _ in range(1000):
            await asyncio.sleep(0.000_1)
        world.mark(f"{loop.time() - start:.6f}")
        loop.call_at(start + 0.3, world.mark, "due")  # 0.1 + 0.2 ≠ 0.3 in floats, but both are 300,000 µs
        loop.call_later(0.1 + 0.2 - 0.1, world.mark, "also due")
        await asyncio.sleep(1)

    world = bench.run(program)
    assert bench.timed(world) == [(100_000, "0.100000"), (300_000, "due"), (300_000, "also due")]


def test_timers_of_one_instant_fire_in_the_order_in_which_they_were_set(bench):
    async def program(world):
        loop = asyncio.get_running_loop()
        for number in range(40):  # enough that a heap ordered by deadline alone would mix them up
            loop.call_later(1 if number % 2 else 2, world.mark, f"{number}")
        await asyncio.sleep(3)

    world = bench.run(program)
    odd, even = [str(n) for n in range(1, 40, 2)], [str(n) for n in range(0, 40, 2)]
    assert bench.marks(world) == odd + even


def test_timers_never_compare_what_they_call(bench):
    class Incomparable:
        def __call__(self):
            pass

        def __lt__(self, other):
            raise AssertionError("compared")

        __gt__ = __eq__ = __lt__
        __hash__ = object.__hash__

    world = bench.world()
    for _ in range(50):
        world.call_at(5, Incomparable())
        world.loop.call_later(0.000_005, Incomparable())
    assert world.run(10).reason == QUIET
    assert not bench.failures(world)


def test_a_callback_that_is_ready_goes_before_any_timer_of_the_same_instant(bench):
    async def program(world):
        loop = asyncio.get_running_loop()
        loop.call_later(0, world.mark, "timer")
        loop.call_soon(world.mark, "ready")
        await asyncio.sleep(1)

    assert bench.marks(bench.run(program)) == ["ready", "timer"]


def test_steps_within_an_actor_keep_asyncios_own_order_under_any_scheduler(bench):
    async def worker(say, name):
        for step in range(3):
            say(f"{name}{step}")
            await asyncio.sleep(0)

    async def program(say):
        await asyncio.gather(*(worker(say, name) for name in "xyz"))
        async with asyncio.TaskGroup() as group:
            for name in "pq":
                group.create_task(worker(say, name))

    real: list[str] = []
    asyncio.run(program(real.append))
    for scheduler in (FifoScheduler(), Last()):
        world = bench.world(scheduler=scheduler)
        world.spawn(world.actor("a"), program(world.mark))
        world.spawn(world.actor("other"), program(lambda name: None))
        world.run(1)
        assert bench.marks(world) == real


def test_the_scheduler_is_asked_only_where_several_lanes_may_go(bench):
    async def steps(count):
        for _ in range(count):
            await asyncio.sleep(0)

    scheduler = Recorder()
    world = bench.world(scheduler=scheduler)
    alone = world.actor("alone")
    for _ in range(5):
        world.spawn(alone, steps(4))  # five tasks of one actor: one lane
    world.run(0)
    assert scheduler.bounds == []
    for name in ("a", "b", "c"):
        world.spawn(world.actor(name), steps(0))  # one step each
    world.run(0)
    assert scheduler.bounds == [3, 2]  # the last lane is no choice


def test_lanes_are_offered_by_the_age_of_their_first_item_not_by_when_they_became_free(bench):
    async def busy(world):
        world.spend(100)

    async def waits_since_0(world):
        world.mark("has waited since 0")

    async def wakes_at_100(world):
        await asyncio.sleep(0.000_100)
        world.mark("ready since 100")

    world = bench.world()
    world.spawn(world.actor("b"), wakes_at_100(world))  # its timer is older than the one that ends a's busy time
    for program in (busy, waits_since_0):
        world.spawn(world.actor("a"), program(world))
    world.run(1_000)
    assert bench.timed(world) == [(100, "has waited since 0"), (100, "ready since 100")]


def test_a_thousand_actors_that_wake_at_once_are_taken_in_order(bench):
    async def program(world, number):
        for _ in range(2):
            await asyncio.sleep(1)
            world.mark(f"{number}")

    world = bench.world()
    for number in range(1_000):
        world.spawn(world.actor(f"a{number}"), program(world, number))
    world.run(5_000_000)
    assert bench.marks(world) == [str(number) for number in range(1_000)] * 2


def test_a_scheduler_that_answers_out_of_range_is_refused(bench):
    class Wrong:
        def choose(self, bound: int) -> int:
            return -1

    async def nothing():
        pass

    world = bench.world(scheduler=Wrong())
    for name in ("a", "b"):
        world.spawn(world.actor(name), nothing())
    with pytest.raises(SimulationError, match="chose -1 of 2 lanes"):
        world.run(0)


async def _marking(world, name, steps):
    for step in range(steps):
        if step:
            await asyncio.sleep(0)
        world.mark(f"{name}{step}")


@pytest.mark.parametrize(
    ("steps", "count"),
    [
        ((1,), 1),
        ((1, 1), 2),
        ((2, 1), 3),
        ((2, 2), comb(4, 2)),  # 6: which two of four places are the first actor's
        ((3, 3), comb(6, 3)),  # 20
        ((1, 1, 1), factorial(3)),  # 6
        ((2, 2, 2), factorial(6) // 2**3),  # 90
    ],
)
def test_actors_interleave_in_exactly_as_many_ways_as_their_steps_allow(bench, every_order, steps, count):
    def run(scheduler):
        world = bench.world(scheduler=scheduler)
        for index, each in enumerate(steps):
            world.spawn(world.actor(f"a{index}"), _marking(world, f"{index}:", each))
        world.run(0)
        return tuple(bench.marks(world))

    results = every_order(run)
    assert len(results) == len(set(results)) == count


def test_tasks_of_one_actor_interleave_in_one_way_only(bench, every_order):
    def run(scheduler):
        world = bench.world(scheduler=scheduler)
        for index in range(3):
            world.spawn(world.actor("a"), _marking(world, f"{index}:", 3))
        world.run(0)
        return tuple(bench.marks(world))

    assert len(every_order(run)) == 1


@pytest.mark.parametrize(("steps", "count"), [(1, comb(6, 1)), (2, comb(7, 2))])
def test_a_call_is_five_items_in_a_row_beside_what_others_do(bench, every_order, store_of, steps, count):
    # The caller sends, the request is delivered, the reply is delivered, the caller reads it and goes on. Beside them
    # `steps` steps of a bystander can stand in C(5 + steps, steps) ways.
    def run(scheduler):
        world = bench.world(scheduler=scheduler)
        store_of(world)
        world.spawn(world.actor("caller"), world.network.call("store", "x"))
        world.spawn(world.actor("bystander"), _marking(world, "", steps))
        world.run(0)

    assert len(every_order(run)) == count


def test_two_callers_of_one_store_interleave_in_252_ways_and_the_store_sees_both_orders(bench, every_order, store_of):
    # Five items each: C(10, 5) = 252. The store carries out one before the other, evenly by symmetry: 126 each.
    def run(scheduler):
        world = bench.world(scheduler=scheduler)
        store = store_of(world)
        for name in ("p", "q"):
            world.spawn(world.actor(name), world.network.call("store", name))
        world.run(0)
        return "".join(payload for _, payload in store.applied)

    results = every_order(run)
    assert (results.count("pq"), results.count("qp")) == (126, 126)


def test_requests_of_one_actor_to_one_store_never_overtake_each_other(bench, every_order, store_of):
    def run(scheduler):
        world = bench.world(scheduler=scheduler)
        store = store_of(world)
        for number in range(3):
            world.spawn(world.actor("a"), world.network.call("store", number))
        world.run(0)
        return tuple(payload for _, payload in store.applied)

    assert set(every_order(run)) == {(0, 1, 2)}


def test_a_timer_in_the_past_fires_at_this_instant(bench):
    world = bench.world()
    world.call_at(10, lambda: world.call_at(3, world.mark, "late"))
    world.run(10)
    assert bench.timed(world) == [(10, "late")]


def test_a_scenario_timer_that_sets_itself_again_at_once_is_a_livelock(bench):
    world = bench.world(bounds=Bounds(instant_steps_max=100))

    def again():
        world.call_at(world.now_us, again)

    world.call_at(7, again)
    ended = world.run(1_000)
    assert (ended.reason, ended.at_us) == (LIVELOCK, 7)


def test_cancelled_timers_neither_move_time_nor_keep_a_run_from_being_quiet(bench):
    async def program(world):
        async with asyncio.timeout(50):
            await asyncio.sleep(1)
        await asyncio.Event().wait()

    world = bench.run(program)
    # Nothing is left but the cancelled deadline at 50 s, so the run stands still at 1 s.
    assert (world.ended.reason, world.ended.at_us, world.ended.waiting) == (QUIET, 1_000_000, ("a",))


def test_an_endless_sleep_is_long_and_nan_is_refused(bench):
    async def program(world):
        with pytest.raises(ValueError, match="NaN"):
            asyncio.get_running_loop().call_later(nan, print)
        await asyncio.sleep(inf)

    world = bench.run(program)
    assert world.ended.reason == UNTIL
    assert not bench.failures(world)
    assert (us_from_seconds(inf), us_from_seconds(-inf)) == (FOREVER_US, -FOREVER_US)


def test_time_is_never_a_float_and_never_negative(bench):
    world = bench.world()
    with pytest.raises(TypeError, match=r"at_us must be an integer of microseconds, got 1\.5"):
        world.call_at(1.5, print)
    with pytest.raises(TypeError, match="until_us"):
        world.run(1e6)
    with pytest.raises(ValueError, match="duration_us must be at least 0, got -1"):
        world.pause(world.actor("a"), -1)
    with pytest.raises(TypeError, match="request_us"):
        world.network.serve("store", print, request_us=0.5)
    assert require_us("x", 5) == 5
