"""Off-loading: the loop stays free, the call takes its own time on a thread of a pool with a size."""

import asyncio

import pytest


def _pool(bench, size, program):
    world = bench.world()
    world.threads_size["a"] = size
    world.spawn(world.actor("a"), program(world))
    world.ended = world.run(10_000_000)
    return world


def test_the_loop_stays_free_while_a_thread_is_busy(bench):
    async def program(world):
        call = asyncio.create_task(asyncio.to_thread(world.spend, 40_000))
        for _ in range(5):
            await asyncio.sleep(0.01)
            world.mark("beat")
        await call

    assert [at_us for at_us, _ in bench.timed(_pool(bench, 1, program))] == [10_000, 20_000, 30_000, 40_000, 50_000]


def test_what_a_call_does_happens_at_its_own_time_and_under_the_threads_name(bench):
    async def program(world):
        def work():
            world.mark("begun")
            world.spend(300)
            world.mark("ended")
            return "result"

        world.mark(f"{await asyncio.to_thread(work)}")

    world = _pool(bench, 1, program)
    assert [(e.at_us, e.actor, e.fields["name"]) for e in world.events if e.kind == "mark"] == [
        (0, "a/thread-1", "begun"), (300, "a/thread-1", "ended"), (300, "a", "result"),
    ]  # fmt: skip
    offloads = [(e.at_us, e.actor, e.kind) for e in world.events if e.kind.startswith("offload")]
    assert offloads == [(0, "a/thread-1", "offload.started"), (300, "a/thread-1", "offload.completed")]


@pytest.mark.parametrize(("size", "ends"), [(1, [100, 200, 300]), (2, [100, 100, 200]), (3, [100, 100, 100])])
def test_calls_beyond_the_size_of_the_pool_wait_in_order(bench, size, ends):
    async def program(world):
        def work(number):
            world.spend(100)
            world.mark(f"{number}")

        await asyncio.gather(*(asyncio.to_thread(work, number) for number in range(3)))

    world = _pool(bench, size, program)
    assert bench.timed(world) == [(end, str(number)) for number, end in enumerate(ends)]


def test_the_default_pool_has_six_threads(bench):
    async def program(world):
        await asyncio.gather(*(asyncio.to_thread(world.spend, 100) for _ in range(7)))
        world.mark("all")

    world = bench.run(program)
    assert bench.timed(world) == [(200, "all")]  # six at once, the seventh after them


def test_a_step_that_has_spent_time_hands_its_call_over_at_its_own_instant(bench):
    async def program(world):
        world.spend(70)
        await asyncio.to_thread(world.spend, 30)
        world.mark("back")

    assert bench.timed(_pool(bench, 1, program)) == [(100, "back")]


def test_cancelling_the_awaiter_does_not_stop_a_call_that_runs(bench):
    async def program(world):
        def work():
            world.spend(200)
            world.mark("worked all the same")

        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.000_050):
                await asyncio.to_thread(work)
        world.mark("gave up")
        await asyncio.to_thread(world.mark, "the thread is free again")

    world = _pool(bench, 1, program)
    # The only thread is taken until 200.
    assert bench.timed(world) == [(50, "gave up"), (200, "worked all the same"), (200, "the thread is free again")]
    assert not bench.failures(world)


def test_a_call_that_is_cancelled_while_it_waits_for_a_thread_never_runs(bench):
    async def program(world):
        first = asyncio.create_task(asyncio.to_thread(world.spend, 100))
        second = asyncio.create_task(asyncio.to_thread(world.mark, "ran"))
        await asyncio.sleep(0.000_050)
        second.cancel()
        await first
        await asyncio.to_thread(world.mark, "third")

    world = _pool(bench, 1, program)
    assert bench.timed(world) == [(100, "third")]
    assert bench.kinds(world).count("offload.started") == 2


def test_what_a_call_raises_is_recorded_and_raised_in_the_awaiter(bench):
    async def program(world):
        def work():
            world.spend(10)
            raise OSError("disk full")

        with pytest.raises(OSError, match="disk full"):
            await asyncio.to_thread(work)
        world.mark("caught")

    world = _pool(bench, 1, program)
    failed = next(event for event in world.events if event.kind == "offload.failed")
    assert (failed.at_us, failed.fields) == (10, {"error": "OSError: disk full"})
    assert bench.timed(world) == [(10, "caught")]


@pytest.mark.parametrize("error", [StopIteration, SystemExit])
def test_even_an_exception_that_a_future_cannot_hold_reaches_the_awaiter(bench, error):
    async def program(world):
        def work():
            raise error

        try:
            await asyncio.to_thread(work)
        except BaseException as caught:
            world.mark(type(caught).__name__)

    expected = "RuntimeError" if error is StopIteration else error.__name__
    assert bench.marks(_pool(bench, 1, program)) == [expected]


def test_a_failed_call_that_nobody_awaits_is_still_in_the_trace(bench):
    async def program(world):
        asyncio.get_running_loop().run_in_executor(None, int, "x")
        await asyncio.sleep(1)

    world = _pool(bench, 1, program)
    assert bench.kinds(world).count("offload.failed") == 1
    assert not bench.failures(world)


def test_a_crash_ends_the_call_that_runs(bench):
    async def program(world):
        def work():
            world.spend(100)
            world.mark("too late")

        await asyncio.to_thread(work)

    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, program(world))
    world.call_at(50, world.crash, actor)
    ended = world.run(1_000)
    assert (bench.marks(world), ended.reason, ended.waiting) == ([], "quiet", ())
    assert bench.kinds(world)[-1] == "actor.crashed"


def test_a_thread_may_wake_its_loop_before_it_returns(bench):
    async def program(world):
        loop, queue = asyncio.get_running_loop(), asyncio.Queue()

        def work():
            for number in range(3):
                world.spend(100)
                loop.call_soon_threadsafe(queue.put_nowait, number)

        call = asyncio.create_task(asyncio.to_thread(work))
        for _ in range(3):
            world.mark(f"got {await queue.get()}")
        await call

    assert bench.timed(_pool(bench, 1, program)) == [(100, "got 0"), (200, "got 1"), (300, "got 2")]


def test_threads_of_different_actors_are_different(bench):
    world = bench.world()
    world.threads_size.update(a=1, b=1)
    for name in ("a", "b"):
        world.spawn(world.actor(name), asyncio.to_thread(world.spend, 100))
    world.run(1_000)
    assert bench.timed(world, "offload.completed") == [(100, "offload.completed")] * 2


def test_two_threads_are_two_lanes_that_a_scheduler_may_swap(bench, every_order):
    async def program(world):
        await asyncio.gather(*(asyncio.to_thread(world.mark, name) for name in "xy"))

    def run(scheduler):
        world = bench.world(scheduler=scheduler)
        world.spawn(world.actor("a"), program(world))
        world.run(0)
        return "".join(bench.marks(world))

    assert set(every_order(run)) == {"xy", "yx"}
