"""Consumer groups: who gets which entry, who wakes, and what becomes of deleted entries."""

import asyncio

import pytest

from tests.conformance.arms.arm import refused, waiting

ENTRY = {"f": "v"}


async def blocked(connect, clock, name: str, group: str = "g") -> asyncio.Task:
    """A consumer that waits for a new entry, and surely waits by now."""
    return await waiting(
        connect(), clock, lambda client: client.xreadgroup(group, name, {"s": ">"}, count=1, block=5000)
    )


async def test_blocked_consumers_wake_in_the_order_they_came_and_share_nothing(redis, connect, clock):
    await redis.xgroup_create("s", "g", "$", mkstream=True)
    consumers = [await blocked(connect, clock, name) for name in ("late-name", "a", "b")]
    for number in (1, 2, 3):
        await redis.xadd("s", ENTRY, id=f"{number}-0")
    assert [await task for task in consumers] == [[["s", [(f"{number}-0", ENTRY)]]] for number in (1, 2, 3)]
    assert await redis.xreadgroup("g", "a", {"s": ">"}) == []
    summary = await redis.xpending("s", "g")
    assert summary["consumers"] == [{"name": name, "pending": 1} for name in ("a", "b", "late-name")]


async def test_every_group_gets_every_entry(redis, connect, clock):
    for group in ("g", "h"):
        await redis.xgroup_create("s", group, "$", mkstream=True)
    consumers = [await blocked(connect, clock, "c", group) for group in ("g", "h")]
    await redis.xadd("s", ENTRY, id="7-0")
    assert [await task for task in consumers] == [[["s", [("7-0", ENTRY)]]]] * 2


@pytest.mark.parametrize(
    ("ending", "text"),
    [
        (("XGROUP DESTROY", "s", "g"), "NOGROUP the consumer group this client was blocked on no longer exists"),
        (("DEL", "s"), "UNBLOCKED the stream key no longer exists"),
        (("SET", "s", "x"), "UNBLOCKED the stream key no longer exists"),
        (("RENAME", "s", "t"), "UNBLOCKED the stream key no longer exists"),
        (("FLUSHALL",), "UNBLOCKED the stream key no longer exists"),
    ],
)
async def test_a_blocked_consumer_hears_that_what_it_waits_for_is_gone(redis, connect, clock, ending, text):
    await redis.xgroup_create("s", "g", "$", mkstream=True)
    consumer = await blocked(connect, clock, "c")
    await redis.execute_command(*ending)
    assert await refused(consumer) == f"ResponseError: {text}"


async def test_moving_a_group_back_wakes_nobody_and_the_next_entry_does(redis, connect, clock):
    await redis.xadd("s", ENTRY, id="1-0")
    await redis.xgroup_create("s", "g", "$")
    consumer = await blocked(connect, clock, "c")
    await redis.xgroup_setid("s", "g", "0")
    await asyncio.sleep(0.02)
    assert not consumer.done()
    await redis.xadd("s", ENTRY, id="2-0")
    assert await consumer == [["s", [("1-0", ENTRY)]]]


async def test_an_entry_deleted_at_once_still_wakes(redis, connect, clock):
    await redis.xgroup_create("s", "g", "$", mkstream=True)
    consumer = await blocked(connect, clock, "c")
    await redis.eval("redis.call('XADD', KEYS[1], '5-0', 'f', 'v') redis.call('XDEL', KEYS[1], '5-0')", 1, "s")
    assert await consumer == [["s", []]]


async def test_a_plain_reader_outlasts_the_stream_it_waits_for(redis, connect, clock):
    await redis.xadd("s", ENTRY, id="1-0")
    reader = await waiting(connect(), clock, lambda client: client.xread({"s": "$"}, block=5000))
    await redis.delete("s")
    await redis.xadd("s", ENTRY, id="2-0")
    assert await reader == [["s", [("2-0", ENTRY)]]]


async def test_an_entry_deleted_while_pending_is_nil_in_the_history_and_named_by_xautoclaim(redis):
    await redis.xgroup_create("s", "g", "0", mkstream=True)
    for number in (1, 2, 3):
        await redis.xadd("s", ENTRY, id=f"{number}-0")
    await redis.xreadgroup("g", "a", {"s": ">"})
    await redis.xdel("s", "2-0")
    assert await redis.xreadgroup("g", "a", {"s": "0"}) == [["s", [("1-0", ENTRY), ("2-0", {}), ("3-0", ENTRY)]]]
    assert await redis.xautoclaim("s", "g", "b", 0) == ["0-0", [("1-0", ENTRY), ("3-0", ENTRY)], ["2-0"]]
    rows = await redis.xpending_range("s", "g", "-", "+", 9)
    assert [(row["message_id"], row["consumer"], row["times_delivered"]) for row in rows] == [
        ("1-0", "b", 3),
        ("3-0", "b", 3),
    ]


async def test_a_claim_takes_only_what_has_been_idle_long_enough(redis, clock):
    await redis.xgroup_create("s", "g", "0", mkstream=True)
    await redis.xadd("s", ENTRY, id="1-0")
    await redis.xreadgroup("g", "a", {"s": ">"})
    await clock.advance(40)
    await redis.xadd("s", ENTRY, id="2-0")
    await redis.xreadgroup("g", "a", {"s": ">"})
    assert await redis.xclaim("s", "g", "b", 20, ["1-0", "2-0"]) == [("1-0", ENTRY)]
    assert await redis.xautoclaim("s", "g", "c", 20, justid=True) == []
    assert [row["message_id"] for row in await redis.xpending_range("s", "g", "-", "+", 9, "b")] == ["1-0"]


async def test_a_claim_can_set_the_delivery_and_the_group_forward(redis):
    await redis.xgroup_create("s", "g", "0", mkstream=True)
    for number in (1, 2):
        await redis.xadd("s", ENTRY, id=f"{number}-0")
    assert await redis.xclaim("s", "g", "b", 0, ["1-0"]) == []
    assert await redis.xclaim("s", "g", "b", 0, ["1-0"], idle=60_000, retrycount=7, force=True, justid=True) == ["1-0"]
    [row] = await redis.xpending_range("s", "g", "-", "+", 9, idle=50_000)
    assert (row["consumer"], row["times_delivered"], row["time_since_delivered"] // 1000) == ("b", 7, 60)
    await redis.execute_command("XCLAIM", "s", "g", "b", 0, "1-0", "LASTID", "2-0")
    assert await redis.xreadgroup("g", "b", {"s": ">"}) == []


async def test_groups_and_consumers_are_made_moved_and_removed(redis):
    assert await redis.xgroup_create("s", "g", "$", mkstream=True) is True
    assert await refused(redis.xgroup_create("s", "g")) == "ResponseError: BUSYGROUP Consumer Group name already exists"
    assert [await redis.xgroup_createconsumer("s", "g", name) for name in ("a", "a")] == [1, 0]
    await redis.xadd("s", ENTRY, id="1-0")
    await redis.xreadgroup("g", "a", {"s": ">"})
    assert [await redis.xgroup_delconsumer("s", "g", name) for name in ("a", "a")] == [1, 0]
    assert await redis.xpending("s", "g") == {"pending": 0, "min": None, "max": None, "consumers": []}
    assert await redis.xgroup_setid("s", "g", "0", entries_read=0) is True
    assert await redis.xreadgroup("g", "b", {"s": ">"}, noack=True) == [["s", [("1-0", ENTRY)]]]
    assert await redis.xack("s", "g", "1-0") == 0
    assert [await redis.xgroup_destroy("s", "g") for _ in range(2)] == [True, False]


NO_KEY = (
    "ResponseError: The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the "
    "MKSTREAM option to create an empty stream automatically."
)
WRONG_TYPE = "ResponseError: WRONGTYPE Operation against a key holding the wrong kind of value"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("XGROUP CREATE none g $", NO_KEY),
        ("XGROUP CREATE text g $ MKSTREAM", WRONG_TYPE),
        ("XGROUP SETID s none 0", "ResponseError: NOGROUP No such consumer group 'none' for key name 's'"),
        ("XGROUP FOO s g", "ResponseError: unknown subcommand 'FOO'. Try XGROUP HELP."),
        ("XGROUP DESTROY s", "ResponseError: wrong number of arguments for 'xgroup|destroy' command"),
        (
            "XGROUP CREATE s h 0 FOO",
            "ResponseError: unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP.",
        ),
        ("XGROUP CREATE s h 0 ENTRIESREAD -2", "ResponseError: value for ENTRIESREAD must be positive or -1"),
        (
            "XREADGROUP GROUP none c STREAMS s >",
            "ResponseError: NOGROUP No such key 's' or consumer group 'none' in XREADGROUP with GROUP option",
        ),
        ("XREADGROUP COUNT 1 NOACK STREAMS s >", "ResponseError: Missing GROUP option for XREADGROUP"),
        (
            "XREADGROUP GROUP g c STREAMS s > >",
            "ResponseError: Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.",
        ),
        (
            "XREADGROUP GROUP g c STREAMS s $",
            "ResponseError: The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this "
            "consumer by specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an "
            "empty result set.",
        ),
        ("XACK text g 1", WRONG_TYPE),
        ("XPENDING s none", "ResponseError: NOGROUP No such key 's' or consumer group 'none'"),
        ("XPENDING s g - +", "ResponseError: syntax error"),
        ("XCLAIM s g c x 1", "ResponseError: Invalid min-idle-time argument for XCLAIM"),
        ("XCLAIM s g c 0 1 FOO", "ResponseError: Unrecognized XCLAIM option 'FOO'"),
        ("XAUTOCLAIM s g c 0 0 COUNT 0", "ResponseError: COUNT must be > 0"),
        ("XINFO CONSUMERS s none", "ResponseError: NOGROUP No such consumer group 'none' for key name 's'"),
        ("XINFO STREAM none", "ResponseError: no such key"),
        ("XSETID s 0-1", "ResponseError: The ID specified in XSETID is smaller than the target stream top item"),
    ],
)
async def test_what_cannot_be_is_refused_in_redis_own_words(redis, line, text):
    await redis.set("text", "x")
    await redis.xadd("s", ENTRY, id="1-0")
    await redis.xgroup_create("s", "g", "0")
    assert await refused(redis.execute_command(*line.split())) == text


async def test_a_script_may_read_for_a_group_but_not_wait(redis):
    await redis.xgroup_create("s", "g", "0", mkstream=True)
    script = "return redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'BLOCK', '0', 'STREAMS', KEYS[1], '>')"
    assert "XREADGROUP command is not allowed with BLOCK option from scripts" in await refused(
        redis.eval(script, 1, "s")
    )
    assert await redis.eval(script.replace("'BLOCK', '0', ", ""), 1, "s") is None


async def test_inside_a_transaction_nobody_waits(redis):
    await redis.xgroup_create("s", "g", "0", mkstream=True)
    async with redis.pipeline() as pipe:
        pipe.xreadgroup("g", "c", {"s": ">"}, block=0)
        pipe.xadd("s", ENTRY, id="1-0")
        pipe.xreadgroup("g", "c", {"s": ">"}, block=0)
        assert await pipe.execute() == [[], "1-0", [["s", [("1-0", ENTRY)]]]]


async def test_who_watches_a_stream_hears_of_entries_and_not_of_groups(redis, connect):
    await redis.xadd("s", ENTRY, id="1-0")
    other = connect()
    async with redis.pipeline() as pipe:
        await pipe.watch("s")
        await other.xgroup_create("s", "g", "0")
        await other.xreadgroup("g", "c", {"s": ">"})
        await other.xack("s", "g", "1-0")
        pipe.multi()
        assert await pipe.xlen("s").execute() == [1]
        await pipe.watch("s")
        await other.xadd("s", ENTRY, id="2-0")
        pipe.multi()
        assert await refused(pipe.xlen("s").execute()) == "WatchError: Watched variable changed."


async def test_what_is_known_of_a_stream_its_groups_and_consumers(redis):
    for number in (1, 2, 3):
        await redis.xadd("s", ENTRY, id=f"{number}-0")
    await redis.xgroup_create("s", "g", "0", entries_read=0)
    await redis.xreadgroup("g", "c", {"s": ">"}, count=1)
    await redis.xdel("s", "2-0")
    assert await redis.xinfo_stream("s") == {
        "length": 2,
        "radix-tree-keys": 1,
        "radix-tree-nodes": 2,
        "last-generated-id": "3-0",
        "max-deleted-entry-id": "2-0",
        "entries-added": 3,
        "recorded-first-entry-id": "1-0",
        "groups": 1,
        "first-entry": ("1-0", ENTRY),
        "last-entry": ("3-0", ENTRY),
    }
    group = {"name": "g", "last-delivered-id": "1-0", "entries-read": 1, "lag": None}
    assert await redis.xinfo_groups("s") == [{**group, "consumers": 1, "pending": 1}]
    [consumer] = await redis.xinfo_consumers("s", "g")
    assert (consumer["name"], consumer["pending"], consumer["idle"] < 5000) == ("c", 1, True)
    full = await redis.xinfo_stream("s", full=True)
    assert full["entries"] == {"1-0": ENTRY, "3-0": ENTRY}
    assert {**full["groups"][0], "pending": 0, "consumers": 0} == {
        **group,
        "pel-count": 1,
        "pending": 0,
        "consumers": 0,
    }
    assert [row[:2] + row[3:] for row in full["groups"][0]["pending"]] == [["1-0", "c", 1]]
    [consumer] = full["groups"][0]["consumers"]
    assert (consumer["name"], consumer["pel-count"], [row[0] for row in consumer["pending"]]) == ("c", 1, ["1-0"])
