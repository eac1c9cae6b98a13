"""Wrong: whoever renews too late is told that the flight is somebody else's, though nobody has taken it over."""

import asyncio

META = "flight:{weather}:meta"  # hash: token, leader, lease_until in ms by Redis's clock
RESULT = "flight:{weather}:result"  # hash: token, answer
STREAM = "flight:{weather}:stream"  # one entry per result: wakes all who wait
SEQUENCE = "flight:{weather}:seq"  # the last token; never expires, so that tokens never repeat
KEEP_MS = 600_000  # how long a result is kept, and a record after its last renewal; far longer than any lease

NOW = """
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
"""

LOOK = f"""-- look
-- KEYS: meta, result. Returns token of the result, answer, token of the leader, what is left of its lease in ms.
{NOW}
local result = redis.call('HMGET', KEYS[2], 'token', 'answer')
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
return {{result[1] or '', result[2] or '', meta[1] or '', math.max(0, tonumber(meta[2] or 0) - now)}}
"""

TAKE_OVER = f"""-- take-over
-- KEYS: meta, result, sequence. ARGV: leader, lease in ms, keep in ms. Returns the new token, or 0.
{NOW}
if redis.call('EXISTS', KEYS[2]) == 1 or tonumber(redis.call('HGET', KEYS[1], 'lease_until') or 0) > now then
  return 0
end
local token = redis.call('INCR', KEYS[3])
redis.call('HSET', KEYS[1], 'token', token, 'leader', ARGV[1], 'lease_until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return token
"""

RENEW = f"""-- renew
-- KEYS: meta. ARGV: token, lease in ms, keep in ms. Returns 1 = renewed, 0 = the flight is somebody else's.
{NOW}
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
if meta[1] ~= ARGV[1] or tonumber(meta[2]) < now then
  return 0
end
redis.call('HSET', KEYS[1], 'lease_until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
"""

PUBLISH = """-- publish
-- KEYS: meta, result, stream. ARGV: token, answer, keep in ms. Returns 1 = published, 0 = refused.
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[2], 'token', ARGV[1], 'answer', ARGV[2])
redis.call('XADD', KEYS[3], '*', 'token', ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[3])
return 1
"""


class Flight:
    def __init__(self, redis, upstream, settings):
        self._redis = redis
        self._upstream = upstream
        self._settings = settings  # name, jitter_ms, lease_ms, heartbeat_ms; now_ms() is this process's clock

    async def get(self):
        """The answer, and the token of the result that it came from."""
        while True:
            token, answer, leader, left_ms = await self._run(LOOK, [META, RESULT], [])
            if token:
                return int(token), answer
            if left_ms:
                await self._redis.xread({STREAM: "0"}, block=left_ms)  # until there is a result, or so long
                continue
            if leader:  # a lease is over: not everybody at once
                await asyncio.sleep(self._settings.jitter_ms / 1000)
            arguments = [self._settings.name, self._settings.lease_ms, KEEP_MS]
            token = await self._run(TAKE_OVER, [META, RESULT, SEQUENCE], arguments)
            if token:
                answer = await self._lead(token)
                if answer is not None:
                    return token, answer
            else:  # somebody was quicker
                await self._redis.xread({STREAM: "0"}, block=self._settings.heartbeat_ms)

    async def _lead(self, token):
        """Ask the upstream under a lease; the published answer, or None where the flight is somebody else's by now."""
        work = asyncio.create_task(self._upstream.fetch())
        heartbeat = asyncio.create_task(self._heartbeat(token))
        try:
            await asyncio.wait([work, heartbeat], return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                heartbeat.result()  # raises what went wrong in Redis, if anything did
                return None
            answer = work.result()
            published = await self._run(PUBLISH, [META, RESULT, STREAM], [token, answer, KEEP_MS])
            return answer if published else None
        finally:
            work.cancel()
            heartbeat.cancel()

    async def _heartbeat(self, token):
        """Renew until told that the flight is somebody else's."""
        while True:
            await asyncio.sleep(self._settings.heartbeat_ms / 1000)
            if not await self._run(RENEW, [META], [token, self._settings.lease_ms, KEEP_MS]):
                return

    async def _run(self, script, keys, arguments):
        return await self._redis.eval(script, len(keys), *keys, *arguments)
