"""The same run, event by event: fifty times, in fresh processes under other hash seeds, in every CPython at hand."""

import json
import os
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from py_runtime.sim import trace_digest
from py_runtime.sim.trace import TraceEvent

ROOT = Path(__file__).parents[3]

# All of the simulation at once: races, faults, crashes, pauses, threads, sets of tasks, groups that fail.
PROGRAM = """\
import asyncio
from py_runtime.sim import DROP, DUPLICATE, PASS, Bounds, SeededScheduler, Stream, World, delay

def run(seed):
    world = World(seed=seed, scheduler=SeededScheduler(Stream(seed, "schedule")))
    counts = {}

    def handle(request):
        counts[request.payload] = counts.get(request.payload, 0) + 1
        world.spend(3)
        request.complete(counts[request.payload], changes=[
            {"store": "s", "key": request.payload, "type": "string", "value": str(counts[request.payload])}])

    def chance(message):
        return (PASS, PASS, PASS, PASS, PASS, DROP, DUPLICATE, delay(700))[world.streams.faults.below(8)]

    store = world.network.serve("store", handle, request_us=50, reply_us=20)
    world.network.rule(chance, from_us=1_000)

    async def call(key, limit=0.005):
        try:
            async with asyncio.timeout(limit):
                return await world.network.call("store", key, text=f"INCR {key}")
        except TimeoutError:
            return None

    async def child(number):
        try:
            await asyncio.sleep(world.streams.workload.below(1_000) / 1_000_000)
            await call(f"key-{number % 3}")
            if number == 17:
                raise ValueError(f"child {number} fails")
            await asyncio.sleep(60)
        finally:
            world.mark("child ends", number=number)

    async def group():
        try:
            async with asyncio.TaskGroup() as children:
                for number in range(20):
                    children.create_task(child(number))
        except* ValueError as errors:
            world.mark("group failed", errors=[str(error) for error in errors.exceptions])

    async def sets():
        tasks = [asyncio.create_task(asyncio.sleep(number % 4 / 1_000, number)) for number in range(40)]
        done, pending = await asyncio.wait(tasks, timeout=0.0015)
        world.mark("sets", done=[task.result() for task in done], pending=[task.get_name() for task in pending])
        for each in asyncio.as_completed([call(f"key-{number}") for number in range(30)]):
            world.mark("completed", value=await each)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            world.mark("still there", task=task.get_name())

    async def threads():
        def work(number):
            world.spend(100 * number)
            return number

        world.mark("threads", results=await asyncio.gather(*(asyncio.to_thread(work, number) for number in range(9))))

    async def forgets():
        async def fails(number):
            await asyncio.sleep(0)
            raise KeyError(number)

        for number in range(100):
            asyncio.create_task(fails(number))
        await asyncio.sleep(1)

    async def busy():
        for _ in range(20):
            world.spend(world.streams.workload.below(500))
            await call("busy")

    for number in range(3):
        for program in (group, sets, threads, forgets, busy):
            world.spawn(world.actor(f"{program.__name__}-{number}"), program())
    world.call_at(1_500, world.crash, world.actor("group-1"))
    world.call_at(1_800, world.pause, world.actor("busy-2"), 4_000)
    world.call_at(2_500, world.pause, store, 2_000)
    end = world.run(5_000_000)
    result = f"{world.digest()} {len(world.events)} {end.steps} {end.reason} {world.schedule}"
    world.close()
    return result

if __name__ == "__main__":
    print(run(1), run(2))
"""


def _present() -> list[str]:
    """The CPythons from 3.11 on at hand, one per version: those on the PATH and those installed beside this one."""
    beside = Path(sys.base_prefix).parent
    found: dict[str, str] = {}
    for minor in range(11, 20):
        on_path = shutil.which(f"python3.{minor}")
        for path in [on_path, *map(str, sorted(beside.glob(f"*/bin/python3.{minor}")))]:
            version = path and subprocess.run([path, "-V"], capture_output=True, text=True)
            if version and version.returncode == 0:  # a version manager's stand-in may name what is not installed
                found.setdefault(version.stdout.strip(), path)
    return [*found.values(), sys.executable]


def _in_a_process(python: str, hash_seed: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": hash_seed, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([python, "-s", "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=120)
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


@pytest.fixture(scope="module")
def run_here():
    namespace: dict = {"__name__": "program"}
    exec(PROGRAM, namespace)
    return namespace["run"]


@pytest.fixture(scope="module")
def expected(run_here):
    return f"{run_here(1)} {run_here(2)}\n"


def test_fifty_runs_are_the_same_whatever_ran_before(run_here):
    keep, results = [], set()
    for number in range(50):
        keep.append([object() for _ in range(number * 37)])  # moves later objects to other addresses
        results.add(run_here(1))
    assert len(results) == 1
    # A run that did nothing would also be the same fifty times.
    digest, events, steps, reason, schedule = results.pop().split()
    assert (len(digest), reason) == (64, "quiet")
    assert int(events) > 1_000
    assert int(steps) > 2_000
    assert schedule.count(".") > 100


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242", "random"])
def test_a_fresh_process_under_another_hash_seed_gives_the_same_run(hash_seed, expected):
    assert _in_a_process(sys.executable, hash_seed) == expected


@pytest.mark.parametrize("python", _present(), ids=str)
def test_every_cpython_at_hand_gives_the_same_run(python, expected):
    assert _in_a_process(python, "7") == expected


@pytest.mark.parametrize("value", ["x", ["\0"], ["a", "\0", "b"], [["\0"], "\0"], ',"\\u0000",', {"\0": "\0"}])
def test_the_digest_is_that_of_the_events_written_line_by_line(value):
    events = [TraceEvent(number, 5, "a", "mark", {"value": value, "name": "é"}) for number in range(2_345)]
    lines = [json.dumps([5, "a", "mark", {"name": "é", "value": value}], separators=(",", ":")) + "\n"] * len(events)
    assert trace_digest(events) == sha256("".join(lines).encode()).hexdigest()
    assert trace_digest([]) == sha256().hexdigest()


def test_a_digest_depends_on_every_part_of_an_event_but_its_line():
    event = TraceEvent(0, 5, "a", "mark", {"name": "x", "value": [1, None, "é"]})
    same = [TraceEvent(0, 5, "a", "mark", {"value": [1, None, "é"], "name": "x"}, ("program.py", 3))]
    others = [
        TraceEvent(0, 6, "a", "mark", event.fields),
        TraceEvent(0, 5, "b", "mark", event.fields),
        TraceEvent(0, 5, "a", "output", event.fields),
        TraceEvent(0, 5, "a", "mark", {"name": "x", "value": [1, None, "e"]}),
    ]
    digests = {trace_digest([other]) for other in others} | {trace_digest([]), trace_digest([event, event])}
    assert trace_digest(same) == trace_digest([event])
    assert len(digests | {trace_digest([event])}) == 7
    written = rb'[5,"a","mark",{"name":"x","value":[1,null,"\u00e9"]}]' + b"\n"
    assert trace_digest([event]) == sha256(written).hexdigest()
