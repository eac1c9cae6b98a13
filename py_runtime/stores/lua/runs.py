"""What one run of a script carries along: the door to Redis, the steps left, the depth, the random numbers.

Decides the limits that keep a run from hanging or from filling memory, and that they fall at the same place on every
machine. Knows no syntax.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from py_runtime.stores.lua.errors import StepsExhausted

# One Python frame is one nested construct that is being evaluated. Counting them, not Lua calls, keeps the limit below
# Python's own whatever the functions look like. Simple recursion gets some 2000 calls deep; redis-server allows 20000.
FRAMES_MAX = 40_000
_RECURSION_LIMIT = 2 * FRAMES_MAX

RANDOM_START = (
    0x1234ABCD330E  # drand48's own start, and redis-server's after it boots; there it goes on from script to script
)

BYTES_PER_STEP = 64  # long strings cost steps too, so that doubling a text ends before memory does
_FREE_BYTES = 4096


class Run:
    """The state of one run. Frames hold it in slot 0; library functions get it as their first argument."""

    __slots__ = ("call", "log", "steps", "frames", "random_state", "_addresses")

    def __init__(self, call: Callable, steps_max: int, log: Callable | None) -> None:
        self.call = call
        self.log = log
        self.steps = steps_max
        self.frames = 0
        self.random_state = RANDOM_START
        self._addresses: dict | None = None

    def spend(self, steps: int) -> None:
        """Takes steps away and ends the run when none are left."""
        self.steps -= steps
        if self.steps < 0:
            raise StepsExhausted

    def spend_bytes(self, size: int) -> None:
        """Pays for a string of this size, before it is built where that is possible."""
        if size > _FREE_BYTES:
            self.spend(size // BYTES_PER_STEP)

    def address(self, value: object) -> int:
        """A number for a table or function, in the order they are first printed: real addresses differ per run."""
        if self._addresses is None:
            self._addresses = {}
        return self._addresses.setdefault(value, len(self._addresses) + 1)


@contextmanager
def _raised_limit(former: int) -> Iterator[None]:
    sys.setrecursionlimit(_RECURSION_LIMIT)
    try:
        yield
    finally:
        sys.setrecursionlimit(former)


@contextmanager
def _unchanged() -> Iterator[None]:
    yield


def room_to_recurse() -> object:
    """A context in which Python allows as many frames as our own limit does. Pure Python calls use no C stack."""
    former = sys.getrecursionlimit()
    return _raised_limit(former) if former < _RECURSION_LIMIT else _unchanged()
