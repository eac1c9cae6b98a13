"""What the library functions give. The replies were recorded from redis-server 7.0.15."""

from collections.abc import Callable

import pytest

RULES = [
    (
        "tonumber reads decimal, hexadecimal and blanks",
        ("return {tonumber('10'), tonumber(' 5 '), tonumber('0x1f'), tonumber('1e2'), tostring(tonumber('.5'))}"),
        [10, 5, 31, 100, b"0.5"],
    ),
    (
        "tonumber gives nil for what is no number",
        (
            "return {tostring(tonumber('abc')), tostring(tonumber('')), tostring(tonumber('1 2')), "
            "tostring(tonumber('1e')), tostring(tonumber(nil))}"
        ),
        [b"nil", b"nil", b"nil", b"nil", b"nil"],
    ),
    (
        "tonumber reads other bases",
        (
            "return {tonumber('ff', 16), tonumber('zz', 36), tonumber('101', 2), "
            "tostring(tonumber('9', 8)), tonumber('0x1F', 16)}"
        ),
        [255, 1295, 5, b"nil", 31],
    ),
    (
        "tonumber refuses a base beyond 36",
        "return tonumber('1', 37)",
        ("-ERR user_script:1: bad argument #2 to 'tonumber' (base out of range) script: SHA, on @user_script:1."),
    ),
    (
        "tonumber wants a value",
        "return tonumber()",
        ("-ERR user_script:1: bad argument #1 to 'tonumber' (value expected) script: SHA, on @user_script:1."),
    ),
    (
        "tostring prints all kinds",
        "return {tostring(nil), tostring(true), tostring(1.5), tostring('x'), tostring(cjson.null)}",
        [b"nil", b"true", b"1.5", b"x", b"userdata: (nil)"],
    ),
    (
        "type names all kinds",
        "return {type(nil), type(true), type(1), type('x'), type({}), type(type), type(cjson.null)}",
        [b"nil", b"boolean", b"number", b"string", b"table", b"function", b"userdata"],
    ),
    ("select gives the rest from a position", "return {select(2, 'a', 'b', 'c')}", [b"b", b"c"]),
    ("select counts from the end for negative positions", "return {select(-1, 'a', 'b', 'c')}", [b"c"]),
    (
        "select refuses position zero",
        "return select(0, 1)",
        ("-ERR user_script:1: bad argument #1 to 'select' (index out of range) script: SHA, on @user_script:1."),
    ),
    ("unpack gives a table's values", "return {unpack({1, 2, 3})}", [1, 2, 3]),
    ("unpack takes a range", "return {unpack({1, 2, 3, 4}, 2, 3)}", [2, 3]),
    (
        "unpack refuses too many",
        "return {unpack({}, 1, 1e6)}",
        "-ERR user_script:1: too many results to unpack script: SHA, on @user_script:1.",
    ),
    (
        "rawequal, rawget and rawset work on plain tables",
        (
            "local t = {} rawset(t, 'a', 1) return {rawget(t, 'a'), tostring(rawequal(t, t)), "
            "tostring(rawequal('1', 1))}"
        ),
        [1, b"true", b"false"],
    ),
    (
        "next refuses an unknown key",
        "return next({}, 'x')",
        "-ERR invalid key to 'next' script: SHA, on @user_script:1.",
    ),
    (
        "table.concat joins strings and numbers",
        ("return {table.concat({1, 'a', 2.5}, ', '), table.concat({}), table.concat({1, 2, 3}, '-', 2, 3)}"),
        [b"1, a, 2.5", b"", b"2-3"],
    ),
    (
        "table.concat refuses other values",
        "return table.concat({1, {}, 3})",
        ("-ERR user_script:1: invalid value (table) at index 2 in table for 'concat' script: SHA, on @user_script:1."),
    ),
    (
        "table.insert appends and shifts",
        "local t = {1, 2} table.insert(t, 3) table.insert(t, 1, 0) return t",
        [0, 1, 2, 3],
    ),
    (
        "table.insert wants two or three arguments",
        "table.insert({})",
        "-ERR user_script:1: wrong number of arguments to 'insert' script: SHA, on @user_script:1.",
    ),
    (
        "table.remove takes from the end or from a position",
        "local t = {1, 2, 3, 4} return {table.remove(t), table.remove(t, 1), #t}",
        [4, 1, 2],
    ),
    ("table.remove of an empty table gives nothing", "return select('#', table.remove({}))", 0),
    (
        "table.sort orders numbers and strings",
        "local t, u = {5, 2, 8, 1}, {'b', 'a', 'C'} table.sort(t) table.sort(u) return {t, u}",
        [[1, 2, 5, 8], [b"C", b"a", b"b"]],
    ),
    (
        "table.sort takes a comparison",
        "local t = {5, 2, 8, 1} table.sort(t, function(a, b) return a > b end) return t",
        [8, 5, 2, 1],
    ),
    (
        "table.sort cannot order numbers with strings",
        "table.sort({5, 'x'})",
        "-ERR attempt to compare string with number script: SHA, on @user_script:1.",
    ),
    (
        "table.sort notices a comparison that is no order",
        "local t = {3, 1, 2, 5, 4, 7, 6} table.sort(t, function(a, b) return true end)",
        "-ERR user_script:1: invalid order function for sorting script: SHA, on @user_script:1.",
    ),
    (
        "table.getn and table.maxn",
        "return {table.getn({1, 2}), table.maxn({1, 2, [10] = 5}), table.maxn({})}",
        [2, 10, 0],
    ),
    (
        "table.setn is gone",
        "table.setn({}, 1)",
        "-ERR user_script:1: 'setn' is obsolete script: SHA, on @user_script:1.",
    ),
    (
        "table.foreach visits until something is returned",
        "return table.foreach({a = 'x'}, function(k, v) return k .. v end)",
        b"ax",
    ),
    (
        "math rounds and compares",
        "return {math.floor(-1.5), math.ceil(-1.5), math.max(1, 5, 3), math.min(4, 2), math.abs(-3)}",
        [-2, -1, 5, 2, 3],
    ),
    (
        "math computes",
        ("return {math.pow(2, 10), math.sqrt(16), math.fmod(-7, 3), math.log10(1000), math.exp(0), math.ldexp(3, 2)}"),
        [1024, 4, -1, 3, 1, 12],
    ),
    (
        "math splits numbers",
        "return {math.modf(-3.7), tostring(select(2, math.modf(3.5))), tostring(math.frexp(8))}",
        [-3, b"0.5", b"0.5"],
    ),
    (
        "math has its constants",
        "return {tostring(math.pi), tostring(math.huge), tostring(-math.huge)}",
        [b"3.1415926535898", b"inf", b"-inf"],
    ),
    (
        "math outside its domain is not a number",
        "return {tostring(math.sqrt(-1)), tostring(math.log(0)), tostring(math.exp(1000))}",
        [b"-nan", b"-inf", b"inf"],
    ),
    (
        "math.floor refuses text",
        "return math.floor('x')",
        (
            "-ERR user_script:1: bad argument #1 to 'floor' (number expected, got string) script: SHA, "
            "on @user_script:1."
        ),
    ),
    (
        "math.random refuses an empty interval",
        "return math.random(0)",
        ("-ERR user_script:1: bad argument #1 to 'random' (interval is empty) script: SHA, on @user_script:1."),
    ),
    (
        "math.random after a seed gives the same numbers again",
        (
            "math.randomseed(7) local a = math.random(1000) math.randomseed(7) return {tostring(a == "
            "math.random(1000)), a}"
        ),
        [b"true", 267],
    ),
    ("redis.sha1hex hashes text", "return redis.sha1hex('x')", b"11f6ad8ec52a2984abaafd7c3b516503785c2072"),
    (
        "redis.sha1hex wants one argument",
        "return redis.sha1hex()",
        "-ERR wrong number of arguments script: SHA, on @user_script:1.",
    ),
    (
        "redis.log checks its level",
        "return redis.log(10, 'x')",
        "-ERR Invalid debug level. script: SHA, on @user_script:1.",
    ),
    (
        "redis.log wants a level and a text",
        "return redis.log('x')",
        "-ERR redis.log() requires two arguments or more. script: SHA, on @user_script:1.",
    ),
    (
        "redis has its constants",
        ("return {redis.LOG_DEBUG, redis.LOG_WARNING, redis.REPL_ALL, redis.REDIS_VERSION, redis.REDIS_VERSION_NUM}"),
        [0, 3, 3, b"7.0.15", 458767],
    ),
    ("redis.replicate_commands says yes", "return redis.replicate_commands()", 1),
    ("redis.set_repl takes REPL_ALL", "return redis.set_repl(redis.REPL_ALL)", None),
    ("redis.setresp takes version 2", "return redis.setresp(2)", None),
    ("redis.breakpoint and debug do nothing", "redis.debug('x') return tostring(redis.breakpoint())", b"false"),
]


@pytest.mark.parametrize(("script", "reply"), [pytest.param(*rule[1:], id=rule[0]) for rule in RULES])
def test_each_library_function_answers_as_in_redis_server(answer: Callable, script: str, reply: object) -> None:
    assert answer(script) == reply
