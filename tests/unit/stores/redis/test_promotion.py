"""Promotions and broken links: what is lost, what a server that comes back gets, and what is recorded of it."""

import asyncio

import pytest

from py_runtime.sim import World
from py_runtime.stores.redis import ConnectionError, ReadOnlyError, RedisServer, ResponseError, Slots
from tests.unit.stores.redis.replicas import MS, Pair, counting


@pytest.fixture
def pair() -> Pair:
    return Pair()


@pytest.mark.parametrize(("lag_ms", "lost"), [(0, 0), (0.5, 1), (3, 3), (3.5, 4), (50, 20)])
def test_a_promotion_loses_the_writes_that_had_not_arrived(lag_ms, lost):
    pair = Pair(lag_ms)
    pair.at(19.2, lambda: pair.note(pair.b.promote()))
    assert pair.play(counting(40), until_ms=19) == []
    pair.world.run(100 * MS)
    assert pair.seen == [(19.2, lost)]
    assert pair.b.peek("n") == (str(20 - lost) if lost < 20 else None)
    assert pair.a.peek("n") == "40"
    assert pair.events("replica.promoted") == [(19.2, "b", {"from": "a", "lost": lost})]


def test_a_promoted_replica_takes_writes_and_its_former_primary_can_follow_it_with_all_data_replaced():
    pair = Pair(lag_ms=5)
    pair.at(12.5, pair.b.promote)

    async def program(pair):
        await counting(13)(pair)
        await pair.b.client().set("k", "new")
        assert pair.a.peek("n") == "13"
        assert await pair.a.client().replicaof("b", 6379) == "OK"
        pair.a.replication.link.lag_us = 2 * MS
        with pytest.raises(ReadOnlyError):
            await pair.a.client().incr("n")
        await asyncio.sleep(0.01)
        assert await pair.a.client().role() == ["slave", "b", 6379, "connected", 9]
        assert await pair.b.client().role() == ["master", 9, [["a", "6379", "9"]]]
        assert await pair.a.client().replicaof("b", 6379) == "OK Already connected to specified master"

    pair.play(program)
    assert pair.a.peek("n") == pair.b.peek("n") == "8"
    assert pair.same()
    at, who, fields = pair.events("replica.synced")[-1]
    assert (at, who, fields["how"], fields["keys"]) == (13, "a", "full", 2)
    assert [change["key"] for change in fields["changes"]] == ["n", "k"]


def test_a_former_primary_without_lost_writes_goes_on_where_it_was():
    pair = Pair(lag_ms=1)
    pair.at(20, pair.b.promote)
    pair.at(30, lambda: pair.a.replication.follow(pair.b.replication, 4 * MS))

    async def program(pair):
        await counting(10)(pair)
        await asyncio.sleep(0.015)
        await pair.b.client().set("k", "new")

    pair.play(program)
    assert [(at, who, fields["how"]) for at, who, fields in pair.events("replica.synced")] == [
        (1, "b", "full"), (34, "a", "partial"),
    ]  # fmt: skip
    assert pair.same()


def test_replicaof_no_one_promotes_and_changes_nothing_on_a_primary(pair):
    async def program(pair):
        assert await pair.a.client().replicaof("no", "one") == "OK"
        assert await pair.b.client().replicaof("NO", "ONE") == "OK"
        assert await pair.b.client().role() == ["master", 0, []]
        assert await pair.b.client().set("k", "v") is True
        assert await pair.a.client().role() == ["master", 0, []]

    pair.play(program)


def test_blocked_calls_end_when_their_server_becomes_a_replica(pair):
    text = r"^UNBLOCKED force unblock from blocking operation, instance state changed \(master -> replica\?\)$"

    async def program(pair, call):
        with pytest.raises(ResponseError, match=text):
            await call()
        pair.note("unblocked")

    other = RedisServer(pair.world, "c")
    pair.at(30, lambda: pair.a.replication.follow(other.replication))
    redis = pair.a.client()
    calls = (lambda: redis.blpop("q"), lambda: redis.wait(5, 0))
    pair.play(*[lambda pair, call=call: program(pair, call) for call in calls])
    assert pair.seen == [(30, "unblocked")] * 2


# Links


def test_a_cut_link_loses_what_is_on_its_way_and_a_restored_one_brings_what_is_missing(pair):
    link = pair.b.replication
    pair.at(12.5, link.cut)
    pair.at(30, link.restore)
    pair.play(counting(20), until_ms=25)
    assert pair.b.peek("n") == "8"
    assert pair.events("replica.cut") == [(12.5, "b", {"from": "a", "missing": 5})]
    pair.world.run(40 * MS)
    at, who, fields = pair.events("replica.synced")[-1]
    assert (at, who, fields["how"], fields["writes"]) == (35, "b", "partial", 12)
    assert pair.b.peek("n") == "20" and pair.same()


def test_who_misses_more_than_the_primary_keeps_gets_everything_anew(pair):
    pair.a.replication.backlog_writes = 11
    pair.at(12.5, pair.b.replication.cut)
    pair.at(30, pair.b.replication.restore)

    async def program(pair):
        await pair.a.client().set("k", "v", px=200)
        await counting(20)(pair)
        pair.note(await pair.b.client().role())
        await asyncio.sleep(0.012)
        pair.note(await pair.b.client().role())

    assert pair.play(program, until_ms=40) == [
        (20, ["slave", "a", 6379, "connect", -1]),
        (32, ["slave", "a", 6379, "sync", -1]),
    ]
    at, who, fields = pair.events("replica.synced")[-1]
    assert (at, fields["how"], fields["keys"]) == (35, "full", 2)
    assert pair.same()


def test_what_a_crashed_primary_had_sent_arrives_and_nobody_gets_a_copy_of_it_any_more(pair):
    pair.at(10.5, pair.world.crash, pair.world.actor("a"))
    pair.at(30, pair.b.replication.cut)
    pair.at(40, pair.b.replication.restore)

    async def reader(pair):
        await asyncio.sleep(0.05)
        pair.note(((await pair.b.client().role())[3], await pair.b.client().get("n")))

    assert pair.play(counting(20), reader) == [(50, ("connect", "11"))]
    assert len(pair.events("replica.synced")) == 1


def test_writes_between_two_visits_of_a_replica_are_counted_also_while_there_is_none(pair):
    other = RedisServer(pair.world, "other")

    def leave():
        pair.b.replication.cut()
        pair.b.replication.follow(other.replication)

    def come_back():
        pair.b.replication.follow(pair.a.replication)
        pair.b.replication.restore()

    pair.at(10, leave)
    pair.at(30, come_back)

    async def program(pair):
        await asyncio.sleep(0.02)
        await pair.a.client().set("k", "v")

    pair.play(program)
    assert pair.events("replica.synced")[-1] == (35, "b", {"from": "a", "how": "partial", "writes": 1, "changes": []})
    assert pair.same() and pair.b.peek("k") == "v"


def test_nodes_of_a_cluster_have_no_replicas():
    world = World()
    node = RedisServer(world, "node", Slots())
    with pytest.raises(ValueError, match="nodes of a cluster have no replicas here"):
        RedisServer(world, "copy", replica_of=node)


def test_a_cut_replica_does_not_count_for_wait(pair):
    pair.at(10, pair.b.replication.cut)
    pair.at(70, pair.b.replication.restore)

    async def program(pair):
        await asyncio.sleep(0.02)
        await pair.a.client().set("k", "v")
        pair.note(await pair.a.client().wait(1, 10))
        pair.note(await pair.a.client().wait(1, 0))

    assert pair.play(program) == [(30, 0), (75, 1)]


def test_an_outage_of_a_replica_breaks_its_link_and_one_of_the_primary_ends_its_waiting_calls(pair):
    pair.at(10, pair.b.set_down, True)
    pair.at(40, pair.b.set_down, False)
    pair.at(60, pair.a.set_down, True)

    async def program(pair):
        await asyncio.sleep(0.02)
        await pair.a.client().set("k", "v")
        pair.note(await pair.a.client().wait(1, 0))
        with pytest.raises(ConnectionError, match=r"^Connection closed by server\.$"):
            await pair.a.client().wait(2, 0)
        pair.note((await pair.b.client().role())[3])

    assert pair.play(program) == [(45, 1), (60, "connect")]


def test_a_replica_of_a_replica_follows_through_it_and_stays_with_it_when_that_is_promoted():
    pair = Pair(lag_ms=5)
    end = RedisServer(pair.world, "end", replica_of=pair.b, lag_us=2 * MS)
    pair.at(12.5, pair.b.promote)

    async def program(pair):
        await counting(13)(pair)
        await pair.b.client().set("k", "v")

    pair.play(program)
    assert end.replication.offset == pair.b.replication.offset == 9
    assert end.peek("n") == "8" and end.peek("k") == "v"
    with pytest.raises(ValueError, match="directly or through another"):
        pair.b.replication.follow(end.replication)


def test_the_state_at_any_position_can_be_rebuilt_from_the_recorded_changes():
    pair = Pair(lag_ms=2)
    pair.at(12, pair.b.replication.cut)
    pair.a.replication.backlog_writes = 2
    pair.at(20, pair.b.replication.restore)

    async def program(pair):
        redis = pair.a.client()
        for number in range(10):
            await redis.set(f"k{number % 3}", number, px=8)
            await redis.zadd("z", {str(number): number})
            await redis.zpopmin("z") if number % 4 == 3 else None
            await asyncio.sleep(0.003)

    pair.play(program)
    for server in (pair.a, pair.b):
        folded: dict = {}
        for event in pair.world.events:
            for change in event.fields.get("changes", ()):
                if change["store"] == server.name:
                    folded[change["key"]] = change
        assert {key: change for key, change in folded.items() if change["value"] is not None} == server.snapshot()
