"""What is drawn for each kind of argument: few values, so that commands meet, and some that are wrong.

A moment of expiry is not a text yet: it becomes one when the command is sent, counted from the server's time.
"""

from dataclasses import dataclass
from hashlib import sha1
from random import Random

KEYS = {
    "S": (b"s1", b"s2"),
    "H": (b"h1", b"h2"),
    "Z": (b"z1", b"z2"),
    "E": (b"e1", b"e2"),
    "L": (b"l1", b"l2"),
    "X": (b"x1", b"x2"),
}
"""By kind of value; a command mostly gets keys of its own kind."""
ALL_KEYS = tuple(key for keys in KEYS.values() for key in keys)
GROUPS = (b"g1", b"g2")

_MAX, _MIN = b"9223372036854775807", b"-9223372036854775808"
# fmt: off
JUNK = (
    b"", b"abc", b"\xff\xfe", b"1.5", b" 1", b"1 ", b"+1", b"01", b"-1", b"-0", b"a\r\nb", b"nan", b"inf", b"0x10",
    b"1e400", _MAX, _MIN, b"9223372036854775808", b"18446744073709551616", b"*", b"$", b">", b"~", b"=", b"\x00",
    b"9" * 400, b"1" * 5000,
)
# fmt: on

SCRIPTS = (
    b"return redis.call('INCR', KEYS[1])",
    b"return redis.call(ARGV[1], KEYS[1])",
    b"return redis.pcall(ARGV[1], KEYS[1], ARGV[2])",
    b"redis.call('SET', KEYS[1], ARGV[1], 'PX', 5) return redis.call('PTTL', KEYS[1])",
    b"redis.call('RPUSH', KEYS[1], 'x') return redis.call('GET', KEYS[1])",
    b"return {KEYS[1], ARGV[1], 1.9, false, 'cut'}",
    b"local r = redis.pcall('HSET', KEYS[1], 'f1', ARGV[1]) if type(r) == 'table' then return r.err end return r",
    b"return redis.call('ZADD', KEYS[1], ARGV[1], 'a')",
    b"return tonumber(ARGV[1]) + 1",
    b"return redis.error_reply('MINE ' .. ARGV[1])",
    b"return redis.status_reply(KEYS[1])",
    b"return redis.call('XADD', KEYS[1], '*', 'f', 'v')",
    b"return redis.call('EXPIRE', KEYS[1], ARGV[1])",
    b"return #KEYS + #ARGV",
    b"return undeclared",
    b"return (",
    b"return redis.call('BLPOP', KEYS[1], 1)",
    b"return redis.call()",
)
_SHAS = tuple(sha1(script, usedforsecurity=False).hexdigest().encode() for script in SCRIPTS)


@dataclass(frozen=True)
class Moment:
    """A moment `offset_ms` from now, written in units of `unit_ms` milliseconds."""

    offset_ms: int
    unit_ms: int

    def text(self, now_ms: int) -> bytes:
        return b"%d" % ((now_ms + self.offset_ms) // self.unit_ms)


# fmt: off
_SCORES = (b"0", b"1", b"2", b"3", b"-1", b"2.5", b"0.1")
_ODD_SCORES = (b"inf", b"-inf", b"3.0000000000000004", b"1e-7", b"1e3", b"-0", b"9007199254740993", b".5")
_LEX = (b"-", b"+", b"[a", b"(a", b"[b", b"(ab", b"[c")
_ODD_LEX = (b"[", b"(", b"a", b"+x", b"[\xff")
_BOUNDS = (*_SCORES, b"(1", b"(2.5", b"-inf", b"+inf")
_ODD_BOUNDS = (*_ODD_SCORES, b"(inf", b"(", b"((1")
_PLACES = (b"0", b"1", b"2", b"-1", b"-2")
_IDS = (b"1-1", b"1-2", b"2-0", b"2", b"3-5", b"5-1", b"7-0", b"9-9")
_ODD_IDS = (b"0", b"0-0", b"0-1", b"7-*", b"-", b"+", b"(1-1", b"1-1-1", b"18446744073709551616-0",
            b"18446744073709551615-18446744073709551615")
_ENDS = (b"-", b"+", b"-", b"+", b"(1-1", b"(2", *_IDS)
_MEMBERS = (b"a", b"b", b"c", b"ab")
_ODD_MEMBERS = (b"", b"\xff\x00", b"d")
_VALUES = (b"0", b"1", b"-1", b"10", b"3.5", b"text")
_ODD_VALUES = (b"", b"\xff\xfe", _MAX, _MIN, b"1e3", b"a\r\nb", b"x" * 70)
_SHORT = tuple(Moment(offset, 1) for offset in (1, 2, 4, 6, 9, 30, 100_000))
_LONG = tuple(Moment(offset, 1000) for offset in (5000, 100_000, 1_000_000))

KINDS: dict[str, tuple[tuple, tuple]] = {
    "value": (_VALUES, _ODD_VALUES),
    "amount": ((b"1", b"-1", b"10", b"-3"), (b"0", b"2.5", b"0.1", b"1e2", _MAX, _MIN)),
    "seconds": ((b"1", b"2", b"100", b"1000"), (b"0", b"-1", b"9223372036854775", b"1.5", _MAX)),
    "ms": ((b"1", b"2", b"3", b"5", b"8", b"20", b"1500", b"2499", b"100000"), (b"0", b"-1", _MAX, _MIN)),
    "second": (_LONG, (Moment(-5000, 1000), Moment(0, 1000), b"0", b"-1", _MAX)),
    "ms-moment": (_SHORT, (Moment(-1000, 1), Moment(-1, 1), Moment(0, 1), b"0", b"-1", _MAX)),
    "idle-ms": ((b"0", b"0", b"1", b"2"), (b"5", b"1000", b"-1")),
    "field": ((b"f1", b"f2", b"f3"), (b"", b"f4")),
    "member": (_MEMBERS, _ODD_MEMBERS),
    "element": (_MEMBERS, _ODD_MEMBERS),
    "message": (_MEMBERS, _ODD_MEMBERS),
    "score": (_SCORES, _ODD_SCORES),
    "min": (_BOUNDS, _ODD_BOUNDS),
    "max": (_BOUNDS, _ODD_BOUNDS),
    "start": (_PLACES, (b"-100", b"100", b"-3")),
    "stop": (_PLACES, (b"-100", b"100", b"-3")),
    "place": (_PLACES, (b"-100", b"100", b"-3")),
    "offset": ((b"0", b"1"), (b"-1", b"100")),
    "end": (_PLACES, (b"-100", b"100")),
    "id": (_IDS, _ODD_IDS),
    "threshold": ((b"0", b"1", b"2", b"3"), (b"1-2", b"100", b"-1")),
    "count": ((b"1", b"2", b"3", b"10"), (b"0", b"-1")),
    "cursor": ((b"0",), (b"00",)),
    "pattern": ((b"*", b"s*", b"?1", b"[hz]*", b"x[^1]"), (b"\\*", b"h[", b"[a-z]1", b"*1*", b"s\\1", b"")),
    "type": ((b"string", b"zset", b"hash", b"list", b"set", b"stream"), (b"STRING", b"foo")),
    "group": ((b"g1", b"g1", b"g1", b"g2"), (b"g3",)),
    "consumer": ((b"c1", b"c2"), (b"", b"c3")),
    "script": (SCRIPTS[:-6], SCRIPTS[-6:]),
    "sha1": (_SHAS, (b"ABC",)),
    "numkeys": ((b"1",), (b"0", b"2", b"3", b"-1")),
    "argument": (_VALUES, (*_ODD_VALUES, b"GET", b"incr", b"LPOP", b"TYPE", b"NOSUCH", b"5")),
}
SEEDS: dict[str, tuple[tuple[bytes, ...], ...]] = {
    "S": tuple((b"SCRIPT", b"LOAD", script) for script in SCRIPTS[:6]) + ((b"SET", b"s1", b"10"),),
    "H": ((b"HSET", b"h1", b"f1", b"1", b"f2", b"text", b"f3", b"10"), (b"HSET", b"h2", b"f1", b"0")),
    "Z": ((b"ZADD", b"z1", b"1", b"a", b"2", b"b", b"2", b"c", b"3", b"ab"), (b"ZADD", b"z2", b"0", b"a", b"0", b"b")),
    "E": ((b"SADD", b"e1", b"a", b"b", b"c"), (b"SADD", b"e2", b"a")),
    "L": ((b"RPUSH", b"l1", b"a", b"b", b"c", b"ab", b"a"), (b"RPUSH", b"l2", b"b")),
    "X": (
        *((b"XADD", key, ms + b"-0", b"f1", ms) for key in KEYS["X"] for ms in (b"1", b"2", b"3")),
        (b"XGROUP", b"CREATE", b"x1", b"g1", b"0"), (b"XGROUP", b"CREATE", b"x2", b"g1", b"1-0"),
        (b"XREADGROUP", b"GROUP", b"g1", b"c1", b"COUNT", b"2", b"STREAMS", b"x1", b">"),
        (b"XADD", b"x1", b"*", b"f1", b"now"),
    ),
}
"""By kind of value, what a sequence that favours it begins with, so that its commands find something."""
# fmt: on
_LEX_RANGES = ("ZLEXCOUNT", "ZRANGEBYLEX", "ZREVRANGEBYLEX", "ZREMRANGEBYLEX")
_KEY_WORDS = ("key", "newkey", "source", "target", "destination")
_SETS = ("SADD", "SREM", "SISMEMBER", "SCARD", "SMEMBERS")
_STRINGS = ("GET", "SET", "MGET", "MSET", "INCR", "DECR", "APPEND", "STRLEN", "PSETEX", "EVAL", "SCRIPT")


def draw(kind: str, command: str, random: Random):
    """A value for an argument of this kind of this command: bytes, or a `Moment`."""
    chance = random.random()
    if chance < 0.015:
        return random.choice(JUNK)
    if kind in _KEY_WORDS:
        return random.choice(KEYS.get(kind_of(command), ALL_KEYS) if chance < 0.93 else ALL_KEYS)
    good, odd = _pools(kind, command)
    return random.choice(good if chance < 0.9 else odd)


def _pools(kind: str, command: str) -> tuple[tuple, tuple]:
    if kind in ("min", "max", "start", "stop", "end"):
        if command in _LEX_RANGES:
            return _LEX, _ODD_LEX
        if command[0] == "X":
            return _ENDS, _ODD_IDS
    return KINDS.get(kind, KINDS["value"])


def kind_of(command: str) -> str:
    """Which of `KEYS` a command is about; empty where it takes all."""
    if command[0] in "HZX":
        return command[0]
    if command.startswith(_SETS):
        return "E"
    if command.endswith(("PUSH", "POP")) or command in ("LLEN", "LINDEX", "LRANGE", "LTRIM", "LREM", "LMOVE"):
        return "L"
    return "S" if command.startswith(_STRINGS) else ""
