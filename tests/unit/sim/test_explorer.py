"""The explorer on tiny programs: exact counts, worked out in comments; the same end states with and without pruning."""

import asyncio
import gc
import sys
import weakref
from math import comb, factorial

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from py_runtime.sim import Schedule
from py_runtime.sim.explorer import Explorer, Limits, explore
from py_runtime.sim.strikes import CRASH, LOST_REPLY, PAUSE, Fault
from tests.unit.sim.explored import Program, store_update, yielding


def lost_update(clients):
    """Each client reads in one step and writes what it read plus one in the next."""

    def setup(world):
        value = 0

        async def client():
            nonlocal value
            world.touch("value", changes=False)
            seen = value
            await asyncio.sleep(0)
            world.touch("value")
            value = seen + 1

        for number in range(clients):
            world.spawn(world.actor(f"c{number}"), client())
        return lambda: value

    return setup


@pytest.mark.parametrize(("actors", "steps"), [(1, 5), (2, 1), (2, 3), (3, 2), (2, 5)])
def test_steps_that_share_nothing_interleave_in_every_order_and_need_one_run(actors, steps):
    """(actors · steps)! orders, divided by steps! for each actor, whose own steps keep theirs: a multinomial.

    Pruned, one run stands for all. It leaves out what else could go first at each of its choice points: with two actors
    the one that does not go, at all 2 · steps - 1 steps after which both have something to do.
    """
    every = factorial(actors * steps) // factorial(steps) ** actors
    assert actors != 2 or every == comb(2 * steps, steps)
    progress = explore(Program(yielding(actors, steps)), Limits(pruning=False))
    assert (progress.runs, progress.finished, progress.saved) == (every, True, 0)
    progress = explore(Program(yielding(actors, steps)), Limits())
    assert (progress.runs, progress.abandoned, progress.finished) == (1, 0, True)
    if actors == 2:
        assert progress.saved == 2 * steps - 1
    assert progress.saved < every


# Two clients: R1 R2 W1 W2 in 4!/(2!2!) = 6 orders; serial ones (R1 W1 R2 W2 and its mirror) end at 2, the other 4 at 1.
# Pruned: swapping R1 with R2, or W1 with W2 where both wrote the same, is where the runs differ. The reads commute; the
# writes do not. Of the 4 overlapping orders R1 R2 W1 W2, R2 R1 W1 W2 are equivalent, and so are the two with W2 first:
# 2 + 2 = 4 runs.
# Three clients: 6!/(2!2!2!) = 90 orders, of which 3! = 6 serial ones end at 3.
# Pruned: an order of the three writes (3! = 6), and for each client the write it read after (its place among the writes
# before its own): the first has 1 place, the second 2, the third 3: 6 · 1 · 2 · 3 = 36 runs; for two, 2 · 1 · 2 = 4.
@pytest.mark.parametrize(("clients", "every", "pruned", "serial"), [(1, 1, 1, 1), (2, 6, 4, 2), (3, 90, 36, 6)])
def test_a_lost_update_is_explored_in_exactly_so_many_runs(clients, every, pruned, serial):
    plain = Program(lost_update(clients))
    progress = explore(plain, Limits(pruning=False))
    assert (progress.runs, progress.finished, plain.ends[clients]) == (every, True, serial)
    program = Program(lost_update(clients))
    progress = explore(program, Limits())
    assert (progress.runs, progress.abandoned, progress.finished) == (pruned, 0, True)
    assert set(program.ends) == set(plain.ends) == set(range(1, clients + 1))
    assert program.ends[clients] == serial
    assert pruned + progress.saved <= every


@pytest.mark.parametrize(("clients", "runs"), [(2, 6), (3, 90)])
def test_over_messages_only_the_order_at_the_service_counts(clients, runs):
    """A call is five steps; only its delivery meets the other clients: 4!/(2!2!) and 6!/(2!2!2!) orders of calls."""
    program = Program(store_update(clients))
    progress = explore(program, Limits())
    assert (progress.runs, progress.finished) == (runs, True)
    assert set(program.ends) == set(range(1, clients + 1))


# Deviations of two actors with two steps each. First in, first out is a b a b; the lanes are offered by age.
# With one deviation: at point 0, 1 or 2 the other goes first (then by age again), at three choice points: 3 runs.
# With two: 2 more complete the 6 orders.
def test_costs_go_up_level_by_level_and_a_limit_on_deviations_ends_them():
    counts = []
    for limit in range(4):
        progress = explore(Program(yielding(2, 2)), Limits(pruning=False, deviations_max=limit))
        assert progress.finished
        counts.append(progress.runs)
    assert counts == [1, 4, 6, 6]
    explorer = Explorer(Program(yielding(2, 2)), Limits(pruning=False))
    levels = []
    while not explorer.progress.finished:
        explorer.step()
        levels.append(explorer.progress.level)
    assert levels == [0, 0, 0, 1, 1, 2]


def test_a_limit_on_deviations_switches_pruning_off():
    assert not Limits(deviations_max=1).prunes
    assert explore(Program(yielding(2, 2)), Limits(deviations_max=1)).runs == 4


def test_the_limit_on_runs_leaves_an_exploration_unfinished():
    progress = explore(Program(lost_update(3)), Limits(runs_max=10))
    assert (progress.runs + progress.abandoned, progress.finished) == (10, False)


def test_the_first_run_that_violates_something_is_the_cheapest():
    """First in, first out interleaves the clients, so the plain run loses an update already: no deviation, 4 steps."""
    program = Program(lost_update(2), lambda value: () if value == 2 else ("both-counted",))
    explorer = Explorer(program)
    found = explorer.step()
    assert (found.schedule, found.violated, found.steps) == (Schedule(), ("both-counted",), 4)


def test_exploring_twice_gives_the_same_runs():
    def schedules():
        program = Program(lost_update(3), lambda value: ("any",))
        return [str(found.schedule) for found in explore(program, Limits(faults_max=1), FAULTS).found]

    first = schedules()
    assert len(first) > 36
    assert first == schedules()


FAULTS = (Fault(CRASH, "c0"), Fault(PAUSE, "c1", 1_000))


OPERATIONS = st.one_of(
    st.tuples(st.just("read"), st.sampled_from("xy")),
    st.tuples(st.just("write"), st.sampled_from("xy")),
    st.tuples(st.just("wait"), st.sampled_from([0, 1])),
    st.tuples(st.just("call"), st.sampled_from("xy")),
    st.tuples(st.sampled_from(["mark", "wake", "listen", "spend", "stop"]), st.just("")),
)
PROGRAMS = st.lists(
    st.lists(st.lists(OPERATIONS, min_size=1, max_size=3), min_size=1, max_size=2), min_size=2, max_size=3
)


def made_of(programs):
    """Actors with one or two tasks each, made of operations on shared variables, a service, an event and each other.

    The end state is all that a claim may go by: the variables, what each task saw (unless its actor crashed: nobody
    knows then), and the order of marks.
    """

    def setup(world):
        shared, seen, marks = {"x": 0, "y": 0}, {}, []
        event = asyncio.Event()
        answers = []

        def handle(request):
            answers.append(request.sender)
            request.complete(len(answers))

        world.network.serve("service", handle)

        async def run(name, operations):
            saw = seen.setdefault(name, [])
            for kind, on in operations:
                if kind == "read":
                    world.touch(on, changes=False)
                    saw.append(shared[on])
                elif kind == "write":
                    world.touch(on)
                    shared[on] = shared[on] * 7 + len(name) + ord(name[-1]) % 5
                elif kind == "wait":
                    await asyncio.sleep(on / 1_000)
                elif kind == "call":
                    saw.append(await world.network.call("service", on))
                elif kind == "mark":
                    world.mark("here")
                    marks.append(name)
                elif kind == "wake":
                    world.touch("event")
                    event.set()
                elif kind == "listen":
                    world.touch("event")
                    await event.wait()
                elif kind == "spend":
                    world.spend(500)
                elif kind == "stop":
                    world.pause(world.actor("a0"), 300)
                await asyncio.sleep(0)
            saw.append("end")

        for number, tasks in enumerate(programs):
            for index, operations in enumerate(tasks):
                name = f"t{number}{index}"
                world.spawn(world.actor(f"a{number}"), run(name, operations), name)

        def end():
            alive = [(name, saw) for name, saw in seen.items() if not world.actors[f"a{name[1]}"].crashed]
            return str((shared, sorted(alive), marks, answers))

        return end

    return setup


@settings(max_examples=25, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(PROGRAMS, st.sampled_from([(), (Fault(CRASH, "a0"), Fault(PAUSE, "a1", 700), Fault(LOST_REPLY, "service"))]))
def test_pruning_leaves_out_no_end_state(programs, faults):
    limits = {"runs_max": 250, "faults_max": 1 if faults else 0}
    plain = Program(made_of(programs))
    assume(explore(plain, Limits(pruning=False, **limits), faults).finished)
    pruned = Program(made_of(programs))
    progress = explore(pruned, Limits(**limits), faults)
    assert progress.finished
    assert set(pruned.ends) == set(plain.ends)
    assert sum(pruned.ends.values()) <= sum(plain.ends.values())


@pytest.mark.parametrize("pruning", [True, False])
def test_what_an_explored_run_has_held_is_free_without_the_garbage_collector(pruning):
    program, worlds = Program(lost_update(2)), []

    def run(attempt):
        judged = program(attempt)
        worlds.append(weakref.ref(attempt.world))
        return judged

    gc.disable()
    try:
        explore(run, Limits(pruning=pruning))
        assert [world for world in worlds if world() is not None] == []
    finally:
        gc.enable()
    assert len(worlds) == (4 if pruning else 6)


def test_what_a_discarded_run_frees_later_has_no_effect(monkeypatch):
    unraised = []
    monkeypatch.setattr(sys, "unraisablehook", unraised.append)

    def setup(world):
        async def program():
            unseen = asyncio.get_running_loop().create_future()
            unseen.set_exception(ValueError("nobody looks"))
            cycle = [unseen]
            cycle.append(cycle)
            await asyncio.sleep(0)

        for name in ("a", "b"):
            world.spawn(world.actor(name), program())
        return lambda: "end"

    explore(Program(setup))
    gc.collect()
    assert unraised == []
