"""What one run of a script carries along: the door to Redis, the steps left, the depth, the random numbers.

Decides the limits that keep a run from hanging or from filling memory, and that they fall at the same place on every
machine. Knows no syntax.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from sys import getrefcount

from py_runtime.stores.lua.errors import Raised, StepsExhausted
from py_runtime.stores.lua.tables import LuaTable

# One Python frame is one nested construct that is being evaluated. Counting them, not Lua calls, keeps the limit below
# Python's own whatever the functions look like. Simple recursion gets some 2000 calls deep; redis-server allows 20000.
FRAMES_MAX = 40_000
FRAMES_SHALLOW = 150  # fits under Python's usual limit of 1000, so that most runs need not touch it
_RECURSION_LIMIT = 2 * FRAMES_MAX

_DICE_START = 0x1234ABCD330E  # drand48's own start, and redis-server's after it boots
_DICE_SEED_TAIL = 0x330E  # the 16 bits that srand48 puts below a seed

BYTES_PER_STEP = 256  # strings cost steps too, so that a run ends before memory does; shorter ones are free
KEPT_BEFORE_SWEEP = 10_000
VALUES_PER_STEP = 16  # the same for lists of values, such as what `unpack` gives


class Dice:
    """The server's random numbers for scripts, C's lrand48: they go on from script to script until one seeds them."""

    __slots__ = ("_state",)

    def __init__(self) -> None:
        self._state = _DICE_START

    def seed(self, seed: int) -> None:
        """Starts the row of numbers that belongs to a seed; only its lower 32 bits count."""
        self._state = seed % 2**32 << 16 | _DICE_SEED_TAIL

    def roll(self) -> int:
        """The next number, from 0 to 2^31 - 1."""
        self._state = (self._state * 0x5DEECE66D + 0xB) % 2**48
        return self._state >> 17


class Run:
    """The state of one run. Frames hold it in slot 0; library functions get it as their first argument."""

    __slots__ = (
        "_kept",
        "_kept_max",
        "_addresses",
        "_former_limit",
        "call",
        "dice",
        "frames",
        "frames_allowed",
        "library_depth",
        "log",
        "steps",
    )

    def __init__(self, call: Callable, steps_max: int, log: Callable | None, dice: Dice) -> None:
        self.call = call
        self.dice = dice
        self.log = log
        self.steps = steps_max
        self.frames = 0
        self.library_depth = 0
        self.frames_allowed = FRAMES_SHALLOW
        self._former_limit = 0
        self._kept: list = []
        self._kept_max = KEPT_BEFORE_SWEEP
        self._addresses: dict | None = None

    def spend(self, steps: int, line: int | None = None) -> None:
        """Takes steps away and ends the run, on this line, when none are left."""
        self.steps -= steps
        if self.steps < 0:
            raise StepsExhausted(line)

    def spend_bytes(self, size: int, line: int | None = None) -> None:
        """Pays for a string of this size, before it is built where that is possible."""
        if size >= BYTES_PER_STEP:
            self.spend(size // BYTES_PER_STEP, line)

    def spend_values(self, count: int, line: int | None = None) -> None:
        """Pays for a list of this many values."""
        if count >= VALUES_PER_STEP:
            self.spend(count // VALUES_PER_STEP, line)

    def deepen(self) -> None:
        """Called when `frames` passed `frames_allowed`: makes room, or raises Lua's `stack overflow`."""
        if self.frames > FRAMES_MAX:
            raise Raised(b"stack overflow", level=1)
        self.make_room()
        self.frames_allowed = FRAMES_MAX

    def make_room(self) -> None:
        """Lets Python recurse as deep as our limits do, until `close`. Python calling Python uses no C stack."""
        limit = sys.getrecursionlimit()
        if limit < _RECURSION_LIMIT:
            self._former_limit = limit
            sys.setrecursionlimit(_RECURSION_LIMIT)

    def close(self) -> None:
        """Gives Python its limit back and takes the run's tables apart; no Lua value may be used any more."""
        for each in self._kept:
            _empty(each)
        if self._former_limit:
            sys.setrecursionlimit(self._former_limit)
            self._former_limit = 0

    def keep(self, table: LuaTable) -> LuaTable:
        """Registers a new table: freeing a long chain of tables would else recurse and overflow a browser's stack."""
        self._kept.append(table)
        if len(self._kept) > self._kept_max:
            self._sweep()
        return table

    def keep_cells(self, cells: list) -> None:
        """The same for the variables that a new function captures."""
        self._kept.append(cells)
        if len(self._kept) > self._kept_max:
            self._sweep()

    def _sweep(self) -> None:
        """Empties and forgets what only the register still holds, whichever way a chain was built."""
        unused = _release([LuaTable()], None)
        kept, self._kept = self._kept, []
        for _ in range(2):
            kept = _release(kept, unused)
            kept.reverse()
        self._kept = kept
        self._kept_max = max(KEPT_BEFORE_SWEEP, 2 * len(kept))

    def address(self, value: object) -> int:
        """A number for a table or function, in the order they are first printed: real addresses differ per run."""
        if self._addresses is None:
            self._addresses = {}
        return self._addresses.setdefault(value, len(self._addresses) + 1)


def _release(values: list, unused: int | None) -> list | int:
    """Empties the values that have no more references than `unused`, returns the others.

    With `None`, returns how many references a value has that only its list holds: that differs between Pythons.
    """
    alive = []
    for each in values:
        count = getrefcount(each)
        if unused is None:
            return count
        if count > unused:
            alive.append(each)
        else:
            _empty(each)
    return alive


def _empty(kept: LuaTable | list) -> None:
    if kept.__class__ is LuaTable:
        kept.array.clear()
        kept.hash.clear()
        kept.forget_walk()
    else:
        kept.clear()


@contextmanager
def room_to_recurse() -> Iterator[None]:
    """Room for the compiler, whose recursion is bounded by Lua's own limits on nesting."""
    former = sys.getrecursionlimit()
    sys.setrecursionlimit(max(former, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(former)
