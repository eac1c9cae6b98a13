"""Wrong: counted in one script and released once, but the key expires under whoever came second.

The workers use `Quota(redis, settings)` and `await run_task(quota, request_id, work)`, which runs `work()` in a slot
and returns whether there was one; what `work` raises comes out of it. `settings` has `limit`, `ttl_ms`, and
`longest_ms`: no request works for longer, since the upstream cuts it off. What is taken stands in INFLIGHT.
"""

INFLIGHT = "llm:inflight"

ACQUIRE = """-- acquire
-- KEYS: the counter. ARGV: limit, TTL in ms. Returns 1 = admitted, 0 = full.
local count = tonumber(redis.call('GET', KEYS[1]) or 0)
if count >= tonumber(ARGV[1]) then
  return 0
end
redis.call('INCR', KEYS[1])
if count == 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 1
"""

RELEASE = """-- release
-- KEYS: the counter. Never goes below 0.
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then
  redis.call('DECR', KEYS[1])
end
return 0
"""


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._limit = settings.limit
        self._ttl_ms = settings.longest_ms
        self._acquire = redis.register_script(ACQUIRE)
        self._release = redis.register_script(RELEASE)

    async def acquire(self, request_id):
        return await self._acquire(keys=[INFLIGHT], args=[self._limit, self._ttl_ms]) == 1

    async def release(self, request_id):
        await self._release(keys=[INFLIGHT])


async def run_task(quota, request_id, work):
    """Run `work` in a slot; returns whether there was one."""
    if not await quota.acquire(request_id):
        return False
    try:
        await work()
    finally:
        await quota.release(request_id)
    return True
