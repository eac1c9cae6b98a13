"""Slots of a global limit, on Redis: a process that wants one."""

import time
from types import SimpleNamespace

from tests.conformance.programs.redis_client import redis_client
from tests.conformance.programs.roles import program as load


async def holder(orders, tell, *, name: str, redis: int, program: str, limit: int, heartbeat_ms: int, lease_ms: int):
    """Runs a task in a slot with each order; the task ends with the next order."""
    slots = load("slot_recycling", program)
    settings = SimpleNamespace(heartbeat_ms=heartbeat_ms, lease_ms=lease_ms, now_ms=lambda: time.time_ns() // 1_000_000)
    quota = slots.Quota(redis_client(redis, tell), limit, settings)
    if hasattr(quota, "publish_limit"):
        await quota.publish_limit()

    async def work() -> None:
        tell("working")
        await orders.next()

    tell("ready")
    while True:
        await orders.next()
        tell("ended" if await slots.run_task(quota, name, work) else "refused")
