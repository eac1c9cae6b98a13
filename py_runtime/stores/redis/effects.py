"""What a write did, as it travels to replicas: the whole state of every key that it touched.

Decides what is sent: states, not command lines. Redis replays commands that it has first made independent of the clock,
of chance and of scripts (an absolute moment for a relative one, the id that XADD gave, the elements that were popped).
A state is all of that at once and right for every command by itself, also for one that is added tomorrow, since every
command notes the keys it touches anyway; a replica can not drift. The price is that a write costs as much as the value
it touches is long, which for the sizes of an experiment is little. Knows no server and no link.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass

from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.sorted_set import SortedSet
from py_runtime.stores.redis.stream import Stream


@dataclass(frozen=True, slots=True)
class KeyState:
    """One key after a write: its value (None: gone) and the moment in ms at which it ends (None: never)."""

    key: bytes
    value: object
    ends_ms: int | None


@dataclass(frozen=True, slots=True)
class Effect:
    """One write. offset: its number in the history it belongs to. at_us: when it was carried out, by the world's time.

    text: the command line, empty where nothing is traced. call: the number of the call it came with, if any.
    published: channel and message of a PUBLISH, which changes no key and is passed on all the same.
    """

    offset: int
    at_us: int
    text: str
    call: int | None
    states: tuple[KeyState, ...]
    published: tuple[bytes, bytes] | None = None


def copied(value):
    """A value that shares nothing with the original that either could change."""
    kind = type(value)
    if kind is bytes or value is None:
        return value
    if kind is SortedSet:
        twin = SortedSet()
        twin.scores, twin.order = value.scores.copy(), value.order.copy()
        return twin
    if kind is Stream:  # its groups point at each other; ids and entries never change, and there are many of them
        return deepcopy(value, {id(value.ids): value.ids.copy(), id(value.entries): value.entries.copy()})
    return kind(value)


def states_of(db: Keyspace, keys: Iterable[bytes]) -> tuple[KeyState, ...]:
    """The states of these keys now."""
    return tuple(KeyState(key, copied(db.values.get(key)), db.expires.get(key)) for key in keys)


def adopt(db: Keyspace, states: Iterable[KeyState]) -> None:
    """Give keys the states they have elsewhere; `db.touched` tells which those were."""
    for state in states:
        db.adopt(state.key, copied(state.value), state.ends_ms)
