"""A global limit as one number in Redis, which expires in case somebody dies. It goes wrong in more ways than one.

The workers use `Quota(redis, settings)` and `await run_task(quota, request_id, work)`, which runs `work()` in a slot
and returns whether there was one; what `work` raises comes out of it. `settings` has `limit`, `ttl_ms`, and
`longest_ms`: no request works for longer, since the upstream cuts it off. What is taken stands in INFLIGHT.
"""

INFLIGHT = "llm:inflight"


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._limit = settings.limit
        self._ttl_ms = settings.ttl_ms

    async def acquire(self, request_id):
        count = await self._redis.incr(INFLIGHT)
        if count == 1:
            await self._redis.pexpire(INFLIGHT, self._ttl_ms)  # a slot that nobody gives back is free again some day
        if count > self._limit:
            await self._redis.decr(INFLIGHT)
            return False
        return True

    async def release(self, request_id):
        await self._redis.decr(INFLIGHT)


async def run_task(quota, request_id, work):
    """Run `work` in a slot; returns whether there was one."""
    if not await quota.acquire(request_id):
        return False
    try:
        await work()
    except Exception:
        await quota.release(request_id)  # what has failed needs no slot any more
        raise
    finally:
        await quota.release(request_id)
    return True
