"""When keys end: strictly after their moment."""

import pytest


def test_a_key_is_there_at_its_moment_and_gone_after_it(redis):
    redis("SET k v PX 30")
    redis.pass_ms(30)
    assert [redis("GET k"), redis("PTTL k"), redis("TTL k")] == ["v", 0, 0]
    redis.pass_ms(0.999)
    assert redis("GET k") == "v"  # still within the same millisecond
    redis.pass_ms(0.001)
    assert [redis("GET k"), redis("PTTL k"), redis("DBSIZE")] == [None, -2, 0]


def test_the_counter_with_a_time_to_live_refuses_at_its_very_last_millisecond(redis):
    redis("INCR n")
    redis("PEXPIRE n 30000")
    redis.pass_ms(30_000)
    assert redis("INCR n") == 2
    redis.pass_ms(1)
    assert [redis("INCR n"), redis("TTL n")] == [1, -1]


@pytest.mark.parametrize(
    "line", ["EXPIRE k 0", "EXPIRE k -1", "PEXPIRE k -7", "PEXPIREAT k 1000000", "EXPIREAT k 1000"]
)
def test_a_moment_not_in_the_future_deletes_at_once_and_counts_as_success(redis, line):
    redis("SET k v")
    assert redis(line) == 1
    assert redis("EXISTS k") == 0
    assert redis(line) == 0


def test_milliseconds_given_to_expireat_are_accepted_and_mean_tens_of_thousands_of_years(redis):
    redis("SET k v")
    assert redis("EXPIREAT k 1790000000000") == 1
    assert redis("TTL k") == 1_790_000_000_000 - 1000
    assert redis("EXPIREAT k 1790000000.5") == "ERR value is not an integer or out of range"


@pytest.mark.parametrize(
    ("current", "conditions", "reply"),
    [
        (None, "NX", 1),
        (50, "NX", 0),
        (None, "XX", 0),
        (50, "XX", 1),
        (None, "GT", 0),
        (50, "GT", 1),
        (100, "GT", 0),
        (200, "GT", 0),
        (None, "LT", 1),
        (200, "LT", 1),
        (100, "LT", 0),
        (50, "LT", 0),
        (50, "XX gt", 1),
        (None, "XX LT", 0),
        (50, "NX XX", "ERR NX and XX, GT or LT options at the same time are not compatible"),
        (50, "GT LT", "ERR GT and LT options at the same time are not compatible"),
        (50, "FOO", "ERR Unsupported option FOO"),
    ],
)
def test_expire_conditions(redis, current, conditions, reply):
    redis("SET k v" + (f" EX {current}" if current else ""))
    assert redis(f"EXPIRE k 100 {conditions}") == reply
    assert redis("TTL k") == (100 if reply == 1 else current or -1)


def test_the_four_ways_to_read_an_expiry(redis):
    redis("SET k v PX 2500")
    assert [redis(f"{name} k") for name in ("PTTL", "TTL", "PEXPIRETIME", "EXPIRETIME")] == [2500, 3, 1_002_500, 1003]
    redis("PERSIST k")
    assert [redis(f"{name} k") for name in ("PTTL", "TTL", "PEXPIRETIME", "EXPIRETIME")] == [-1] * 4
    assert [redis(f"{name} none") for name in ("PTTL", "TTL", "PEXPIRETIME", "EXPIRETIME")] == [-2] * 4
    assert [redis("PERSIST k"), redis("PERSIST none")] == [0, 0]


def test_an_expire_time_beyond_the_range_is_refused(redis):
    redis("SET k v")
    assert redis(f"EXPIRE k {2**63 - 1}") == "ERR invalid expire time in 'expire' command"
    assert redis(f"PEXPIRE k {2**63 - 1}") == "ERR invalid expire time in 'pexpire' command"
    assert redis(f"EXPIREAT k {2**62}") == "ERR invalid expire time in 'expireat' command"
    assert redis("TTL k") == -1


def test_an_old_moment_does_not_end_a_key_that_was_renewed(redis):
    redis("SET k v PX 10")
    redis("PEXPIRE k 50")
    redis.pass_ms(30)
    assert redis("GET k") == "v"
    redis("SET k v2")
    redis.pass_ms(100)
    assert redis("GET k") == "v2"


def test_a_thousand_renewals_leave_no_thousand_timers(redis):
    redis("SET k v")
    for _ in range(1000):
        redis("PEXPIRE k 100000")
        redis.pass_ms(1)
    assert len(redis.db._due) <= 2 * 1 + 64


def test_containers_keep_their_expiry_when_elements_come_and_go(redis):
    for write, more in [("ZADD k 1 a", "ZADD k 2 b"), ("HSET k a 1", "HSET k b 2"), ("RPUSH k a", "RPUSH k b")]:
        redis("DEL k")
        redis(write)
        redis("PEXPIRE k 500")
        redis(more)
        assert redis("PTTL k") == 500
