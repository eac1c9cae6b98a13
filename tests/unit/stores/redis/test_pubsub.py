"""Published messages on their way: order, faults, pauses, crashes and outages, and what the trace shows of them."""

import asyncio

import pytest

from py_runtime.sim import DROP, PASS, PUSH, World, delay
from py_runtime.stores.redis import ConnectionError, RedisServer


class Stage:
    """A world with one server and a subscriber; `heard` lists (ms, data) as the messages on `news` come."""

    def __init__(self, **server) -> None:
        self.world = World()
        self.server = RedisServer(self.world, **server)
        self.heard: list[tuple] = []
        self.subscriber = self.world.actor("subscriber")
        self.world.spawn(self.subscriber, self._listen())

    async def _listen(self) -> None:
        pubsub = self.server.client().pubsub(ignore_subscribe_messages=True)
        await pubsub.subscribe("news")
        while True:
            try:
                got = await pubsub.get_message(timeout=None)
            except ConnectionError as error:
                got = {"data": str(error)}
                await asyncio.sleep(1)
            if got is not None:
                self.heard.append((self.world.now_us // 1000, got["data"]))

    def publish(self, *texts: str, every_s: float = 1) -> list[int]:
        """Publish the texts one by one, beginning after one second; gives how many received each."""
        receivers: list[int] = []

        async def program() -> None:
            redis = self.server.client()
            await asyncio.sleep(1 - every_s)
            for text in texts:
                await asyncio.sleep(every_s)
                receivers.append(await redis.publish("news", text))

        self.world.spawn(self.world.actor("publisher"), program())
        self.world.run(60_000_000)
        return receivers


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_messages_come_in_the_order_in_which_they_were_published(stage):
    texts = [str(number) for number in range(5)]
    assert stage.publish(*texts, every_s=0) == [1] * 5
    assert [data for _, data in stage.heard] == texts


def test_a_pushed_message_takes_as_long_as_a_reply():
    stage = Stage(request_us=2000, reply_us=3000)
    stage.publish("x")
    assert stage.heard == [(1005, "x")]


def test_the_trace_shows_the_message_leave_the_server_and_reach_the_subscriber(stage):
    stage.publish("two words")
    push = next(e for e in stage.world.events if e.kind == "call.started" and e.actor == "redis")
    assert dict(push.fields) == {
        "call": push.fields["call"],
        "to": "subscriber",
        "text": 'message news "two words"',
    }
    reached = [(e.actor, e.kind) for e in stage.world.events if e.fields.get("call") == push.fields["call"]]
    assert reached == [("redis", "call.started"), ("subscriber", "call.applied")]
    texts = [e.fields["text"] for e in stage.world.events if e.kind == "call.started" and e.actor == "subscriber"]
    assert texts == ["connect", "SUBSCRIBE news"]


def test_a_lost_message_is_counted_as_received_and_never_comes(stage):
    stage.world.network.rule(
        lambda message: DROP if message.direction == PUSH and message.text == "message news b" else PASS
    )
    assert stage.publish("a", "b", "c") == [1, 1, 1]
    assert [data for _, data in stage.heard] == ["a", "c"]
    [lost] = [e for e in stage.world.events if e.kind == "call.lost"]
    assert (lost.actor, lost.fields["direction"]) == ("redis", "push")


def test_a_delayed_message_is_overtaken(stage):
    stage.world.network.rule(
        lambda message: delay(1_500_000) if message.direction == PUSH and message.text == "message news a" else PASS
    )
    stage.publish("a", "b")
    assert stage.heard == [(2000, "b"), (2500, "a")]


def test_a_paused_subscriber_reads_later_what_came_meanwhile(stage):
    stage.world.call_at(500_000, stage.world.pause, stage.subscriber, 5_000_000)
    assert stage.publish("a", "b") == [1, 1]
    assert stage.heard == [(5500, "a"), (5500, "b")]


def test_a_crashed_subscriber_is_none(stage):
    stage.world.call_at(1_500_000, stage.world.crash, stage.subscriber)
    assert stage.publish("a", "b") == [1, 0]
    assert stage.heard == [(1000, "a")]


def test_a_cut_connection_is_made_again_at_once_and_misses_only_what_was_published_in_between(stage):
    def cut() -> None:
        stage.server.cut_connections(stage.subscriber)
        stage.server.keyspace.sessions.publish(b"news", b"in between")

    stage.world.call_at(1_500_000, cut)
    assert stage.publish("a", "b") == [1, 1]
    assert stage.heard == [(1000, "a"), (2000, "b")]


def test_an_outage_ends_subscriptions_and_the_subscriber_is_told_until_it_can_connect_again(stage):
    stage.world.call_at(1_500_000, stage.server.set_down, True)
    stage.world.call_at(3_200_000, stage.server.set_down, False)
    stage.world.call_at(
        3_300_000, lambda: stage.heard.append((3300, stage.server.keyspace.sessions.publish(b"news", b"too early")))
    )
    refused = "Error 111 connecting to redis:6379. Connection refused."
    stage.world.spawn(stage.world.actor("late"), late(stage))
    stage.world.run(10_000_000)
    assert stage.heard == [(2500, refused), (3300, 0), (3500, refused), (5000, "at last")]


async def late(stage: Stage) -> None:
    await asyncio.sleep(5)
    await stage.server.client().publish("news", "at last")


def test_only_one_task_may_read(stage):
    async def program() -> str:
        pubsub = stage.server.client().pubsub()
        await pubsub.subscribe("quiet")
        await pubsub.get_message(timeout=1)
        first = asyncio.create_task(pubsub.get_message(timeout=1))
        await asyncio.sleep(0)
        with pytest.raises(RuntimeError, match="already waiting"):
            await pubsub.get_message(timeout=1)
        assert await first is None

    stage.world.spawn(stage.world.actor("reader"), program())
    stage.world.run(10_000_000)
    assert [e.fields for e in stage.world.events if e.kind == "task.failed"] == []


def test_a_subscription_that_is_on_its_way_is_none_yet(stage):
    async def program() -> int:
        return await stage.server.client().publish("news", "at the same instant")

    world = stage.world
    publisher = world.spawn(world.actor("publisher"), program())
    world.run(1_000_000)
    assert (publisher.result(), stage.heard) == (0, [])


def test_closing_a_subscriber_ends_its_subscriptions_behind_what_it_sent(stage):
    async def program() -> None:
        pubsub = stage.server.client().pubsub()
        await pubsub.subscribe("news")
        await pubsub.aclose()

    stage.world.spawn(stage.world.actor("reader"), program())
    assert stage.publish("a") == [1]
    assert len(stage.server.keyspace.sessions.every()) == 1
