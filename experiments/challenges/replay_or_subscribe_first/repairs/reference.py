"""The repair: subscribe, then replay, join both by number, and look again after a gap or a silence.

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
    await redis.rpush(history_of(job_id), text)  # first: whoever hears of an event can read all up to it
    await redis.publish(channel_of(job_id), text)


class View:
    """What a page has shown, and what it holds back because something before it is missing."""

    def __init__(self, show):
        self._show = show
        self._ahead = {}
        self.shown = 0
        self.ended = False

    @property
    def has_gap(self):
        return bool(self._ahead)

    def take(self, text):
        event = json.loads(text)
        if event["seq"] > self.shown:
            self._ahead[event["seq"]] = event
        while self.shown + 1 in self._ahead:
            self.shown += 1
            event = self._ahead.pop(self.shown)
            self._show(event)
            self.ended = event["type"] == "done"


async def follow(redis, job_id, show, idle_s):
    view = View(show)
    async with redis.pubsub() as channel:
        await channel.subscribe(channel_of(job_id))
        await channel.get_message(timeout=None)  # it is in place
        look = True
        while True:
            if look:
                for text in await redis.lrange(history_of(job_id), view.shown, -1):
                    view.take(text)
            if view.ended:
                return
            message = await channel.get_message(timeout=idle_s)
            if message is not None:
                view.take(message["data"])
            # Silence may be the loss of the last event, and an event ahead of its turn that of one before it.
            look = message is None or view.has_gap
