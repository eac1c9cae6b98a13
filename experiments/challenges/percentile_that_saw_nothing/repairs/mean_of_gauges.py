"""Wrong: the mean over all workers does rise with one of them, and then it names them all.

Used are `await sample(worker, metrics, now_ms)`, on each worker's own loop, and `await watch(workers, metrics, now_ms,
alarm)`, in a process of its own, which calls `alarm(worker)` for a worker that stands still or has just done so. Both
run to the end. `metrics` is memory that all of them share: `put(name, value)`, `add(name, amount)` and `get(name)`,
which gives 0 where nothing was put. `now_ms()` is the host's clock, the same for all.
"""

import asyncio

INTERVAL_MS = 50
TOO_LATE_MS = 100


async def sample(worker, metrics, now_ms):
    while True:
        due_ms = now_ms() + INTERVAL_MS
        await asyncio.sleep(INTERVAL_MS / 1000)
        metrics.put(f"lag {worker}", now_ms() - due_ms)
        metrics.put(f"beat {worker}", now_ms())


async def watch(workers, metrics, now_ms, alarm):
    while True:
        await asyncio.sleep(0.05)
        lags_ms = [metrics.get(f"lag {worker}") for worker in workers]
        silences_ms = [now_ms() - metrics.get(f"beat {worker}") - INTERVAL_MS for worker in workers]
        if max(sum(lags_ms), sum(silences_ms)) / len(workers) > TOO_LATE_MS:
            for worker in workers:
                alarm(worker)
