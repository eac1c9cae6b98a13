"""The repair: a flag per execution, set before the message, kept for as long as anybody may look late; a look first."""

import asyncio

CHANNEL = "cancel"
FLAG = "cancel:{task}:{execution}"


async def cancel(redis, task, execution, settings):
    flag = FLAG.format(task=task, execution=execution)
    await redis.set(flag, 1, px=settings.lease_ms + settings.heartbeat_ms)
    await redis.publish(CHANNEL, flag)


async def run_execution(redis, task, execution, work, settings):
    flag = FLAG.format(task=task, execution=execution)
    if await redis.exists(flag):
        return False
    parts = [
        asyncio.create_task(work()),
        asyncio.create_task(_hear(redis, flag)),
        asyncio.create_task(_look(redis, flag, settings)),
    ]
    try:
        await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        return parts[0].done()
    finally:
        for part in parts:
            part.cancel()
        await asyncio.wait(parts)


async def _hear(redis, flag):
    """Return when a message asks for a stop."""
    async with redis.pubsub(ignore_subscribe_messages=True) as messages:
        await messages.subscribe(CHANNEL)
        async for message in messages.listen():
            if message["data"] == flag:
                return


async def _look(redis, flag, settings):
    """Return when a heartbeat finds the flag."""
    while True:
        await asyncio.sleep(settings.heartbeat_ms / 1000)
        if await redis.exists(flag):
            return
