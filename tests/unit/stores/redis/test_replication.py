"""Replication: what arrives when, that the copy equals the original, what a replica gives to read and refuses."""

import asyncio
import shlex

import pytest

from py_runtime.sim import World
from py_runtime.stores.redis import ReadOnlyError, RedisServer, ResponseError
from tests.unit.stores.redis.replicas import MS, Pair, counting


@pytest.fixture
def pair() -> Pair:
    return Pair()


def test_a_write_arrives_after_the_lag_and_is_recorded_under_the_replicas_name(pair):
    pair.play(counting(2))
    assert pair.events("replica.applied") == [
        (
            5 + at,
            "b",
            {
                "from": "a",
                "text": "INCR n",
                "call": at + 1,
                "behind_us": 5000,
                "changes": [{"store": "b", "key": "n", "type": "string", "value": str(at + 1)}],
            },
        )
        for at in (0, 1)
    ]


def test_a_server_without_a_replica_records_and_counts_nothing():
    world = World()
    server = RedisServer(world)
    alone = RedisServer(world, "idle")

    async def program():
        await server.client().set("k", "v")
        assert await server.client().role() == ["master", 0, []]

    world.spawn(world.actor("w"), program())
    world.run(MS)
    assert {event.kind for event in world.events} == {
        "actor.started", "call.started", "call.applied", "call.completed", "actor.ended",
    }  # fmt: skip
    assert server.keyspace.replication is None and alone.keyspace.replication is None


WRITES = (
    "SET s v PX 50",
    "GETEX s EX 100",
    "INCRBYFLOAT f 0.1",
    "APPEND s more",
    "MSET x 1 y 2",
    "HSET h f 1 g 2",
    "HINCRBYFLOAT h f 0.25",
    "HDEL h g",
    "ZADD z 3 c 1 a 2 b",
    "ZPOPMIN z",
    "ZADD z XX GT CH 9 b",
    "SADD u 1 2 3",
    "SREM u 2",
    "RPUSH l 1 2 3",
    "LMOVE l k LEFT RIGHT",
    "LTRIM l 0 0",
    "XADD t * f v",
    "XADD t * f w",
    "XADD t MAXLEN 3 * f x",
    "XDEL t 0-2",
    "XGROUP CREATE t g 0",
    "XREADGROUP GROUP g one COUNT 1 STREAMS t >",
    "XREADGROUP GROUP g two STREAMS t >",
    "XAUTOCLAIM t g two 0 0",
    "RENAME x renamed",
    "EXPIRE y 10",
    "PERSIST y",
    "DEL h",
    "EVAL \"redis.call('SET', KEYS[1], redis.call('TIME')[1]); redis.call('SADD', KEYS[2], 'a'); error('x')\" 2 e e2",
    "FLUSHALL",
    "SET last 1",
)


@pytest.mark.parametrize("upto", range(1, len(WRITES) + 1), ids=lambda upto: WRITES[upto - 1].split()[0])
def test_after_every_kind_of_write_the_copy_equals_the_original(pair, upto):
    async def program(pair):
        redis = pair.a.client()
        for line in WRITES[:upto]:
            try:
                await redis.execute_command(*shlex.split(line))
            except ResponseError as error:
                assert "user_script" in str(error)

    pair.play(program, until_ms=20)
    assert pair.same()
    assert pair.a.replication.offset == pair.b.replication.offset == upto


def test_the_copy_shares_nothing_with_the_original():
    pair = Pair(lag_ms=5)

    async def program(pair):
        redis = pair.a.client()
        for command in ("HSET h f 1", "ZADD z 1 a", "RPUSH l 1", "XADD t 1-1 f v"):
            await redis.execute_command(*command.split())
            await redis.execute_command(*command.replace("1-1", "1-2").replace("1 a", "2 b").split())

    pair.play(program, until_ms=0)
    for effect in list(pair.a.replication._backlog)[1::2]:
        assert effect.states[0].value is not pair.a.keyspace.values[effect.states[0].key]
    pair.world.run(10 * MS)
    pair.b.promote()
    pair.b.keyspace.values[b"z"].put(b"mine", 1.0)
    assert b"mine" not in pair.a.keyspace.values[b"z"].scores


def test_a_replica_reads_what_it_has_and_refuses_to_write(pair):
    async def program(pair):
        writer, reader = pair.a.client(), pair.b.client()
        await writer.set("k", "old")
        await asyncio.sleep(0.01)
        await writer.set("k", "new")
        pair.note(await reader.get("k"))
        for call in (
            reader.set("k", "x"),
            reader.delete("nothing"),
            reader.blpop("q", 1),
            reader.flushall(),
            reader.eval("return redis.call('SET', 'k', 'x')", 0),
        ):
            with pytest.raises(ReadOnlyError, match=r"^You can't write against a read only replica\."):
                await call
        pair.note(await reader.eval("return redis.call('GET', 'k')", 0))
        await asyncio.sleep(0.005)
        pair.note(await reader.get("k"))

    assert pair.play(program) == [(10, "old"), (10, "old"), (15, "new")]


def test_a_reader_blocked_on_a_replicas_stream_wakes_when_the_entry_arrives(pair):
    async def reader(pair):
        pair.note(await pair.b.client().xread({"t": "$"}, block=100))

    async def writer(pair):
        await asyncio.sleep(0.02)
        await pair.a.client().xadd("t", {"f": "v"}, id="1-1")

    assert pair.play(reader, writer) == [(25, [["t", [("1-1", {"f": "v"})]]])]


def test_who_listens_at_a_replica_hears_what_is_published_at_the_primary_when_it_arrives(pair):
    async def listener(pair):
        pubsub = pair.b.client().pubsub()
        await pubsub.subscribe("c")
        await pubsub.get_message(timeout=1)
        pair.note((await pubsub.get_message(timeout=1))["data"])

    async def writer(pair):
        await asyncio.sleep(0.02)
        pair.note(await pair.a.client().publish("c", "m"))
        pair.note(await pair.b.client().publish("other", "here only"))

    assert pair.play(listener, writer) == [(20, 0), (20, 0), (25, "m")]
    assert [fields["text"] for _, _, fields in pair.events("replica.applied")] == ["PUBLISH c m"]
    assert pair.a.replication.offset == pair.b.replication.offset == 1


def test_a_replica_hides_what_has_lapsed_and_deletes_it_when_the_primary_does():
    pair = Pair(lag_ms=0)

    async def program(pair):
        await pair.a.client().set("k", "v", px=10)
        await asyncio.sleep(0.011)
        assert pair.b.snapshot()["k"]["value"] == "v"
        pair.note((pair.b.peek("k"), await pair.b.client().exists("k")))
        await pair.a.client().set("other", "1")

    assert pair.play(program) == [(11, (None, 0))]
    texts = [fields["text"] for _, _, fields in pair.events("replica.applied")]
    assert texts == ["SET k v PX 10", "DEL k", "SET other 1"]
    assert pair.same()


def test_a_replica_drops_what_has_lapsed_by_its_clock(pair):
    async def program(pair):
        await pair.a.client().set("k", "v", px=100)
        await asyncio.sleep(0.01)
        for offset_ms in (0, 200, 0):
            pair.b.clock_offset_us = offset_ms * MS
            pair.note(await pair.b.client().get("k"))
        pair.note(await pair.a.client().get("k"))
        await pair.a.client().persist("k")  # its next write makes it whole
        await asyncio.sleep(0.01)
        pair.note(await pair.b.client().get("k"))

    assert pair.play(program) == [(10, "v"), (10, None), (10, None), (10, "v"), (20, "v")]


def test_a_lag_that_shrinks_lets_nothing_overtake(pair):
    pair.at(1.5, setattr, pair.b.replication.link, "lag_us", 0)
    pair.play(counting(4))
    assert [(at, fields["behind_us"]) for at, _, fields in pair.events("replica.applied")] == [
        (5, 5000), (6, 5000), (6, 4000), (6, 3000),
    ]  # fmt: skip


def test_a_paused_replica_catches_up_and_a_crashed_one_never_does():
    pair = Pair(replicas="bc")
    pair.world.crash(pair.world.actor("c"))
    pair.at(5.5, pair.world.pause, pair.world.actor("b"), 20 * MS)
    pair.play(counting(10))
    assert [at for at, _, _ in pair.events("replica.applied")] == [5] + [25.5] * 9
    assert pair.replicas[1].replication.offset == 0
