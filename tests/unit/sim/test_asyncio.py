"""asyncio's own tools work unchanged on virtual time, and give the same order as on asyncio's own loop."""

import asyncio
import contextvars
import selectors

import pytest

from py_runtime.sim import FifoScheduler


class JumpingSelector(selectors.DefaultSelector):
    """Where asyncio's loop would sleep, its clock jumps: the machine's load has no say in what comes first."""

    now_s = 0.0

    def select(self, timeout=None):
        self.now_s += timeout or 0
        return super().select(None if timeout is None else 0)


def asyncios_own_loop() -> asyncio.AbstractEventLoop:
    selector = JumpingSelector()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now_s
    return loop


async def task_group(say):
    async def child(name, delay):
        await asyncio.sleep(delay)
        say(name)
        return name

    async with asyncio.TaskGroup() as group:
        slow, fast = group.create_task(child("slow", 0.02)), group.create_task(child("fast", 0.01))
    say(slow.result() + fast.result())


async def task_group_that_fails(say):
    async def child(number):
        try:
            await asyncio.sleep(1)
        finally:
            say(f"cancelled {number}")

    async def fail():
        await asyncio.sleep(0.01)
        raise ValueError("no")

    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(child(1))
            group.create_task(fail())
    except* ValueError as errors:
        say(str(errors.exceptions))


async def timeout(say):
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(1)
    except TimeoutError:
        say("late")
    async with asyncio.timeout(1) as scope:
        scope.reschedule(asyncio.get_running_loop().time() + 2)
        await asyncio.sleep(0.01)
    say("in time")


async def semaphore(say):
    semaphore = asyncio.Semaphore(2)

    async def enter(name):
        async with semaphore:
            say(f"+{name}")
            await asyncio.sleep(0.01)
            say(f"-{name}")

    await asyncio.gather(*(enter(name) for name in "abcd"))


async def lock(say):
    lock = asyncio.Lock()

    async def enter(name):
        async with lock:
            say(f"+{name}")
            await asyncio.sleep(0)
            say(f"-{name}")

    await asyncio.gather(*(enter(name) for name in "abc"))


async def event(say):
    event = asyncio.Event()

    async def wait(name):
        await event.wait()
        say(name)

    tasks = [asyncio.create_task(wait(name)) for name in "ab"]
    await asyncio.sleep(0.01)
    event.set()
    say("set")
    await asyncio.gather(*tasks)


async def queue(say):
    queue: asyncio.Queue = asyncio.Queue(maxsize=1)

    async def produce():
        for number in range(3):
            await queue.put(number)
            say(f"put {number}")

    async def consume():
        for _ in range(3):
            say(f"got {await queue.get()}")
            queue.task_done()

    await asyncio.gather(produce(), consume())
    await queue.join()


async def condition(say):
    condition, items = asyncio.Condition(), []

    async def wait(name):
        async with condition:
            await condition.wait_for(lambda: items)
            say(f"{name} took {items.pop()}")

    tasks = [asyncio.create_task(wait(name)) for name in "ab"]
    for item in (1, 2):
        await asyncio.sleep(0.01)
        async with condition:
            items.append(item)
            condition.notify()
    await asyncio.gather(*tasks)


async def barrier(say):
    barrier = asyncio.Barrier(3)

    async def arrive(delay):
        await asyncio.sleep(delay)
        say(f"{await barrier.wait()} after {delay}")

    await asyncio.gather(*(arrive(delay) for delay in (0.03, 0.01, 0.02)))


async def gather_with_errors(say):
    async def fail(delay):
        await asyncio.sleep(delay)
        raise KeyError(delay)

    say(str(await asyncio.gather(fail(0.02), asyncio.sleep(0.01, "ok"), fail(0.01), return_exceptions=True)))
    try:
        await asyncio.gather(fail(0.01), asyncio.sleep(1))
    except KeyError as error:
        say(f"first {error}")


async def wait(say):
    async def named(name, delay):
        await asyncio.sleep(delay)
        return name

    tasks = [asyncio.create_task(named(name, delay)) for name, delay in (("a", 0.01), ("b", 0.02), ("c", 0.03))]
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    say(f"{[task.result() for task in done]} and {len(pending)} more")
    done, pending = await asyncio.wait(tasks, timeout=0.015)
    say(f"{sorted(task.result() for task in done)} and {len(pending)} more")


async def wait_for(say):
    say(await asyncio.wait_for(asyncio.sleep(0.01, "soon"), 1))
    try:
        await asyncio.wait_for(asyncio.sleep(1), 0.01)
    except TimeoutError:
        say("gave up")


async def shield(say):
    async def work():
        await asyncio.sleep(0.02)
        say("done all the same")

    inner = asyncio.create_task(work())
    outer = asyncio.ensure_future(asyncio.shield(inner))
    await asyncio.sleep(0.01)
    outer.cancel()
    try:
        await outer
    except asyncio.CancelledError:
        say("given up")
    await inner


async def as_completed(say):
    for each in asyncio.as_completed([asyncio.sleep(delay, f"{delay}") for delay in (0.03, 0.01, 0.02)]):
        say(await each)


async def cancellation(say):
    async def stubborn():
        try:
            await asyncio.sleep(1)
        except asyncio.CancelledError as error:
            say(f"asked to stop: {error}")
            await asyncio.sleep(0.01)
            raise

    task = asyncio.create_task(stubborn(), name="stubborn")
    await asyncio.sleep(0)
    say(f"{task.get_name()} {task.cancel('enough')} {task.cancelling()}")
    await asyncio.wait([task])
    say(f"{task.cancelled()} {asyncio.current_task() in asyncio.all_tasks()} {len(asyncio.all_tasks())}")


async def to_thread(say):
    name = contextvars.ContextVar("name")
    name.set("seen in the thread")
    say(await asyncio.to_thread(name.get))
    say(await asyncio.get_running_loop().run_in_executor(None, "{} {}".format, 1, 2))
    try:
        await asyncio.to_thread(int, "x")
    except ValueError as error:
        say(str(error))


async def generators(say):
    async def numbers():
        try:
            for number in range(3):
                await asyncio.sleep(0)
                yield number
        finally:
            say("closed")

    async for number in numbers():
        say(f"{number}")
    say(f"{[number async for number in numbers()]}")


async def callbacks(say):
    loop, future = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()
    future.add_done_callback(lambda done: say(f"done {done.result()}"))
    handle = loop.call_soon(say, "never")
    handle.cancel()
    timer = loop.call_later(1, say, "never")
    timer.cancel()
    loop.call_soon_threadsafe(future.set_result, 5)
    say(f"{handle.cancelled()} {timer.cancelled()} {timer.when() > loop.time()} {loop.is_running()} {loop.is_closed()}")
    say(str(await future))


PROGRAMS = [
    task_group, task_group_that_fails, timeout, semaphore, lock, event, queue, condition, barrier, gather_with_errors,
    wait, wait_for, shield, as_completed, cancellation, to_thread, generators, callbacks,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_a_program_says_the_same_as_on_asyncios_own_loop(bench, program):
    real: list[str] = []
    # Real threads take real time, so there the clock must not jump.
    with asyncio.Runner(loop_factory=None if program is to_thread else asyncios_own_loop) as runner:
        runner.run(program(real.append))
    world = bench.run(lambda world: program(world.mark), scheduler=FifoScheduler())
    assert bench.marks(world) == real != []
    assert world.ended.waiting == ()
    assert not bench.failures(world)


def test_a_group_cancels_its_children_in_the_order_of_their_start(bench):
    async def program(world):
        async def child(number):
            try:
                await asyncio.sleep(1)
            finally:
                world.mark(f"{number}")

        async with asyncio.TaskGroup() as group:
            for number in range(50):
                group.create_task(child(number))
            await asyncio.sleep(0)
            raise ValueError("no")

    # asyncio keeps the children in a set: by default its order is that of their addresses.
    assert bench.marks(bench.run(program)) == [str(number) for number in range(50)]


def test_as_completed_starts_coroutines_in_the_order_given(bench):
    async def program(world):
        async def child(number):
            world.mark(f"{number}")

        for each in asyncio.as_completed([child(number) for number in range(50)]):
            await each

    assert bench.marks(bench.run(program)) == [str(number) for number in range(50)]


def test_sets_of_tasks_and_futures_have_the_order_of_their_making(bench):
    async def program(world):
        loop = asyncio.get_running_loop()
        futures = [loop.create_future() for _ in range(30)]
        tasks = [asyncio.create_task(asyncio.sleep(9)) for _ in range(30)]
        for each in (futures, tasks):
            _, pending = await asyncio.wait(each, timeout=0.1)
            world.mark(f"{list(pending) == each}")

    assert bench.marks(bench.run(program)) == ["True", "True"]


def test_tasks_are_named_by_their_number_in_the_run_not_in_the_process(bench):
    async def program(world):
        world.mark(asyncio.create_task(asyncio.sleep(0)).get_name())

    assert bench.marks(bench.run(program)) == bench.marks(bench.run(program))


def test_an_actor_sees_only_its_own_tasks(bench):
    async def program(world, name):
        asyncio.create_task(asyncio.sleep(5), name=f"{name} sleeps")
        await asyncio.sleep(0)
        world.mark(f"{sorted(task.get_name() for task in asyncio.all_tasks())}")

    world = bench.world()
    for name in ("a", "b"):
        world.spawn(world.actor(name), program(world, name))
    world.run(1_000)
    assert bench.marks(world) == ["['a', 'a sleeps']", "['b', 'b sleeps']"]


def test_actors_share_no_context_variables(bench):
    variable = contextvars.ContextVar("variable", default="nobody's")

    async def child(world):
        world.mark(f"a child sees {variable.get()}")

    async def first(world):
        variable.set("a's")
        world.spawn(world.actor("b"), second(world))
        await asyncio.create_task(child(world))

    async def second(world):
        world.mark(f"b sees {variable.get()}")

    world = bench.run(first)
    assert sorted(bench.marks(world)) == ["a child sees a's", "b sees nobody's"]


def test_code_with_a_context_of_its_own_still_belongs_to_its_actor(bench):
    async def escape(world):
        await asyncio.sleep(1)
        world.mark("escaped the crash")

    async def program(world):
        empty = contextvars.Context()
        asyncio.create_task(escape(world), context=empty)
        asyncio.get_running_loop().call_later(1, world.mark, "escaped too", context=contextvars.Context())
        contextvars.Context().run(asyncio.create_task, escape(world))
        world.mark("started")
        await asyncio.sleep(5)

    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, program(world))
    world.call_at(500_000, world.crash, actor)
    world.run(10_000_000)
    assert bench.marks(world) == ["started"]


def test_a_future_that_another_actor_resolves_wakes_its_waiter_in_the_waiters_own_lane(bench):
    async def waiter(world, future):
        world.mark(f"{await future}")

    async def resolver(world, future):
        world.spend(300)
        future.set_result("value")
        await asyncio.sleep(0)

    world = bench.world()
    future = world.loop.create_future()
    world.spawn(world.actor("waiter"), waiter(world, future))
    world.spawn(world.actor("resolver"), resolver(world, future))
    world.run(1_000)
    # The resolver has been busy for 300 µs when it sets the result, so that is when the waiter learns of it.
    assert bench.timed(world) == [(300, "value")]
    assert [event.actor for event in world.events if event.kind == "mark"] == ["waiter"]
