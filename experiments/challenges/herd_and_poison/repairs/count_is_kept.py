"""Wrong: what was counted for one flight is still there when the next one begins."""

import asyncio

META = "flight:{weather}:meta"  # hash: token, lease_until (ms by Redis's clock), attempts
RESULT = "flight:{weather}:result"  # hash: token, answer; without an answer where there will be none
STREAM = "flight:{weather}:stream"  # an entry wakes all who wait
SEQUENCE = "flight:{weather}:seq"  # the last token
KEEP_MS = 600_000  # how long Redis keeps an answer
FAILED_MS = 60_000  # how long a failure is handed on to whoever asks

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

LOOK = f"""-- flight-look
-- KEYS: meta, result, stream. Returns DONE, FAILED or '', answer, token, ms left of the lease, last entry's id.{NOW}
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
local left = math.max(0, tonumber(meta[2] or 0) - now)
local answer = redis.call('HGET', KEYS[2], 'answer')
local status = answer and 'DONE' or redis.call('EXISTS', KEYS[2]) == 1 and 'FAILED' or ''
return {{status, answer or '', meta[1] or '', left, last[1] and last[1][1] or '0'}}
"""

TAKE_OVER = f"""-- flight-take-over
-- KEYS: meta, result, stream. ARGV: expected token, new token, lease in ms, most attempts, keep in ms.
-- Returns 1 = yours.{NOW}
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
if redis.call('EXISTS', KEYS[2]) == 1 or (meta[1] or '') ~= ARGV[1] or tonumber(meta[2] or 0) > now then
  return 0
end
if redis.call('HINCRBY', KEYS[1], 'attempts', 1) > tonumber(ARGV[4]) then
  redis.call('HDEL', KEYS[1], 'attempts')
  redis.call('HSET', KEYS[2], 'token', ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[5])
  redis.call('XADD', KEYS[3], '*', 'token', ARGV[2])
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
        settings, delayed = self._settings, False
        while True:
            status, answer, token, left_ms, last_id = await self._look(keys=[META, RESULT, STREAM])
            if status == "DONE":
                return answer
            if status == "FAILED":
                raise FlightFailed
            if left_ms:
                delayed = False
                await self._redis.xread({STREAM: last_id}, block=left_ms)
                continue
            if token and not delayed:  # a lease is over: let not everybody go first, and look again
                delayed = True
                await asyncio.sleep(settings.jitter_s)
                continue
            new = await self._redis.incr(SEQUENCE)
            arguments = [token, new, settings.lease_ms, settings.attempts_max, FAILED_MS]
            if await self._take_over(keys=[META, RESULT, STREAM], args=arguments):
                answer = await self._lead(new)
                if answer:
                    return answer

    async def _lead(self, token):
        """Ask under a lease; the published answer, or None where it took too long or somebody else leads by now."""
        heartbeat = asyncio.create_task(self._heartbeat(token))
        try:
            async with asyncio.timeout(self._settings.limit_ms / 1000):
                answer = await self._upstream.fetch()
            published = await self._publish(keys=[META, RESULT, STREAM], args=[token, answer, KEEP_MS])
            return answer if published else None
        except TimeoutError:
            return None
        finally:
            heartbeat.cancel()

    async def _heartbeat(self, token):
        renewed = 1
        while renewed:
            await asyncio.sleep(self._settings.heartbeat_ms / 1000)
            renewed = await self._renew(keys=[META], args=[token, self._settings.lease_ms])
