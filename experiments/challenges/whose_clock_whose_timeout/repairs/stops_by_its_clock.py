"""Wrong: whoever hears nothing stops when its lease is over, and tells that by its host's clock.

A worker uses `Quota(redis, settings)` and `await run_task(quota, task_id, work)`, which runs `work()` in a slot and
returns whether there was one; it raises LeaseLost where the slot was lost. `settings` is the worker's own: `limit`,
`lease_ms`, `answer_ms` (how long to wait for an answer) and `now_ms()`, its host's clock.
"""

import asyncio

LEASES = "{llm}:leases"  # sorted set: member = task, score = its deadline in ms, by Redis's clock
LIMIT = "{llm}:limit"  # where the operator keeps the limit
BEATS_PER_LEASE = 4  # with two lost in a row, the third still comes in time

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

ACQUIRE = (
    """-- acquire
-- KEYS: the set, the limit. ARGV: own lease in ms, task. Returns 1 = admitted, 0 = full."""
    + NOW
    + """
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) < tonumber(redis.call('GET', KEYS[2])) then
  redis.call('ZADD', KEYS[1], now + tonumber(ARGV[1]), ARGV[2])
  return 1
end
return 0
"""
)

RENEW = (
    """-- renew
-- KEYS: the set. ARGV: own lease in ms, task. Returns 1 = renewed, 0 = lost; never adds a member."""
    + NOW
    + """
local deadline = redis.call('ZSCORE', KEYS[1], ARGV[2])
if not deadline or tonumber(deadline) <= now then
  redis.call('ZREM', KEYS[1], ARGV[2])
  return 0
end
redis.call('ZADD', KEYS[1], 'GT', now + tonumber(ARGV[1]), ARGV[2])
return 1
"""
)


class LeaseLost(Exception):
    """The slot may belong to somebody else by now."""


class Quota:
    def __init__(self, redis, settings):
        self._redis = redis
        self._settings = settings
        self._acquire = redis.register_script(ACQUIRE)
        self._renew = redis.register_script(RENEW)

    async def acquire(self, task_id):
        mine = self._settings
        return await self._acquire(keys=[LEASES, LIMIT], args=[mine.lease_ms, task_id]) == 1

    async def heartbeat(self, task_id):
        mine = self._settings
        renewed_ms = mine.now_ms()
        while True:
            await asyncio.sleep(mine.lease_ms / BEATS_PER_LEASE / 1000)
            try:
                async with asyncio.timeout(mine.answer_ms / 1000):
                    renewed = await self._renew(keys=[LEASES], args=[mine.lease_ms, task_id])
            except TimeoutError:
                if mine.now_ms() - renewed_ms > mine.lease_ms:
                    raise LeaseLost(task_id) from None
                continue  # lost on its way: the next one will do
            if not renewed:
                raise LeaseLost(task_id)
            renewed_ms = mine.now_ms()

    async def release(self, task_id):
        await self._redis.zrem(LEASES, task_id)


async def run_task(quota, task_id, work):
    """Run `work` in a slot and keep its lease alive; returns whether there was a slot. Raises LeaseLost."""
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
