"""Single-flight: at most one call per key is in flight; who comes meanwhile waits for its answer, failure included."""

import asyncio


class Answers:
    def __init__(self, upstream):
        self._upstream = upstream
        self._cache = {}
        self._flights = {}

    async def get(self, key):
        if key in self._cache:
            return self._cache[key]
        if key not in self._flights:
            # A task of its own: the flight must outlive the caller that happened to start it.
            self._flights[key] = asyncio.create_task(self._fly(key))
        return await asyncio.shield(self._flights[key])

    async def _fly(self, key):
        try:
            answer = await self._upstream.fetch(key)
            self._cache[key] = answer
            return answer
        finally:
            del self._flights[key]
