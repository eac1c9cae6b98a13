"""Wrong: a lock around the call lets one at a time ask, whatever it is that they ask.

Used are `Answers(upstream, now_us, fresh_us)` and `await answers.get(tenant, question)`, by many requests at once, each
a task of one event loop. `await upstream.fetch(tenant, question)` gives the tenant's answer, or raises ConnectionError;
`now_us()` is the time. No answer may be handed out more than `fresh_us` after it came.
"""

import asyncio


class Answers:
    def __init__(self, upstream, now_us, fresh_us):
        self._upstream = upstream
        self._now_us = now_us
        self._fresh_us = fresh_us
        self._kept = {}  # (tenant, question) → (answer, when it came)
        self._lock = asyncio.Lock()

    async def get(self, tenant, question):
        key = tenant, question
        async with self._lock:
            answer, came_us = self._kept.get(key, (None, None))
            if came_us is None or self._now_us() - came_us > self._fresh_us:
                answer = await self._upstream.fetch(*key)
                self._kept[key] = answer, self._now_us()
        return answer
