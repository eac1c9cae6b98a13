"""Failover through a name: which client reaches which server when, and what each of them meets on the way."""

import asyncio

import pytest

from py_runtime.stores.redis import ConnectionError, RedisServer, ResponseError, Sentinel, TimeoutError, WatchError
from tests.unit.stores.redis.replicas import MS, Pair


@pytest.fixture
def pair() -> Pair:
    return Pair(lag_ms=5, replicas="bc")


def beating(sentinel, pair, server=None, socket_timeout=None, beats: int = 6):
    """A program that calls every 10 ms and notes what comes: a number, or the name of an exception."""

    async def program(pair):
        client = (server or sentinel).client(socket_timeout=socket_timeout)
        for _ in range(beats):
            try:
                pair.note(await client.incr("n"))
            except (ConnectionError, TimeoutError, ResponseError) as error:
                pair.note(f"{type(error).__name__}: {error}")
            await asyncio.sleep(0.01)

    return program


REFUSED = "ConnectionError: Error 111 connecting to a:6379. Connection refused."


@pytest.mark.parametrize(
    ("old", "seen"),
    [
        # The write of 20 ms is on its way to the replica and lost; the call of 30 ms finds the connection broken.
        ("down", [(0, 1), (10, 2), (20, 3), (30, REFUSED), (40, 3), (50, 4)]),
        ("silent", [(0, 1), (10, 2), (20, 3), (34, "TimeoutError: Timeout reading from a:6379"), (44, 3), (54, 4)]),
        # Nothing tells the client: it goes on writing to a server that is no primary any more.
        ("serving", [(0, 1), (10, 2), (20, 3), (30, 4), (40, 5), (50, 6)]),
    ],
)
def test_what_a_client_meets_at_a_failover(pair, old, seen):
    sentinel = Sentinel(pair.a)
    lost = []
    pair.at(22, lambda: lost.append(sentinel.fail_over(pair.b, old)))
    assert pair.play(beating(sentinel, pair, socket_timeout=0.004)) == seen
    assert lost == [1]
    assert sentinel.primary is pair.b
    assert pair.a.peek("n") == ("6" if old == "serving" else "3")


def test_a_client_that_connects_after_the_failover_reaches_the_new_primary_and_other_replicas_follow_it(pair):
    sentinel = Sentinel(pair.a)
    pair.at(22, sentinel.fail_over, pair.b, "serving")

    async def late(pair):
        await asyncio.sleep(0.025)
        await sentinel.client().set("k", "v")
        await asyncio.sleep(0.01)
        assert await pair.replicas[1].client().get("k") == "v"

    pair.play(late)
    assert pair.a.peek("k") is None
    assert pair.replicas[1].replication.primary is pair.b.replication


def test_a_client_whose_server_became_a_replica_loses_it_and_finds_the_new_primary(pair):
    sentinel = Sentinel(pair.a)
    pair.at(22, sentinel.fail_over, pair.b, "serving")
    pair.at(25, lambda: pair.a.replication.follow(pair.b.replication, 5 * MS))
    assert pair.play(beating(sentinel, pair)) == [
        (0, 1), (10, 2), (20, 3), (30, "ConnectionError: The previous master is now a slave"), (40, 3), (50, 4),
    ]  # fmt: skip
    assert pair.a.peek("n") == pair.b.peek("n") == "4"


def test_a_client_of_the_old_address_stays_refused(pair):
    sentinel = Sentinel(pair.a)
    pair.at(22, sentinel.fail_over, pair.b)
    assert pair.play(beating(sentinel, pair, server=pair.a, beats=5))[3:] == [(30, REFUSED), (40, REFUSED)]


def test_calls_that_wait_at_the_old_primary_lose_their_connection(pair):
    sentinel = Sentinel(pair.a)
    pair.at(22, sentinel.fail_over, pair.b)

    async def program(pair):
        client = sentinel.client()
        with pytest.raises(ConnectionError, match=r"^Connection closed by server\.$"):
            await client.blpop("q")
        pair.note(await client.rpush("q", "x"))

    assert pair.play(program) == [(22, 1)]


def test_a_request_on_its_way_is_refused_and_a_reply_on_its_way_arrives():
    pair = Pair(lag_ms=50)
    slow = RedisServer(pair.world, "slow", request_us=4 * MS, reply_us=4 * MS)
    pair.b.replication.follow(slow.replication)
    sentinel = Sentinel(slow)

    async def program(pair, start_ms):
        await asyncio.sleep(start_ms / 1000)
        try:
            pair.note(await sentinel.client().incr("n"))
        except ConnectionError:
            pair.note("refused")

    pair.at(10, sentinel.fail_over, pair.b)
    pair.play(lambda pair: program(pair, 5), lambda pair: program(pair, 8))
    assert pair.seen == [(13, 1), (16, "refused")]
    assert pair.b.peek("n") is None


def test_wait_does_not_save_a_write_from_a_failover_to_another_replica(pair):
    pair.replicas[1].replication.link.lag_us = 50 * MS
    sentinel = Sentinel(pair.a)

    async def program(pair):
        await asyncio.sleep(0.1)
        client = sentinel.client()
        await client.set("k", "v")
        pair.note(await client.wait(1, 0))
        pair.note(sentinel.fail_over(pair.replicas[1]))

    assert pair.play(program) == [(105, 1), (105, 1)]
    assert pair.b.peek("k") is None  # it follows the new primary, which never had it


def test_a_transaction_and_a_subscriber_go_to_the_primary_of_the_moment(pair):
    sentinel = Sentinel(pair.a)
    pair.at(22, sentinel.fail_over, pair.b)

    async def program(pair):
        client = sentinel.client()
        for _ in range(2):
            pubsub = client.pubsub()
            await pubsub.subscribe("c")
            async with client.pipeline() as pipe:
                pair.note(await pipe.incr("n").publish("c", "m").execute())
            await asyncio.sleep(0.03)

    assert pair.play(program) == [(0, [1, 1]), (30, [2, 1])]
    assert pair.b.peek("n") == "2"


def test_a_connection_with_a_transaction_begun_breaks_at_the_failover(pair):
    sentinel = Sentinel(pair.a)
    pair.at(22, sentinel.fail_over, pair.b)

    async def program(pair):
        async with sentinel.client().pipeline() as pipe:
            await pipe.watch("k")
            await asyncio.sleep(0.03)
            pipe.multi()
            pipe.set("k", "v")
            with pytest.raises(WatchError):
                await pipe.execute()

    pair.play(program)
    assert pair.b.peek("k") is None


def test_the_cut_off_primary_can_be_reached_again():
    pair = Pair(lag_ms=5)
    sentinel = Sentinel(pair.a)
    pair.at(22, sentinel.fail_over, pair.b, "silent")
    pair.at(35, lambda: pair.world.network.lift(sentinel.silence))
    seen = pair.play(beating(sentinel, pair, server=pair.a, socket_timeout=0.004, beats=5))
    assert seen[3:] == [(34, "TimeoutError: Timeout reading from a:6379"), (44, 4)]


@pytest.mark.parametrize(
    ("replica", "old", "text"),
    [("other", "down", "other is no replica of a"), ("b", "gone", "old is 'down', 'silent' or 'serving', not 'gone'")],
)
def test_a_failover_that_cannot_be_is_refused(pair, replica, old, text):
    other = RedisServer(pair.world, "other")
    with pytest.raises(ValueError, match=text):
        Sentinel(pair.a).fail_over(pair.b if replica == "b" else other, old)
    assert pair.a.available and pair.b.replication.primary is pair.a.replication
