"""Primary and replica: what a replica has and refuses, what WAIT counts, and what a promotion loses."""

import asyncio
from collections.abc import Iterator
from hashlib import sha1

import pytest

from tests.conformance import conftest
from tests.conformance.arms import replication_arms
from tests.conformance.arms.arm import refused
from tests.conformance.servers import redis as redis_servers

READ_ONLY = "ReadOnlyError: You can't write against a read only replica."


@pytest.fixture(params=[conftest.STAND_IN, "redis-server"])
def replication_arm(request: pytest.FixtureRequest) -> Iterator[replication_arms.ReplicationArm]:
    """A primary with its replica, both empty."""
    if request.param == conftest.STAND_IN:
        arm = replication_arms.StandIn()
    else:
        arm = replication_arms.Real(request.getfixturevalue("redis_replication"))
    yield arm
    arm.close()


@pytest.fixture(params=[conftest.STAND_IN, "redis-server"])
def mortal_arm(request: pytest.FixtureRequest) -> Iterator[replication_arms.ReplicationArm]:
    """The same, of servers that end with the test, so that it may kill them."""
    if request.param == conftest.STAND_IN:
        arm = replication_arms.StandIn()
        yield arm
        arm.close()
    else:
        for pair in conftest.session_of(redis_servers.replication):
            yield replication_arms.Real(pair)


async def content(redis) -> dict:
    """Everything that a client can read of a server."""
    readers = {
        "string": lambda key: redis.get(key),
        "hash": lambda key: redis.hgetall(key),
        "zset": lambda key: redis.zrange(key, 0, -1, withscores=True),
        "set": lambda key: redis.smembers(key),
        "list": lambda key: redis.lrange(key, 0, -1),
        "stream": lambda key: redis.xrange(key),
    }
    seen = {}
    for key in sorted(await redis.keys()):
        value = await readers[await redis.type(key)](key)
        seen[key] = (sorted(value) if isinstance(value, set) else value, await redis.pexpiretime(key))
    return seen


@pytest.mark.parametrize("lost", [1, 3, 10])
async def test_a_promotion_loses_the_last_writes_that_had_not_arrived(mortal_arm, lost):
    primary, replica = mortal_arm.primary(), mortal_arm.replica()
    for _ in range(10 - lost):
        await primary.incr("n")
        await primary.zadd("leases", {f"task-{await primary.get('n')}": 1})
    await mortal_arm.in_step()
    mortal_arm.hold()
    for _ in range(lost):
        await primary.incr("n")
        await primary.zadd("leases", {f"task-{await primary.get('n')}": 1})
    assert await primary.zcard("leases") == 10
    assert await replica.replicaof("NO", "ONE") in (True, "OK")
    mortal_arm.kill_primary()
    assert await replica.zcard("leases") == 10 - lost
    assert await replica.get("n") == (str(10 - lost) if lost < 10 else None)
    assert await replica.incr("n") == 11 - lost
    assert (await replica.role())[0] == "master"
    assert (await refused(primary.ping())).startswith("ConnectionError: ")


ACQUIRE = """
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
return redis.call('ZADD', KEYS[1], ARGV[2], ARGV[3])
"""


async def test_leases_lost_in_a_failover_let_more_run_than_the_limit_until_their_holders_beat(replication_arm):
    primary, replica = replication_arm.primary(), replication_arm.replica()
    holders = [f"task-{number}" for number in range(10)]
    for holder in holders[:7]:
        assert await primary.eval(ACQUIRE, 1, "leases", 10, 1000, holder) == 1
    await replication_arm.in_step()
    replication_arm.hold()
    for holder in holders[7:]:
        assert await primary.eval(ACQUIRE, 1, "leases", 10, 1000, holder) == 1
    assert await primary.eval(ACQUIRE, 1, "leases", 10, 1000, "one-too-many") == 0
    await replica.replicaof("NO", "ONE")
    assert await replica.zcard("leases") == 7
    assert [await replica.eval(ACQUIRE, 1, "leases", 10, 1000, f"new-{n}") for n in range(5)] == [1, 1, 1, 0, 0]
    beats = [await replica.zadd("leases", {holder: 2000}, xx=True, ch=True) for holder in holders]
    assert beats == [1] * 7 + [0] * 3  # a beat that checks tells its holder that the lease is gone
    assert [await replica.zadd("leases", {holder: 3000}) for holder in holders] == [0] * 7 + [1] * 3
    assert await replica.zcard("leases") == 13  # one that does not check heals the count, which is above the limit


async def test_a_replica_repeats_effects_not_commands(replication_arm):
    primary, replica = replication_arm.primary(), replication_arm.replica()
    await primary.set("s", "v", ex=100)
    await primary.getex("s", px=90_000)
    await primary.incrbyfloat("f", 0.1)
    await primary.incrbyfloat("f", 0.2)
    await primary.zadd("z", {"a": 1, "b": 2, "c": 3})
    await primary.zpopmin("z")
    await primary.rpush("l", "1", "2", "3")
    await primary.lmove("l", "k", "LEFT", "RIGHT")
    await primary.sadd("u", "1", "2")
    await primary.srem("u", "1")
    await primary.hset("h", mapping={"f": "1", "g": "2"})
    await primary.hincrbyfloat("h", "f", 0.25)
    for _ in range(3):
        await primary.xadd("t", {"f": "v"}, maxlen=2, approximate=False)
    await primary.rename("h", "renamed")
    await primary.eval(
        "redis.call('SET', KEYS[1], redis.call('TIME')[2]) redis.call('EXPIRE', KEYS[1], 50) return 1", 1, "e"
    )
    assert (await refused(primary.eval("redis.call('SET', KEYS[1], 'kept') error('x')", 1, "g"))).startswith("Resp")
    waiting = asyncio.create_task(primary.blpop("q", timeout=5))
    await asyncio.sleep(0.02)
    await replication_arm.primary().rpush("q", "x", "y")
    assert await waiting == ("q", "x")
    await replication_arm.in_step()
    assert await content(replica) == await content(primary)
    assert await replica.get("f") == "0.3"
    assert await replica.get("g") == "kept"
    assert await replica.lrange("q", 0, -1) == ["y"]
    assert await replica.xlen("t") == 2


async def test_a_consumer_group_goes_on_at_the_replica_where_it_was(replication_arm):
    primary, replica = replication_arm.primary(), replication_arm.replica()
    for number in (1, 2, 3, 4):
        await primary.xadd("t", {"f": "v"}, id=f"{number}-0")
    await primary.xgroup_create("t", "g", "0")
    await primary.xreadgroup("g", "one", {"t": ">"}, count=2)
    await primary.xack("t", "g", "1-0")
    await replication_arm.in_step()
    assert await replica.xpending("t", "g") == {
        "pending": 1,
        "min": "2-0",
        "max": "2-0",
        "consumers": [{"name": "one", "pending": 1}],
    }
    await replica.replicaof("NO", "ONE")
    assert await replica.xreadgroup("g", "two", {"t": ">"}) == [["t", [("3-0", {"f": "v"}), ("4-0", {"f": "v"})]]]


@pytest.mark.parametrize(
    "line", ["SET k v", "DEL k", "EXPIRE k 1", "GETEX k", "BLPOP q 1", "XREADGROUP GROUP g c STREAMS s >", "FLUSHALL"]
)
async def test_a_replica_refuses_to_write(replication_arm, line):
    assert await refused(replication_arm.replica().execute_command(*line.split())) == READ_ONLY


async def test_a_script_on_a_replica_may_read_and_not_write(replication_arm):
    await replication_arm.primary().set("k", "v")
    await replication_arm.in_step()
    replica = replication_arm.replica()
    assert await replica.eval("return redis.call('GET', KEYS[1])", 1, "k") == "v"
    script = "return redis.call('SET', KEYS[1], 'x')"
    told = await refused(replica.eval(script, 1, "k"))
    assert told == f"{READ_ONLY} script: {sha1(script.encode()).hexdigest()}, on @user_script:1."
    script = "return redis.pcall('SET', KEYS[1], 'x').err"
    assert await replica.eval(script, 1, "k") == "READONLY You can't write against a read only replica."


async def test_a_replica_knows_no_script_that_only_its_primary_has_seen(replication_arm):
    sha = await replication_arm.primary().script_load("return 1")
    assert await replication_arm.primary().evalsha(sha, 0) == 1
    await replication_arm.in_step()
    text = await refused(replication_arm.replica().evalsha(sha, 0))
    assert text == "NoScriptError: No matching script. Please use EVAL."


async def test_a_replica_hides_a_lapsed_key_and_a_promotion_does_not_bring_it_back(replication_arm):
    primary, replica = replication_arm.primary(), replication_arm.replica()
    await primary.set("k", "v", px=40)
    await replication_arm.in_step()
    replication_arm.cut()
    await asyncio.sleep(0.08)
    assert (await replica.get("k"), await replica.exists("k"), await replica.ttl("k")) == (None, 0, -2)
    await replica.replicaof("NO", "ONE")
    assert await replica.set("k", "new", nx=True) is True


async def test_a_replica_that_was_cut_off_catches_up(replication_arm):
    primary, replica = replication_arm.primary(), replication_arm.replica()
    await primary.set("k", "old")
    await primary.set("gone", "v")
    await replication_arm.in_step()
    replication_arm.cut()
    await primary.set("k", "new")
    await primary.delete("gone")
    await asyncio.sleep(0.05)
    assert (await replica.get("k"), await replica.get("gone")) == ("old", "v")
    replication_arm.flow()
    await replication_arm.in_step()
    assert await content(replica) == await content(primary) == {"k": ("new", -1)}


async def test_a_replica_that_missed_more_than_is_kept_gets_everything_anew(replication_arm):
    primary, replica = replication_arm.primary(), replication_arm.replica()
    replication_arm.forget()
    await primary.set("gone", "v")
    await replication_arm.in_step()
    replication_arm.cut()
    await primary.delete("gone")
    for number in range(40):
        await primary.set(f"k{number}", "x" * 1000, ex=1000)
    replication_arm.flow()
    await replication_arm.in_step()
    assert await content(replica) == await content(primary)
    assert await replica.dbsize() == 40


async def test_a_former_primary_that_follows_loses_what_the_new_one_has_not(replication_arm):
    first, second = replication_arm.primary(), replication_arm.replica()
    await first.set("both", "v")
    await replication_arm.in_step()
    replication_arm.hold()
    await first.set("only-first", "v")
    await second.replicaof("NO", "ONE")
    replication_arm.flow()
    await second.set("only-second", "v")
    await first.replicaof(*replication_arm.address("replica"))
    await replication_arm.in_step(turned=True)
    assert await content(first) == {"both": ("v", -1), "only-second": ("v", -1)}
    assert await refused(first.set("k", "v")) == READ_ONLY
    role = await first.role()
    assert (role[0], role[1], role[3]) == ("slave", replication_arm.address("replica")[0], "connected")


async def test_blocked_calls_end_when_their_server_becomes_a_replica(replication_arm):
    first, second = replication_arm.primary(), replication_arm.replica()
    blocked = replication_arm.primary()
    await blocked.ping()  # connects: what follows is the call alone
    waiting = asyncio.create_task(refused(blocked.blpop("q", timeout=5)))
    await second.replicaof("NO", "ONE")
    await asyncio.sleep(0.05)
    await first.replicaof(*replication_arm.address("replica"))
    assert await waiting == (
        "ResponseError: UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"
    )


async def test_wait_counts_the_replicas_that_have_the_last_write(replication_arm):
    primary = replication_arm.primary()
    assert await primary.wait(1, 0) == 1
    await primary.set("k", "v")
    assert await primary.wait(1, 0) == 1
    assert await primary.wait(2, 30) == 1
    replication_arm.hold()
    await primary.set("k", "w")
    assert await primary.wait(1, 30) == 0
    assert await primary.wait(0, 0) == 0
    waiting = asyncio.create_task(primary.wait(1, 0))
    await asyncio.sleep(0.03)
    assert not waiting.done()
    replication_arm.flow()
    assert await waiting == 1


async def test_inside_a_transaction_wait_answers_at_once(replication_arm):
    primary = replication_arm.primary()
    replication_arm.hold()
    await primary.set("k", "v")
    async with primary.pipeline() as pipe:
        assert await pipe.set("k", "w").wait(1, 0).wait(0, 0).execute() == [True, 0, 0]


async def test_a_replica_queues_no_write_of_a_transaction(replication_arm):
    async with replication_arm.replica().pipeline() as pipe:
        pipe.get("k").set("k", "v")
        told = await refused(pipe.execute())
    assert READ_ONLY.partition(": ")[2] in told


async def test_who_listens_at_a_replica_hears_what_is_published_at_the_primary(replication_arm):
    pubsub = replication_arm.replica().pubsub()
    await pubsub.subscribe("c")
    assert (await pubsub.get_message(timeout=5))["type"] == "subscribe"
    assert await replication_arm.primary().publish("c", "m") == 0
    assert (await pubsub.get_message(timeout=5))["data"] == "m"
    await pubsub.aclose()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("WAIT x 0", "value is not an integer or out of range"),
        ("WAIT 0 x", "timeout is not an integer or out of range"),
        ("WAIT 0 -1", "timeout is negative"),
        ("WAIT 1", "wrong number of arguments for 'wait' command"),
        ("REPLICAOF a", "wrong number of arguments for 'replicaof' command"),
        ("REPLICAOF a b", "Invalid master port"),
        ("REPLICAOF a 65536", "Invalid master port"),
        ("REPLICAOF a -1", "Invalid master port"),
    ],
)
async def test_what_a_primary_refuses(replication_arm, line, text):
    assert await refused(replication_arm.primary().execute_command(*line.split())) == f"ResponseError: {text}"


async def test_what_a_replica_says_of_itself(replication_arm):
    replica, (host, port) = replication_arm.replica(), replication_arm.address("primary")
    assert await refused(replica.wait(0, 0)) == (
        "ResponseError: WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica "
        "is configured to be writable (which is not the default) writes to replicas are just local and are not "
        "propagated."
    )
    assert await replica.execute_command("REPLICAOF", host, port) == "OK Already connected to specified master"
    assert (await replica.role())[:4] == ["slave", host, port, "connected"]
    assert await replication_arm.primary().execute_command("REPLICAOF", "no", "one") == "OK"
