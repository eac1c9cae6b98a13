"""A flight with one leader, on Redis: a process that asks it."""

from types import SimpleNamespace

from tests.conformance.programs.redis_client import redis_client
from tests.conformance.programs.roles import program as load


async def caller(
    orders, tell, *, name: str, redis: int, program: str, jitter_ms: int, lease_ms: int, heartbeat_ms: int
):
    """Asks the flight with each order; what its upstream answers is the order after it told that it is asked."""

    class Upstream:
        async def fetch(self) -> str:
            tell("fetching")
            return await orders.next()

    settings = SimpleNamespace(name=name, jitter_ms=jitter_ms, lease_ms=lease_ms, heartbeat_ms=heartbeat_ms)
    flight = load("single_flight_takeover", program).Flight(redis_client(redis, tell), Upstream(), settings)
    tell("ready")
    while True:
        await orders.next()
        token, answer = await flight.get()
        tell("answered", token=token, answer=answer)
