"""Between Lua values and replies, both ways. The replies were recorded from redis-server 7.0.15."""

from collections.abc import Callable

import pytest

RULES = [
    ("a number is cut to an integer", "return {1.9, -1.9, 0.5, 3}", [1, -1, 0, 3]),
    (
        "a number beyond 64 bits becomes the lowest integer",
        "return {1e30, -1e30, 1 / 0, 0 / 0}",
        [-9223372036854775808, -9223372036854775808, -9223372036854775808, -9223372036854775808],
    ),
    ("a string stays a string", "return '1.9'", b"1.9"),
    ("tostring saves a fraction", "return tostring(3.14)", b"3.14"),
    ("true is 1", "return true", 1),
    ("false is nil", "return false", None),
    ("nil is nil", "return nil", None),
    ("nil cuts an array off", "return {1, nil, 3}", [1]),
    ("false inside an array stays nil and does not cut it", "return {1, false, 3}", [1, None, 3]),
    ("only the array part is returned", "return {1, 2, x = 3}", [1, 2]),
    ("arrays nest", "return {'a', {'b', {}}, 1}", [b"a", [b"b", []], 1]),
    ("ok makes a status line", "return {ok = 'FINE'}", "+FINE"),
    ("err makes an error", "return {err = 'MYCODE text'}", "-MYCODE text"),
    ("err wins over ok", "return {ok = 'a', err = 'B c'}", "-B c"),
    ("ok that is no string is an empty array", "return {ok = 5}", []),
    ("line ends in a status become spaces", "return {ok = 'a\\r\\nb'}", "+a  b"),
    ("line ends in an error become spaces", "return {err = 'A b\\nc'}", "-A b c"),
    ("errors and statuses may sit inside an array", "return {1, {err = 'A b'}, {ok = 'c'}}", [1, "-A b", "+c"]),
    ("a function is nil", "return function() end", None),
    ("cjson.null is nil", "return cjson.null", None),
    ("only the first result is returned", "return 1, 2", 1),
    ("a double is text", "return {double = 3.5}", b"3.5"),
    ("a map is a flat array", "return {map = {a = 1}}", [b"a", 1]),
    ("a set is an array of its keys", "return {set = {a = true}}", [b"a"]),
    ("a big number is text", "return {big_number = '123'}", b"123"),
    ("a verbatim string is text", "return {verbatim_string = {string = 'abc', format = 'txt'}}", b"abc"),
    ("status_reply makes a status", "return redis.status_reply('TEST')", "+TEST"),
    ("error_reply with one word gets ERR", "return redis.error_reply('broken')", "-ERR broken"),
    ("error_reply with a code keeps it", "return redis.error_reply('MYCODE broken')", "-MYCODE broken"),
    ("error_reply drops a leading minus", "return redis.error_reply('-MYCODE broken')", "-MYCODE broken"),
    ("error_reply wants one string", "return redis.error_reply(5)", "-ERR wrong number or type of arguments"),
    (
        "an integer reply is a number",
        "local n = redis.call('INCR', KEYS[1]) return {type(n), tostring(n == 1)}",
        [b"number", b"true"],
    ),
    (
        "a bulk reply is a string",
        (
            "redis.call('SET', KEYS[1], '1') local s = redis.call('GET', KEYS[1]) return {type(s), "
            "tostring(s == 1), tostring(s == '1')}"
        ),
        [b"string", b"false", b"true"],
    ),
    (
        "a nil reply is false",
        ("local v = redis.call('GET', KEYS[1]) return {type(v), tostring(v), tostring(v == nil), tostring(not v)}"),
        [b"boolean", b"false", b"false", b"true"],
    ),
    ("HGET of an absent field is false", "return tostring(redis.call('HGET', KEYS[1], 'f'))", b"false"),
    (
        "a status reply is a table with ok",
        "local r = redis.call('SET', KEYS[1], 'x') return {type(r), r.ok}",
        [b"table", b"OK"],
    ),
    ("a status reply goes out as a status", "return redis.call('SET', KEYS[1], 'x')", "+OK"),
    (
        "an array reply is a table and nil inside it is false",
        (
            "redis.call('SET', KEYS[2], 'x') local r = redis.call('MGET', KEYS[1], KEYS[2]) return "
            "{#r, tostring(r[1]), r[2]}"
        ),
        [2, b"false", b"x"],
    ),
    (
        "nil inside an array goes out as nil",
        "redis.call('SET', KEYS[2], 'x') return redis.call('MGET', KEYS[1], KEYS[2])",
        [None, b"x"],
    ),
    (
        "numbers may be arguments and whole ones have no point",
        "redis.call('SET', KEYS[1], 10 / 2) return redis.call('GET', KEYS[1])",
        b"5",
    ),
    (
        "a fraction as an argument is written in full",
        "redis.call('SET', KEYS[1], 3.14) return redis.call('GET', KEYS[1])",
        b"3.1400000000000001",
    ),
    (
        "large whole numbers as arguments",
        ("redis.call('RPUSH', KEYS[1], 1e15, 2 ^ 53, 1e17, -1, 1 / 0) return redis.call('LRANGE', KEYS[1], 0, -1)"),
        [b"1000000000000000", b"9007199254740992", b"1e+17", b"-1", b"inf"],
    ),
    ("command names may have any case", "redis.call('set', KEYS[1], 'x') return redis.call('gEt', KEYS[1])", b"x"),
    (
        "redis.call can be kept in a local",
        "local call = redis.call call('SET', KEYS[1], 'x') return call('GET', KEYS[1])",
        b"x",
    ),
    (
        "KEYS and ARGV hold what was passed",
        "return {KEYS[1], KEYS[2], ARGV[1], ARGV[2], #KEYS, #ARGV}",
        [b"k1", b"k2", b"a1", b"a2", 2, 3],
    ),
    (
        "ARGV holds text even for numbers",
        "return {type(ARGV[3]), ARGV[3] + 1, tostring(ARGV[3] == 3)}",
        [b"string", 4, b"false"],
    ),
]


@pytest.mark.parametrize(("script", "reply"), [pytest.param(*rule[1:], id=rule[0]) for rule in RULES])
def test_each_value_is_converted_as_redis_server_does(answer: Callable, script: str, reply: object) -> None:
    assert answer(script) == reply
