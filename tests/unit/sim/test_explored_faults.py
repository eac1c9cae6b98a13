"""Faults under exploration: each strikes at each opportunity, and no moment that differs is left out."""

import pytest

from py_runtime.sim.explorer import Limits, explore
from py_runtime.sim.strikes import (
    CRASH,
    DUPLICATE_REQUEST,
    FAILOVER,
    LOST_REPLY,
    LOST_REQUEST,
    OUTAGE,
    RESTART,
    Fault,
    Strikes,
)
from tests.unit.sim.explored import Program, store_update, yielding


def test_each_fault_strikes_at_each_opportunity():
    """One client, two calls: 1 step to the first request, 2 from each reply on (it arrives, the task goes on): 5 turns.

    A crash before turn 0, 1 or 2 comes before the second request, before 3 or 4 after it. Turns 1 and 3 only read a
    reply, so a crash before 2 or 4 is the one before 1 or 3 over again: 3 runs and the plain one. Unpruned, all 5.
    A lost message: 2 requests and 2 replies; the value is written unless a request or the first reply is lost.
    """
    crash = (Fault(CRASH, "c0"),)
    program = Program(store_update(1))
    progress = explore(program, Limits(faults_max=1), crash)
    assert (progress.runs, progress.finished, program.ends) == (4, True, {0: 2, 1: 2})
    program = Program(store_update(1))
    progress = explore(program, Limits(faults_max=1, pruning=False, deviations_max=0), crash)
    assert (progress.runs, program.ends) == (6, {0: 3, 1: 3})
    lost = (Fault(LOST_REQUEST, "store"), Fault(LOST_REPLY, "store"))
    program = Program(store_update(1))
    progress = explore(program, Limits(faults_max=1), lost)
    assert (progress.runs, program.ends) == (5, {1: 2, 0: 3})


def kept_in_memory():
    """One client that writes twice, then reads all, of a service that keeps in memory what it is told."""

    def setup(world):
        log, saw, lost = [], [], []

        def handle(request):
            if request.payload is not None:
                log.append(request.payload)
            request.complete(tuple(log))

        def lose(count):
            lost.extend(log[len(log) - count :])
            del log[len(log) - count :]

        world.network.serve("store", handle)
        world.restarts["store"] = lambda: lose(len(log))
        world.standbys["store"] = lambda writes: lambda: lose(min(writes, len(log)))

        async def client():
            for value in "xy":
                await world.network.call("store", value)
            saw.extend(await world.network.call("store", None))

        world.spawn(world.actor("a"), client())
        return lambda: ("".join(saw), "".join(lost))

    return setup


def test_a_restart_loses_all_and_a_failover_the_last_writes_before_a_request():
    """One client, three requests, so three opportunities each: none, one or two writes are there to be lost."""
    program = Program(kept_in_memory())
    progress = explore(program, Limits(faults_max=1), [Fault(RESTART, "store")])
    assert (progress.runs, progress.finished) == (4, True)
    assert program.ends == {("xy", ""): 2, ("y", "x"): 1, ("", "xy"): 1}
    program = Program(kept_in_memory())
    progress = explore(program, Limits(faults_max=1), [Fault(FAILOVER, "store", writes=1)])
    assert (progress.runs, progress.finished) == (4, True)
    assert program.ends == {("xy", ""): 2, ("y", "x"): 1, ("x", "y"): 1}


@pytest.mark.parametrize("kind", [OUTAGE, RESTART, FAILOVER])
def test_a_fault_that_a_service_knows_nothing_of_is_an_error_that_names_both(bench, kind):
    world = bench.world()
    Strikes(world, [Fault(kind, "store")], [(1, 0)])
    store_update(1)(world)
    world.run(1_000)
    assert bench.failures(world) == [f"SimulationError: store has registered nothing for a fault of the kind {kind}"]


def test_a_set_of_two_faults_is_run_once_whichever_was_found_first():
    """Two clients with one step each: both crashes have one opportunity. No fault, either one, and both, in two orders,
    since a claim may go by the order of crashes: 5 runs, the last at the cost of two faults and a deviation."""
    program = Program(yielding(2, 1))
    progress = explore(program, Limits(faults_max=2), (Fault(CRASH, "a0"), Fault(CRASH, "a1")))
    assert (progress.runs, progress.finished, progress.level) == (5, True, 3)


def test_a_fault_outside_its_scope_has_no_opportunity():
    faults = (Fault(CRASH, "a0", from_us=10), Fault(CRASH, "a0", until_us=0))
    assert explore(Program(yielding(1, 3)), Limits(faults_max=1), faults).runs == 1


@pytest.mark.parametrize("kind", [LOST_REQUEST, DUPLICATE_REQUEST, OUTAGE, RESTART, FAILOVER])
def test_which_message_a_fault_strikes_depends_on_the_order_in_which_they_are_sent(kind):
    """Two clients, one message each: the first message of the service may be either's, and both must be met by it."""

    def setup(world):
        answers = {}

        def handle(request):
            answers[request.sender] = answers.get(request.sender, 0) + 1
            request.complete(None)

        world.network.serve("store", handle)
        world.loop.precise["store"] = None  # the two requests themselves touch nothing in common
        world.outages["store"] = lambda down: answers.update(down=sorted(answers)) if down else None
        world.restarts["store"] = lambda: answers.update(lost=sorted(answers))
        world.standbys["store"] = lambda writes: world.restarts["store"]

        async def client():
            await world.network.call("store", None)

        for name in "ab":
            world.spawn(world.actor(name), client())
        return lambda: str(sorted(answers.items()))

    faults = (Fault(kind, "store", 10),)
    plain, pruned = Program(setup), Program(setup)
    assert explore(plain, Limits(pruning=False, faults_max=1), faults).finished
    assert explore(pruned, Limits(faults_max=1), faults).finished
    assert set(pruned.ends) == set(plain.ends)
    assert len(plain.ends) > 2
