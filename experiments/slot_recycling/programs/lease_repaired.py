"""The lease with its gaps closed: Redis's clock, deadlines, one limit for all, renewals that know they are late."""

import asyncio

LEASES = "{llm}:leases"  # sorted set: member = task and attempt, score = deadline in ms by Redis's clock
LIMIT = "{llm}:limit"  # one number for every worker; the braces keep both keys in one slot

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

ACQUIRE = (
    """-- lease-acquire
-- KEYS: the set, the limit. ARGV: lease in ms, member. Returns 1 = admitted, 2 = already yours, 0 = full."""
    + NOW
    + """
local deadline = now + tonumber(ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  redis.call('ZADD', KEYS[1], 'GT', deadline, ARGV[2])
  return 2
end
if redis.call('ZCARD', KEYS[1]) < tonumber(redis.call('GET', KEYS[2])) then
  redis.call('ZADD', KEYS[1], deadline, ARGV[2])
  return 1
end
return 0
"""
)

RENEW = (
    """-- lease-renew
-- KEYS: the set. ARGV: lease in ms, member. Returns 1 = renewed, 0 = lost; never adds a member."""
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
    """The slot belongs to somebody else by now: stop working."""


class Quota:
    def __init__(self, redis, limit, settings):
        self._redis = redis
        self._limit = limit
        self._lease_ms = settings.lease_ms
        self._heartbeat_ms = settings.heartbeat_ms
        self._acquire = redis.register_script(ACQUIRE)
        self._renew = redis.register_script(RENEW)

    async def publish_limit(self):
        """Once per deployment, not once per caller."""
        await self._redis.set(LIMIT, self._limit)

    async def acquire(self, member):
        return await self._acquire(keys=[LEASES, LIMIT], args=[self._lease_ms, member]) > 0

    async def heartbeat(self, member):
        while True:
            await asyncio.sleep(self._heartbeat_ms / 1000)
            if not await self._renew(keys=[LEASES], args=[self._lease_ms, member]):
                raise LeaseLost(member)

    async def release(self, member):
        await self._redis.zrem(LEASES, member)


async def run_task(quota, task_id, work, attempt=1):
    """Run `work` in a slot and keep its lease alive; returns whether there was a slot. Raises LeaseLost."""
    member = f"{task_id}#{attempt}"  # a late release of one attempt cannot touch the next
    if not await quota.acquire(member):
        return False
    working = asyncio.create_task(work())
    heartbeat = asyncio.create_task(quota.heartbeat(member))
    try:
        await asyncio.wait([working, heartbeat], return_when=asyncio.FIRST_COMPLETED)
        if heartbeat.done():
            heartbeat.result()  # raises LeaseLost, or what went wrong in Redis
        await working
    finally:
        # The heartbeat is over before the release, lest a beat in flight come after it.
        for part in (heartbeat, working):
            part.cancel()
        await asyncio.wait([heartbeat, working])
        await quota.release(member)
    return True
