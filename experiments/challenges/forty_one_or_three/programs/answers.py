"""Answers of an expensive upstream, kept for those who ask again. Something is missing, and something is kept too well.

Used are `Answers(upstream, now_us, fresh_us)` and `await answers.get(tenant, question)`, by many requests at once, each
a task of one event loop. `await upstream.fetch(tenant, question)` gives the tenant's answer, or raises ConnectionError;
`now_us()` is the time. No answer may be handed out more than `fresh_us` after it came.
"""


class Answers:
    def __init__(self, upstream, now_us, fresh_us):
        self._upstream = upstream
        self._now_us = now_us
        self._fresh_us = fresh_us
        self._kept = {}  # question → answer

    async def get(self, tenant, question):
        if question in self._kept:
            return self._kept[question]
        answer = await self._upstream.fetch(tenant, question)
        self._kept[question] = answer
        return answer
