"""The state of one Redis server: values by key, their expiry, loaded scripts, and the instant a command runs at.

Decides when a key has expired (strictly after its moment), how values are found and created by type, and which keys a
command touched. Knows no command, no client, no network: the clock is handed in with every command.
"""

from collections import deque
from heapq import heapify, heappop, heappush

from py_runtime.stores.lua import Dice
from py_runtime.stores.redis.sessions import Sessions
from py_runtime.stores.redis.sorted_set import SortedSet
from py_runtime.stores.redis.stream import Stream
from py_runtime.stores.replies import ErrorReply

WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value"


class Hash(dict):
    """Field → value, both bytes, in the order the fields were first written."""

    __slots__ = ()


class Set(dict):
    """Member → None, in the order of adding; a dict because iterating a hashed set would differ between runs."""

    __slots__ = ()


class List(deque):
    """Elements from left to right."""

    __slots__ = ()


TYPE_NAMES = {bytes: "string", Hash: "hash", SortedSet: "zset", Set: "set", List: "list", Stream: "stream"}
_WAITED_FOR = (List, Stream)  # the kinds of value that clients can wait for


class Keyspace:
    """All keys of one server. `values` and `expires` may be read freely; writing goes through the methods below."""

    def __init__(self, commands=None, slots=None) -> None:
        self.commands = commands  # the table that scripts look their commands up in
        self.slots = slots  # a `Slots`, or None when cluster mode is off
        self.replication = None  # a `Replication` once there is a replica; `read_only`: this is one
        self.read_only = False
        self.sessions = Sessions()  # what connections have begun: transactions, subscriptions
        self.values: dict = {}
        self.expires: dict[bytes, int] = {}
        self.scripts: dict = {}
        self.dice = Dice()  # the random numbers of scripts
        self.refused: list[bytes] | None = None  # the command line in a script that met an error last
        self.touched: dict[bytes, type | None] = {}
        # Keys that came to be or were added to: in this order waiters are served.
        self.signalled: dict[bytes, None] = {}
        self.looked_at: list[bytes | None] | None = None  # keys that scripts name, None for all; where it is asked for
        self.now_us = 0
        self.now_ms = 0
        self._due: list[tuple[int, bytes]] = []

    def advance(self, now_us: int) -> None:
        """Set the instant for the next command and drop every key whose moment has passed.

        Real Redis drops such a key when it is next looked at, or by a background cycle; either way no command can
        see it, so one sweep up front gives the same replies (and an exact DBSIZE, which Redis gives only in time).
        """
        self.now_us = now_us
        self.now_ms = now_ms = now_us // 1000
        due = self._due
        while due and due[0][0] < now_ms:
            at_ms, key = heappop(due)
            if self.expires.get(key) == at_ms:
                self.remove(key)
                if self.replication is not None:
                    self.replication.expired(key)

    def find(self, key: bytes, kind: type):
        """The value at `key`, None when there is none. Raises WRONGTYPE when it is of another kind."""
        value = self.values.get(key)
        if value is not None and type(value) is not kind:
            raise ErrorReply(WRONG_TYPE)
        return value

    def find_or_make(self, key: bytes, kind: type):
        """The value at `key`, a new empty one put there when there was none. Raises WRONGTYPE as `find` does."""
        value = self.values.get(key)
        if value is None:
            value = self.values[key] = kind()
            if kind in _WAITED_FOR:
                self.signal(key)
        elif type(value) is not kind:
            raise ErrorReply(WRONG_TYPE)
        return value

    def touch(self, key: bytes) -> None:
        """Note that the value or expiry at `key` changed: it is reported, and clients blocked on it are looked at."""
        self.touched[key] = None

    def signal(self, key: bytes) -> None:
        """Note that clients who wait for `key` are to look at it, after those whose key was signalled before."""
        self.signalled[key] = None

    def note(self, key: bytes) -> None:
        """Note that something about `key` changed that is no change of its value to Redis, such as who read what.

        It is reported like a touched key; WATCH does not count it, and what is recorded for it is its type.
        """
        self.touched.setdefault(key, type(self.values[key]))

    def put(self, key: bytes, value, keep_expiry: bool = False) -> None:
        """Store a whole new value; as in Redis an overwritten key loses its expiry unless asked otherwise."""
        self.values[key] = value
        if type(value) in _WAITED_FOR:
            self.signal(key)
        if not keep_expiry and self.expires:
            self.expires.pop(key, None)
        self.touched[key] = None

    def remove(self, key: bytes) -> bool:
        """Drop a key; False when there was none."""
        value = self.values.pop(key, None)
        if value is None:
            return False
        self.expires.pop(key, None)
        if type(value) is Stream:  # its readers learn that it is gone
            self.signal(key)
        self.touched[key] = type(value)
        return True

    def shrunk(self, key: bytes, value) -> None:
        """After elements were taken from `value`: touch the key, and drop it when nothing is left (not for streams)."""
        if value:
            self.touched[key] = None
        else:
            self.remove(key)

    def set_expiry(self, key: bytes, at_ms: int) -> None:
        """Let `key` end once the clock is past `at_ms`; a moment already past removes it at once."""
        if at_ms < self.now_ms:
            self.remove(key)
            return
        self._ends(key, at_ms)
        self.touched[key] = None

    def adopt(self, key: bytes, value, at_ms: int | None) -> None:
        """Give a key the whole state it has elsewhere: value None for gone, `at_ms` None for no end.

        A moment already past stays: the next command finds the key gone.
        """
        if value is None:
            self.remove(key)
            return
        self.put(key, value)
        if at_ms is not None:
            self._ends(key, at_ms)

    def _ends(self, key: bytes, at_ms: int) -> None:
        self.expires[key] = at_ms
        heappush(self._due, (at_ms, key))
        if len(self._due) > 2 * len(self.expires) + 64:  # renewals leave stale entries; keep the heap in proportion
            self._due = [(moment, name) for name, moment in self.expires.items()]
            heapify(self._due)

    def clear(self) -> None:
        """Drop every key."""
        for key in list(self.values):
            self.remove(key)

    def take_touched(self) -> dict[bytes, type | None]:
        """The keys touched since the last call, in order of first touch; key → former type for those removed."""
        touched = self.touched
        self.touched = {}
        return touched

    def take_signalled(self) -> dict[bytes, None]:
        """The keys signalled since the last call, in order of first signal."""
        signalled = self.signalled
        self.signalled = {}
        return signalled
