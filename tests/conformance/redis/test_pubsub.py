"""Publish and subscribe, as the client's PubSub shows it: the same on both arms."""

import asyncio

from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from tests.conformance.arms.arm import refused

SOON = 1  # seconds to wait for a message that is on its way
NOT_AT_ALL = 0.03


def message(kind: str, channel, data, pattern=None) -> dict:
    return {"type": kind, "pattern": pattern, "channel": channel, "data": data}


async def read(pubsub, count: int) -> list:
    """That many messages, and the proof that no more come."""
    got = [await pubsub.get_message(timeout=SOON) for _ in range(count)]
    assert await pubsub.get_message(timeout=NOT_AT_ALL) is None
    return got


async def test_a_message_reaches_whoever_is_subscribed_once_for_each_subscription(redis):
    pubsub = redis.pubsub()
    assert await redis.publish("news", "too early") == 0
    await pubsub.subscribe("news", "sport")
    await pubsub.psubscribe("n*")
    assert await read(pubsub, 3) == [
        message("subscribe", "news", 1),
        message("subscribe", "sport", 2),
        message("psubscribe", "n*", 3),
    ]
    assert await redis.publish("news", "hello") == 2
    assert await redis.publish("nothing", "x") == 1
    assert await redis.publish("else", "y") == 0
    assert await read(pubsub, 3) == [
        message("message", "news", "hello"),
        message("pmessage", "news", "hello", "n*"),
        message("pmessage", "nothing", "x", "n*"),
    ]
    await pubsub.aclose()


async def test_who_listens_can_be_asked(redis):
    one, two = redis.pubsub(), redis.pubsub()
    await one.subscribe("a", "b")
    await two.subscribe("a")
    await two.psubscribe("x*", "y*")
    assert len(await read(one, 2) + await read(two, 3)) == 5
    assert sorted(await redis.pubsub_channels()) == ["a", "b"]
    assert await redis.pubsub_channels("b*") == ["b"]
    assert await redis.pubsub_numsub("a", "b", "c") == [("a", 2), ("b", 1), ("c", 0)]
    assert await redis.pubsub_numpat() == 2
    assert await refused(redis.execute_command("PUBSUB", "NOPE")) == (
        "ResponseError: unknown subcommand 'NOPE'. Try PUBSUB HELP."
    )
    await one.aclose()
    await two.aclose()


async def test_unsubscribing_is_confirmed_and_then_nothing_comes(redis):
    pubsub = redis.pubsub()
    await pubsub.subscribe("a", "b")
    await pubsub.psubscribe("p*")
    await read(pubsub, 3)
    await pubsub.unsubscribe("a")
    await pubsub.punsubscribe()
    assert await read(pubsub, 2) == [message("unsubscribe", "a", 2), message("punsubscribe", "p*", 1)]
    assert await redis.publish("a", "x") == 0
    assert (pubsub.subscribed, list(pubsub.channels), pubsub.patterns) == (True, ["b"], {})
    await pubsub.unsubscribe()
    assert await read(pubsub, 1) == [message("unsubscribe", "b", 0)]
    assert not pubsub.subscribed
    await pubsub.unsubscribe()
    assert await read(pubsub, 1) == [message("unsubscribe", None, 0)]
    await pubsub.aclose()


async def test_handlers_get_messages_and_the_reader_does_not(redis):
    handled = []

    async def slowly(got):
        await asyncio.sleep(0.001)
        handled.append(got)

    pubsub = redis.pubsub(ignore_subscribe_messages=True)
    await pubsub.subscribe(a=handled.append, b=slowly)
    await pubsub.subscribe("c")
    assert [await pubsub.get_message(timeout=SOON) for _ in range(3)] == [None, None, None]
    for channel in "abc":
        await redis.publish(channel, channel.upper())
    assert await read(pubsub, 3) == [None, None, message("message", "c", "C")]
    assert handled == [message("message", "a", "A"), message("message", "b", "B")]
    assert await refused(pubsub.run()) == "PubSubError: Channel: 'c' has no handler registered"
    await pubsub.aclose()


async def test_listening_goes_on_until_nothing_is_subscribed(redis):
    pubsub = redis.pubsub()
    await pubsub.subscribe("a")
    seen = []
    async for got in pubsub.listen():
        seen.append((got["type"], got["data"]))
        if got["type"] == "subscribe":
            await redis.publish("a", "last")
        elif got["type"] == "message":
            await pubsub.unsubscribe("a")
    assert seen == [("subscribe", 1), ("message", "last"), ("unsubscribe", 0)]
    await pubsub.aclose()


async def test_a_subscribed_connection_takes_few_commands(redis):
    pubsub = redis.pubsub()
    assert await refused(pubsub.get_message()) == (
        "RuntimeError: pubsub connection not set: did you forget to call subscribe() or psubscribe()?"
    )
    await pubsub.subscribe("a")
    await pubsub.ping()
    await pubsub.ping("here")
    await pubsub.execute_command("GET", "k")
    assert [await pubsub.get_message(timeout=SOON) for _ in range(3)] == [
        message("subscribe", "a", 1),
        message("pong", None, ""),
        message("pong", None, "here"),
    ]
    assert await refused(pubsub.get_message(timeout=SOON)) == (
        "ResponseError: Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed "
        "in this context"
    )
    await pubsub.aclose()


async def test_publishing_in_scripts_and_transactions(redis):
    pubsub = redis.pubsub(ignore_subscribe_messages=True)
    await pubsub.subscribe("a")
    assert await pubsub.get_message(timeout=SOON) is None
    assert await redis.eval("return redis.call('PUBLISH', 'a', 'script')", 0) == 1
    assert await redis.pipeline().publish("a", "one").set("k", "v").publish("a", "two").execute() == [1, True, 1]
    assert [got["data"] for got in await read(pubsub, 3)] == ["script", "one", "two"]
    await pubsub.aclose()


async def test_bytes_stay_bytes(connect):
    redis = connect(decode_responses=False)
    pubsub = redis.pubsub()
    await pubsub.subscribe(b"\xff")
    await redis.publish(b"\xff", b"\x00\xfe")
    assert await read(pubsub, 2) == [message("subscribe", b"\xff", 1), message("message", b"\xff", b"\x00\xfe")]
    assert pubsub.channels == {b"\xff": None}
    await pubsub.aclose()


async def test_a_dropped_connection_loses_messages_and_the_next_read_subscribes_again(redis, connect, redis_arm):
    client = connect()
    if redis_arm.name != "stand-in":
        client.set_retry(Retry(NoBackoff(), 1))
    pubsub = client.pubsub()
    await pubsub.subscribe("a")
    await pubsub.psubscribe("b*")
    await read(pubsub, 2)
    if redis_arm.name == "stand-in":
        redis_arm.server.cut_connections(redis_arm.world.current_actor())
    else:
        await redis.client_kill_filter(_type="pubsub")
    assert await redis.publish("a", "lost") == 0
    assert await read(pubsub, 2) == [message("subscribe", "a", 1), message("psubscribe", "b*", 2)]
    assert await redis.publish("a", "heard") == 1
    assert await read(pubsub, 1) == [message("message", "a", "heard")]
    await pubsub.aclose()
