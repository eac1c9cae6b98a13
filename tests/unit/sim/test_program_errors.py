"""Errors that a program does not catch are in the trace, at an instant that no garbage collector decides."""

import asyncio
import gc

import pytest

from py_runtime.sim import describe_error, names_of

PROGRAM = """\
import asyncio

async def fails_at_line_4():
    raise ValueError("broken")

async def fails_in_a_child():
    asyncio.create_task(fails_at_line_4(), name="child")
    await asyncio.sleep(1)

async def fails_in_a_group():
    async with asyncio.TaskGroup() as group:
        group.create_task(fails_at_line_4())

async def fails_in_a_callback():
    asyncio.get_running_loop().call_later(0.5, lambda: 1 / 0)
    await asyncio.sleep(1)

async def fails_and_is_looked_at():
    child = asyncio.create_task(fails_at_line_4())
    await asyncio.sleep(1)
    child.exception()

async def fails_in_a_cycle():
    child = asyncio.create_task(fails_at_line_4(), name="in a cycle")
    child.add_done_callback(lambda done: None)
    await asyncio.sleep(0)
    child.cycle = child
    del child
    await asyncio.sleep(1)

async def exits():
    raise SystemExit(3)

async def exits_in_a_child():
    asyncio.create_task(exits(), name="child")
    await asyncio.sleep(1)

async def cancels_itself():
    asyncio.current_task().cancel()
    await asyncio.sleep(1)

async def is_cancelled_and_raises():
    try:
        await asyncio.sleep(10)
    finally:
        raise KeyError("in finally")

async def cancels_a_child_that_raises():
    child = asyncio.create_task(is_cancelled_and_raises(), name="child")
    await asyncio.sleep(0)
    child.cancel()
    await asyncio.sleep(1)
"""


@pytest.fixture
def failed(bench):
    """What is recorded as task.failed when the actor `a` runs one function of PROGRAM: (at_us, actor, fields)."""
    namespace: dict = {}
    exec(compile(PROGRAM, "tests/program.py", "exec"), namespace)

    def run(name, until_us=5_000_000):
        world = bench.world()
        world.program_files["tests/program.py"] = "program.py"
        world.spawn(world.actor("a"), namespace[name](), "main")
        world.ended = world.run(until_us)
        return world, [(e.at_us, e.actor, dict(e.fields)) for e in world.events if e.kind == "task.failed"]

    return run


_BROKEN = {"error": "ValueError: broken", "file": "program.py", "line": 4}


def test_a_main_task_that_fails_is_told_at_once_with_its_line(failed):
    world, failures = failed("fails_at_line_4")
    assert failures == [(0, "a", {"task": "main", **_BROKEN})]
    assert [event.kind for event in world.events] == ["actor.started", "task.failed", "actor.ended"]
    assert world.ended.waiting == ()


def test_a_child_that_nobody_awaits_is_told_of_at_the_end_of_the_run(failed):
    _, failures = failed("fails_in_a_child")
    assert failures == [(5_000_000, "a", {"task": "child", **_BROKEN})]


def test_that_is_told_once_even_when_the_run_goes_on(failed):
    world, failures = failed("fails_in_a_child", 2_000_000)
    world.run(3_000_000)
    gc.collect()
    assert len(failures) == 1
    assert [event.kind for event in world.events].count("task.failed") == 1


def test_no_garbage_collector_decides_when_a_failure_is_told(failed):
    runs = []
    for collecting in (True, False):
        gc.enable() if collecting else gc.disable()
        try:
            world, failures = failed("fails_in_a_cycle")
        finally:
            gc.enable()
        runs.append((world.digest(), failures))
        gc.collect()
    assert runs[0] == runs[1]
    assert runs[0][1] == [(5_000_000, "a", {"task": "in a cycle", **_BROKEN})]


def test_an_exception_that_somebody_looks_at_is_no_failure(failed):
    assert failed("fails_and_is_looked_at")[1] == []


def test_a_group_that_fails_names_the_first_error_in_it(failed):
    _, failures = failed("fails_in_a_group")
    error = "ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception): ValueError: broken"
    assert [(fields["task"], fields["error"]) for _, _, fields in failures] == [("main", error)]


def test_a_callback_that_raises_is_told_at_once_as_its_actors(failed):
    world, failures = failed("fails_in_a_callback")
    assert failures == [
        (
            500_000,
            "a",
            {"task": "callback", "error": "ZeroDivisionError: division by zero", "file": "program.py", "line": 15},
        )
    ]
    assert world.ended.waiting == ()  # the program went on


def test_a_program_that_exits_ends_its_task_and_not_the_lab(failed):
    _, failures = failed("exits")
    assert failures == [(0, "a", {"task": "main", "error": "SystemExit: 3", "file": "program.py", "line": 32})]


def test_a_child_that_exits_is_told_of_once(failed):
    _, failures = failed("exits_in_a_child")
    assert [fields["task"] for _, _, fields in failures] == ["child"]


def test_a_cancelled_main_task_is_no_failure_and_ends_its_actor(failed):
    world, failures = failed("cancels_itself")
    assert failures == []
    assert [event.kind for event in world.events] == ["actor.started", "actor.ended"]


def test_what_a_cancelled_child_raises_in_its_finally_is_told(failed):
    _, failures = failed("cancels_a_child_that_raises")
    assert [(fields["task"], fields["error"]) for _, _, fields in failures] == [("child", "KeyError: 'in finally'")]


def test_failures_of_a_crashed_actor_are_told_to_nobody(bench):
    async def program():
        raise ValueError

    async def main():
        asyncio.create_task(program())
        await asyncio.sleep(10)

    world = bench.world()
    actor = world.actor("a")
    world.spawn(actor, main())
    world.call_at(1_000, world.crash, actor)
    world.run(5_000_000)
    assert bench.failures(world) == []


def test_a_thousand_children_that_fail_are_all_told_of(bench):
    async def fail():
        raise ValueError

    async def program(world):
        for _ in range(1_000):
            asyncio.create_task(fail())
            await asyncio.sleep(0)

    assert len(bench.failures(bench.run(program))) == 1_000


def test_ctrl_c_ends_the_run_and_leaves_it_in_order(bench):
    async def program(world):
        await asyncio.sleep(0)
        world.spend(100)
        if not bench.marks(world):
            world.mark("interrupted")
            raise KeyboardInterrupt

    world = bench.world()
    world.spawn(world.actor("a"), program(world))
    with pytest.raises(KeyboardInterrupt):
        world.run(1_000)
    assert world.now_us == 0
    ended = world.run(1_000)
    assert (ended.reason, ended.waiting, bench.timed(world)) == ("quiet", (), [(100, "interrupted")])


def test_what_a_scenario_raises_ends_the_run_with_it(bench):
    world = bench.world()
    world.call_at(5, lambda: {}["missing"])
    world.call_at(5, world.mark, "the next timer of that instant")
    with pytest.raises(KeyError, match="missing"):
        world.run(10)
    assert world.now_us == 5
    world.run(10)
    assert bench.timed(world) == [(5, "the next timer of that instant")]


def test_an_error_is_described_without_addresses_and_whatever_it_is():
    class Silent(Exception):
        pass

    class Broken(Exception):
        def __str__(self):
            raise ValueError

    assert describe_error(KeyError(object())) == "KeyError: <object object>"
    assert describe_error(Silent()) == "Silent"
    assert describe_error(Broken()) == "Broken"
    nested = ExceptionGroup("outer", [ExceptionGroup("inner", [OSError("disk full")])])
    assert describe_error(nested).endswith(
        "outer (1 sub-exception): ExceptionGroup: inner (1 sub-exception): OSError: disk full"
    )


def test_a_field_that_json_cannot_hold_is_refused_where_it_is_recorded(bench):
    async def program(world):
        with pytest.raises(TypeError, match="holds JSON values only, but members has a set"):
            world.mark("x", members=[{"deep": {1, 2}}])
        with pytest.raises(ValueError, match=r"unknown kind of trace event 'call\.begun'"):
            world.record("call.begun")
        world.mark("y", pair=(1, "two"), mapping={3: None})

    world = bench.run(program)
    assert [dict(event.fields) for event in world.events if event.kind == "mark"] == [
        {"name": "y", "pair": [1, "two"], "mapping": {"3": None}}
    ]
    assert not bench.failures(world)


def test_the_names_of_a_group_are_those_of_all_that_is_in_it():
    nested = ExceptionGroup("outer", [KeyError("a"), ExceptionGroup("inner", [ValueError("b"), KeyError("c")])])
    assert names_of(nested) == {"KeyError", "ValueError"}
    assert names_of(OSError("x")) == {"OSError"}
