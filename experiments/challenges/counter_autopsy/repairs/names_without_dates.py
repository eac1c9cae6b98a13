"""Wrong: named, and so released once and by its owner, but the names of the dead stay for ever.

The workers use `Quota(redis, settings)` and `await run_task(quota, request_id, work)`, which runs `work()` in a slot
and returns whether there was one; what `work` raises comes out of it. `settings` has `limit`, `ttl_ms`, and
`longest_ms`: no request works for longer, since the upstream cuts it off. What is taken stands in INFLIGHT.
"""

INFLIGHT = "llm:inflight"  # set: the requests at work

ACQUIRE = """-- acquire
-- KEYS: the set. ARGV: limit, request. Returns 1 = admitted, 0 = full.
if redis.call('SCARD', KEYS[1]) >= tonumber(ARGV[1]) then
  return 0
end
return redis.call('SADD', KEYS[1], ARGV[2])
"""


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._limit = settings.limit
        self._acquire = redis.register_script(ACQUIRE)

    async def acquire(self, request_id):
        return await self._acquire(keys=[INFLIGHT], args=[self._limit, request_id]) == 1

    async def release(self, request_id):
        await self._redis.srem(INFLIGHT, request_id)


async def run_task(quota, request_id, work):
    """Run `work` in a slot; returns whether there was one."""
    if not await quota.acquire(request_id):
        return False
    try:
        await work()
    finally:
        await quota.release(request_id)
    return True
