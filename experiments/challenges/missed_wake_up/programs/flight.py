"""One caller asks the upstream, the others wait for news on a stream. Something is wrong with how they hear of it.

The lab calls `Flight(redis, upstream, settings).get()` once per caller. It gives the answer or raises UpstreamFailed,
as `upstream.fetch()` does. The answer is to stand in RESULT, in the field `answer`. settings: lease_ms, heartbeat_ms,
and failed_ms, for how long a failure may be handed on to whoever asks.
"""

import asyncio

META = "flight:{weather}:meta"  # hash: token, lease_until (ms by Redis's clock)
RESULT = "flight:{weather}:result"  # hash: token, answer
STREAM = "flight:{weather}:stream"  # an entry wakes all who wait
KEEP_MS = 600_000  # how long Redis keeps a result; far longer than any lease

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

LOOK = f"""-- flight-look
-- KEYS: meta. Returns how many ms are left of the leader's lease, 0 where nobody leads.{NOW}
return math.max(0, tonumber(redis.call('HGET', KEYS[1], 'lease_until') or 0) - now)
"""

LEAD = f"""-- flight-lead
-- KEYS: meta. ARGV: lease in ms. Returns a new token, 0 where somebody leads.{NOW}
if tonumber(redis.call('HGET', KEYS[1], 'lease_until') or 0) > now then
  return 0
end
redis.call('HSET', KEYS[1], 'lease_until', now + ARGV[1])
return redis.call('HINCRBY', KEYS[1], 'token', 1)
"""

RENEW = f"""-- flight-renew
-- KEYS: meta. ARGV: token, lease in ms. Returns 1 = renewed, 0 = somebody else leads.{NOW}
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'lease_until', now + ARGV[2])
return 1
"""


class UpstreamFailed(Exception):
    """The upstream had no answer."""


class Flight:
    def __init__(self, redis, upstream, settings):
        self._redis = redis
        self._upstream = upstream
        self._settings = settings
        self._look = redis.register_script(LOOK)
        self._lead = redis.register_script(LEAD)
        self._renew = redis.register_script(RENEW)

    async def get(self):
        loop = asyncio.get_running_loop()
        while True:
            asked = loop.time()
            left_ms = await self._look(keys=[META])
            if left_ms == 0:
                token = await self._lead(keys=[META], args=[self._settings.lease_ms])
                if token:
                    return await self._ask(token)
                continue
            spent_ms = round((loop.time() - asked) * 1000)
            await self._redis.xread({STREAM: "$"}, block=max(1, left_ms - spent_ms))
            answer = await self._redis.hget(RESULT, "answer")
            if answer is not None:
                return answer

    async def _ask(self, token):
        """Ask the upstream under a lease, and let the others know."""
        heartbeat = asyncio.create_task(self._heartbeat(token))
        try:
            answer = await self._upstream.fetch()
        finally:
            heartbeat.cancel()
        await self._redis.hset(RESULT, mapping={"token": token, "answer": answer})
        await self._redis.pexpire(RESULT, KEEP_MS)
        await self._redis.xadd(STREAM, {"token": token})
        return answer

    async def _heartbeat(self, token):
        renewed = 1
        while renewed:
            await asyncio.sleep(self._settings.heartbeat_ms / 1000)
            renewed = await self._renew(keys=[META], args=[token, self._settings.lease_ms])
