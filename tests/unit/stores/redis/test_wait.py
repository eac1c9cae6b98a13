"""WAIT: whose write, how many replicas, how long; and what it, REPLICAOF and ROLE refuse."""

import asyncio

import pytest

from py_runtime.sim import World
from py_runtime.stores.redis import RedisServer, ResponseError
from tests.unit.stores.redis.replicas import MS, Pair


@pytest.fixture
def pair() -> Pair:
    return Pair()


@pytest.mark.parametrize(
    ("wanted", "timeout_ms", "count", "ms"), [(0, 0, 0, 0), (1, 0, 1, 5), (1, 3, 0, 3), (2, 50, 2, 9), (3, 50, 2, 50)]
)
def test_wait_answers_when_enough_replicas_have_the_last_write_or_the_time_is_up(wanted, timeout_ms, count, ms):
    pair = Pair(replicas="bc")
    pair.replicas[1].replication.link.lag_us = 9 * MS

    async def program(pair):
        await asyncio.sleep(0.02)
        await pair.a.client().set("k", "v")
        pair.note(await pair.a.client().wait(wanted, timeout_ms))

    assert pair.play(program) == [(20 + ms, count)]
    assert len(pair.a.replication.acknowledgements) == 0


def test_wait_asks_for_the_callers_own_last_command_and_a_caller_without_one_is_answered_at_once():
    pair = Pair(lag_ms=50)

    async def writer(pair):
        await asyncio.sleep(0.1)
        await pair.a.client().set("k", "v")

    async def other(pair):
        await asyncio.sleep(0.11)
        pair.note(await pair.a.client().wait(1, 0))
        await pair.a.client().get("k")
        pair.note(await pair.a.client().wait(1, 0))

    assert pair.play(writer, other) == [(110, 1), (150, 1)]


def test_wait_without_replicas_waits_for_its_time_and_for_ever_without_one():
    world = World()
    server = RedisServer(world)
    seen = []

    async def program(timeout):
        seen.append((await server.client().wait(1, timeout), world.now_us // MS))

    for timeout in (20, 0):
        world.spawn(world.actor(f"w{timeout}"), program(timeout))
    assert world.run(1000 * MS).waiting == ("w0",)
    assert seen == [(0, 20)]


def test_a_crashed_replica_acknowledges_nothing():
    pair = Pair(replicas="bc")
    pair.at(12, pair.world.crash, pair.world.actor("c"))

    async def program(pair):
        await asyncio.sleep(0.01)
        await pair.a.client().set("k", "v")
        pair.note(await pair.a.client().wait(2, 100))

    assert pair.play(program) == [(110, 1)]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("EVAL return(redis.call('WAIT',0,0)) 0", "This Redis command is not allowed from script"),
        ("REPLICAOF b x", "Invalid master port"),
        ("REPLICAOF b 65536", "Invalid master port"),
        ("REPLICAOF c 6379", "REPLICAOF reaches servers that have replicated with this one, which are: b 6379"),
        ("REPLICAOF a 6379", "REPLICAOF reaches servers that have replicated with this one, which are: b 6379"),
    ],
)
def test_refusals(pair, line, text):
    async def program(pair):
        with pytest.raises(ResponseError) as told:
            await pair.a.client().execute_command(*line.split())
        assert str(told.value).startswith(text)

    pair.play(program)


def test_inside_a_transaction_wait_answers_at_once(pair):
    async def program(pair):
        await asyncio.sleep(0.02)
        async with pair.a.client().pipeline() as pipe:
            pair.note(await pipe.wait(1, 0).set("k", "v").wait(1, 0).execute())
        await pair.a.client().set("k", "w")
        async with pair.a.client().pipeline() as pipe:
            pair.note(await pipe.wait(1, 0).execute())

    assert pair.play(program) == [(20, [1, True, 1]), (20, [0])]
