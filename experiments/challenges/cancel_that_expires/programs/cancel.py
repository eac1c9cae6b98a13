"""Stopping a task that runs elsewhere: a message at once, and a flag for whoever misses it. Something is wrong with it.

The lab calls `cancel(redis, task, execution, settings)` where somebody wants a stop, and for each execution of a task
`run_execution(redis, task, execution, work, settings)` where it runs. That does `work()` and returns True when it is
done, False when it was cancelled. settings: heartbeat_ms; and lease_ms, the longest that an execution is waited for
after its last heartbeat. A task can be run again; its executions are numbered from 1.
"""

import asyncio

CHANNEL = "cancel"
FLAG = "cancel:{task}"
FLAG_MS = 1_500


async def cancel(redis, task, execution, settings):
    await redis.publish(CHANNEL, task)
    await redis.set(FLAG.format(task=task), 1, px=FLAG_MS)


async def run_execution(redis, task, execution, work, settings):
    parts = [
        asyncio.create_task(work()),
        asyncio.create_task(_hear(redis, task)),
        asyncio.create_task(_look(redis, task, settings)),
    ]
    try:
        await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        return parts[0].done()
    finally:
        for part in parts:
            part.cancel()
        await asyncio.wait(parts)


async def _hear(redis, task):
    """Return when a message asks for a stop."""
    async with redis.pubsub(ignore_subscribe_messages=True) as messages:
        await messages.subscribe(CHANNEL)
        async for message in messages.listen():
            if message["data"] == task:
                return


async def _look(redis, task, settings):
    """Return when a heartbeat finds the flag."""
    while True:
        await asyncio.sleep(settings.heartbeat_ms / 1000)
        if await redis.exists(FLAG.format(task=task)):
            return
