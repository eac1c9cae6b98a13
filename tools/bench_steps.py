"""How long a million `sleep(0)` steps take: plain asyncio against the simulation, in whichever Python runs this file.

Decides what the two sides are: the very same coroutine, on asyncio's own event loop without a selector (nothing waits
for a socket here, and there are none in a browser) and in a `World` with tracing off. Prints one line of JSON:
    python -m tools.bench_steps [STEPS]                         under CPython
    node tools/bench_pyodide.mjs tools.bench_steps [STEPS]      under Pyodide, which runs `main` below
"""

import asyncio
import gc
import json
import sys
import time

from py_runtime.sim import Bounds, World

STEPS = 1_000_000
ROUNDS = 3  # the best of a few: other work on the machine only ever adds time


class _NoSelector:
    """A selector with nothing registered: no event, at once."""

    def select(self, timeout=None):
        return []


class PlainLoop(asyncio.BaseEventLoop):
    """asyncio's own loop, less the part that waits for the operating system."""

    _selector = _NoSelector()

    def _process_events(self, event_list):
        pass


async def steps(count):
    """The program: give way to the loop `count` times."""
    for _ in range(count):
        await asyncio.sleep(0)


def run_plain(count):
    # Pyodide counts its own loop as running even while it is not; asyncio's would refuse to start beside it.
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    loop = PlainLoop()
    try:
        loop.run_until_complete(steps(count))
    finally:
        loop.close()
        asyncio._set_running_loop(running)


def run_simulated(count):
    world = World(bounds=Bounds(steps_max=count + 100, instant_steps_max=count + 100), tracing=False)
    world.spawn(world.actor("worker"), steps(count))
    ended = world.run(until_us=1_000_000)
    if ended.steps < count:
        raise RuntimeError(f"the simulation ended after {ended.steps} of {count} steps: {ended.reason}")


def best_s(run, count):
    """Seconds of the fastest round, and memory blocks that stayed behind after the last one."""
    run(count // 10)
    gc.collect()
    blocks = sys.getallocatedblocks()
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        run(count)
        times.append(time.perf_counter() - began)
    gc.collect()
    return min(times), sys.getallocatedblocks() - blocks


def main(count=STEPS):
    """The measurement as JSON text: seconds for `count` steps on either side, and blocks that the simulation kept."""
    plain_s, _ = best_s(run_plain, count)
    simulated_s, kept = best_s(run_simulated, count)
    python = f"{sys.implementation.name} {sys.version.split()[0]} on {sys.platform}"
    return json.dumps(
        {"python": python, "steps": count, "plain_s": plain_s, "simulated_s": simulated_s, "blocks_kept": kept}
    )


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else STEPS))
