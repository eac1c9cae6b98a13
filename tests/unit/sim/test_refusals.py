"""What leaves the simulation is refused at the call, with a sentence that names it and what to use instead."""

import asyncio
import sys
from asyncio.base_events import BaseEventLoop
from concurrent.futures import ThreadPoolExecutor

import pytest

from py_runtime.sim import EscapeError, SimulationError
from py_runtime.sim.loop import SimLoop
from py_runtime.sim.refused import REFUSED

PROVIDED = {
    "call_at", "call_exception_handler", "call_later", "call_soon", "call_soon_threadsafe", "create_future",
    "create_task", "default_exception_handler", "get_debug", "get_exception_handler", "get_task_factory", "is_closed",
    "is_running", "run_in_executor", "time",
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_refused_method_names_itself_and_what_to_use_instead(bench, name):
    world = bench.world()
    with pytest.raises(EscapeError) as caught:
        getattr(world.loop, name)(1, 2, three=3)
    assert caught.value.call == f"loop.{name}"
    assert str(caught.value) == f"loop.{name} reaches outside the simulation; {REFUSED[name]}."


def test_every_public_method_of_an_event_loop_is_provided_or_refused():
    public = {
        name
        for each in (asyncio.AbstractEventLoop, BaseEventLoop)
        for name in vars(each)
        if not name.startswith("_") and callable(getattr(each, name))
    }
    assert public - PROVIDED == {name for name in REFUSED if name in public}
    assert all(getattr(SimLoop, name) is not getattr(asyncio.AbstractEventLoop, name) for name in public)


async def _open_connection():
    await asyncio.open_connection("localhost", 6379)


async def _start_server():
    await asyncio.start_server(print, "localhost", 6379)


async def _subprocess():
    await asyncio.create_subprocess_exec("true")


async def _shell():
    await asyncio.create_subprocess_shell("true")


async def _own_executor():
    await asyncio.get_running_loop().run_in_executor(ThreadPoolExecutor(1), print)


async def _signal():
    asyncio.get_running_loop().add_signal_handler(2, print)


async def _task_factory():
    asyncio.get_running_loop().set_task_factory(lambda loop, coroutine: None)


async def _wait_in_a_thread():
    loop = asyncio.get_running_loop()

    def blocked_for_ever():
        coroutine = asyncio.sleep(1)
        try:
            asyncio.run_coroutine_threadsafe(coroutine, loop).result()
        finally:
            coroutine.close()

    await asyncio.to_thread(blocked_for_ever)


@pytest.mark.parametrize(
    ("program", "named"),
    [
        (_open_connection, "loop.create_connection"),
        (_start_server, "loop.create_server"),
        (_subprocess, "loop.subprocess_exec"),
        (_shell, "loop.subprocess_shell"),
        (_own_executor, "an executor of your own"),
        (_signal, "loop.add_signal_handler"),
        (_task_factory, "loop.set_task_factory"),
        (_wait_in_a_thread, "asyncio.run_coroutine_threadsafe"),
    ],
)
def test_asyncio_functions_that_lead_outside_end_in_an_escape_error(bench, program, named):
    world = bench.run(lambda world: program())
    assert [error.partition(" reaches")[0] for error in bench.failures(world)] == [f"EscapeError: {named}"]


def test_the_eager_task_factory_is_refused(bench):
    async def program(world):
        # Python 3.11 has none; the loop refuses whatever it is handed.
        asyncio.get_running_loop().set_task_factory(getattr(asyncio, "eager_task_factory", None))

    assert bench.failures(bench.run(program))[0].startswith("EscapeError: loop.set_task_factory")


def test_an_eager_task_is_refused_and_an_uneager_one_is_not(bench):
    async def program(world):
        loop, coroutine = asyncio.get_running_loop(), asyncio.sleep(0)
        with pytest.raises(EscapeError, match="eager_start=True"):
            loop.create_task(coroutine, eager_start=True)
        await loop.create_task(coroutine, eager_start=False)
        world.mark("ran")

    assert bench.marks(bench.run(program)) == ["ran"]


def test_asyncio_run_and_runner_are_refused_inside_a_program(bench):
    runners = []

    async def program(world):
        coroutine = asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="running event loop"):
            asyncio.run(coroutine)
        runner = asyncio.Runner()
        with pytest.raises(RuntimeError, match="running event loop"):
            runner.run(coroutine)
        runners.append(runner)
        await coroutine
        world.mark("went on")

    world = bench.run(program)
    runners[0].close()
    assert (bench.marks(world), bench.failures(world)) == (["went on"], [])


def test_a_simulation_cannot_start_inside_a_running_asyncio_task(bench):
    world = bench.world()

    async def outside():
        with pytest.raises(SimulationError, match="plain synchronous code"):
            world.run(1)

    asyncio.run(outside())
    assert world.run(1).reason == "quiet"


def test_a_simulation_cannot_start_inside_a_simulation(bench):
    inner, worlds = bench.world(), []

    async def task(world):
        for each in (world, inner):
            with pytest.raises(SimulationError, match="another simulation"):
                each.run(10)
        world.mark("task")

    def callback(world):
        with pytest.raises(SimulationError):
            world.run(10)
        world.mark("callback")

    def handler(request):
        with pytest.raises(SimulationError):
            worlds[0].run(10)
        request.complete("handler")

    async def program(world):
        world.network.serve("store", handler)
        await task(world)
        asyncio.get_running_loop().call_soon(callback, world)
        world.mark(await world.network.call("store", None))

    worlds.append(world := bench.world())
    world.spawn(world.actor("a"), program(world))
    world.call_at(5, callback, world)
    world.run(10)
    assert bench.marks(world) == ["task", "callback", "handler", "callback"]


def test_a_run_gives_back_the_slot_that_another_loop_has_lent(bench):
    # As in a browser: there Pyodide's loop is the running one while plain synchronous code runs.
    outer = asyncio.new_event_loop()
    originals = (asyncio.as_completed, asyncio.all_tasks, sys.get_asyncgen_hooks())

    def fail():
        raise LookupError("from the scenario")

    try:
        asyncio._set_running_loop(outer)
        world = bench.world()
        world.call_at(5, fail)
        with pytest.raises(LookupError):
            world.run(10)
        assert asyncio.get_running_loop() is outer
        assert world.run(10).reason == "quiet"
        assert asyncio.get_running_loop() is outer
        world.close()
        assert asyncio.get_running_loop() is outer
        assert (asyncio.as_completed, asyncio.all_tasks, sys.get_asyncgen_hooks()) == originals
    finally:
        asyncio._set_running_loop(None)
        outer.close()


def test_a_closed_run_cannot_go_on(bench):
    world = bench.world()
    world.close()
    world.close()
    with pytest.raises(SimulationError, match="closed"):
        world.run(1)
