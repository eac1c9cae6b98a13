"""Commands per second of the Redis stand-in, with fakeredis beside it where it can be imported.

Decides what is compared: the same program awaits the same client methods on both sides, one after the other, in one
process: on the stand-in in a world with tracing off, on fakeredis's async client in asyncio's own loop. Neither side
has a network or waits for anything, so the processor's time is measured: what else the machine does weighs little.
Also measured, on the stand-in alone: an experiment's Lua script against the same steps as commands of their own,
awaited, and without client or world. Prints one line of JSON:
    python -m tools.bench_stores [COUNT]                        under CPython
    node tools/bench_pyodide.mjs tools.bench_stores [COUNT]     under Pyodide, which runs `main` below
"""

import asyncio
import importlib.util
import json
import sys
import time
from collections.abc import Callable

from experiments.slot_recycling.programs.lease import ACQUIRE
from py_runtime.sim import Bounds, World
from py_runtime.stores.redis import RedisServer
from py_runtime.stores.redis.execute import execute, new_keyspace

COUNT = 500  # rounds of each program: short, so that one of several turns goes by undisturbed
ROUNDS = 12  # the best counts: other work on the machine only ever adds time
NOW_MS, EVERY_MS, LEASE_MS, LIMIT = 1_000_000, 400, 3000, 10  # each acquire sweeps one lapsed lease and is admitted


async def strings(redis, count: int) -> int:
    for index in range(count):
        await redis.set("k", index)
        await redis.get("k")
        await redis.incr("counter")
        await redis.set("lock", index, nx=True, px=30_000)
    return 4 * count


async def hashes(redis, count: int) -> int:
    for index in range(count):
        await redis.hset("h", mapping={"owner": index, "state": "running"})
        await redis.hget("h", "owner")
        await redis.hgetall("h")
    return 3 * count


async def sorted_sets(redis, count: int) -> int:
    for index in range(count):
        await redis.zadd("z", {f"task-{index % 20}": index})
        await redis.zcard("z")
        await redis.zrangebyscore("z", index - 5, index)
        await redis.zremrangebyscore("z", "-inf", index - 10)
    return 4 * count


async def lists(redis, count: int) -> int:
    for index in range(count):
        await redis.rpush("l", index)
        await redis.llen("l")
        await redis.lpop("l")
    return 3 * count


async def streams(redis, count: int) -> int:
    await redis.xgroup_create("s", "g", "0", mkstream=True)
    for index in range(count):
        entry_id = await redis.xadd("s", {"job": index}, maxlen=100)
        await redis.xreadgroup("g", "c", {"s": ">"})
        await redis.xack("s", "g", entry_id)
    return 3 * count


async def acquire_by_script(redis, count: int) -> int:
    acquire = redis.register_script(ACQUIRE)
    for index in range(count):
        await acquire(keys=["leases"], args=[NOW_MS + index * EVERY_MS, LEASE_MS, LIMIT, f"task-{index % 20}"])
    return count


async def acquire_by_steps(redis, count: int) -> int:
    for index in range(count):
        now_ms = NOW_MS + index * EVERY_MS
        await redis.zremrangebyscore("leases", "-inf", now_ms - LEASE_MS)
        if await redis.zcard("leases") < LIMIT:
            await redis.zadd("leases", {f"task-{index % 20}": now_ms})
    return count


FAMILIES = (strings, hashes, sorted_sets, lists, streams)
PROGRAMS = (*FAMILIES, acquire_by_script, acquire_by_steps)


def on_stand_in(program: Callable, count: int) -> tuple[int, float]:
    """Run a program on a new stand-in; gives its calls and the seconds they took."""
    world = World(bounds=Bounds(steps_max=100 * count + 1000, instant_steps_max=100 * count + 1000), tracing=False)
    client = RedisServer(world).client()
    return _timed(program, client, count, lambda main: _in_world(world, main))


def _in_world(world: World, main) -> None:
    world.spawn(world.actor("worker"), main)
    world.run(until_us=1_000_000)


def on_fakeredis(program: Callable, count: int) -> tuple[int, float]:
    """The same on fakeredis."""
    import fakeredis

    return _timed(program, fakeredis.FakeAsyncRedis(decode_responses=True), count, asyncio.run)


def _timed(program: Callable, client, count: int, run: Callable) -> tuple[int, float]:
    ended = []

    async def main() -> None:
        began = time.process_time()
        calls = await program(client, count)
        ended.append((calls, time.process_time() - began))

    run(main())
    if not ended:
        raise RuntimeError(f"{program.__name__} did not end")
    return ended[0]


def rates(sides: dict[str, Callable], count: int) -> dict[str, dict[str, float]]:
    """Side → program → calls per second, of the fastest round; in each round every side has its turn."""
    best: dict[str, dict[str, float]] = {side: {} for side in sides}
    for _ in range(ROUNDS):
        for program in PROGRAMS:
            for side, run in sides.items():
                calls, seconds = run(program, count)
                best[side][program.__name__] = max(calls / seconds, best[side].get(program.__name__, 0))
    return best


def command_rates(count: int) -> dict[str, float]:
    """Acquires per second without client, world and network: by script, and as commands of their own."""
    sha = execute(new_keyspace(), [b"SCRIPT", b"LOAD", ACQUIRE.encode()], 0)
    best = {"acquire_by_script": 0.0, "acquire_by_steps": 0.0}
    for _ in range(ROUNDS):
        db = new_keyspace()
        execute(db, [b"SCRIPT", b"LOAD", ACQUIRE.encode()], 0)
        began = time.process_time()
        for index in range(count):
            words = [b"%d" % (NOW_MS + index * EVERY_MS), b"%d" % LEASE_MS, b"%d" % LIMIT, b"task-%d" % (index % 20)]
            execute(db, [b"EVALSHA", sha, b"1", b"leases", *words], index)
        best["acquire_by_script"] = max(best["acquire_by_script"], count / (time.process_time() - began))
        db = new_keyspace()
        began = time.process_time()
        for index in range(count):
            now_ms = NOW_MS + index * EVERY_MS
            execute(db, [b"ZREMRANGEBYSCORE", b"leases", b"-inf", b"%d" % (now_ms - LEASE_MS)], index)
            if execute(db, [b"ZCARD", b"leases"], index) < LIMIT:
                execute(db, [b"ZADD", b"leases", b"%d" % now_ms, b"task-%d" % (index % 20)], index)
        best["acquire_by_steps"] = max(best["acquire_by_steps"], count / (time.process_time() - began))
    return best


def main(count: int = COUNT) -> str:
    """The measurement as JSON text, with fakeredis where this Python has it."""
    sides: dict[str, Callable] = {"stand_in": on_stand_in}
    if importlib.util.find_spec("fakeredis") is not None:
        sides["fakeredis"] = on_fakeredis
    figures = {
        "python": f"{sys.implementation.name} {sys.version.split()[0]} on {sys.platform}",
        "families": [program.__name__ for program in FAMILIES],
        "per_s": rates(sides, count),
        "commands_per_s": command_rates(count),
    }
    return json.dumps(figures)


if __name__ == "__main__":
    print(main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))
