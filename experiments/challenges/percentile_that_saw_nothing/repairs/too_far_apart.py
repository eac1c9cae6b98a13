"""Wrong: the repair with beats 110 ms apart, and a freeze of 200 ms that begins right behind one makes none too late.

Used are `await sample(worker, metrics, now_ms)`, on each worker's own loop, and `await watch(workers, metrics, now_ms,
alarm)`, in a process of its own, which calls `alarm(worker)` for a worker that stands still or has just done so. Both
run to the end. `metrics` is memory that all of them share: `put(name, value)`, `add(name, amount)` and `get(name)`,
which gives 0 where nothing was put. `now_ms()` is the host's clock, the same for all.
"""

import asyncio

INTERVAL_MS = 110  # close enough to meet every freeze, and half the price
TOO_LATE_MS = 100
LOOK_S = 0.5


async def sample(worker, metrics, now_ms):
    while True:
        due_ms = now_ms() + INTERVAL_MS
        await asyncio.sleep(INTERVAL_MS / 1000)
        beat_ms = now_ms()
        if beat_ms - due_ms > TOO_LATE_MS:
            metrics.put(f"late {worker}", beat_ms)
        metrics.put(f"beat {worker}", beat_ms)


async def watch(workers, metrics, now_ms, alarm):
    told = dict.fromkeys(workers, 0)
    while True:
        await asyncio.sleep(LOOK_S)
        for worker in workers:
            late_ms = metrics.get(f"late {worker}")
            silent_ms = now_ms() - metrics.get(f"beat {worker}")  # nothing is reported while a loop stands still
            if late_ms > told[worker] or silent_ms > INTERVAL_MS + TOO_LATE_MS:
                alarm(worker)
            told[worker] = late_ms
