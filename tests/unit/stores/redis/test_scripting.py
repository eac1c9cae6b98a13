"""EVAL and its kin: whole, at one instant, with no way back."""

import hashlib

import pytest


def evaluate(redis, script: str, keys: str = "", arguments: str = ""):
    count = len(keys.split())
    return redis("EVAL", script.encode(), str(count).encode(), *(keys + " " + arguments).encode().split())


@pytest.mark.parametrize(
    ("script", "reply"),
    [
        ("return redis.call('INCR', KEYS[1])", 1),
        ("return redis.call('GET', KEYS[1])", None),
        ("redis.call('SET', KEYS[1], ARGV[1]) return redis.call('GET', KEYS[1])", "a"),
        ("return redis.call('SET', KEYS[1], 'x')", "OK"),
        ("return redis.call('HGET', KEYS[1], 'f') == false", 1),
        ("return redis.call('ZADD', KEYS[1], 1.5, 'm')", 1),
        ("return 3.99", 3),
        ("return {1, nil, 3}", [1]),
    ],
)
def test_replies_cross_both_ways(redis, script, reply):
    assert evaluate(redis, script, "k", "a") == reply


def test_an_error_takes_no_earlier_write_back(redis):
    text = evaluate(redis, "redis.call('SET', KEYS[1], 'kept') return redis.call('HGET', KEYS[1], 'f')", "k")
    assert text.startswith("WRONGTYPE Operation against a key holding the wrong kind of value script: ")
    assert redis("GET k") == "kept"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("'NOPE'", "ERR Unknown Redis command called from script"),
        ("'GET'", "ERR Wrong number of args calling Redis command from script"),
        ("'BLPOP', 'k', 0", "ERR This Redis command is not allowed from script"),
        ("'EVAL', 'return 1', 0", "ERR This Redis command is not allowed from script"),
        ("'SCRIPT', 'FLUSH'", "ERR This Redis command is not allowed from script"),
        ("'XREAD', 'BLOCK', 0, 'STREAMS', 'k', '$'", "ERR XREAD command is not allowed with BLOCK option from scripts"),
        ("'INCRBY', 'k', 'x'", "ERR value is not an integer or out of range"),
    ],
)
def test_what_a_script_may_not_call(redis, call, text):
    reply = evaluate(redis, f"return redis.call({call})")
    assert reply.startswith(text + " script: ")
    assert evaluate(redis, f"return redis.pcall({call})['err']") == text


def test_time_stands_still_inside_a_script(redis):
    redis("SET k v PX 10")
    redis.pass_ms(10)
    assert evaluate(redis, "redis.call('SET', KEYS[2], 'w', 'PX', 1) return redis.call('PTTL', KEYS[1])", "k l") == 0
    assert evaluate(redis, "local a = redis.call('TIME') local b = redis.call('TIME') return a[2] == b[2]") == 1


def test_setting_an_expiry_in_the_past_deletes_and_still_returns_success(redis):
    redis("HSET meta owner 1")
    script = "redis.call('HSET', KEYS[1], 'beat', 1) return redis.call('EXPIREAT', KEYS[1], ARGV[1])"
    assert evaluate(redis, script, "meta", "993") == 1
    assert redis("EXISTS meta") == 0


def test_a_known_script_runs_by_its_hash_until_the_server_forgets(redis):
    script = b"return ARGV[1]"
    sha = hashlib.sha1(script).hexdigest()
    assert redis(f"EVALSHA {sha} 0 x") == "NOSCRIPT No matching script. Please use EVAL."
    assert redis("SCRIPT LOAD", script) == sha
    assert [redis(f"EVALSHA {sha} 0 x"), redis(f"EVALSHA {sha.upper()} 0 y")] == ["x", "y"]
    assert redis(f"SCRIPT EXISTS {sha} {'0' * 40}") == [1, 0]
    assert redis("SCRIPT FLUSH") == "OK"
    assert redis(f"EVALSHA {sha} 0 x") == "NOSCRIPT No matching script. Please use EVAL."
    assert [redis("EVAL", script, b"0", b"x"), redis(f"EVALSHA {sha} 0 x")] == ["x", "x"]
    assert redis("SCRIPT FLUSH LATER") == "ERR SCRIPT FLUSH only support SYNC|ASYNC option"


def test_declared_keys_are_counted(redis):
    assert redis("EVAL 'return #KEYS' 3 a b") == "ERR Number of keys can't be greater than number of args"
    assert redis("EVAL 'return #KEYS' -1 a b") == "ERR Number of keys can't be negative"
    assert redis("EVAL 'return #KEYS' x a b") == "ERR value is not an integer or out of range"
    assert redis("EVAL 'return #KEYS' 1 a b") == 1


def test_a_script_that_does_not_compile_says_where(redis):
    text = redis("EVAL", b"return (", b"0")
    assert text.startswith("ERR Error compiling script (new function): user_script:1: ")


LEASE = """-- lease-acquire
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - ARGV[2])
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[3]) then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[4])
  return 1
end
return 0
"""


def test_a_lease_script_admits_again_at_the_very_moment_of_the_timeout(redis):
    assert evaluate(redis, LEASE, "leases", "6000 9000 1 A") == 1
    assert evaluate(redis, LEASE, "leases", "14999 9000 1 B") == 0
    assert evaluate(redis, LEASE, "leases", "15000 9000 1 B") == 1
    assert redis("ZRANGE leases 0 -1") == ["B"]
