"""Wrong: one call for each tenant. Whoever asks something else shares the answer to the first question.

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
        self._kept = {}  # tenant → (answer, when it came)
        self._flights = {}  # tenant → the task that asks for it

    async def get(self, tenant, question):
        answer, came_us = self._kept.get(tenant, (None, None))
        if came_us is not None and self._now_us() - came_us <= self._fresh_us:
            return answer
        if tenant not in self._flights:
            # A task of its own: the call must outlive the request that happened to start it.
            self._flights[tenant] = asyncio.create_task(self._fly(tenant, question))
        return await asyncio.shield(self._flights[tenant])

    async def _fly(self, tenant, question):
        try:
            answer = await self._upstream.fetch(tenant, question)
            self._kept[tenant] = answer, self._now_us()
            return answer
        finally:
            del self._flights[tenant]  # a failure too is only for those who wait for it
