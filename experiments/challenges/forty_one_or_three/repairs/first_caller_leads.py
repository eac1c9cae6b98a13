"""Wrong: the call is the first request's own. When that one leaves, nobody asks for the others.

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
        self._flights = {}  # (tenant, question) → the answer to come

    async def get(self, tenant, question):
        key = tenant, question
        answer, came_us = self._kept.get(key, (None, None))
        if came_us is not None and self._now_us() - came_us <= self._fresh_us:
            return answer
        if key not in self._flights:
            return await self._lead(key)
        return await self._flights[key]

    async def _lead(self, key):
        flight = self._flights[key] = asyncio.get_running_loop().create_future()
        flight.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be waiting for it
        try:
            answer = await self._upstream.fetch(*key)
        except Exception as error:
            flight.set_exception(error)
            raise
        else:
            self._kept[key] = answer, self._now_us()
            flight.set_result(answer)
            return answer
        finally:
            flight.cancel()
            del self._flights[key]
