"""The two sides of a comparison, asked by command lines, and how their answers are written down.

Decides what is compared: a reply, an error's whole text, and every key's value afterwards.
"""

import re
from typing import Protocol

from py_runtime.stores.redis.execute import execute, new_keyspace
from py_runtime.stores.replies import ErrorReply, Status

KEYS = [b"k1", b"k2"]
ARGUMENTS = [b"a1", b"a2", b"3"]
NOW_US = 1_767_225_600_000_000  # the year 2026; a script reads the clock, no rule depends on what it says

_READ = {
    b"string": [b"GET"],
    b"list": [b"LRANGE", 0, -1],
    b"hash": [b"HGETALL"],
    b"zset": [b"ZRANGE", 0, -1, b"WITHSCORES"],
    b"stream": [b"XRANGE", b"-", b"+"],
}


class Side(Protocol):
    """A stand-in or a server."""

    def call(self, *words: bytes | str | int) -> object:
        """Run one command line; an error is a reply, it is not raised."""


class StandIn:
    """The stand-in's server core."""

    def __init__(self) -> None:
        self._keyspace = new_keyspace()

    def call(self, *words: bytes | str | int) -> object:
        argv = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        try:
            return execute(self._keyspace, argv, NOW_US)
        except ErrorReply as error:
            return error


def evaluated(side: Side, text: str | bytes) -> tuple[object, dict]:
    """Run a script on an empty server: its reply, written, and the keyspace it leaves."""
    side.call("FLUSHALL")
    reply = side.call("EVAL", text, len(KEYS), *KEYS, *ARGUMENTS)
    return written(reply), keyspace(side)


def written(reply: object) -> object:
    """A reply with `+text` for a status and `-text` for an error, whose hash reads SHA."""
    if isinstance(reply, Status):
        return "+" + reply.decode("utf-8", "replace")
    if isinstance(reply, ErrorReply):
        return "-" + re.sub(r"script: [0-9a-f]{40}", "script: SHA", reply.text)
    if isinstance(reply, list):
        return [written(each) for each in reply]
    return reply


def keyspace(side: Side) -> dict:
    """Every key with its value, as the commands that read whole values give it."""
    found = {}
    for key in sorted(side.call("KEYS", "*")):
        command, *rest = _READ[bytes(side.call("TYPE", key))]
        found[key.decode()] = written(side.call(command, key, *rest))
    return found
