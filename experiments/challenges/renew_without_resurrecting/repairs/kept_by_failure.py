"""Wrong: only a task that has worked to its end gives its slot back; one that fails does not.

The workers use `Quota(redis, settings)` and `await run_task(quota, task_id, work)`, which runs `work()` in a slot and
returns whether there was one; it may end with LeaseLost where the slot was lost. Who has a slot stands in LEASES.
"""

import asyncio

LEASES = "llm:leases"  # sorted set: member = task, score = its last heartbeat in ms, by Redis's clock

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

ACQUIRE = (
    """-- acquire
-- KEYS: the set. ARGV: lease in ms, limit, task. Returns 1 = admitted, 0 = full."""
    + NOW
    + """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[1]))
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  return 1
end
return 0
"""
)

RENEW = (
    """-- renew
-- KEYS: the set. ARGV: lease in ms, task. Returns 1 = renewed, 0 = lost; never adds a member."""
    + NOW
    + """
local beat = redis.call('ZSCORE', KEYS[1], ARGV[2])
if not beat or tonumber(beat) <= now - tonumber(ARGV[1]) then
  redis.call('ZREM', KEYS[1], ARGV[2])
  return 0
end
redis.call('ZADD', KEYS[1], 'XX', now, ARGV[2])
return 1
"""
)


class LeaseLost(Exception):
    """The slot belongs to somebody else by now."""


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._limit = settings.limit
        self._lease_ms = settings.lease_ms
        self._heartbeat_ms = settings.heartbeat_ms
        self._acquire = redis.register_script(ACQUIRE)
        self._renew = redis.register_script(RENEW)

    async def acquire(self, task_id):
        return await self._acquire(keys=[LEASES], args=[self._lease_ms, self._limit, task_id]) == 1

    async def heartbeat(self, task_id):
        while True:
            await asyncio.sleep(self._heartbeat_ms / 1000)
            if not await self._renew(keys=[LEASES], args=[self._lease_ms, task_id]):
                raise LeaseLost(task_id)

    async def release(self, task_id):
        await self._redis.zrem(LEASES, task_id)


async def run_task(quota, task_id, work):
    """Run `work` in a slot and keep its lease alive; returns whether there was a slot."""
    if not await quota.acquire(task_id):
        return False
    working = asyncio.create_task(work())
    heartbeat = asyncio.create_task(quota.heartbeat(task_id))
    try:
        await asyncio.wait([working, heartbeat], return_when=asyncio.FIRST_COMPLETED)
        if heartbeat.done():
            heartbeat.result()  # raises LeaseLost
        await working
    finally:
        # The heartbeat is over before the release, lest a beat on its way come after it.
        for part in (heartbeat, working):
            part.cancel()
        await asyncio.wait([heartbeat, working])
    await quota.release(task_id)
    return True
