"""The only door to chance: one small generator, and independent named streams drawn from one seed.

Python keeps only `random.random()` stable across versions, not `randrange` or `shuffle`, so the generator is ours:
PCG32 (M. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms", 2014), which needs
64-bit integer arithmetic and nothing else, and therefore gives equal numbers in every Python and browser.
"""

from functools import cached_property

_MASK_64 = (1 << 64) - 1
_MULTIPLIER = 6364136223846793005  # Knuth's MMIX multiplier, the one PCG32 is published with


class Stream:
    """One independent source of chance: the same `seed` and `name` give the same numbers everywhere."""

    __slots__ = ("_increment", "_state")

    def __init__(self, seed: int, name: str) -> None:
        # Each name selects a different PCG sequence (the increment must be odd), so that one more draw in one stream
        # does not move another.
        selector = 0
        for byte in name.encode():
            selector = (selector * 257 + byte + 1) & _MASK_64
        self._start(seed, selector)

    def _start(self, seed: int, selector: int) -> None:
        """Seed as the published generator does (`pcg32_srandom`)."""
        self._increment = ((selector << 1) | 1) & _MASK_64
        self._state = 0
        self._next()
        self._state = (self._state + seed) & _MASK_64
        self._next()

    def _next(self) -> int:
        old = self._state
        self._state = (old * _MULTIPLIER + self._increment) & _MASK_64
        mixed = (((old >> 18) ^ old) >> 27) & 0xFFFFFFFF
        rotation = old >> 59
        return ((mixed >> rotation) | (mixed << (-rotation & 31))) & 0xFFFFFFFF

    def below(self, bound: int) -> int:
        """An integer in 0 … bound - 1, each equally likely; `bound` from 1 to 2**32."""
        if not 1 <= bound <= 1 << 32:
            raise ValueError(f"bound must be 1 to 4294967296, got {bound}")
        threshold = (1 << 32) % bound  # values below it would make the low results likelier: draw again
        while True:
            value = self._next()
            if value >= threshold:
                return value % bound

    def between(self, low: int, high: int) -> int:
        """An integer in low … high, both included."""
        return low + self.below(high - low + 1)


class Streams:
    """The three streams of a run, named for what they decide; each is made when it is first drawn from."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    @cached_property
    def schedule(self) -> Stream:
        return Stream(self.seed, "schedule")

    @cached_property
    def faults(self) -> Stream:
        return Stream(self.seed, "faults")

    @cached_property
    def workload(self) -> Stream:
        return Stream(self.seed, "workload")
