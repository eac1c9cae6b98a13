"""How many runs the explorer makes per second of processor time, tracing off: a lost update of two and three clients.

And how long the first counterexample of each broken variant takes. Decides the program that is explored, and prints
figures as one JSON object; `tools/bench.py` prints them for people.
The same program for the other simulators is in `bench_explore_others.py`.

    python -m tools.bench_explore [SECONDS]                         under CPython
    node tools/bench_pyodide.mjs tools.bench_explore [SECONDS]      under Pyodide, which runs `main` below
"""

import asyncio
import json
import sys
from time import process_time

from experiments import EXPERIMENTS
from py_runtime.lab.explore import Search
from py_runtime.sim import World
from py_runtime.sim.explorer import Attempt, Explorer, Judged, Limits
from py_runtime.stores import RedisServer


def lost_update(clients: int, attempt: Attempt) -> Judged:
    """Each client reads, yields, and writes what it read plus one; an update is lost where two overlap."""
    world = World(tracing=False)
    attempt.attach(world)
    value = 0

    async def client() -> None:
        nonlocal value
        world.touch("value", changes=False)
        seen = value
        await asyncio.sleep(0)
        world.touch("value")
        value = seen + 1

    for number in range(clients):
        world.spawn(world.actor(f"client-{number}"), client())
    world.run(1_000)
    world.close()
    return Judged(() if value == clients else ("every-update-counts",))


def redis_counter(clients: int, attempt: Attempt) -> Judged:
    """The same through the stand-in for Redis: GET, then SET."""
    world = World(tracing=False)
    attempt.attach(world)
    server = RedisServer(world)
    redis = server.client()

    async def client() -> None:
        seen = int(await redis.get("counter") or 0)
        await redis.set("counter", seen + 1)

    for number in range(clients):
        world.spawn(world.actor(f"client-{number}"), client())
    world.run(1_000)
    counted = server.peek("counter")
    world.close()
    return Judged(() if counted == str(clients) else ("every-update-counts",))


def runs_per_second(program, clients: int, seconds: float, pruning: bool) -> dict[str, float]:
    """Explore the program again and again for so long; all of its runs, with or without equivalent ones."""
    runs, explorations, started = 0, 0, process_time()
    while process_time() - started < seconds:
        explorer = Explorer(lambda attempt: program(clients, attempt), Limits(pruning=pruning, runs_max=1_000))
        while not explorer.progress.finished and not explorer.exhausted:
            explorer.step()
        runs += explorer.progress.runs
        explorations += 1
    spent = process_time() - started
    return {"runs_per_second": runs / spent, "runs": runs / explorations}


def first_counterexamples() -> dict[str, dict[str, float]]:
    """Variant → processor time to its first counterexample, and the runs that took, for those that have one early."""
    figures = {}
    for slug, experiment in EXPERIMENTS.items():
        for variant in experiment.variants:
            if variant.expected != "breaks" and variant.id not in experiment.exploration.breaks:
                continue
            started = process_time()
            search = Search(experiment, variant.id)
            while search.best is None and not search.done:
                search.advance(1)
            figures[f"{slug}/{variant.id}"] = {"seconds": process_time() - started, "runs": search.progress.runs}
    return figures


def main(seconds: float = 3.0) -> str:
    """Figures as JSON: program, clients, and whether equivalent runs are pruned; `first`: see first_counterexamples."""
    figures: dict[str, object] = {"python": f"{sys.implementation.name} {sys.version.split()[0]} on {sys.platform}"}
    for name, program in (("memory", lost_update), ("redis", redis_counter)):
        for clients in (2, 3):
            for pruning in (True, False):
                key = f"{name}-{clients}-{'pruned' if pruning else 'all'}"
                figures[key] = runs_per_second(program, clients, seconds, pruning)
    return json.dumps({**figures, "first": first_counterexamples()})


if __name__ == "__main__":
    print(main(*(float(each) for each in sys.argv[1:2])))
