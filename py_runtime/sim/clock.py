"""What an actor believes the time to be. Decides nothing about when things happen; that is virtual time.

The wall clock of an actor can be wrong (offset, step, drift); its monotonic clock cannot go back, but its origin is
arbitrary and differs per actor, so that code which compares the monotonic clocks of two actors goes wrong at once.
A right wall clock shows virtual time itself: a run starts at 0, so that a deadline in a store can be read at a glance.
"""

from collections.abc import Callable

from .units import US_PER_MS, US_PER_S


class Clock:
    """The clocks of one actor, over `now_us`, a function that gives the actor's virtual instant.

    offset_us: how far the wall clock is ahead (negative: behind). drift_ppm: microseconds gained per virtual second.
    """

    __slots__ = ("_now_us", "drift_ppm", "monotonic_origin_us", "offset_us")

    def __init__(self, now_us: Callable[[], int], monotonic_origin_us: int) -> None:
        self._now_us = now_us
        self.monotonic_origin_us = monotonic_origin_us
        self.offset_us = 0
        self.drift_ppm = 0

    def step(self, by_us: int) -> None:
        """Set the wall clock forward (or back, when negative) from now on, as NTP does in one jump."""
        self.offset_us += by_us

    def wall_us(self) -> int:
        """Microseconds since the start of the run, as this actor believes."""
        now_us = self._now_us()
        return now_us + self.offset_us + now_us * self.drift_ppm // US_PER_S

    def wall_ms(self) -> int:
        """Milliseconds since the start of the run, as this actor believes."""
        return self.wall_us() // US_PER_MS

    def monotonic_us(self) -> int:
        """Microseconds since an arbitrary origin; only differences within one actor mean anything."""
        return self.monotonic_origin_us + self._now_us()
