"""Errors of commands and how scripts catch errors, with the texts of redis-server 7.0.15, recorded from it."""

from collections.abc import Callable

import pytest

RULES = [
    (
        "an error in an anonymous function called through pcall keeps its line",
        "local ok, e = pcall(function()\n  error('inner')\nend)\nreturn e",
        b"user_script:2: inner",
    ),
    (
        "endless recursion can be caught",
        "local function f() return 1 + f() end local ok, e = pcall(f) return {tostring(ok), e}",
        [b"false", b"user_script:1: stack overflow"],
    ),
    (
        "pcall gives the text of an error with its position",
        "local ok, e = pcall(function() local t return t.x end) return {tostring(ok), e}",
        [b"false", b"user_script:1: attempt to index local 't' (a nil value)"],
    ),
    ("pcall gives any thrown value", "local ok, e = pcall(error, {code = 7}) return e.code", 7),
    (
        "pcall turns an err table into its text",
        "local ok, e = pcall(error, {err = 'X y'}) return {type(e), e}",
        [b"string", b"X y"],
    ),
    ("pcall of no function", "local ok, e = pcall(5) return e", b"attempt to call a number value"),
    ("pcall of nothing", "return {pcall()}", [None, b"attempt to call a boolean value"]),
    ("pcall returns all results", "return {pcall(function(...) return ... end, 1, 2)}", [1, 1, 2]),
    (
        "xpcall gives the error to its handler",
        ("local ok, e = xpcall(function() error('x') end, function(m) return 'handled ' .. m end) return e"),
        b"handled user_script:1: x",
    ),
    (
        "a handler that fails itself",
        "return {xpcall(function() error('x') end, function(m) error('y') end)}",
        [None, b"error in error handling"],
    ),
    (
        "an argument error under pcall has no name",
        "return {pcall(string.rep)}",
        [None, b"bad argument #1 to '?' (string expected, got no value)"],
    ),
    (
        "redis.call throws the command's error",
        "redis.call('SET', KEYS[1], 'x')\nreturn redis.call('INCR', KEYS[1])",
        "-ERR value is not an integer or out of range script: SHA, on @user_script:2.",
    ),
    (
        "redis.call's error can be caught as text",
        ("redis.call('SET', KEYS[1], 'x') local ok, e = pcall(redis.call, 'INCR', KEYS[1]) return {tostring(ok), e}"),
        [b"false", b"ERR value is not an integer or out of range"],
    ),
    (
        "redis.pcall returns the error as a table",
        "redis.call('SET', KEYS[1], 'x') local e = redis.pcall('INCR', KEYS[1]) return {type(e), e.err}",
        [b"table", b"ERR value is not an integer or out of range"],
    ),
    (
        "redis.call without arguments",
        "return redis.call()",
        ("-ERR Please specify at least one argument for this redis lib call script: SHA, on @user_script:1."),
    ),
    (
        "redis.call with a table",
        "return redis.call('GET', {})",
        ("-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1."),
    ),
    (
        "redis.call with nil",
        "return redis.call('GET', KEYS[9])",
        ("-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1."),
    ),
    (
        "redis.call with a boolean",
        "return redis.call('SET', KEYS[1], true)",
        ("-ERR Lua redis lib command arguments must be strings or integers script: SHA, on @user_script:1."),
    ),
    (
        "redis.pcall with a table returns its error",
        "return redis.pcall('GET', {})",
        "-ERR Lua redis lib command arguments must be strings or integers",
    ),
    (
        "an error keeps what the script wrote before",
        ("pcall(function() redis.call('SET', KEYS[1], 'kept') error('late') end) return redis.call('GET', KEYS[1])"),
        b"kept",
    ),
]


@pytest.mark.parametrize(("script", "reply"), [pytest.param(*rule[1:], id=rule[0]) for rule in RULES])
def test_each_caught_or_thrown_error_reads_as_in_redis_server(answer: Callable, script: str, reply: object) -> None:
    assert answer(script) == reply
