"""A restart without persistence, and a failover under the same name: what is gone, what is undone, who is told."""

import asyncio

import pytest

from py_runtime.sim import Fault, Strikes, World
from py_runtime.sim.explorer import Judged, Limits, explore
from py_runtime.stores.redis import ConnectionError, NoScriptError, RedisServer, WatchError
from tests.unit.stores.redis.replicas import Pair, counting


@pytest.fixture
def pair() -> Pair:
    return Pair(lag_ms=0)


def marks(pair: Pair) -> list[dict]:
    return [fields for _, _, fields in pair.events("mark")]


def changed(fields: dict) -> dict:
    """Key → value after a recorded event."""
    return {change["key"]: change["value"] for change in fields["changes"]}


def alone(*programs, lose) -> Pair:
    """One server without replicas; `lose(server)` happens at 5 ms."""
    pair = Pair(replicas="b")
    pair.b.promote()
    pair.at(5, lose, pair.a)
    pair.play(*programs)
    return pair


def test_after_a_restart_keys_and_scripts_are_gone():
    async def program(pair):
        client = pair.a.client()
        await client.set("k", "v", px=60_000)
        await client.xadd("s", {"f": "v"})
        sha = await client.script_load("return 1")
        await asyncio.sleep(0.01)
        assert (await client.dbsize(), await client.get("k"), await client.xlen("s")) == (0, None, 0)
        with pytest.raises(NoScriptError):
            await client.evalsha(sha, 0)
        await client.set("k", "new")
        await asyncio.sleep(60)  # the end of the lost key does not end the new one
        assert await client.get("k") == "new"

    pair = alone(program, lose=RedisServer.restart)
    assert [(fields["name"], changed(fields)) for fields in marks(pair)] == [("restarted", {"k": None, "s": None})]


@pytest.mark.parametrize("lose", [RedisServer.restart, lambda server: server.keep_standby(1)()])
def test_connections_are_closed_blocked_calls_fail_and_subscriptions_end(lose):
    async def blocked(pair):
        with pytest.raises(ConnectionError, match="Connection closed by server"):
            await pair.a.client().blpop("list", 0)
        pair.note("unblocked")

    async def in_a_transaction(pair):
        async with pair.a.client().pipeline() as pipe:
            await pipe.watch("k")
            await asyncio.sleep(0.01)
            pipe.multi()
            pipe.set("k", "v")
            with pytest.raises(WatchError, match="A ConnectionError occurred"):
                await pipe.execute()
        pair.note("watched")

    async def subscribed(pair):
        pubsub = pair.a.client().pubsub()
        await pubsub.subscribe("c")
        await asyncio.sleep(0.01)
        assert await pair.a.client().pubsub_numsub("c") == [("c", 0)]
        pair.note("subscribed")

    pair = alone(blocked, in_a_transaction, subscribed, lose=lose)
    assert pair.seen == [(5, "unblocked"), (10, "watched"), (10, "subscribed")]


@pytest.mark.parametrize(
    ("behind", "value", "lost"), [(0, "5", 0), (1, "4", 1), (3, "2", 3), (5, None, 5), (9, None, 5)]
)
def test_a_failover_undoes_the_last_writes_and_no_others(behind, value, lost):
    world = World()
    server = RedisServer(world)
    client = server.client()

    async def program():
        await client.set("kept", "1")
        promote = server.keep_standby(behind)
        for _ in range(5):
            await client.incr("n")
            await client.get("n")  # no write
        promote()
        assert await client.get("n") == value
        assert await client.get("kept") == "1"
        await client.incr("n")
        promote()  # the new one has a replica as far behind
        assert await client.get("n") == (str(int(value or 0) + 1) if behind == 0 else value)

    world.spawn(world.actor("a"), program())
    world.run(1_000_000)
    assert [event for event in world.events if event.kind == "task.failed"] == []
    first = next(event.fields for event in world.events if event.kind == "mark")
    assert (first["name"], first["lost"], changed(first)) == ("failed-over", lost, {"n": value} if lost else {})


def test_a_failover_gives_back_what_the_lost_writes_had_removed_or_given_an_end():
    world = World()
    server = RedisServer(world)
    client = server.client()

    async def program():
        await client.set("k", "old")
        await client.set("short", "s", px=5)
        promote = server.keep_standby(3)
        await client.set("k", "new", px=1)
        await client.delete("k")
        await client.persist("short")
        promote()
        assert (await client.get("k"), await client.pttl("k"), await client.pttl("short")) == ("old", -1, 5)

    world.spawn(world.actor("a"), program())
    world.run(1_000_000)
    assert [event for event in world.events if event.kind == "task.failed"] == []


def test_replicas_lose_with_a_restarted_primary_what_it_lost(pair):
    pair.at(4.5, pair.a.restart)
    pair.play(counting(8))
    assert (pair.a.peek("n"), pair.b.peek("n")) == ("3", "3")
    assert [(at, fields["how"]) for at, _, fields in pair.events("replica.synced")] == [(0, "full"), (4.5, "full")]


def test_a_restarted_replica_gets_a_whole_copy(pair):
    pair.at(4.5, pair.b.restart)
    pair.play(counting(8))
    assert pair.same()
    assert pair.events("replica.synced")[-1][2]["how"] == "full"
    assert changed(marks(pair)[0]) == {"n": None}


def test_replicas_follow_a_failover_and_a_replica_has_no_standby(pair):
    promote = pair.a.keep_standby(2)
    pair.at(4.5, promote)
    pair.play(counting(8))
    assert pair.same()
    assert pair.a.peek("n") == "6"
    with pytest.raises(ValueError, match="b is a replica itself"):
        pair.b.keep_standby(1)


def counter(seen: list[str | None]):
    """Two clients that count in two keys of their own; the counters at the end go to `seen`."""

    def run(attempt) -> Judged:
        world = World(tracing=False)
        attempt.attach(world)
        server = RedisServer(world)

        async def client(key):
            await server.client().incr(key)

        for key in "xy":
            world.spawn(world.actor(key), client(key))
        world.run(1_000)
        if not attempt.given_up:
            seen.append((server.peek("x"), server.peek("y")))
        world.close()
        return Judged()

    return run


ONE = (("1", None), (None, "1"))


@pytest.mark.parametrize(
    ("fault", "ends"),
    [
        # Before either request, nothing is there; between the two, one counter is lost, whichever was first.
        (Fault("restart", "redis"), {("1", "1"), *ONE}),
        (Fault("failover", "redis", writes=1), {("1", "1"), *ONE}),
        (Fault("failover", "redis"), {("1", "1")}),
        # What was counted before is lost, and what is sent while it is down is refused.
        (Fault("restart", "redis", amount_us=10), {("1", "1"), (None, None)}),
    ],
)
def test_an_exploration_meets_every_moment_of_loss(fault, ends):
    pruned, plain = [], []
    assert explore(counter(pruned), Limits(faults_max=1), [fault]).finished
    assert explore(counter(plain), Limits(faults_max=1, pruning=False), [fault]).finished
    assert set(pruned) == set(plain) == ends
    assert len(pruned) < len(plain)


def test_a_schedule_names_the_restart_and_replays_it():
    def run(strikes):
        world = World()
        Strikes(world, [Fault("restart", "redis", amount_us=3_000)], strikes)
        pair = RedisServer(world).client()

        async def program():
            for _ in range(3):
                await pair.incr("n")
                await asyncio.sleep(0.01)

        world.spawn(world.actor("a"), program())
        world.run(1_000_000)
        return world

    first = run([(1, 1)])
    assert str(first.schedule) == "0_x1.1"
    assert [event.fields["error"] for event in first.events if event.kind == "call.failed"] == [
        "Error 111 connecting to redis:6379. Connection refused."
    ]
    assert run(first.schedule.strikes).digest() == first.digest() != run(()).digest()
