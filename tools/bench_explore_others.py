"""The lost update of `bench_explore.py` in the other simulators of asyncio: random orders, runs per second.

Of processor time, so that what else the machine does matters less. Runs in an environment of its own, with what
requirements/bench.txt locks; imports nothing of the project. Each tool is asked to go on after a failure, so that all
of its runs are counted, and to shrink nothing.

    PYTHON -m tools.bench_explore_others [SECONDS]      prints one JSON object
"""

import asyncio
import json
import sys
from importlib import import_module
from importlib.metadata import version
from time import process_time

ROUND_RUNS = 50  # between two looks at the clock


def program(clients: int):
    """What every tool runs: each client reads, yields, and writes what it read plus one."""

    async def main() -> None:
        value = 0

        async def client() -> None:
            nonlocal value
            seen = value
            await asyncio.sleep(0)
            value = seen + 1

        await asyncio.gather(*(client() for _ in range(clients)))

    return main


def explore_detangle(detangle, clients: int, first: int) -> None:
    detangle.explore(program(clients), runs=ROUND_RUNS, strategy="random", seed=first, shrink=False)


def explore_simloom(simloom, clients: int, first: int) -> None:
    simloom.explore(program(clients), runs=ROUND_RUNS, start_seed=first)


def explore_simloop(simloop, clients: int, first: int) -> None:
    simloop.explore(program(clients), range(first, first + ROUND_RUNS))


TOOLS = {"detangle": explore_detangle, "simloom": explore_simloom, "simloop": explore_simloop}


def main(seconds: float) -> str:
    """Tool → its version and runs per second with two and three clients; null where it is not installed."""
    figures: dict[str, object] = {}
    for name, explore in TOOLS.items():
        try:
            module = import_module(name)
        except ModuleNotFoundError:
            figures[name] = None
            continue
        figures[name] = {"version": version(name)}
        for clients in (2, 3):
            runs, started = 0, process_time()
            while process_time() - started < seconds:
                explore(module, clients, runs)
                runs += ROUND_RUNS
            figures[name][str(clients)] = runs / (process_time() - started)
    return json.dumps(figures)


if __name__ == "__main__":
    print(main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0))
