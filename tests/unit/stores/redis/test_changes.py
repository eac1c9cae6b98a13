"""What is recorded of each command: enough to rebuild the store at any position of a trace."""

import random

import pytest

from py_runtime.stores.redis.views import changes, snapshot


@pytest.mark.parametrize(
    ("write", "kind", "value"),
    [
        ("SET k v", "string", "v"),
        ("HSET k b 1 a 2", "hash", {"b": "1", "a": "2"}),
        ("ZADD k 2 a 1.5 b inf c", "zset", [["b", 1.5], ["a", 2], ["c", "inf"]]),
        ("SADD k b a", "set", ["a", "b"]),
        ("RPUSH k b a", "list", ["b", "a"]),
        ("XADD k 5-1 f v", "stream", [["5-1", {"f": "v"}]]),
    ],
)
def test_a_change_holds_the_whole_new_value(redis, write, kind, value):
    assert redis.changes(write) == [{"store": "redis", "key": "k", "type": kind, "value": value}]


def test_an_expiry_is_part_of_the_change(redis):
    entry = {"store": "redis", "key": "k", "type": "string", "value": "v"}
    assert redis.changes("SET k v PX 10") == [entry | {"expires_at_ms": 1_000_010}]
    assert redis.changes("PERSIST k") == [entry]
    assert redis.changes("PEXPIRE k 20") == [entry | {"expires_at_ms": 1_000_020}]


def test_the_groups_of_a_stream_are_part_of_the_change(redis):
    redis("XADD s 1-0 f v")
    redis("XGROUP CREATE s g 0")
    redis("XGROUP CREATECONSUMER s g b")
    redis("XREADGROUP GROUP g a STREAMS s >")
    redis.pass_ms(5)
    group = {"name": "g", "last_id": "1-0", "consumers": ["a", "b"], "pending": []}
    pending = {"id": "1-0", "consumer": "b", "delivered_at_ms": 1_000_005, "deliveries": 2, "deleted": False}
    entry = {"store": "redis", "key": "s", "type": "stream", "value": [["1-0", {"f": "v"}]]}
    assert redis.changes("XCLAIM s g b 0 1-0") == [entry | {"groups": [group | {"pending": [pending]}]}]
    [deleted] = redis.changes("XDEL s 1-0")
    assert deleted["groups"] == [group | {"pending": [pending | {"deleted": True}]}]
    assert redis.changes("XACK s g 1-0") == [entry | {"value": [], "groups": [group]}]
    assert redis.changes("XACK s g 1-0") == []
    assert redis.changes("XGROUP DESTROY s g") == [entry | {"value": []}]


def test_a_removed_key_is_null_under_the_type_it_had(redis):
    redis("ZADD z 1 a")
    assert redis.changes("ZREM z a") == [{"store": "redis", "key": "z", "type": "zset", "value": None}]


def test_an_expired_key_is_reported_by_the_next_command_whatever_it_is(redis):
    redis("SET k v PX 10")
    redis.pass_ms(11)
    assert redis.changes("PING") == [{"store": "redis", "key": "k", "type": "string", "value": None}]
    assert redis.changes("PING") == []


@pytest.mark.parametrize(
    "line",
    ["GET k", "SET k w NX", "ZADD z 1 a", "SADD s a", "HDEL h x", "ZREM z x", "EXPIRE k 5 GT", "DEL none", "INCR h"],
)
def test_what_changes_nothing_records_nothing(redis, line):
    for write in ("SET k v", "ZADD z 1 a", "SADD s a", "HSET h f v"):
        redis(write)
    assert redis.changes(line) == []


def test_a_failed_script_reports_what_it_wrote(redis):
    changed = redis.changes("EVAL \"redis.call('SET', 'k', 'v') return redis.call('HGET', 'k', 'f')\" 0")
    assert [entry["key"] for entry in changed] == ["k"]


def test_bytes_that_are_no_text_are_shown_escaped(redis):
    redis("SET k", b"\xff\x00a")
    assert redis.state() == {"k": "\\xff\x00a"}


LINES = """SET {s} {n}|SET {s} {n} PX {n}|INCR {s}|APPEND {s} {n}|DEL {s} {z}|GETDEL {s}|PEXPIRE {z} {n}|PERSIST {z}
HSET {h} {m} {n}|HDEL {h} {m}|HINCRBY {h} {m} {n}|ZADD {z} {n} {m}|ZREM {z} {m}|ZPOPMIN {z}|ZREMRANGEBYSCORE {z} 0 {n}
SADD {e} {m}|SREM {e} {m}|RPUSH {l} {m}|LPOP {l}|LMOVE {l} {l}2 LEFT RIGHT|LTRIM {l} 0 {n}|RENAME {z} {z}2
XADD {x} * {m} {n}|XADD {x} MAXLEN {n} * {m} {n}|XTRIM {x} MAXLEN 1|SETEX {s} {n} x|PEXPIREAT {h} 1|FLUSHALL"""


@pytest.mark.parametrize("seed", range(5))
def test_folding_all_changes_gives_the_state(redis, seed):
    chance = random.Random(seed)
    lines = LINES.replace("\n", "|").split("|")
    folded: dict[str, dict] = {}
    for _ in range(600):
        line = chance.choice(lines if chance.random() < 0.05 else lines[:-1])
        names = {letter: letter + chance.choice("12") for letter in "shzelx"}
        redis(line.format(m=chance.choice("abc"), n=chance.randrange(6), **names))
        for entry in changes(redis.db, "redis", redis.db.take_touched()):
            folded[entry["key"]] = entry
        redis.pass_ms(chance.randrange(3))
        present = {key: entry for key, entry in folded.items() if entry["value"] is not None}
        assert present == snapshot(redis.db, "redis")
