"""Wrong: each try has a name of its own, so that what an unanswered one was granted belongs to nobody.

The workers use `Quota(redis, settings)` and `await run_task(quota, task_id, attempt, work)`, which runs `work()` in a
slot and returns whether there was one. A job that is given out again has the same task_id and the next attempt.
Who has a slot stands in LEASES.
"""

import asyncio

LEASES = "llm:leases"  # sorted set: member = who has a slot, score = since when, in ms by Redis's clock

ACQUIRE = """-- acquire
-- KEYS: the set. ARGV: lease in ms, limit, member. Returns 1 = admitted, 0 = full.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]))
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  return 1
end
return 0
"""


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._limit = settings.limit
        self._lease_ms = settings.lease_ms
        self._answer_s = settings.answer_ms / 1000
        self._acquire = redis.register_script(ACQUIRE)

    async def _answered(self, ask):
        """Ask until there is an answer: the question may be lost on its way, or the answer."""
        while True:
            try:
                async with asyncio.timeout(self._answer_s):
                    return await ask()
            except TimeoutError:
                continue

    async def acquire(self, member):
        """The name under which a slot was granted, or None."""
        tries = 0
        name = member

        def ask():
            nonlocal tries, name
            tries += 1
            name = f"{member}/{tries}"
            return self._acquire(keys=[LEASES], args=[self._lease_ms, self._limit, name])

        return name if await self._answered(ask) == 1 else None

    async def release(self, member):
        await self._answered(lambda: self._redis.zrem(LEASES, member))


async def run_task(quota, task_id, attempt, work):
    """Run `work` in a slot; returns whether there was one. A task takes less time than a lease."""
    member = await quota.acquire(f"{task_id}#{attempt}")
    if member is None:
        return False
    try:
        await work()
    finally:
        await quota.release(member)
    return True
