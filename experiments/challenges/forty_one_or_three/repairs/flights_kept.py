"""Wrong: the finished call is the cache. A call that failed is kept like any other.

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
        self._flights = {}  # (tenant, question) → (the task that asks for it, when it began)

    async def get(self, tenant, question):
        key = tenant, question
        flight, began_us = self._flights.get(key, (None, None))
        if flight is None or (flight.done() and self._now_us() - began_us > self._fresh_us):
            flight = asyncio.create_task(self._upstream.fetch(*key))
            self._flights[key] = flight, self._now_us()
        return await asyncio.shield(flight)
