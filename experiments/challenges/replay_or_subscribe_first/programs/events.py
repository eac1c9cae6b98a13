"""A job's events on their way to the pages that show them. Something is lost between the history and the channel.

Used are `await emit(redis, job_id, event)`, by the worker, for one event after another, and, by each page, `await
follow(redis, job_id, show, idle_s)`: it calls `show(event)` for every event and returns after the last. An event is a
dict with `seq`, which counts from 1, `text`, and `type`, which is "done" for the last and for no other. After `idle_s`
seconds in which nothing came, a page may ask Redis whether it has missed anything.
"""

import json


def channel_of(job_id):
    return f"events:{job_id}"


def history_of(job_id):
    return f"history:{job_id}"


async def emit(redis, job_id, event):
    text = json.dumps(event)
    await redis.publish(channel_of(job_id), text)
    await redis.rpush(history_of(job_id), text)


async def follow(redis, job_id, show, idle_s):
    for text in await redis.lrange(history_of(job_id), 0, -1):
        event = json.loads(text)
        show(event)
        if event["type"] == "done":
            return
    async with redis.pubsub(ignore_subscribe_messages=True) as channel:
        await channel.subscribe(channel_of(job_id))
        while True:
            message = await channel.get_message(timeout=None)
            if message is None:
                continue
            event = json.loads(message["data"])
            show(event)
            if event["type"] == "done":
                return
