"""A flight whose followers take over after their delay without looking again who leads by then."""

import asyncio

META = "flight:{weather}:meta"  # hash: token, leader, status, lease_until (ms by Redis's clock)
RESULT = "flight:{weather}:result"  # hash: token, answer
STREAM = "flight:{weather}:stream"  # one entry per publish: wakes all who wait
SEQUENCE = "flight:{weather}:seq"  # the last token; the braces keep all four keys in one slot
KEEP_MS = 600_000  # how long Redis keeps the keys; far longer than any lease

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

LOOK = f"""-- flight-look
-- KEYS: meta, result, stream. Returns token of the result, answer, token of the leader, remaining ms, last stream id.
{NOW}
local result = redis.call('HMGET', KEYS[2], 'token', 'answer')
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
local id = last[1] and last[1][1] or '0'
local remaining = math.max(0, tonumber(meta[2] or 0) - now)
return {{result[1] or '', result[2] or '', meta[1] or '', remaining, id}}
"""

TAKE_OVER = f"""-- flight-take-over
-- KEYS: meta, result. ARGV: expected token, new token, leader, lease in ms, keep in ms. Returns 1 = yours.
{NOW}
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 0
end
local current = redis.call('HGET', KEYS[1], 'token') or ''
if current ~= ARGV[1] or tonumber(ARGV[2]) <= tonumber(current == '' and 0 or current) then
  return 0
end
if tonumber(redis.call('HGET', KEYS[1], 'lease_until') or 0) > now then
  return 0
end
redis.call('HSET', KEYS[1], 'token', ARGV[2], 'leader', ARGV[3], 'status', 'RUNNING', 'lease_until', now + ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
"""

RENEW = f"""-- flight-renew
-- KEYS: meta. ARGV: token, lease in ms, keep in ms. Returns 1 = renewed, 0 = the flight is somebody else's.
{NOW}
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'lease_until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""

PUBLISH = """-- flight-publish
-- KEYS: meta, result, stream. ARGV: token, answer, keep in ms. Returns 1 = published, 0 = refused.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[2], 'token', ARGV[1], 'answer', ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('HSET', KEYS[1], 'status', 'DONE')
redis.call('XADD', KEYS[3], '*', 'token', ARGV[1])
return 1
"""


class Flight:
    def __init__(self, redis, upstream, settings):
        self._redis = redis
        self._upstream = upstream
        self._name = settings.name
        self._jitter_ms = settings.jitter_ms
        self._lease_ms = settings.lease_ms
        self._heartbeat_ms = settings.heartbeat_ms
        self._look_script = redis.register_script(LOOK)
        self._take_over = redis.register_script(TAKE_OVER)
        self._renew = redis.register_script(RENEW)
        self._publish = redis.register_script(PUBLISH)

    async def get(self):
        """The answer and the token of the result it came from."""
        while True:
            token, answer, leader, remaining_ms, last_id = await self._look()
            if token:
                return int(token), answer
            if remaining_ms:
                await self._redis.xread({STREAM: last_id}, block=remaining_ms)
                continue
            if leader:  # a lease has lapsed: let one follower go first
                await asyncio.sleep(self._jitter_ms / 1000)
            new = await self._redis.incr(SEQUENCE)
            arguments = [leader, new, self._name, self._lease_ms, KEEP_MS]
            if await self._take_over(keys=[META, RESULT], args=arguments):
                answer = await self._lead(new)
                if answer is not None:
                    return new, answer
            else:  # somebody was quicker: wait for news
                await self._redis.xread({STREAM: last_id}, block=self._heartbeat_ms)

    async def _look(self):
        return await self._look_script(keys=[META, RESULT, STREAM])

    async def _lead(self, token):
        """Ask the upstream under a lease; the published answer, or None where the flight was taken over."""
        work = asyncio.create_task(self._upstream.fetch())
        heartbeat = asyncio.create_task(self._heartbeat(token))
        try:
            await asyncio.wait([work, heartbeat], return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                heartbeat.result()  # raises what went wrong in Redis, if anything did
                return None
            answer = work.result()
            published = await self._publish(keys=[META, RESULT, STREAM], args=[token, answer, KEEP_MS])
            return answer if published else None
        finally:
            work.cancel()
            heartbeat.cancel()

    async def _heartbeat(self, token):
        """Renew until told that the flight is somebody else's."""
        while True:
            await asyncio.sleep(self._heartbeat_ms / 1000)
            if not await self._renew(keys=[META], args=[token, self._lease_ms, KEEP_MS]):
                return
