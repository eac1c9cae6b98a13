"""The shrinker, the sampler, and replaying what they and the explorer found."""

import asyncio

import pytest

from py_runtime.sim import Fault, Schedule, ScriptedScheduler, Strikes, World, parse_schedule
from py_runtime.sim.explorer import Explorer, Found, Judged, Limits
from py_runtime.sim.sampling import Sampler
from py_runtime.sim.shrink import Shrinker
from py_runtime.sim.strikes import CLOCK_STEP, CRASH, DUPLICATE_REQUEST, LOST_REPLY, LOST_REQUEST, OUTAGE, PAUSE


def setup(world):
    """Three clients that each go once; it is wrong that `c` goes first or `a` not at all. A bystander adds choices."""
    order = []

    async def client(name):
        world.touch("order")
        order.append(name)
        world.mark("went", name=name)
        await asyncio.sleep(0)

    async def bystander():
        for _ in range(3):
            await asyncio.sleep(0)

    for name in "abc":
        world.spawn(world.actor(name), client(name))
    world.spawn(world.actor("d"), bystander())
    return order


def run(attempt):
    world = World(tracing=False)
    attempt.attach(world)
    order = setup(world)
    world.run(1_000)
    world.close()
    wrong = order[:1] == ["c"] or "a" not in order
    return Judged(("c-not-first",) if wrong and not attempt.given_up else ())


def shrunk(found, faults=(), **options):
    shrinker = Shrinker(run, found, faults, **options)
    while not shrinker.finished:
        shrinker.step()
    return shrinker


# Taking c (index 2) at point 0 is wrong by itself; the other choices are noise.
NOISE = Found(Schedule(0, {0: 2, 1: 1, 2: 1, 3: 2, 5: 1}), ("c-not-first",), 99)


def test_what_does_not_matter_is_left_out():
    shrinker = shrunk(NOISE)
    assert shrinker.best.schedule == Schedule(0, {0: 2})
    assert shrinker.minimal


def test_the_simplest_is_known_to_be_so_only_if_everything_simpler_was_run():
    shrinker = shrunk(NOISE, runs_max=3)
    assert (shrinker.best.schedule, shrinker.minimal) == (Schedule(0, {0: 2}), False)


def test_a_fault_that_does_not_matter_is_left_out():
    faults = (Fault(CRASH, "d"), Fault(CRASH, "a"))
    found = Found(Schedule(0, {0: 2}, ((1, 0),)), ("c-not-first",), 99)
    assert shrunk(found, faults).best.schedule == Schedule(0, {0: 2})


def test_fewer_faults_are_simpler_than_fewer_deviations():
    """The crash of a, alone, is wrong as well; but c first needs no fault."""
    faults = (Fault(CRASH, "a"),)
    found = Found(Schedule(0, {}, ((1, 0),)), ("c-not-first",), 99)
    assert shrunk(found, faults).best.schedule == Schedule(0, {0: 2})


def test_a_run_drawn_by_lot_is_found_and_replayed_to_the_same_digest():
    sampler = Sampler(run, Limits(runs_max=50), seed=3)
    found = None
    while found is None:
        found = sampler.step()
    digests = []
    for _ in range(2):
        schedule = parse_schedule(str(found.schedule))
        world = World(schedule.seed, ScriptedScheduler(schedule.deviations))
        setup(world)
        world.run(1_000)
        digests.append(world.digest())
        assert (world.loop.steps, str(world.schedule)) == (found.steps, str(found.schedule))
        world.close()
    assert digests[0] == digests[1]


def test_sampling_goes_by_its_seed_and_its_limit():
    def schedules(seed):
        sampler = Sampler(run, Limits(runs_max=40, faults_max=1), (Fault(CRASH, "a"),), seed)
        while not sampler.exhausted:
            sampler.step()
        assert sampler.progress.runs == 40
        assert not sampler.progress.finished
        return [str(found.schedule) for found in sampler.progress.found]

    assert schedules(1) == schedules(1)
    assert schedules(1) != schedules(2)


def struck(kind, target, opportunity=0, amount_us=0, **scope):
    """What a client of one service sees under one fault: its log of (instant, what), as far as it came."""
    world = World(tracing=False)
    Strikes(world, [Fault(kind, target, amount_us, **scope)], [(1, opportunity)])
    applied, log = [], []
    down = False

    def handle(request):
        applied.append(request.payload)
        if down:
            request.fail(ConnectionError("down"))
        else:
            request.complete(len(applied))

    def set_down(begins):
        nonlocal down
        down = begins

    world.network.serve("store", handle)
    world.outages["store"] = set_down
    actor = world.actor("client")

    async def client():
        for number in range(2):
            try:
                log.append((world.now_us, actor.clock.wall_us(), await world.network.call("store", number)))
            except ConnectionError:
                log.append((world.now_us, actor.clock.wall_us(), "down"))
            await asyncio.sleep(0.001)

    world.spawn(actor, client())
    world.run(100_000)
    assert world.strikes.unused == 0
    world.close()
    return log, applied


@pytest.mark.parametrize(
    ("kind", "target", "options", "log", "applied"),
    [
        (CRASH, "client", {}, [], []),
        (CRASH, "client", {"opportunity": 1}, [], [0]),
        (PAUSE, "client", {"amount_us": 5_000}, [(5_000, 5_000, 1), (6_000, 6_000, 2)], [0, 1]),
        (CLOCK_STEP, "client", {"amount_us": 70}, [(0, 70, 1), (1_000, 1_070, 2)], [0, 1]),
        (CLOCK_STEP, "client", {"amount_us": -70, "from_us": 1_000}, [(0, 0, 1), (1_000, 930, 2)], [0, 1]),
        (LOST_REQUEST, "store", {}, [], []),
        (LOST_REPLY, "store", {"opportunity": 1}, [(0, 0, 1)], [0, 1]),
        (DUPLICATE_REQUEST, "store", {}, [(0, 0, 1), (1_000, 1_000, 3)], [0, 0, 1]),
        (OUTAGE, "store", {"amount_us": 500}, [(0, 0, "down"), (1_000, 1_000, 2)], [0, 1]),
    ],
)
def test_a_fault_strikes_at_its_opportunity_and_does_what_it_says(kind, target, options, log, applied):
    assert struck(kind, target, **options) == (log, applied)


def test_an_explored_fault_is_replayed_from_its_schedule():
    faults = (Fault(PAUSE, "a", 50), Fault(CRASH, "a"))
    explorer = Explorer(run, Limits(faults_max=1), faults)
    found = None
    while found is None or not found.schedule.strikes:
        found = explorer.step()
    schedule = parse_schedule(str(found.schedule))
    assert schedule == found.schedule
    world = World(scheduler=ScriptedScheduler(schedule.deviations))
    Strikes(world, faults, schedule.strikes)
    setup(world)
    world.run(1_000)
    assert (world.loop.steps, world.schedule, world.strikes.unused) == (found.steps, found.schedule, 0)
    world.close()
