"""Wrong: a token is one more than the last in the record, and begins again when that has expired."""

import asyncio

KEEP_MS = 600_000  # how long the keys of a flight are kept; far longer than any lease

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
-- KEYS: meta, result. ARGV: leader, lease in ms, keep in ms. Returns the new token, or 0.
{NOW}
local meta = redis.call('HMGET', KEYS[1], 'token', 'lease_until')
if redis.call('EXISTS', KEYS[2]) == 1 or tonumber(meta[2] or 0) > now then
  return 0
end
local token = tonumber(meta[1] or 0) + 1
redis.call('HSET', KEYS[1], 'token', token, 'leader', ARGV[1], 'lease_until', now + ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return token
"""

RENEW = f"""-- renew
-- KEYS: meta. ARGV: token, lease in ms, keep in ms. Returns 1 = renewed, 0 = the flight is somebody else's.
{NOW}
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then
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
        self._settings = settings  # name, jitter_ms, lease_ms, heartbeat_ms

    async def get(self, key):
        """The answer for the key, and the token of the result that it came from."""
        meta, result, stream = (f"ai:flight:{part}:{{{key}}}" for part in ("meta", "result", "stream"))
        while True:
            token, answer, leader, left_ms = await self._run(LOOK, [meta, result], [])
            if token:
                return int(token), answer
            if left_ms:
                await self._redis.xread({stream: "0"}, block=left_ms)  # until there is a result, or so long
                continue
            if leader:  # a lease is over: not everybody at once
                await asyncio.sleep(self._settings.jitter_ms / 1000)
            arguments = [self._settings.name, self._settings.lease_ms, KEEP_MS]
            token = await self._run(TAKE_OVER, [meta, result], arguments)
            if token:
                answer = await self._lead(key, token, [meta, result, stream])
                if answer is not None:
                    return token, answer

    async def _lead(self, key, token, keys):
        """Ask the upstream under a lease; the published answer, or None where the flight is somebody else's by now."""
        work = asyncio.create_task(self._upstream.fetch(key))
        heartbeat = asyncio.create_task(self._heartbeat(keys[0], token))
        try:
            await asyncio.wait([work, heartbeat], return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                heartbeat.result()  # raises what went wrong in Redis, if anything did
                return None
            answer = work.result()
            return answer if await self._run(PUBLISH, keys, [token, answer, KEEP_MS]) else None
        finally:
            work.cancel()
            heartbeat.cancel()

    async def _heartbeat(self, meta, token):
        """Renew until told that the flight is somebody else's."""
        while True:
            await asyncio.sleep(self._settings.heartbeat_ms / 1000)
            if not await self._run(RENEW, [meta], [token, self._settings.lease_ms, KEEP_MS]):
                return

    async def _run(self, script, keys, arguments):
        return await self._redis.eval(script, len(keys), *keys, *arguments)
