"""A flight that others take over when its leader falls silent. Something is wrong with who takes over, and how often.

The lab calls `Flight(redis, upstream, settings).get()` once per caller, each a process of its own. It gives the answer
or raises FlightFailed. `upstream.fetch()` gives an answer; it may hang, or kill the process that called it. The answer
is to stand in RESULT, in the field `answer`. settings: lease_ms, heartbeat_ms; limit_ms, the longest that one call may
take; attempts_max, how many calls may come to nothing; jitter_s, a random delay drawn for this caller, in seconds.
"""

import asyncio

META = "flight:{weather}:meta"  # hash: token, lease_until (ms by Redis's clock)
RESULT = "flight:{weather}:result"  # hash: token, answer
STREAM = "flight:{weather}:stream"  # an entry wakes all who wait
SEQUENCE = "flight:{weather}:seq"  # the last token
KEEP_MS = 600_000  # how long Redis keeps a result

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

LOOK = f"""-- flight-look
-- KEYS: meta, result, stream. Returns the answer, the leader's token, ms left of its lease, the last entry's id.{NOW}
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
local left = math.max(0, tonumber(meta[2] or 0) - now)
return {{redis.call('HGET', KEYS[2], 'answer') or '', meta[1] or '', left, last[1] and last[1][1] or '0'}}
"""

TAKE_OVER = f"""-- flight-take-over
-- KEYS: meta, result. ARGV: expected token, new token, lease in ms. Returns 1 = yours.{NOW}
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
if redis.call('EXISTS', KEYS[2]) == 1 or (meta[1] or '') ~= ARGV[1] or tonumber(meta[2] or 0) > now then
  return 0
end
redis.call('HSET', KEYS[1], 'token', ARGV[2], 'lease_until', now + ARGV[3])
return 1
"""

RENEW = f"""-- flight-renew
-- KEYS: meta. ARGV: token, lease in ms. Returns 1 = renewed, 0 = somebody else leads.{NOW}
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'lease_until', now + ARGV[2])
return 1
"""

PUBLISH = """-- flight-publish
-- KEYS: meta, result, stream. ARGV: token, answer, keep in ms. Returns 1 = published, 0 = somebody else leads.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[2], 'token', ARGV[1], 'answer', ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('XADD', KEYS[3], '*', 'token', ARGV[1])
return 1
"""


class FlightFailed(Exception):
    """There will be no answer for now."""


class Flight:
    def __init__(self, redis, upstream, settings):
        self._redis = redis
        self._upstream = upstream
        self._settings = settings
        self._look, self._take_over, self._renew, self._publish = (
            redis.register_script(script) for script in (LOOK, TAKE_OVER, RENEW, PUBLISH)
        )

    async def get(self):
        while True:
            answer, token, left_ms, last_id = await self._look(keys=[META, RESULT, STREAM])
            if answer:
                return answer
            if left_ms:
                await self._redis.xread({STREAM: last_id}, block=left_ms)
                continue
            if token:  # a lease is over: let not everybody go first
                await asyncio.sleep(self._settings.jitter_s)
            new = await self._redis.incr(SEQUENCE)
            if await self._take_over(keys=[META, RESULT], args=[token, new, self._settings.lease_ms]):
                answer = await self._lead(new)
                if answer:
                    return answer

    async def _lead(self, token):
        """Ask the upstream under a lease; the published answer, or None where somebody else leads by now."""
        heartbeat = asyncio.create_task(self._heartbeat(token))
        try:
            answer = await self._upstream.fetch()
            published = await self._publish(keys=[META, RESULT, STREAM], args=[token, answer, KEEP_MS])
            return answer if published else None
        finally:
            heartbeat.cancel()

    async def _heartbeat(self, token):
        renewed = 1
        while renewed:
            await asyncio.sleep(self._settings.heartbeat_ms / 1000)
            renewed = await self._renew(keys=[META], args=[token, self._settings.lease_ms])
