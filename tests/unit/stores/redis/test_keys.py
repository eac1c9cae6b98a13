"""Keys of any type, and the server's own commands."""

import pytest


@pytest.mark.parametrize(
    ("write", "name"),
    [
        ("SET k v", "string"),
        ("HSET k f v", "hash"),
        ("ZADD k 1 m", "zset"),
        ("SADD k m", "set"),
        ("RPUSH k e", "list"),
        ("XADD k * f v", "stream"),
    ],
)
def test_each_type_has_its_name(redis, write, name):
    assert redis("TYPE k") == "none"
    redis(write)
    assert redis("TYPE k") == name
    assert redis("KEYS *") == ["k"]


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("string", "HGET string f"),
        ("string", "ZADD string 1 m"),
        ("string", "XADD string * f v"),
        ("string", "LPUSH string e"),
        ("hash", "GET hash"),
        ("hash", "INCR hash"),
        ("hash", "SADD hash m"),
        ("hash", "BLPOP hash 0"),
        ("hash", "XREAD STREAMS hash 0"),
        ("hash", "LMOVE list hash LEFT LEFT"),
    ],
)
def test_a_command_on_another_type_is_refused_and_changes_nothing(redis, key, line):
    redis("SET string 1")
    redis("HSET hash f v")
    redis("RPUSH list e")
    before = redis.state()
    assert redis(line) == "WRONGTYPE Operation against a key holding the wrong kind of value"
    assert redis.state() == before


def test_keys_are_counted_and_deleted_by_name(redis):
    redis("MSET a 1 b 2 c 3")
    assert [redis("EXISTS a a b none"), redis("TOUCH a none"), redis("DEL a a none"), redis("UNLINK b")] == [3, 1, 1, 1]
    assert [redis("DBSIZE"), redis("FLUSHALL"), redis("DBSIZE"), redis("FLUSHDB SYNC")] == [1, "OK", 0, "OK"]
    assert redis("FLUSHALL NOW") == "ERR syntax error"


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("*", ["a", "ab", "abc", "a*c", "xyz"]),
        ("a?c", ["abc", "a*c"]),
        ("a*", ["a", "ab", "abc", "a*c"]),
        ("a\\*c", ["a*c"]),
        ("a[a-b]c", ["abc"]),
        ("a[^b]c", ["a*c"]),
        ("*c*", ["abc", "a*c"]),
        ("", []),
    ],
)
def test_patterns(redis, pattern, fits):
    for key in ("a", "ab", "abc", "a*c", "xyz"):
        redis("SET", key.encode(), b"1")
    assert redis("KEYS", pattern.encode()) == fits


def test_a_walk_sees_every_key_that_stayed_once_whatever_else_changes(redis):
    for number in range(100):
        redis(f"SET stays:{number} v")
    seen, cursor = [], "0"
    while True:
        cursor, keys = redis(f"SCAN {cursor} COUNT 7 MATCH stays:*")
        seen += keys
        redis(f"SET comes:{len(seen)} v")
        redis(f"DEL comes:{len(seen) - 7}")
        if cursor == "0":
            break
    assert sorted(seen) == sorted(f"stays:{number}" for number in range(100))


def test_scan_can_ask_for_one_type(redis):
    redis("SET s v")
    redis("HSET h f v")
    assert redis("SCAN 0 TYPE hash") == ["0", ["h"]]
    assert redis("SCAN x") == "ERR invalid cursor"
    assert redis("SCAN 0 COUNT 0") == "ERR syntax error"


def test_a_renamed_key_keeps_its_expiry_and_replaces_what_was_there(redis):
    redis("SET a 1 PX 500")
    redis("SET b 2")
    assert [redis("RENAMENX a b"), redis("RENAME a b"), redis("GET b"), redis("PTTL b")] == [0, "OK", "1", 500]
    assert redis("RENAME a b") == "ERR no such key"


def test_the_server_tells_its_clock_to_the_microsecond(redis):
    redis.now_us = 12_345_678_901
    assert redis("TIME") == ["12345", "678901"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("BITPOS c m", "ERR unknown command 'BITPOS', with args beginning with: 'c' 'm' "),
        ("foo", "ERR unknown command 'foo', with args beginning with: "),
        (f"foo {'x' * 130}", f"ERR unknown command 'foo', with args beginning with: '{'x' * 128}' "),
        ("GET", "ERR wrong number of arguments for 'get' command"),
        ("set k", "ERR wrong number of arguments for 'set' command"),
        ("PING a b", "ERR wrong number of arguments for 'ping' command"),
        ("SCRIPT NOPE", "ERR unknown subcommand 'NOPE'. Try SCRIPT HELP."),
        ("SCRIPT LOAD", "ERR wrong number of arguments for 'script|load' command"),
        ("CLUSTER NOPE", "ERR unknown subcommand 'NOPE'. Try CLUSTER HELP."),
        ("CLUSTER KEYSLOT", "ERR wrong number of arguments for 'cluster|keyslot' command"),
        ("CLUSTER KEYSLOT k", "ERR This instance has cluster support disabled"),
    ],
)
def test_what_is_unknown_is_named_in_the_error(redis, line, text):
    assert redis(line) == text


def test_ping_answers(redis):
    assert [redis("PING"), redis("ping hello"), redis("ECHO x")] == ["PONG", "hello", "x"]
