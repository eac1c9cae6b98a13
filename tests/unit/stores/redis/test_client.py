"""The client: redis-py's arguments, replies and exceptions."""

import asyncio
import hashlib

import pytest

from py_runtime.sim import World
from py_runtime.sim.faults import DROP, PASS
from py_runtime.stores.redis import (
    ClusterCrossSlotError,
    ConnectionError,
    DataError,
    NoScriptError,
    RedisError,
    RedisServer,
    ResponseError,
    Slots,
    TimeoutError,
)


class Bench:
    """Runs a coroutine function of one client as an actor and hands out what it returned or raised."""

    def __init__(self, **options) -> None:
        self.world = World()
        self.server = RedisServer(self.world, **options)

    def play(self, program, **client_options):
        outcome = []

        async def main():
            try:
                outcome.append((await program(self.server.client(**client_options)), None))
            except Exception as error:
                outcome.append((None, error))

        self.world.spawn(self.world.actor("w"), main())
        self.world.run(self.world.now_us + 60_000_000)
        assert outcome, "the program hangs"
        reply, error = outcome[0]
        if error is not None:
            raise error
        return reply

    def texts(self) -> list[str]:
        return [event.fields["text"] for event in self.world.events if event.kind == "call.started"]


@pytest.fixture
def bench() -> Bench:
    return Bench()


SCRIPT = "-- doubled\nreturn ARGV[1] * 2"

CALLS = [
    (lambda r: r.set("k", "v"), True, "SET k v"),
    (lambda r: r.set("s", "v", nx=True), None, "SET s v NX"),
    (lambda r: r.set("s", "v", xx=True, keepttl=True), True, "SET s v KEEPTTL XX"),
    (lambda r: r.set("s", "new", get=True), "str", "SET s new GET"),
    (lambda r: r.set("k", 1.5, px=20), True, "SET k 1.5 PX 20"),
    (lambda r: r.set("k", b"v", exat=2000), True, "SET k v EXAT 2000"),
    (lambda r: r.get("s"), "str", "GET s"),
    (lambda r: r.get("none"), None, "GET none"),
    (lambda r: r.getex("s", persist=True), "str", "GETEX s PERSIST"),
    (lambda r: r.setnx("s", "v"), False, "SETNX s v"),
    (lambda r: r.setex("k", 5, "v"), True, "SETEX k 5 v"),
    (lambda r: r.mget(["s", "none"], "n"), ["str", None, "5"], "MGET s none n"),
    (lambda r: r.mget([]), [], "MGET"),
    (lambda r: r.mset({"a": 1, "b": 2}), True, "MSET a 1 b 2"),
    (lambda r: r.incr("n"), 6, "INCR n"),
    (lambda r: r.incr("n", 3), 8, "INCRBY n 3"),
    (lambda r: r.decr("n"), 4, "DECR n"),
    (lambda r: r.incrbyfloat("n", 0.5), 5.5, "INCRBYFLOAT n 0.5"),
    (lambda r: r.exists("s", "n"), 2, "EXISTS s n"),
    (lambda r: r.delete("s"), 1, "DEL s"),
    (lambda r: r.type("z"), "zset", "TYPE z"),
    (lambda r: r.expire("s", 5, nx=True), True, "EXPIRE s 5 NX"),
    (lambda r: r.pexpireat("s", 1), True, "PEXPIREAT s 1"),
    (lambda r: r.persist("s"), False, "PERSIST s"),
    (lambda r: r.ttl("s"), -1, "TTL s"),
    (lambda r: r.scan(match="s*", count=100), (0, ["s"]), "SCAN 0 MATCH s* COUNT 100"),
    (lambda r: r.flushall(), True, "FLUSHALL"),
    (lambda r: r.time(), (0, 0), "TIME"),
    (lambda r: r.ping(), True, "PING"),
    (lambda r: r.hset("h", "b", 2), 1, "HSET h b 2"),
    (lambda r: r.hset("h", mapping={"b": 2, "c": 3}), 2, "HSET h b 2 c 3"),
    (lambda r: r.hset("h", items=["b", 2]), 1, "HSET h b 2"),
    (lambda r: r.hgetall("h"), {"a": "1"}, "HGETALL h"),
    (lambda r: r.hgetall("none"), {}, "HGETALL none"),
    (lambda r: r.hmget("h", ["a", "x"]), ["1", None], "HMGET h a x"),
    (lambda r: r.hexists("h", "a"), True, "HEXISTS h a"),
    (lambda r: r.hincrby("h", "a"), 2, "HINCRBY h a 1"),
    (lambda r: r.zadd("z", {"c": 3}), 1, "ZADD z 3 c"),
    (lambda r: r.zadd("z", {"a": 9}, xx=True, ch=True), 1, "ZADD z XX CH 9 a"),
    (lambda r: r.zadd("z", {"a": 2}, incr=True), 3.0, "ZADD z INCR 2 a"),
    (lambda r: r.zscore("z", "a"), 1.0, "ZSCORE z a"),
    (lambda r: r.zmscore("z", ["a", "x"]), [1.0, None], "ZMSCORE z a x"),
    (lambda r: r.zrange("z", 0, -1), ["a", "b"], "ZRANGE z 0 -1"),
    (lambda r: r.zrange("z", 0, -1, withscores=True), [("a", 1.0), ("b", 2.0)], "ZRANGE z 0 -1 WITHSCORES"),
    (lambda r: r.zrange("z", 0, 0, desc=True), ["b"], "ZREVRANGE z 0 0"),
    (
        lambda r: r.zrange("z", 9, 0, desc=True, byscore=True, offset=0, num=1),
        ["b"],
        "ZRANGE z 9 0 BYSCORE REV LIMIT 0 1",
    ),
    (lambda r: r.zrangebyscore("z", "-inf", "(2"), ["a"], "ZRANGEBYSCORE z -inf (2"),
    (lambda r: r.zremrangebyscore("z", "-inf", 1), 1, "ZREMRANGEBYSCORE z -inf 1"),
    (lambda r: r.zpopmin("z"), [("a", 1.0)], "ZPOPMIN z"),
    (lambda r: r.zrank("z", "b"), 1, "ZRANK z b"),
    (lambda r: r.zincrby("z", 1.5, "a"), 2.5, "ZINCRBY z 1.5 a"),
    (lambda r: r.smembers("e"), {"x", "y"}, "SMEMBERS e"),
    (lambda r: r.sismember("e", "x"), 1, "SISMEMBER e x"),
    (lambda r: r.lpop("l"), "1", "LPOP l"),
    (lambda r: r.rpop("l", 2), ["2", "1"], "RPOP l 2"),
    (lambda r: r.lmove("l", "m"), "1", "LMOVE l m LEFT RIGHT"),
    (lambda r: r.blpop(["no", "l"], timeout=1), ("l", "1"), "BLPOP no l 1"),
    (lambda r: r.xadd("x", {"f": 1}, id="9-*", maxlen=5), "9-0", "XADD x MAXLEN ~ 5 9-* f 1"),
    (lambda r: r.xrange("x", count=1), [("7-0", {"f": "v"})], "XRANGE x - + COUNT 1"),
    (lambda r: r.xread({"x": "0"}, count=1), [["x", [("7-0", {"f": "v"})]]], "XREAD COUNT 1 STREAMS x 0"),
    (lambda r: r.xread({"x": "$"}), [], "XREAD STREAMS x $"),
    (lambda r: r.xtrim("x", maxlen=0, approximate=False), 1, "XTRIM x MAXLEN 0"),
    (lambda r: r.eval("return {KEYS[1], ARGV[1]}", 1, "k", "a"), ["k", "a"], None),
    (lambda r: r.script_exists("0" * 40), [False], "SCRIPT EXISTS " + "0" * 40),
    (lambda r: r.execute_command("hget", "h", "a"), "1", "HGET h a"),
    (lambda r: r.execute_command("SET", "k", "v"), True, "SET k v"),
]


@pytest.mark.parametrize(("call", "reply", "text"), CALLS)
def test_arguments_and_replies_are_those_of_redis_py(bench, call, reply, text):
    async def program(redis):
        await redis.set("s", "str")
        await redis.set("n", 5)
        await redis.hset("h", "a", 1)
        await redis.zadd("z", {"a": 1, "b": 2})
        await redis.sadd("e", "x", "y")
        await redis.rpush("l", 1, 2)
        await redis.xadd("x", {"f": "v"}, id="7-0")
        return await call(redis)

    got = bench.play(program)
    assert (got, type(got)) == (reply, type(got) if isinstance(reply, set) else type(reply))
    if text:
        assert bench.texts()[-1] == text


def test_without_decoding_replies_are_bytes(bench):
    async def program(redis):
        await redis.hset("h", "é", "1")
        return await redis.hgetall("h"), await redis.type("h"), await redis.script_load("return 1")

    sha = hashlib.sha1(b"return 1").hexdigest()
    assert bench.play(program, decode_responses=False) == ({"é".encode(): b"1"}, b"hash", sha)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda r: r.set("k", None),
            "Invalid input of type: 'NoneType'. Convert to a bytes, string, int or float first.",
        ),
        (lambda r: r.set("k", True), "Invalid input of type: 'bool'. Convert to a bytes, string, int or float first."),
        (lambda r: r.set("k", "v", nx=True, xx=True), "``nx`` and ``xx`` are mutually exclusive."),
        (
            lambda r: r.set("k", "v", ex=1, px=1),
            "``ex``, ``px``, ``exat``, ``pxat``, and ``keepttl`` are mutually exclusive.",
        ),
        (lambda r: r.set("k", "v", ex=1.5), "ex must be datetime.timedelta or int"),
        (lambda r: r.zadd("z", {}), "ZADD requires at least one element/score pair"),
        (lambda r: r.hset("h"), "'hset' with no key value pairs"),
        (lambda r: r.xread({}), "XREAD streams must be a non empty dict"),
        (lambda r: r.zrange("z", 0, 1, offset=1), "``offset`` and ``num`` must both be specified."),
    ],
)
def test_arguments_that_cannot_be_sent_raise_before_anything_is_sent(bench, call, text):
    async def program(redis):
        return await call(redis)

    with pytest.raises(DataError) as raised:
        bench.play(program)
    assert str(raised.value) == text
    assert bench.texts() == []


def test_an_argument_or_method_that_does_not_exist_is_named(bench):
    redis = bench.server.client()
    with pytest.raises(TypeError, match="ifeq"):
        redis.set("k", "v", ifeq="old")
    with pytest.raises(AttributeError, match="has no method 'bitcount'"):
        redis.bitcount("channel", "message")


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda r: r.incr("text"), ResponseError, "value is not an integer or out of range"),
        (
            lambda r: r.hget("text", "f"),
            ResponseError,
            "WRONGTYPE Operation against a key holding the wrong kind of value",
        ),
        (lambda r: r.evalsha("0" * 40, 0), NoScriptError, "No matching script. Please use EVAL."),
        (
            lambda r: r.execute_command("BITPOS", "c", "m"),
            ResponseError,
            "unknown command 'BITPOS', with args beginning with: 'c' 'm' ",
        ),
    ],
)
def test_error_replies_become_redis_pys_exceptions(bench, call, kind, text):
    async def program(redis):
        await redis.set("text", "abc")
        await call(redis)

    with pytest.raises(RedisError) as raised:
        bench.play(program)
    assert (type(raised.value), str(raised.value)) == (kind, text)


def test_cluster_errors_have_their_own_kind():
    async def program(redis):
        assert await redis.cluster("keyslot", "abc") == 7638
        await redis.mset({"abc": 1, "def": 2})

    with pytest.raises(ClusterCrossSlotError):
        Bench(slots=Slots()).play(program)


def test_a_registered_script_runs_by_hash_and_loads_itself_where_it_is_unknown(bench):
    async def program(redis):
        doubled = redis.register_script(SCRIPT)
        first = await doubled(args=[4])
        second = await doubled(keys=["k"], args=["5"])
        await redis.script_flush()
        return first, second, await doubled(args=[6])

    assert bench.play(program) == (8, 10, 12)
    assert bench.texts() == [
        "EVALSHA doubled 0 4",
        "SCRIPT LOAD doubled",
        "EVALSHA doubled 0 4",
        "EVALSHA doubled 1 k 5",
        "SCRIPT FLUSH",
        "EVALSHA doubled 0 6",
        "SCRIPT LOAD doubled",
        "EVALSHA doubled 0 6",
    ]


def test_an_error_inside_a_returned_list_stays_there(bench):
    async def program(redis):
        return await redis.eval("return {1, redis.pcall('NOPE')}", 0)

    one, error = bench.play(program)
    assert (one, type(error), str(error)) == (1, ResponseError, "Unknown Redis command called from script")


def test_members_of_a_set_are_walked_in_sorted_order(bench):
    async def program(redis):
        await redis.sadd("s", *[f"m{number:02}" for number in (7, 3, 11, 1)])
        return await redis.smembers("s")

    members = bench.play(program)
    assert list(members) == ["m01", "m03", "m07", "m11"]
    assert [members.pop(), len(members), members == {"m03", "m07", "m11"}] == ["m01", 3, True]


def test_every_key_is_found_by_scan_iter(bench):
    async def program(redis):
        await redis.mset({f"k{number}": 1 for number in range(30)})
        return sorted([key async for key in redis.scan_iter(match="k*", count=4)])

    assert bench.play(program) == sorted(f"k{number}" for number in range(30))


def test_a_lost_reply_ends_in_a_timeout_and_the_command_was_carried_out(bench):
    lost = iter((True,))
    bench.world.network.rule(lambda message: DROP if message.direction == "reply" and next(lost, False) else PASS)

    async def program(redis):
        with pytest.raises(TimeoutError, match="^Timeout reading from redis:6379$"):
            await redis.incr("n")
        at_us = bench.world.now_us
        return at_us, await redis.incr("n")

    assert bench.play(program, socket_timeout=2) == (2_000_000, 2)


def test_an_outage_refuses_calls_and_keeps_the_data(bench):
    async def program(redis):
        await redis.set("k", "v")
        bench.server.set_down(True)
        assert not bench.server.available
        with pytest.raises(ConnectionError, match=r"^Error 111 connecting to redis:6379\. Connection refused\.$"):
            await redis.get("k")
        bench.server.set_down(False)
        return await redis.get("k")

    assert bench.play(program) == "v"


def test_the_server_has_its_own_clock(bench):
    async def program(redis):
        await asyncio.sleep(2.5)
        before = await redis.time()
        bench.server.clock_offset_us = -1_000_000
        return before, await redis.time()

    assert bench.play(program) == ((2, 500_000), (1, 500_000))


def test_peeking_sees_what_a_command_would_see_and_records_nothing(bench):
    async def program(redis):
        await redis.set("k", "v", px=10)
        seen = [bench.server.peek("k")]
        await asyncio.sleep(0.010)
        seen.append(bench.server.peek("k"))
        await asyncio.sleep(0.001)
        return [*seen, bench.server.peek("k")]

    assert bench.play(program) == ["v", "v", None]
    assert bench.texts() == ["SET k v PX 10"]


def test_a_client_can_be_closed_like_a_real_one(bench):
    async def program(redis):
        async with redis as same:
            return await same.ping()

    assert bench.play(program) is True


def test_without_tracing_no_change_is_written_down():
    bench = Bench()
    bench.world.tracing = False

    async def program(redis):
        await redis.set("k", "v")
        return await redis.get("k")

    assert bench.play(program) == "v"
    assert bench.world.events == []
