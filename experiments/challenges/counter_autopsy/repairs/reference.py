"""The repair: every slot has a name and a date of its own, and one script drops, counts and adds.

The workers use `Quota(redis, settings)` and `await run_task(quota, request_id, work)`, which runs `work()` in a slot
and returns whether there was one; what `work` raises comes out of it. `settings` has `limit`, `ttl_ms`, and
`longest_ms`: no request works for longer, since the upstream cuts it off. What is taken stands in INFLIGHT.
"""

INFLIGHT = "llm:inflight"  # sorted set: member = request, score = when it is over at the latest, in ms by Redis's clock

ACQUIRE = """-- acquire
-- KEYS: the set. ARGV: longest work in ms, limit, request. Returns 1 = admitted, 0 = full.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[3])
  return 1
end
return 0
"""


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._limit = settings.limit
        self._longest_ms = settings.longest_ms
        self._acquire = redis.register_script(ACQUIRE)

    async def acquire(self, request_id):
        return await self._acquire(keys=[INFLIGHT], args=[self._longest_ms, self._limit, request_id]) == 1

    async def release(self, request_id):
        await self._redis.zrem(INFLIGHT, request_id)  # done twice, the second does nothing


async def run_task(quota, request_id, work):
    """Run `work` in a slot; returns whether there was one."""
    if not await quota.acquire(request_id):
        return False
    try:
        await work()
    finally:
        await quota.release(request_id)
    return True
