"""How late the event loops of some workers wake up, and when to raise an alarm. It has never raised one.

Used are `await sample(worker, metrics, now_ms)`, on each worker's own loop, and `await watch(workers, metrics, now_ms,
alarm)`, in a process of its own, which calls `alarm(worker)` for a worker that stands still or has just done so. Both
run to the end. `metrics` is memory that all of them share: `put(name, value)`, `add(name, amount)` and `get(name)`,
which gives 0 where nothing was put. `now_ms()` is the host's clock, the same for all.
"""

import asyncio
from bisect import bisect_left
from itertools import accumulate

INTERVAL_MS = 500
BOUNDS_MS = (1, 5, 10, 50, 100, 250, 500, 1_000, 2_500)  # of the histogram's buckets; the last one has none
TOO_LATE_MS = 100


def bucket(bound):
    return f"loop_lag_ms le {bound}"


async def sample(worker, metrics, now_ms):
    while True:
        started_ms = now_ms()
        await asyncio.sleep(INTERVAL_MS / 1000)
        lag_ms = max(now_ms() - started_ms - INTERVAL_MS, 0)
        metrics.add(bucket(next((bound for bound in BOUNDS_MS if lag_ms <= bound), "any")), 1)


def quantile(metrics, share):
    """The bound of the bucket below which that share of all samples lies."""
    counts = list(accumulate(metrics.get(bucket(bound)) for bound in (*BOUNDS_MS, "any")))
    reached = bisect_left(counts, share * counts[-1])
    return BOUNDS_MS[min(reached, len(BOUNDS_MS) - 1)]


async def watch(workers, metrics, now_ms, alarm):
    while True:
        await asyncio.sleep(1)
        if quantile(metrics, 0.99) > TOO_LATE_MS:
            for worker in workers:
                alarm(worker)
