"""A global limit for many workers, which were not all set up at the same time. Something is wrong with whom it trusts.

A worker uses `Quota(redis, settings)` and `await run_task(quota, task_id, work)`, which runs `work()` in a slot and
returns whether there was one; it raises LeaseLost where the slot was lost. `settings` is the worker's own: `limit`,
`lease_ms`, `answer_ms` (how long to wait for an answer) and `now_ms()`, its host's clock.
"""

import asyncio

LEASES = "{llm}:leases"  # sorted set: member = task, score = its last heartbeat in ms
LIMIT = "{llm}:limit"  # where the operator keeps the limit
BEATS_PER_LEASE = 2

ACQUIRE = """-- acquire
-- KEYS: the set. ARGV: now in ms, lease in ms, limit, task. Returns 1 = admitted, 0 = full.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
  return 1
end
return 0
"""

RENEW = """-- renew
-- KEYS: the set. ARGV: now in ms, lease in ms, task. Returns 1 = renewed, 0 = lost; never adds a member.
local beat = redis.call('ZSCORE', KEYS[1], ARGV[3])
if not beat or tonumber(beat) <= ARGV[1] - ARGV[2] then
  redis.call('ZREM', KEYS[1], ARGV[3])
  return 0
end
redis.call('ZADD', KEYS[1], 'XX', ARGV[1], ARGV[3])
return 1
"""


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
        return await self._acquire(keys=[LEASES], args=[mine.now_ms(), mine.lease_ms, mine.limit, task_id]) == 1

    async def heartbeat(self, task_id):
        mine = self._settings
        while True:
            await asyncio.sleep(mine.lease_ms / BEATS_PER_LEASE / 1000)
            try:
                async with asyncio.timeout(mine.answer_ms / 1000):
                    renewed = await self._renew(keys=[LEASES], args=[mine.now_ms(), mine.lease_ms, task_id])
            except TimeoutError:
                continue  # lost on its way: the next one will do
            if not renewed:
                raise LeaseLost(task_id)

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
