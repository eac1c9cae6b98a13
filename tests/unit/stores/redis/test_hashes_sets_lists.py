"""Hashes, sets and lists."""

import pytest


def test_hash_fields_are_written_read_and_deleted(redis):
    assert [redis("HSET h a 1 b 2"), redis("HSET h b 3 c 4"), redis("HSETNX h a 9"), redis("HSETNX h d 5")] == [
        2,
        1,
        0,
        1,
    ]
    assert redis("HGETALL h") == ["a", "1", "b", "3", "c", "4", "d", "5"]
    assert [redis("HGET h a"), redis("HGET h x"), redis("HGET none a")] == ["1", None, None]
    assert redis("HMGET h a x b") == ["1", None, "3"]
    assert [redis("HKEYS h"), redis("HVALS h"), redis("HLEN h")] == [["a", "b", "c", "d"], ["1", "3", "4", "5"], 4]
    assert [redis("HEXISTS h a"), redis("HEXISTS h x")] == [1, 0]
    assert [redis("HDEL h a a x"), redis("HDEL h b c d"), redis("EXISTS h")] == [1, 3, 0]
    assert [redis("HGETALL h"), redis("HMGET h a"), redis("HDEL h a"), redis("HMSET h a 1")] == [[], [None], 0, "OK"]


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("HINCRBY h n 5", 6),
        ("HINCRBY h new -2", -2),
        ("HINCRBY h text 1", "ERR hash value is not an integer"),
        ("HINCRBY h n x", "ERR value is not an integer or out of range"),
        (f"HINCRBY h n {2**63 - 1}", "ERR increment or decrement would overflow"),
        ("HINCRBYFLOAT h n 0.5", "1.5"),
        ("HINCRBYFLOAT h text 1", "ERR hash value is not a float"),
        ("HINCRBYFLOAT h n inf", "ERR value is NaN or Infinity"),
        ("HSET h a 1 b", "ERR wrong number of arguments for 'hset' command"),
    ],
)
def test_counting_in_fields(redis, line, reply):
    redis("HSET h n 1 text abc")
    assert redis(line) == reply


def test_set_members_are_there_once(redis):
    assert [redis("SADD s a b a"), redis("SADD s b c"), redis("SCARD s"), redis("SMEMBERS s")] == [
        2,
        1,
        3,
        ["a", "b", "c"],
    ]
    assert [redis("SISMEMBER s a"), redis("SISMEMBER s x"), redis("SISMEMBER none x")] == [1, 0, 0]
    assert [redis("SREM s a x"), redis("SREM s b c"), redis("EXISTS s"), redis("SREM s a"), redis("SMEMBERS s")] == [
        1,
        2,
        0,
        0,
        [],
    ]


def test_list_ends(redis):
    assert [redis("RPUSH l b c"), redis("LPUSH l a z"), redis("LRANGE l 0 -1")] == [2, 4, ["z", "a", "b", "c"]]
    assert [redis("LPOP l"), redis("RPOP l"), redis("LLEN l"), redis("LPOP l 5"), redis("EXISTS l")] == [
        "z",
        "c",
        2,
        ["a", "b"],
        0,
    ]
    assert [redis("LPOP l"), redis("LPOP l 2"), redis("LLEN l"), redis("LRANGE l 0 -1")] == [None, None, 0, []]
    redis("RPUSH l a")
    assert [redis("LPOP l 0"), redis("LPOP l -1")] == [[], "ERR value is out of range, must be positive"]
    assert redis("LPOP l 1 2") == "ERR wrong number of arguments for 'lpop' command"


@pytest.mark.parametrize(
    ("bounds", "found"),
    [("0 0", "a"), ("1 2", "bc"), ("-2 -1", "de"), ("-100 100", "abcde"), ("3 1", ""), ("5 9", ""), ("0 -6", "")],
)
def test_list_ranges_and_trimming_agree(redis, bounds, found):
    redis("RPUSH l a b c d e")
    assert redis(f"LRANGE l {bounds}") == list(found)
    assert redis(f"LTRIM l {bounds}") == "OK"
    assert redis("LRANGE l 0 -1") == list(found)


def test_list_elements_by_place_and_by_value(redis):
    redis("RPUSH l a b a c a")
    assert [redis("LINDEX l 1"), redis("LINDEX l -1"), redis("LINDEX l 9")] == ["b", "a", None]
    assert [redis("LREM l -1 a"), redis("LRANGE l 0 -1")] == [1, ["a", "b", "a", "c"]]
    assert [redis("LREM l 1 a"), redis("LRANGE l 0 -1"), redis("LREM l 0 x")] == [1, ["b", "a", "c"], 0]


def test_moving_between_lists(redis):
    redis("RPUSH a 1 2 3")
    assert [redis("LMOVE a b LEFT RIGHT"), redis("LMOVE a b right left"), redis("LRANGE b 0 -1")] == [
        "1",
        "3",
        ["3", "1"],
    ]
    assert [redis("LMOVE a a LEFT RIGHT"), redis("LRANGE a 0 -1")] == ["2", ["2"]]
    assert [redis("LMOVE a b LEFT LEFT"), redis("EXISTS a"), redis("LMOVE a b LEFT LEFT")] == ["2", 0, None]
    assert redis("LMOVE a b UP LEFT") == "ERR syntax error"
