"""Running a body: on a world's loop in virtual time, or on asyncio's own in real time.

Decides how a body's exception reaches pytest and when a body that waits for ever is given up. Knows no store.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Protocol

from py_runtime.sim import World

PATIENCE_S = 60  # virtual seconds on a stand-in, real ones on a server; bodies take less than one


async def refused(call: Awaitable) -> str:
    """What a call was refused with: the name of the exception's class and its text. Fails where it was not refused."""
    try:
        reply = await call
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError(f"not refused, but answered: {reply!r}")


class Arm(Protocol):
    """What runs a body."""

    name: str

    def run(self, body: Coroutine) -> None:
        """Run a body to its end; what it raises is raised here."""

    def close(self) -> None:
        """Give back what the arm holds."""


class Clock:
    """The time of a Redis server, virtual or real."""

    def __init__(self, redis) -> None:
        self._redis = redis

    async def advance(self, ms: int) -> None:
        """Let at least `ms` milliseconds pass: on a real server really, so keep it short and off every boundary."""
        await asyncio.sleep(ms / 1000)

    async def now_ms(self) -> int:
        """The server's clock in milliseconds since 1970, as EXPIREAT and PXAT count."""
        seconds, microseconds = await self._redis.time()
        return seconds * 1000 + microseconds // 1000


async def waiting(client, clock: Clock, call: Callable) -> asyncio.Task:
    """A task that waits in a blocking call; it has been sent, over a connection that was there."""
    await client.ping()
    task = asyncio.create_task(call(client))
    await clock.advance(30)
    return task


class VirtualTime:
    """Runs bodies as the main task of one actor of a world."""

    name = "stand-in"

    def __init__(self) -> None:
        self.world = World()

    def run(self, body: Coroutine) -> None:
        ended: list[BaseException | None] = []

        async def main() -> None:
            try:
                await body
                ended.append(None)
            except BaseException as error:
                ended.append(error)
                raise

        self.world.spawn(self.world.actor("body"), main())
        self.world.run(PATIENCE_S * 1_000_000)
        if not ended:
            raise TimeoutError(f"the body still waits after {PATIENCE_S} virtual seconds")
        if ended[0] is not None:
            raise ended[0]

    def close(self) -> None:
        self.world.close()


class RealTime:
    """Runs bodies in asyncio's own loop; afterwards closes the clients that were made for it."""

    def __init__(self) -> None:
        self.clients: list = []

    def run(self, body: Coroutine) -> None:
        async def main() -> None:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await body
            finally:
                for client in self.clients:
                    await client.aclose()

        asyncio.run(main())

    def close(self) -> None:
        """Nothing outlives `run`."""
