"""Continuations on tiny programs: the moments of a run, and shares of failures against those worked out by hand."""

import asyncio
from fractions import Fraction

import pytest

from py_runtime.sim import DivergenceError, Schedule, Stream, World
from py_runtime.sim.continuations import Continuations, Drawing
from py_runtime.sim.explorer import Judged
from py_runtime.sim.strikes import CRASH, LOST_REPLY, Fault


class Program:
    """Runs `setup(world)` once per attempt; `setup` returns what says whether the run went wrong."""

    def __init__(self, setup, until_us=100_000, seed=0):
        self.setup, self.until_us, self.seed = setup, until_us, seed
        self.schedules = []

    def __call__(self, attempt):
        world = World(seed=self.seed)
        attempt.attach(world)
        try:
            wrong = self.setup(world)
            ended = world.run(self.until_us)
        finally:
            world.close()
        self.schedules.append(world.schedule)
        return Judged(("wrong",) if wrong() else (), cut=ended.reason == "livelock")


def lost_update(clients):
    """Each client reads in one step and writes what it read plus one in the next; the second update is lost, or not.

    Events, for two in turn: a0 started, read, a1 started, read, write, ended, write, ended.
    """

    def setup(world):
        value = 0

        async def client():
            nonlocal value
            seen = value
            world.mark("read")
            await asyncio.sleep(0)
            value = seen + 1
            world.mark("write")

        for number in range(clients):
            world.spawn(world.actor(f"a{number}"), client())
        return lambda: value < clients

    return setup


def drawn(program, schedule, faults=(), **drawing):
    continuations = Continuations(program, schedule, faults, Drawing(**drawing))
    while not continuations.finished:
        continuations.step()
    return continuations


def counts(continuations):
    return [(m.position, m.until, m.fails, m.runs) for m in continuations.moments if m.drawn]


# First in, first out: R0 R1 W0 W1, which loses an update. Each lane that may run is equally likely:
# - at the start either client reads (1/2 each), by symmetry the same from there;
# - after R0 (and "started", "read": events 0 and 1) the next step is W0 or R1. W0 leads to W0 R1 W1, which loses
#   nothing; R1 leads to a loss. So 1/2, at the start as well;
# - after R0 R1 (events 2 and 3) both have read 0, and one update is lost whatever comes: 1. The last choice is W0 or
#   W1;
# - after W0 (events 4 and 5) only W1 is left: the run itself.
def test_two_clients_have_lost_an_update_once_both_have_read():
    found = drawn(Program(lost_update(2)), Schedule(), runs=400)
    assert [(m.position, m.until, m.open) for m in found.moments] == [
        (-1, -1, True), (0, 1, True), (2, 3, True), (4, 7, False)
    ]  # fmt: skip
    assert counts(found) == [(-1, -1, 181, 400), (0, 1, 200, 400), (2, 3, 400, 400), (4, 7, 1, 1)]
    assert [moment.fails for moment in found.moments[:2]] == [thrown(0, 1), thrown(1, 0)]
    # 400 throws of a fair coin have a standard deviation of 10.
    assert all(abs(m.fails - 200) <= 30 for m in found.moments[:2])
    first, before = found.no_return
    assert (first.position, before.until) == (2, 1)
    assert found.runs == 1 + 3 * 400


def thrown(step, before):
    """Failures in 400 continuations by the generator itself: `before` throws for who reads first, then one in which 0
    is the client that has not read, which loses an update and leaves one more choice, of who writes first."""
    stream, fails = Stream(0, f"continuations from {step}"), 0
    for _ in range(400):
        for _ in range(before):
            stream.below(2)
        if stream.below(2) == 0:
            fails += 1
            stream.below(2)
    return fails


def weighted(setup, prefix, every_order_runs):
    """The exact share of failures of continuations that begin with these choices: each order weighs 1 / its bounds."""
    share = Fraction(0)

    def run(odometer):
        nonlocal share
        world = World(scheduler=odometer)
        wrong = setup(world)
        world.run(100_000)
        world.close()
        if odometer.choices[: len(prefix)] == prefix and wrong():
            weight = Fraction(1)
            for bound in odometer.bounds[len(prefix) :]:
                weight /= bound
            share += weight

    every_order_runs(run)
    return share


@pytest.mark.parametrize("clients", [2, 3])
def test_shares_are_those_of_all_orders_each_with_its_chance(clients, every_order):
    """Of three clients' 90 orders all are run; from the start those that lose nothing are the 6 serial ones. A serial
    order goes on with the same client twice (1/3: one of three lanes) and then with either of the two others, who both
    have yet to read (1/2): 1/3 · 1/2 = 1/6 of the runs lose nothing."""
    setup = lost_update(clients)
    exact_at_start = weighted(setup, [], every_order)
    assert exact_at_start == {2: Fraction(1, 2), 3: Fraction(5, 6)}[clients]
    found = drawn(Program(setup), Schedule(), runs=400)
    for moment in found.moments[:-1]:
        exact = weighted(setup, [0] * moment.choices, every_order)
        assert abs(Fraction(moment.fails, moment.runs) - exact) <= Fraction(3, 40)  # three times sqrt(1/4 / 400)
        assert (moment.fails == moment.runs) == (exact == 1)


def test_the_choices_of_the_run_are_followed_up_to_each_moment_and_drawn_after_it():
    program = Program(lost_update(3))
    schedule = Schedule(0, {0: 1, 2: 2})
    continuations = Continuations(program, schedule, (), Drawing(runs=30))
    made: dict[int, list[dict[int, int]]] = {}
    continuations.step()
    assert program.schedules == [schedule]
    while not continuations.finished:
        before = [moment.runs for moment in continuations.moments]
        continuations.step()
        for moment, runs in zip(continuations.moments, before, strict=True):
            if moment.runs > runs:
                made.setdefault(moment.choices, []).append(dict(program.schedules[-1].deviations))
    assert {choices: len(runs) for choices, runs in made.items()} == {0: 30, 1: 30, 2: 30, 3: 30, 4: 30}
    for choices, runs in made.items():
        followed = [{point: index for point, index in run.items() if point < choices} for run in runs]
        assert followed == [{point: index for point, index in schedule.deviations.items() if point < choices}] * 30
        assert {run.get(choices, 0) for run in runs} >= {0, 1}


# The worker takes four steps, and things go wrong where it is killed before the third. Its turns are the opportunities
# 0 … 4, with the one in which it ends. The run is killed at opportunity 1: events 0 started, 1 mark, 2 crashed.
def worker(world):
    done = []

    async def work():
        for number in range(4):
            world.mark("step", number=number)
            done.append(number)
            await asyncio.sleep(0)

    world.spawn(world.actor("worker"), work())
    return lambda: len(done) < 3


CRASHES = (Fault(CRASH, "worker"),)


def test_a_crash_is_where_a_run_is_lost():
    """A crash comes in half of the continuations. From the start it is drawn from the turns 0 … 4, of which 0, 1 and 2
    leave fewer than three steps: 1/2 · 3/5. After the first step it is drawn from 1 … 4, where 1 and 2 do: 1/2 · 2/4.
    Once it has come, only the run itself is left.
    """
    program = Program(worker)
    found = drawn(program, Schedule(0, {}, ((1, 1),)), CRASHES, runs=400)
    assert [(m.position, m.until, m.struck, m.open) for m in found.moments] == [
        (-1, -1, (), True), (0, 1, (), True), (2, 2, ((1, 1),), False)
    ]  # fmt: skip
    first, second, last = found.moments
    assert abs(Fraction(first.fails, first.runs) - Fraction(3, 10)) <= Fraction(3, 40)
    assert abs(Fraction(second.fails, second.runs) - Fraction(1, 4)) <= Fraction(3, 40)
    assert (last.fails, last.runs) == (1, 1)
    assert [moment.position for moment in found.no_return] == [2, 0]
    assert found.runs == 1 + 1 + 2 * 400  # the run itself; the one that shows how many turns lie ahead
    drawn_at = {strikes[0][1] for strikes in (made.strikes for made in program.schedules[2:]) if strikes}
    assert drawn_at == {0, 1, 2, 3, 4}


def test_faults_that_have_struck_stay_and_those_to_come_are_drawn_from_all_that_are_offered():
    """A lost reply (fault 2) comes first, then a crash (fault 1): before the first two faults are due, after it one."""

    def setup(world):
        world.network.serve("store", lambda request: request.complete("ok"))

        async def caller():
            for _ in range(3):
                try:
                    await asyncio.wait_for(world.network.call("store", "write"), 0.001)
                except TimeoutError:
                    world.mark("late")
            world.mark("end")

        world.spawn(world.actor("caller"), caller())
        return lambda: "end" not in [event.fields.get("name") for event in world.events]

    faults = (Fault(CRASH, "caller"), Fault(LOST_REPLY, "store"))
    program = Program(setup)
    found = drawn(program, Schedule(0, {}, ((1, 3), (2, 0))), faults, runs=60)
    assert {m.struck for m in found.moments} == {(), ((2, 0),), ((1, 3), (2, 0))}
    made = [schedule.strikes for schedule in program.schedules[1:]]
    assert {len(strikes) for strikes in made} == {0, 1, 2}
    assert any(strikes and strikes[-1][0] == 2 and strikes[-1][1] > 0 for strikes in made)  # another reply is lost
    later = [m for m in found.moments if m.struck == ((2, 0),) and m.drawn]
    assert later and all(0 < m.fails < m.runs for m in later[:1])
    assert found.moments[-1].lost


def test_a_run_without_choice_or_fault_is_lost_from_the_start():
    def setup(world):
        async def fail():
            world.mark("end")

        world.spawn(world.actor("a"), fail())
        return lambda: True

    found = drawn(Program(setup), Schedule())
    assert counts(found) == [(-1, 2, 1, 1)]
    first, before = found.no_return
    assert (first.position, first.open, before, found.runs) == (-1, False, None, 1)


def test_a_continuation_that_meets_a_limit_is_no_failure_and_keeps_its_moment_from_being_lost():
    """Whoever comes second spins for ever where the other has come first; the run is the order in which it does not."""

    def setup(world):
        order = []

        async def come(name):
            order.append(name)
            world.mark(name)
            while order == ["b"]:
                await asyncio.sleep(0)
            while order == ["b", "a"]:
                await asyncio.sleep(0)

        for name in "ab":
            world.spawn(world.actor(name), come(name))
        return lambda: True

    found = drawn(Program(setup), Schedule(), runs=10)
    start = found.moments[0]
    assert 0 < start.cut < 10
    assert (start.fails, start.runs, start.lost) == (10 - start.cut, 10 - start.cut, False)
    assert found.no_return[0].position == 0


def test_the_numbers_of_a_moment_depend_on_the_seed_and_on_nothing_else():
    program = Program(lost_update(3))
    few = drawn(program, Schedule(), runs=40, moments_max=2)
    many = drawn(program, Schedule(), runs=40)
    assert len(counts(few)) == 3 and len(counts(many)) > 3
    assert set(counts(few)) < set(counts(many))
    assert counts(many) == counts(drawn(program, Schedule(), runs=40))
    assert counts(many) != counts(drawn(program, Schedule(), runs=40, seed=1))


def test_the_ends_come_first_and_the_steepest_part_is_divided_finely():
    """Many take turns in any order; what counts is whether a certain one comes before another, late in the run."""

    def setup(world):
        done = []

        async def idle():
            for _ in range(40):
                world.mark("turn")
                await asyncio.sleep(0.001)

        async def late(name):
            await asyncio.sleep(0.0305)
            done.append(name)
            world.mark(name)

        for name in ("a", "b"):
            world.spawn(world.actor(name), idle())
        for name in ("first", "second"):
            world.spawn(world.actor(name), late(name))
        return lambda: done == ["first", "second"]

    continuations = Continuations(Program(setup), Schedule(), (), Drawing(runs=10, moments_max=12))
    order = []
    while not continuations.finished:
        before = {id(moment) for moment in continuations.moments if moment.drawn}
        continuations.step()
        order += [index for index, m in enumerate(continuations.moments) if m.drawn and id(m) not in before]
    last = len(continuations.moments) - 1
    assert order[:2] == [last, 0]
    first, before = continuations.no_return
    assert continuations.moments.index(first) == continuations.moments.index(before) + 1
    assert first.position == next(
        index for index, name in enumerate(marks(Program(setup), Schedule())) if name == "first"
    )
    assert len(order) <= 13


def marks(program, schedule):
    """The events of the run, by name of mark."""
    world = World()
    program.setup(world)
    world.run(program.until_us)
    names = [event.fields.get("name") for event in world.events]
    world.close()
    return names


def test_a_choice_that_does_not_exist_is_refused():
    with pytest.raises(DivergenceError):
        drawn(Program(lost_update(2)), Schedule(0, {0: 7}))
