"""Wrong: one call for each question. Two tenants who ask the same share one tenant's answer.

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
        self._kept = {}  # question → (answer, when it came)
        self._flights = {}  # question → the task that asks for it

    async def get(self, tenant, question):
        answer, came_us = self._kept.get(question, (None, None))
        if came_us is not None and self._now_us() - came_us <= self._fresh_us:
            return answer
        if question not in self._flights:
            # A task of its own: the call must outlive the request that happened to start it.
            self._flights[question] = asyncio.create_task(self._fly(tenant, question))
        return await asyncio.shield(self._flights[question])

    async def _fly(self, tenant, question):
        try:
            answer = await self._upstream.fetch(tenant, question)
            self._kept[question] = answer, self._now_us()
            return answer
        finally:
            del self._flights[question]  # a failure too is only for those who wait for it
