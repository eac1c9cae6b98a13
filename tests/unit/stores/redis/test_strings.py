"""Strings and counters."""

import pytest

NOT_INTEGER = "ERR value is not an integer or out of range"
OVERFLOW = "ERR increment or decrement would overflow"
BIG = 2**63 - 1


@pytest.mark.parametrize(
    ("before", "options", "reply", "after"),
    [
        (None, "", "OK", "new"),
        ("old", "", "OK", "new"),
        (None, "NX", "OK", "new"),
        ("old", "NX", None, "old"),
        (None, "XX", None, None),
        ("old", "xx", "OK", "new"),
        ("old", "GET", "old", "new"),
        (None, "GET", None, "new"),
        ("old", "NX GET", "old", "old"),
        (None, "NX GET", None, "new"),
        (None, "XX GET", None, None),
        ("old", "NX XX", "ERR syntax error", "old"),
        ("old", "FOO", "ERR syntax error", "old"),
        ("old", "EX", "ERR syntax error", "old"),
        ("old", "EX 1 PX 1", "ERR syntax error", "old"),
        ("old", "EX 1 KEEPTTL", "ERR syntax error", "old"),
        ("old", "EX 0", "ERR invalid expire time in 'set' command", "old"),
        ("old", "PX -5", "ERR invalid expire time in 'set' command", "old"),
        ("old", f"EX {BIG}", "ERR invalid expire time in 'set' command", "old"),
        ("old", "EX 1.5", NOT_INTEGER, "old"),
    ],
)
def test_set_obeys_every_option_or_names_its_error(redis, before, options, reply, after):
    if before is not None:
        redis(f"SET k {before}")
    assert redis(f"SET k new {options}") == reply
    assert redis("GET k") == after


@pytest.mark.parametrize(
    ("options", "left_ms"),
    [("EX 5", 5000), ("PX 70", 70), ("EXAT 1003", 3000), ("PXAT 1000007", 7), ("KEEPTTL", 90_000), ("", -1)],
)
def test_set_leaves_the_expiry_its_options_ask_for(redis, options, left_ms):
    redis("SET k old EX 90")
    redis(f"SET k new {options}")
    assert redis("PTTL k") == left_ms


def test_set_with_a_moment_already_past_leaves_nothing(redis):
    assert redis("SET k v PXAT 999999") == "OK"
    assert redis("EXISTS k") == 0
    assert redis("SET k v PXAT 1000000") == "OK"  # the moment itself still counts
    assert redis("GET k") == "v"


def test_set_get_refuses_another_type_before_writing(redis):
    redis("RPUSH k a")
    assert redis("SET k v GET") == "WRONGTYPE Operation against a key holding the wrong kind of value"
    assert redis("TYPE k") == "list"
    assert redis("SET k v") == "OK"


def test_plain_writes_drop_the_expiry_and_counters_keep_it(redis):
    for line, left in [
        ("SET k 1", -1),
        ("GETSET k 1", -1),
        ("MSET k 1", -1),
        ("INCR k", 90_000),
        ("APPEND k 1", 90_000),
    ]:
        redis("SET k 1 EX 90")
        redis(line)
        assert redis("PTTL k") == left, line


def test_a_counter_created_by_counting_has_no_expiry(redis):
    assert [redis("INCR n"), redis("DECRBY m 3"), redis("TTL n")] == [1, -3, -1]


@pytest.mark.parametrize(
    ("before", "line", "reply"),
    [
        (None, "INCR k", 1),
        (None, "DECR k", -1),
        ("10", "INCRBY k -4", 6),
        ("10", "DECRBY k 4", 6),
        ("abc", "INCR k", NOT_INTEGER),
        ("01", "INCR k", NOT_INTEGER),
        ("+1", "INCR k", NOT_INTEGER),
        ("1_0", "INCR k", NOT_INTEGER),
        ("'1 '", "INCR k", NOT_INTEGER),
        ("1.5", "INCR k", NOT_INTEGER),
        (str(BIG), "INCR k", OVERFLOW),
        (str(-BIG - 1), "DECR k", OVERFLOW),
        ("1", "INCRBY k 1.5", NOT_INTEGER),
        ("1", f"DECRBY k {-BIG - 1}", "ERR decrement would overflow"),
        ("10.50", "INCRBYFLOAT k 0.1", "10.6"),
        ("5.0e3", "INCRBYFLOAT k 2.0e2", "5200"),
        ("3", "INCRBYFLOAT k -5", "-2"),
        ("5000.3", "INCRBYFLOAT k 0", "5000.29999999999999982"),
        ("1", "INCRBYFLOAT k inf", "ERR increment would produce NaN or Infinity"),
        ("1", "INCRBYFLOAT k x", "ERR value is not a valid float"),
    ],
)
def test_counters_follow_redis_to_the_digit(redis, before, line, reply):
    if before is not None:
        redis(f"SET k {before}")
    assert redis(line) == reply


def test_counting_down_twice_admits_one_too_many(redis):
    """The counter autopsy: A in, A out twice, then B and C both see a count within the limit of 1."""
    assert [redis(line) for line in ("INCR n", "DECR n", "DECR n", "INCR n", "INCR n")] == [1, 0, -1, 0, 1]


def test_several_keys_are_read_and_written_at_once(redis):
    assert redis("MSET a 1 b 2") == "OK"
    redis("RPUSH list x")
    assert redis("MGET a list none b") == ["1", None, None, "2"]
    assert [redis("MSETNX b 3 c 4"), redis("MSETNX c 4 d 5"), redis("MGET b c d")] == [0, 1, ["2", "4", "5"]]
    assert redis("MSET a") == "ERR wrong number of arguments for 'mset' command"
    assert redis("MSET a 1 b") == "ERR wrong number of arguments for 'mset' command"


def test_reads_that_also_change_the_key(redis):
    redis("SET k v EX 90")
    assert [redis("GETEX k"), redis("PTTL k")] == ["v", 90_000]
    assert [redis("GETEX k PX 20"), redis("PTTL k")] == ["v", 20]
    assert [redis("GETEX k PERSIST"), redis("PTTL k")] == ["v", -1]
    assert [redis("GETEX k PXAT 1000000"), redis("EXISTS k")] == ["v", 0]  # a moment not in the future deletes
    redis("SET k v")
    assert [redis("GETDEL k"), redis("GETDEL k")] == ["v", None]
    assert redis("GETEX k EX 1 PERSIST") == "ERR syntax error"


def test_the_small_string_commands(redis):
    assert [redis("APPEND k ab"), redis("APPEND k cd"), redis("STRLEN k"), redis("STRLEN none")] == [2, 4, 4, 0]
    assert [redis("SETNX k x"), redis("SETNX n x"), redis("GETSET n y"), redis("GET n")] == [0, 1, "x", "y"]
    assert [redis("SETEX k 5 v"), redis("TTL k"), redis("PSETEX k 7 v"), redis("PTTL k")] == ["OK", 5, "OK", 7]
    assert redis("SETEX k 0 v") == "ERR invalid expire time in 'setex' command"
