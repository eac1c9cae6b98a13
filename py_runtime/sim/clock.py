"""What an actor believes the time to be. Decides nothing about when things happen; that is virtual time.

The wall clock of an actor can be wrong (offset, step, drift); its monotonic clock cannot go back, but its origin is
arbitrary and differs per actor, so that code which compares the monotonic clocks of two actors goes wrong at once.
A right wall clock shows virtual time itself: a run starts at 0, so that a deadline in a store can be read at a glance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .units import US_PER_MS, US_PER_S

if TYPE_CHECKING:
    from .engine import Engine


class Clock:
    """The clocks of one actor, over the virtual instant of the engine that runs it.

    offset_us: how far the wall clock is ahead (negative: behind). drift_ppm: microseconds gained per virtual second.
    """

    __slots__ = ("_engine", "drift_ppm", "monotonic_origin_us", "offset_us")

    def __init__(self, engine: Engine, monotonic_origin_us: int) -> None:
        self._engine = engine
        self.monotonic_origin_us = monotonic_origin_us
        self.offset_us = 0
        self.drift_ppm = 0

    def step(self, by_us: int) -> None:
        """Set the wall clock forward (or back, when negative) from now on, as NTP does in one jump."""
        self.offset_us += by_us

    def wall_us(self) -> int:
        """Microseconds since the start of the run, as this actor believes."""
        now_us = self._engine.local_us
        return now_us + self.offset_us + now_us * self.drift_ppm // US_PER_S

    def wall_ms(self) -> int:
        """Milliseconds since the start of the run, as this actor believes."""
        return self.wall_us() // US_PER_MS

    def monotonic_us(self) -> int:
        """Microseconds since an arbitrary origin; only differences within one actor mean anything."""
        return self.monotonic_origin_us + self._engine.local_us
