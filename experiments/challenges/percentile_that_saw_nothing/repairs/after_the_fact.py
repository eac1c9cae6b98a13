"""Wrong: every freeze leaves a late wake-up, and is told of when it is over.

Used are `await sample(worker, metrics, now_ms)`, on each worker's own loop, and `await watch(workers, metrics, now_ms,
alarm)`, in a process of its own, which calls `alarm(worker)` for a worker that stands still or has just done so. Both
run to the end. `metrics` is memory that all of them share: `put(name, value)`, `add(name, amount)` and `get(name)`,
which gives 0 where nothing was put. `now_ms()` is the host's clock, the same for all.
"""

import asyncio

INTERVAL_MS = 50
TOO_LATE_MS = 100
LOOK_S = 0.5


async def sample(worker, metrics, now_ms):
    while True:
        due_ms = now_ms() + INTERVAL_MS
        await asyncio.sleep(INTERVAL_MS / 1000)
        beat_ms = now_ms()
        if beat_ms - due_ms > TOO_LATE_MS:
            metrics.put(f"late {worker}", beat_ms)


async def watch(workers, metrics, now_ms, alarm):
    told = dict.fromkeys(workers, 0)
    while True:
        await asyncio.sleep(LOOK_S)
        for worker in workers:
            late_ms = metrics.get(f"late {worker}")
            if late_ms > told[worker]:
                alarm(worker)
            told[worker] = late_ms
