"""Wrong: fills in the samples that a freeze has swallowed. The percentile sees a long one, afterwards and from then on.

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


def bucket(worker, bound):
    return f"loop_lag_ms {worker} le {bound}"


async def sample(worker, metrics, now_ms):
    while True:
        started_ms = now_ms()
        await asyncio.sleep(INTERVAL_MS / 1000)
        lag_ms = max(now_ms() - started_ms - INTERVAL_MS, 0)
        while lag_ms >= 0:  # one for each wake-up that would have been
            metrics.add(bucket(worker, next((bound for bound in BOUNDS_MS if lag_ms <= bound), "any")), 1)
            lag_ms -= INTERVAL_MS


def quantile(worker, metrics, share):
    """The bound of the bucket below which that share of a worker's samples lies."""
    counts = list(accumulate(metrics.get(bucket(worker, bound)) for bound in (*BOUNDS_MS, "any")))
    reached = bisect_left(counts, share * counts[-1])
    return BOUNDS_MS[min(reached, len(BOUNDS_MS) - 1)]


async def watch(workers, metrics, now_ms, alarm):
    while True:
        await asyncio.sleep(1)
        for worker in workers:
            if quantile(worker, metrics, 0.99) > TOO_LATE_MS:
                alarm(worker)
