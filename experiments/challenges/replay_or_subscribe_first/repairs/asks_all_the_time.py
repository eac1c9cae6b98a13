"""Wrong: asks the history over and over. Nothing is lost, and Redis hears of every page a hundred times a second.

Used are `await emit(redis, job_id, event)`, by the worker, for one event after another, and, by each page, `await
follow(redis, job_id, show, idle_s)`: it calls `show(event)` for every event and returns after the last. An event is a
dict with `seq`, which counts from 1, `text`, and `type`, which is "done" for the last and for no other. After `idle_s`
seconds in which nothing came, a page may ask Redis whether it has missed anything.
"""

import asyncio
import json


def channel_of(job_id):
    return f"events:{job_id}"


def history_of(job_id):
    return f"history:{job_id}"


async def emit(redis, job_id, event):
    text = json.dumps(event)
    await redis.rpush(history_of(job_id), text)  # first: whoever hears of an event can read all up to it
    await redis.publish(channel_of(job_id), text)


async def follow(redis, job_id, show, idle_s):
    shown = 0
    while True:
        for text in await redis.lrange(history_of(job_id), shown, -1):
            event = json.loads(text)
            show(event)
            shown += 1
            if event["type"] == "done":
                return
        await asyncio.sleep(0.01)
