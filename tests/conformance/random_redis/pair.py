"""One sequence carried out on both sides at the same instants.

Decides how the two clocks are made one: the server is asked for its TIME before and after each command in the same
packet; when both lie in the same millisecond, as they nearly always do, the stand-in's clock is set to it. Else nobody
can know which of the two the server went by, and the rest of the sequence is given up; likewise where a key lapses
while a call waits for it. The stand-in's keyspace and the server's are emptied at the start.
"""

import time
from dataclasses import dataclass

from py_runtime.stores.redis.blocked import Blocked
from py_runtime.stores.redis.execute import execute_on, new_keyspace
from py_runtime.stores.replies import ErrorReply, Status
from tests.conformance.random_redis.sequences import WRAPPERS, Step, Transaction
from tests.conformance.random_redis.values import ALL_KEYS, GROUPS, Moment
from tests.conformance.servers.resp import RawConnection

BATCH = 16  # how many commands go out in one packet: short enough to fit into a millisecond
_EARLY_US = 350  # a packet is sent in the first part of a millisecond
_READS = (
    (b"TYPE",),
    (b"PEXPIRETIME",),
    (b"GET",),
    (b"HGETALL",),
    (b"ZRANGE", b"0", b"-1", b"WITHSCORES"),
    (b"SMEMBERS",),
    (b"LRANGE", b"0", b"-1"),
    (b"XRANGE", b"-", b"+"),
    (b"XINFO", b"STREAM", None),
    (b"XINFO", b"GROUPS", None),
    *((b"XPENDING", None, group, b"-", b"+", b"100") for group in GROUPS),
    *((b"XINFO", b"CONSUMERS", None, group) for group in GROUPS),
)
_TIME = (b"TIME",)
_SWEEP = (b"SCAN", b"0", b"COUNT", b"1000")
_IN_ANY_ORDER = frozenset((b"SMEMBERS", b"HKEYS", b"HVALS", b"KEYS"))


def final_reads() -> list[tuple]:
    """Commands that show everything the two sides hold at the keys that sequences use."""
    lines = [(b"KEYS", b"*"), (b"DBSIZE",)]
    for key in ALL_KEYS:
        for read in _READS:
            placed = None in read
            lines.append(tuple(key if word is None else word for word in read) if placed else (read[0], key, *read[1:]))
    return lines


@dataclass(frozen=True)
class Mismatch:
    """The step that was answered differently, with what was sent."""

    index: int
    argv: tuple[bytes, ...]
    ours: str
    theirs: str


class Pair:
    """The stand-in's keyspace, and a connection to redis-server."""

    def __init__(self, port: int) -> None:
        self._server = RawConnection(port)
        self._server.call("CONFIG", "SET", "hz", "500")  # how often it looks whether a blocked client's time is up

    def __enter__(self) -> "Pair":
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.close()

    def run(self, steps: list[Step], on_compared=lambda index, name: None) -> Mismatch | None:
        """Carry out the steps; the first difference, or None. `on_compared`: told the step's index and the command."""
        self._server.call_all([[b"RESET"], [b"FLUSHALL"], [b"SCRIPT", b"FLUSH"]])
        self._db = new_keyspace()
        self._session = self._db.sessions.open()
        start = 0
        while start < len(steps):
            if isinstance(steps[start], int):
                time.sleep(steps[start] / 1000)
                start += 1
                continue
            end = start
            while end < min(len(steps), start + BATCH) and not isinstance(steps[end], int):
                end += 1
            found, whole = self._batch(start, steps[start:end], on_compared)
            if found is not None or not whole:
                return found
            start = end
        return None

    def _batch(self, start: int, steps: list, on_compared) -> tuple[Mismatch | None, bool]:
        """Send steps without a pause between them; the first difference, and whether all were compared."""
        now_ms = _early_in_a_millisecond()
        units = []  # (index of the step, command lines that need no TIME between them)
        for index, step in enumerate(steps, start):
            lines = step.lines if isinstance(step, Transaction) else (step,)
            sent = [_timed(line, now_ms) for line in lines]
            if any(word.upper() == b"DBSIZE" for line in sent for word in line):
                units.append((index, [_SWEEP]))  # a lapsed key is counted until somebody comes across it
            units.append((index, sent))
        replies = iter(self._server.call_all([_TIME, *(line for _, lines in units for line in (*lines, _TIME))]))
        after_us = _microseconds(next(replies))
        for index, lines in units:
            before_us, theirs = after_us, [next(replies) for _ in lines]
            after_us = _microseconds(next(replies))
            ours = [self._ours(list(argv), before_us) for argv in lines]
            if not self._certain(before_us, after_us, ours[-1]):
                return None, False
            queued = []
            for argv, our, their in zip(lines, ours, theirs, strict=True):
                said, expected = shown(argv, our, queued), shown(argv, their, queued)
                if said != expected:
                    return Mismatch(index, argv, said, expected), False
                on_compared(index, argv[0].upper())
                if their == b"QUEUED":
                    queued.append(argv)
        return None, True

    def _certain(self, before_us: int, after_us: int, last) -> bool:
        """Whether the time between cannot have mattered, which it does for a waiting call only where its key lapses."""
        if not isinstance(last, Blocked):
            return before_us // 1000 == after_us // 1000
        self._db.advance(after_us)
        lapsed = self._db.take_touched()
        self._db.sessions.mark_touched(lapsed, self._db.values)
        return not any(key in lapsed for key in last.keys)

    def _ours(self, argv: list[bytes], now_us: int):
        db = self._db
        try:
            reply = execute_on(self._session, db, argv, now_us)
        except ErrorReply as error:
            reply = error
        except Exception as error:  # whatever else it raises is a fault of the stand-in, to be shown as a difference
            reply = ErrorReply(f"{type(error).__name__}: {error}")
        db.sessions.mark_touched(db.take_touched(), db.values)
        return reply


def _timed(line: tuple, now_ms: int) -> tuple[bytes, ...]:
    return tuple(word.text(now_ms) if isinstance(word, Moment) else word for word in line)


def shown(argv: tuple[bytes, ...], reply, queued: list[tuple[bytes, ...]]) -> str:
    """A reply as one writes it down; what comes in no particular order is sorted. `queued`: what EXEC answers to."""
    if isinstance(reply, Blocked):
        return "(nil)"  # nothing came in the moment that was waited
    if argv[0].upper() == b"EVAL" and len(argv) > 3 and argv[1] in WRAPPERS:
        argv = argv[3:]
    name = argv[0].upper()
    if isinstance(reply, list):
        if name == b"EXEC":
            return "\n".join([shown(line, part, []) for line, part in zip(queued, reply, strict=True)])
        if name in _IN_ANY_ORDER or [word.upper() for word in argv[:2]] == [b"PUBSUB", b"CHANNELS"]:
            reply = sorted(reply)
        elif name == b"HGETALL":
            reply = sorted(zip(reply[::2], reply[1::2], strict=True))
        elif name == b"SCAN":
            reply = [reply[0], sorted(reply[1])]
    return _written(reply)


def _written(reply) -> str:
    if isinstance(reply, ErrorReply):
        return f"(error) {reply.text}"
    if isinstance(reply, Status):
        return f"+{reply.decode('utf-8', 'replace')}"
    if isinstance(reply, bytes):
        return repr(reply)[1:]
    if isinstance(reply, (list, tuple)):
        return f"[{', '.join(map(_written, reply))}]"
    return "(nil)" if reply is None else repr(reply)


def _early_in_a_millisecond() -> int:
    while True:
        now_us = time.time_ns() // 1000
        if now_us % 1000 < _EARLY_US:
            return now_us // 1000


def _microseconds(reply: list[bytes]) -> int:
    return int(reply[0]) * 1_000_000 + int(reply[1])
