"""A global limit as a set of named, dated members: who holds a slot, and when it was last heard of."""

import asyncio

KEY = "llm:leases"  # sorted set: member = task, score = its last heartbeat in ms

ACQUIRE = """-- lease-acquire
-- KEYS: the set. ARGV: now in ms, timeout in ms, limit, task. Returns 1 = admitted, 0 = full.
local now, timeout, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - timeout)
if redis.call('ZCARD', KEYS[1]) < limit then
  redis.call('ZADD', KEYS[1], now, ARGV[4])
  return 1
end
return 0
"""


class Quota:
    def __init__(self, redis, limit, settings):
        self._redis = redis
        self._limit = limit
        self._lease_ms = settings.lease_ms
        self._heartbeat_ms = settings.heartbeat_ms
        self._now_ms = settings.now_ms
        self._acquire = redis.register_script(ACQUIRE)

    async def acquire(self, task_id):
        arguments = [self._now_ms(), self._lease_ms, self._limit, task_id]
        return await self._acquire(keys=[KEY], args=arguments) == 1

    async def heartbeat(self, task_id):
        while True:
            await asyncio.sleep(self._heartbeat_ms / 1000)
            await self._redis.zadd(KEY, {task_id: self._now_ms()})

    async def release(self, task_id):
        await self._redis.zrem(KEY, task_id)


async def run_task(quota, task_id, work):
    """Run `work` in a slot and keep its lease alive; returns whether there was a slot."""
    if not await quota.acquire(task_id):
        return False
    heartbeat = asyncio.create_task(quota.heartbeat(task_id))
    try:
        await work()
    finally:
        heartbeat.cancel()
        await quota.release(task_id)
    return True
