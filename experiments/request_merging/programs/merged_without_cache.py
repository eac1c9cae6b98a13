"""Single-flight that forgets: callers share a call while it is in flight, and the next one after it starts another."""

import asyncio


class Answers:
    def __init__(self, upstream):
        self._upstream = upstream
        self._flights = {}

    async def get(self, key):
        if key not in self._flights:
            # A task of its own: the flight must outlive the caller that happened to start it.
            self._flights[key] = asyncio.create_task(self._fly(key))
        return await asyncio.shield(self._flights[key])

    async def _fly(self, key):
        try:
            return await self._upstream.fetch(key)
        finally:
            del self._flights[key]
