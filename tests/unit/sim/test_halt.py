"""A run halted before a step: where it stands, who could go, what each would do, and every order within reach."""

import asyncio
from math import comb

import pytest

from py_runtime.sim import DivergenceError, World
from py_runtime.sim.halt import CHOICE, END, HALTED, HaltGuide
from py_runtime.sim.preview import DOES


def halted(setup, deviations=(), steps=0, **until):
    """(guide, how the run ended, its events when it halted) of a new run of `setup(world)`."""
    world = World()
    guide = HaltGuide(world, dict(deviations), steps, **until)
    setup(world)
    try:
        ended = world.run(1_000_000)
        events = [(event.at_us, event.actor, event.kind) for event in world.events]
    finally:
        world.close()
    return guide, ended, events[: guide.halt.events] if guide.halt else events


def yielding(actors=2, steps=2):
    """Actors that share nothing, each with so many steps."""

    def setup(world):
        async def program():
            for _ in range(steps - 1):
                await asyncio.sleep(0)

        for number in range(actors):
            world.spawn(world.actor(f"a{number}"), program())

    return setup


def lines(setup, deviations=(), steps=0, point=0):
    """How many ways there are to play a run to its end, taking each lane at each halt."""
    guide, _, _ = halted(setup, deviations, steps)
    if guide.halt is None:
        return 1
    enabled, step = guide.halt.enabled, guide.halt.step
    if len(enabled) == 1:
        return lines(setup, deviations, step + 1, point)
    return sum(
        lines(setup, (*deviations, (point, index)), step + 1, point + 1) if index
        else lines(setup, deviations, step + 1, point + 1)
        for index in range(len(enabled))
    )  # fmt: skip


@pytest.mark.parametrize(("actors", "steps", "orders"), [(2, 2, comb(4, 2)), (2, 3, comb(6, 3)), (3, 2, 90)])
def test_every_order_of_steps_can_be_played_and_no_other(actors, steps, orders):
    # Two actors with n steps each: n of 2n places. Three with two each: 6! / (2!)³ = 90.
    assert lines(yielding(actors, steps)) == orders


def test_a_run_halts_before_each_step_and_has_done_what_came_before():
    # a0 and a1 begin (two steps, one event each), go on (two more), and end with an event each.
    guide, ended, events = halted(yielding(), steps=0)
    assert (ended.reason, guide.halt.step, events) == (HALTED, 0, [])
    assert [coming.lane for coming in guide.halt.enabled] == ["a0", "a1"]
    guide, ended, events = halted(yielding(), steps=3)
    assert (guide.halt.step, ended.steps, guide.halt.at_us) == (3, 3, 0)
    assert events == [(0, "a0", "actor.started"), (0, "a1", "actor.started"), (0, "a0", "actor.ended")]
    assert guide.points == [(0, 0), (1, 1), (2, 2), (3, 3)]
    guide, ended, events = halted(yielding(), steps=4)
    assert (guide.halt, ended.reason, len(events)) == (None, "quiet", 4)


def test_points_tell_the_first_step_after_each_event():
    def setup(world):
        async def program():
            for number in range(2):
                world.mark(f"m{number}")
                world.mark("again")
                await asyncio.sleep(0)
                await asyncio.sleep(0)

        world.spawn(world.actor("a"), program())

    # Step 0: started, m0, again. Step 1: nothing. Step 2: m1, again. Step 3: nothing. Step 4: ended.
    guide, _, events = halted(setup, until=END)
    assert guide.points == [(0, 0), (1, 3), (3, 5)]
    assert len(events) == 6


def test_going_on_halts_at_the_next_step_with_a_choice():
    def setup(world):
        async def alone():
            for _ in range(3):
                await asyncio.sleep(0)

        world.spawn(world.actor("a"), alone())
        world.call_at(50, lambda: world.spawn(world.actor("b"), alone()))
        world.call_at(50, lambda: world.spawn(world.actor("c"), alone()))

    # Four steps of a, two timers of the scenario, then b and c.
    guide, _, _ = halted(setup, steps=1, until=CHOICE)
    assert (guide.halt.step, guide.halt.at_us) == (6, 50)
    assert [coming.lane for coming in guide.halt.enabled] == ["b", "c"]
    guide, ended, _ = halted(setup, steps=1, until=END)
    assert (guide.halt, ended.steps) == (None, 14)


def test_a_step_that_is_a_timer_of_the_scenario_is_no_place_to_halt():
    def setup(world):
        world.call_at(5, lambda: world.spawn(world.actor("a"), asyncio.sleep(0)))

    guide, _, _ = halted(setup, steps=0)
    assert (guide.halt.step, guide.halt.at_us) == (1, 5)


def test_a_choice_that_does_not_exist_is_refused_and_one_not_reached_is_counted():
    with pytest.raises(DivergenceError, match="option 2 at choice point 0, where this run has only 2"):
        halted(yielding(), {0: 2}, steps=9)
    guide, _, _ = halted(yielding(), {0: 1, 7: 1}, until=END)
    assert guide.unused == 1


def kinds(setup):
    """(lane, kind, other, text) of whatever comes first at each step of the run."""
    found, steps = [], 0
    while True:
        guide, _, _ = halted(setup, steps=steps)
        if guide.halt is None:
            return found
        first = guide.halt.enabled[0]
        found.append((first.lane, first.kind, first.other, first.text))
        assert first.kind in DOES
        steps = guide.halt.step + 1


def test_a_call_is_foretold_message_by_message():
    def setup(world):
        world.network.serve("store", lambda request: request.complete("ok"))

        async def program():
            await world.network.call("store", "x", text="GET x")

        world.spawn(world.actor("a"), program(), "main")

    assert kinds(setup) == [
        ("a", "begins", None, "main"),
        ("a→store", "request", "a", "GET x"),
        ("store→a", "reply", "store", "GET x"),
        ("a", "reads", "store", "GET x"),
        ("a", "resumes", None, "main"),
    ]


def test_what_waits_at_a_busy_service_what_it_pushes_and_what_it_answers_later_are_foretold():
    def setup(world):
        def handle(request):
            if request.payload == "later":
                request.call_later(10, request.complete, "done")
            else:
                world.spend(5)
                world.network.push("store", world.actor("a"), "news", "news", lambda payload: None)
                request.complete("ok")

        world.network.serve("store", handle)

        async def program():
            world.network.send("store", "now", "ONE", lambda reply, error: None)
            world.network.send("store", "later", "TWO", lambda reply, error: None)
            world.network.follow("store", lambda message: None, None)

        world.spawn(world.actor("a"), program(), "main")

    told = kinds(setup)
    assert ("store", "handles", "a", "TWO") in told
    assert ("store→a", "push", "store", "news") in told
    assert ("a", "takes", "store", "news") in told
    assert ("store", "answers", "a", "TWO") in told
    assert ("a→store", "told", "a", None) in told
    assert ("store", "told", None, None) in told


def test_timers_threads_and_cancelled_steps_are_foretold():
    def upload():
        pass

    def setup(world):
        async def program():
            loop = asyncio.get_running_loop()
            loop.call_soon(print).cancel()
            loop.call_soon(setup.__class__)
            await asyncio.to_thread(upload)
            await asyncio.sleep(0.001)

        world.spawn(world.actor("a"), program(), "main")

    told = [(lane, kind, text) for lane, kind, _, text in kinds(setup)]
    assert told[:3] == [("a", "begins", "main"), ("a", "nothing", None), ("a", "step", None)]
    assert told[3][:2] == ("a/thread-1", "thread")
    assert ("a", "wakes", None) in told


def test_the_line_is_that_of_the_innermost_program_that_waits():
    text = (
        "async def outer():\n    await inner()\n\n"
        "async def inner():\n    await asyncio.sleep(0)\n    await asyncio.sleep(1)\n"
    )

    def setup(world):
        world.program_files["p.py"] = "shown.py"
        namespace = {"asyncio": asyncio}
        exec(compile(text, "p.py", "exec"), namespace)
        world.spawn(world.actor("a"), namespace["outer"]())

    lines_told, steps = [], 0
    while (guide := halted(setup, steps=steps)[0]).halt is not None:
        lines_told.append((guide.halt.enabled[0].kind, guide.halt.enabled[0].line))
        steps = guide.halt.step + 1
    assert lines_told == [
        ("begins", ("shown.py", 1)),
        ("resumes", ("shown.py", 5)),
        ("wakes", ("shown.py", 6)),
        ("resumes", ("shown.py", 6)),
    ]
