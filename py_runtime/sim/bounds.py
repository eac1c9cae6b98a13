"""The limits of one run. Reaching one ends the run with a partial trace and a sentence, never with a dead page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bounds:
    """Every limit has a name that the report repeats.

    steps_max: callbacks and deliveries in all. instant_steps_max: those at one instant; more means a livelock, since
    virtual time does not move. events_max: entries in the trace. characters_max: characters of what these tell (see
    trace.py), which long values fill first. Defaults are at least fifty times what the largest published experiment
    needs, and end within seconds in a browser.
    """

    steps_max: int = 2_000_000
    instant_steps_max: int = 200_000
    events_max: int = 60_000
    characters_max: int = 20_000_000


DEFAULT_BOUNDS = Bounds()
