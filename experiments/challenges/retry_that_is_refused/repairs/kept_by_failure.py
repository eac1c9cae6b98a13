"""Wrong: only a task that has worked to its end gives its slot back; one that fails does not.

The workers use `Quota(redis, settings)` and `await run_task(quota, task_id, attempt, work)`, which runs `work()` in a
slot and returns whether there was one. A job that is given out again has the same task_id and the next attempt.
Who has a slot stands in LEASES.
"""

import asyncio

LEASES = "llm:leases"  # sorted set: member = who has a slot, score = since when, in ms by Redis's clock

ENDED = "llm:ended:"  # + attempt: there for as long as a message of it may still be on its way

ACQUIRE = """-- acquire
-- KEYS: the set, the end of this attempt. ARGV: lease in ms, limit, member.
-- Returns 1 = admitted, 2 = already yours, 0 = full, or this attempt is over.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]))
if redis.call('ZSCORE', KEYS[1], ARGV[3]) then
  redis.call('ZADD', KEYS[1], 'GT', now, ARGV[3])
  return 2
end
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  return 1
end
redis.call('SET', KEYS[2], 1, 'PX', ARGV[1])  -- a no is final, for a copy that comes later too
return 0
"""

RELEASE = """-- release
-- KEYS: the set, the end of this attempt. ARGV: lease in ms, member.
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('SET', KEYS[2], 1, 'PX', ARGV[1])
"""


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._limit = settings.limit
        self._lease_ms = settings.lease_ms
        self._answer_s = settings.answer_ms / 1000
        self._acquire = redis.register_script(ACQUIRE)
        self._release = redis.register_script(RELEASE)

    async def _answered(self, ask):
        """Ask until there is an answer: the question may be lost on its way, or the answer."""
        while True:
            try:
                async with asyncio.timeout(self._answer_s):
                    return await ask()
            except TimeoutError:
                continue

    async def acquire(self, member):
        def ask():
            return self._acquire(keys=[LEASES, ENDED + member], args=[self._lease_ms, self._limit, member])

        return await self._answered(ask) > 0

    async def release(self, member):
        await self._answered(lambda: self._release(keys=[LEASES, ENDED + member], args=[self._lease_ms, member]))


async def run_task(quota, task_id, attempt, work):
    """Run `work` in a slot; returns whether there was one. A task takes less time than a lease."""
    member = f"{task_id}#{attempt}"  # what one attempt does late cannot touch the next
    if not await quota.acquire(member):
        return False
    await work()
    await quota.release(member)
    return True
