"""Sorted sets."""

import pytest

NOT_FLOAT = "ERR value is not a valid float"


@pytest.mark.parametrize(
    ("options", "reply", "scores"),
    [
        ("6 a", 0, ["6", None]),
        ("5 a", 0, ["5", None]),
        ("CH 6 a", 1, ["6", None]),
        ("CH 5 a", 0, ["5", None]),
        ("6 a 7 b", 1, ["6", "7"]),
        ("CH 6 a 7 b", 2, ["6", "7"]),
        ("NX 6 a 7 b", 1, ["5", "7"]),
        ("XX 6 a 7 b", 0, ["6", None]),
        ("XX CH 6 a 7 b", 1, ["6", None]),
        ("XX CH 5 a", 0, ["5", None]),
        ("GT 4 a 7 b", 1, ["5", "7"]),
        ("GT CH 9 a", 1, ["9", None]),
        ("LT CH 4 a", 1, ["4", None]),
        ("LT 9 a", 0, ["5", None]),
        ("XX GT CH 9 a 9 b", 1, ["9", None]),
        ("INCR 2 a", "7", ["7", None]),
        ("INCR 2 b", "2", ["5", "2"]),
        ("XX INCR 2 b", None, ["5", None]),
        ("NX INCR 2 a", None, ["5", None]),
        ("GT INCR -1 a", None, ["5", None]),
        ("NX XX 1 a", "ERR XX and NX options at the same time are not compatible", ["5", None]),
        ("NX GT 1 a", "ERR GT, LT, and/or NX options at the same time are not compatible", ["5", None]),
        ("GT LT 1 a", "ERR GT, LT, and/or NX options at the same time are not compatible", ["5", None]),
        ("INCR 1 a 2 b", "ERR INCR option supports a single increment-element pair", ["5", None]),
        ("1 a 2", "ERR syntax error", ["5", None]),
        ("NX", "ERR wrong number of arguments for 'zadd' command", ["5", None]),
        ("1 b x a", NOT_FLOAT, ["5", None]),
        ("nan a", NOT_FLOAT, ["5", None]),
        ("1_0 a", NOT_FLOAT, ["5", None]),
        ("inf a", 0, ["inf", None]),
        ("0x10 a", 0, ["16", None]),
    ],
)
def test_zadd_obeys_every_option_or_names_its_error(redis, options, reply, scores):
    redis("ZADD z 5 a")
    redis("EXPIRE z 100")
    assert redis("ZADD z " + options) == reply
    assert redis("ZMSCORE z a b") == scores
    assert redis("TTL z") == 100


def test_a_second_heartbeat_in_the_same_millisecond_looks_like_a_lost_lease(redis):
    redis("ZADD leases 1000 task")
    assert [redis("ZADD leases XX CH 1001 task"), redis("ZADD leases XX CH 1001 task")] == [1, 0]


def test_adding_nothing_leaves_no_key(redis):
    assert [redis("ZADD z XX 1 a"), redis("EXISTS z")] == [0, 0]


def test_infinities_that_cancel_are_refused(redis):
    redis("ZADD z inf a")
    assert redis("ZINCRBY z -inf a") == "ERR resulting score is not a number (NaN)"
    assert redis("ZSCORE z a") == "inf"


@pytest.mark.parametrize(
    ("score", "printed"),
    [
        ("0.1", "0.10000000000000001"),
        ("3.0", "3"),
        ("1e20", "1e+20"),
        ("123456789012345678", "1.2345678901234568e+17"),
        ("1e15", "1000000000000000"),
        ("-0", "0"),
        ("-inf", "-inf"),
        ("1790000000123", "1790000000123"),
    ],
)
def test_scores_are_printed_as_redis_7_0_prints_them(redis, score, printed):
    redis(f"ZADD z {score} m")
    assert redis("ZSCORE z m") == printed


def test_order_is_by_score_then_by_member_bytes(redis):
    redis("ZADD z 1 b 1 a 1 B 0 z 1 10 1 9")
    assert redis("ZRANGE z 0 -1") == ["z", "10", "9", "B", "a", "b"]
    assert [redis("ZRANK z B"), redis("ZREVRANK z B"), redis("ZRANK z none"), redis("ZCARD z")] == [3, 2, None, 6]


@pytest.mark.parametrize(
    ("bounds", "members"),
    [
        ("1 3", ["a", "b", "c"]),
        ("(1 3", ["b", "c"]),
        ("1 (3", ["a", "b"]),
        ("(1 (2", []),
        ("(2 (2", []),
        ("3 1", []),
        ("-inf +inf", ["a", "b", "c", "d"]),
        ("2 inf", ["b", "c", "d"]),
        ("3.5 9", ["d"]),
        ("-inf (4", ["a", "b", "c"]),
    ],
)
def test_score_bounds_mean_the_same_to_reading_counting_and_removing(redis, bounds, members):
    redis("ZADD z 1 a 2 b 3 c 4 d")
    low, high = bounds.split()
    assert redis(f"ZRANGEBYSCORE z {bounds}") == members
    assert redis(f"ZRANGE z {bounds} BYSCORE") == members
    assert redis(f"ZREVRANGEBYSCORE z {high} {low}") == members[::-1]
    assert redis(f"ZRANGE z {high} {low} BYSCORE REV") == members[::-1]
    assert redis(f"ZCOUNT z {bounds}") == len(members)
    assert redis(f"ZREMRANGEBYSCORE z {bounds}") == len(members)
    assert redis("ZCARD z") == 4 - len(members)


def test_the_sweep_takes_a_lease_whose_time_is_exactly_up(redis):
    redis("ZADD leases 7000 old 7001 young")
    assert redis("ZREMRANGEBYSCORE leases -inf 7000") == 1
    assert redis("ZRANGE leases 0 -1") == ["young"]


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("ZRANGE z 1 2", ["b", "c"]),
        ("ZRANGE z -2 -1 WITHSCORES", ["c", "3", "d", "4"]),
        ("ZRANGE z 0 1 REV", ["d", "c"]),
        ("ZREVRANGE z 0 1 WITHSCORES", ["d", "4", "c", "3"]),
        ("ZRANGE z 5 9", []),
        ("ZRANGEBYSCORE z -inf inf LIMIT 1 2", ["b", "c"]),
        ("ZRANGEBYSCORE z -inf inf LIMIT 1 -1", ["b", "c", "d"]),
        ("ZRANGEBYSCORE z -inf inf LIMIT -1 2", []),
        ("ZREVRANGEBYSCORE z 3 1 WITHSCORES LIMIT 0 1", ["c", "3"]),
        ("ZRANGE z inf -inf BYSCORE REV LIMIT 0 1", ["d"]),
        ("ZRANGE none 0 -1", []),
        ("ZRANGE z 0 x", "ERR value is not an integer or out of range"),
        ("ZRANGEBYSCORE z a 1", "ERR min or max is not a float"),
        ("ZRANGE z 0 1 BYLEX", "ERR min or max not valid string range item"),
        ("ZRANGE z 0 1 FOO", "ERR syntax error"),
        ("ZRANGE z 0 1 BYSCORE BYLEX", "ERR syntax error"),
        ("ZREVRANGE z 0 1 REV", "ERR syntax error"),
        (
            "ZRANGE z 0 1 LIMIT 0 1",
            "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX",
        ),
        ("ZRANGE z - + BYLEX WITHSCORES", "ERR syntax error, WITHSCORES not supported in combination with BYLEX"),
    ],
)
def test_ranges(redis, line, reply):
    redis("ZADD z 1 a 2 b 3 c 4 d")
    assert redis(line) == reply


@pytest.mark.parametrize(
    ("bounds", "members"),
    [("- +", "abcd"), ("[b [c", "bc"), ("(b [c", "c"), ("[b (c", "b"), ("(b (c", ""), ("[c +", "cd"), ("+ -", "")],
)
def test_text_bounds_mean_the_same_to_reading_counting_and_removing(redis, bounds, members):
    redis("ZADD z 0 a 0 b 0 c 0 d")
    low, high = bounds.split()
    assert redis(f"ZRANGEBYLEX z {bounds}") == list(members)
    assert redis(f"ZREVRANGEBYLEX z {high} {low}") == list(members[::-1])
    assert redis(f"ZLEXCOUNT z {bounds}") == len(members)
    assert redis(f"ZREMRANGEBYLEX z {bounds}") == len(members)
    assert redis("ZCARD z") == 4 - len(members)


def test_taking_members_out(redis):
    redis("ZADD z 1 a 2 b 3 c 4 d 5 e 6 f")
    assert [redis("ZPOPMIN z"), redis("ZPOPMAX z 2"), redis("ZREM z b x")] == [["a", "1"], ["f", "6", "e", "5"], 1]
    assert [redis("ZREMRANGEBYRANK z 0 0"), redis("ZRANGE z 0 -1"), redis("ZPOPMIN z 9")] == [1, ["d"], ["d", "4"]]
    assert [redis("EXISTS z"), redis("ZPOPMIN z"), redis("ZREM z a"), redis("ZCARD z"), redis("ZSCORE z a")] == [
        0,
        [],
        0,
        0,
        None,
    ]
    assert redis("ZPOPMIN z -1") == "ERR value is out of range, must be positive"
    assert redis("ZINCRBY z 1.5 a") == "1.5"
