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
CONSUMERS = (b"c1", b"c2")

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


_SCORES = (b"0", b"1", b"2", b"3", b"-1", b"2.5", b"0.1", b"1e3", b"inf", b"-inf", b"3.0000000000000004", b"1e-7")
_LEX = (b"-", b"+", b"[a", b"(a", b"[b", b"(ab", b"[c", b"[", b"(", b"a")
_BOUNDS = (*_SCORES, b"(1", b"(2.5", b"-inf", b"+inf", b"(inf")
_PLACES = (b"0", b"1", b"2", b"-1", b"-2", b"-100", b"100")
_IDS = (b"1-1", b"1-2", b"2-0", b"2", b"3-5", b"5-1", b"0", b"0-0", b"0-1", b"7-*", b"-", b"+", b"(1-1", b"(2", b"9-9")
_IDS += (b"18446744073709551615-18446744073709551615", b"abc", b"1-1-1", b"18446744073709551616-0")
_MEMBERS = (b"a", b"b", b"c", b"ab", b"", b"\xff\x00")
_FIELDS = (b"f1", b"f2", b"f3", b"")
_AMOUNTS = (b"1", b"-1", b"10", b"0", b"2.5", b"0.1", b"-3", b"1e2", _MAX)
_COUNTS = (b"0", b"1", b"2", b"3", b"10", b"-1")
_VALUES = (b"0", b"1", b"-1", b"10", b"3.5", b"text", b"", b"\xff\xfe", _MAX, _MIN, b"1e3", b"a\r\nb", b"x" * 70)
_SHORT = tuple(Moment(offset, 1) for offset in (-1000, -1, 0, 1, 2, 4, 6, 9, 30, 100_000))
_LONG = tuple(Moment(offset, 1000) for offset in (-5000, 0, 5000, 100_000, 1_000_000))

KINDS: dict[str, tuple] = {
    "value": _VALUES,
    "amount": _AMOUNTS,
    "seconds": (b"1", b"2", b"100", b"1000", b"0", b"-1", b"9223372036854775", b"1.5", _MAX),
    "ms": (b"1", b"2", b"3", b"5", b"8", b"20", b"1500", b"2499", b"100000", b"0", b"-1", _MAX),
    "second": (*_LONG, b"0", b"-1", _MAX),
    "ms-moment": (*_SHORT, *_SHORT, b"0", b"-1", _MAX),
    "idle-ms": (b"0", b"1", b"2", b"5", b"1000", b"-1"),
    "field": _FIELDS,
    "member": _MEMBERS,
    "element": _MEMBERS,
    "message": _MEMBERS,
    "score": _SCORES,
    "min": _BOUNDS,
    "max": _BOUNDS,
    "start": _PLACES,
    "stop": _PLACES,
    "place": _PLACES,
    "offset": _PLACES,
    "end": _IDS,
    "id": _IDS,
    "threshold": (b"0", b"1", b"2", b"3", b"1-2", b"100"),
    "count": _COUNTS,
    "cursor": (b"0",),
    "pattern": (b"*", b"s*", b"?1", b"[hz]*", b"x[^1]", b"\\*", b"h[", b"[a-z]1", b"*1*", b"s\\1"),
    "type": (b"string", b"zset", b"hash", b"list", b"set", b"stream", b"STRING", b"foo"),
    "group": GROUPS,
    "consumer": CONSUMERS,
    "script": SCRIPTS,
    "sha1": (*_SHAS, b"ABC"),
    "numkeys": (b"0", b"1", b"1", b"1", b"2", b"3", b"-1"),
    "argument": (*_VALUES, b"GET", b"incr", b"LPOP", b"TYPE", b"NOSUCH", b"5"),
}
_LEX_RANGES = ("ZLEXCOUNT", "ZRANGEBYLEX", "ZREVRANGEBYLEX", "ZREMRANGEBYLEX")
_KEY_WORDS = ("key", "newkey", "source", "target", "destination")


def draw(kind: str, command: str, random: Random):
    """A value for an argument of this kind of this command: bytes, or a `Moment`."""
    if random.random() < 0.03:
        return random.choice(JUNK)
    if kind in _KEY_WORDS:
        return random.choice(_keys(command) if random.random() < 0.9 else ALL_KEYS)
    pool = KINDS.get(kind, _VALUES)
    if kind in ("min", "max", "start", "stop", "end"):
        if command in _LEX_RANGES or (command == "ZRANGE" and random.random() < 0.3):
            pool = _LEX
        elif command[0] == "X":
            pool = _IDS
        elif command == "ZRANGE" and random.random() < 0.4:
            pool = _BOUNDS
    return random.choice(pool)


def _keys(command: str) -> tuple:
    first = command[0]
    if first in "HZX":
        return KEYS[first]
    if command in ("SADD", "SREM", "SISMEMBER", "SCARD", "SMEMBERS") or command.startswith(
        ("SMOVE", "SINTER", "SUNION")
    ):
        return KEYS["E"]
    if command.endswith(("PUSH", "POP", "PUSHX")) or command in ("LLEN", "LINDEX", "LRANGE", "LTRIM", "LREM", "LMOVE"):
        return KEYS["L"]
    string = command.startswith(("GET", "SET", "MGET", "MSET", "INCR", "DECR", "APPEND", "STRLEN", "PSETEX"))
    return KEYS["S"] if string else ALL_KEYS
