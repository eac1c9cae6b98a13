"""Wrong: one script writes the outcome and tells of it, whoever leads by then."""

import asyncio

META = "flight:{weather}:meta"  # hash: token, lease_until (ms by Redis's clock)
RESULT = "flight:{weather}:result"  # hash: token, answer; without an answer where the upstream failed
STREAM = "flight:{weather}:stream"  # an entry wakes all who wait
KEEP_MS = 600_000  # how long Redis keeps a result; far longer than any lease

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

LOOK = f"""-- flight-look
-- KEYS: meta, result, stream. Returns DONE, FAILED or '', the answer, ms left of the lease, the last entry's id.{NOW}
local status, answer = '', ''
if redis.call('EXISTS', KEYS[2]) == 1 then
  answer = redis.call('HGET', KEYS[2], 'answer')
  status = answer and 'DONE' or 'FAILED'
end
local left = math.max(0, tonumber(redis.call('HGET', KEYS[1], 'lease_until') or 0) - now)
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
return {{status, answer or '', left, last[1] and last[1][1] or '0'}}
"""

LEAD = f"""-- flight-lead
-- KEYS: meta, result. ARGV: lease in ms. Returns a new token, 0 where somebody leads or there is an outcome.{NOW}
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
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

PUBLISH = """-- flight-publish
-- KEYS: meta, result, stream. ARGV: token, keep in ms, the answer where there is one. Returns 1 = published.
redis.call('HSET', KEYS[2], 'token', ARGV[1])
if ARGV[3] then
  redis.call('HSET', KEYS[2], 'answer', ARGV[3])
end
redis.call('PEXPIRE', KEYS[2], ARGV[2])
redis.call('HSET', KEYS[1], 'lease_until', 0)
redis.call('XADD', KEYS[3], '*', 'token', ARGV[1])
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
        self._publish = redis.register_script(PUBLISH)

    async def get(self):
        loop = asyncio.get_running_loop()
        while True:
            asked = loop.time()
            status, answer, left_ms, last_id = await self._look(keys=[META, RESULT, STREAM])
            if status == "DONE":
                return answer
            if status == "FAILED":
                raise UpstreamFailed
            if left_ms == 0:
                token = await self._lead(keys=[META, RESULT], args=[self._settings.lease_ms])
                if token:
                    return await self._ask(token)
                continue
            spent_ms = round((loop.time() - asked) * 1000)
            await self._redis.xread({STREAM: last_id}, block=max(1, left_ms - spent_ms))

    async def _ask(self, token):
        """Ask the upstream under a lease, and let the others know."""
        heartbeat = asyncio.create_task(self._heartbeat(token))
        keys = [META, RESULT, STREAM]
        try:
            answer = await self._upstream.fetch()
        except Exception:
            await self._publish(keys=keys, args=[token, self._settings.failed_ms])
            raise
        finally:
            heartbeat.cancel()
        await self._publish(keys=keys, args=[token, KEEP_MS, answer])
        return answer

    async def _heartbeat(self, token):
        renewed = 1
        while renewed:
            await asyncio.sleep(self._settings.heartbeat_ms / 1000)
            renewed = await self._renew(keys=[META], args=[token, self._settings.lease_ms])
