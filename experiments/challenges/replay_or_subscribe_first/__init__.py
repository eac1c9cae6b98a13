"""replay-or-subscribe-first: what is published between the replay and the subscription reaches nobody.

Intended invariant: a page shows every event, in order, once.
Shortest violation: the page reads the history, event 3 is published, the page subscribes; it shows 1, 2 and 4.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import check, scenario, until_us
from .scene import scene

_SMALL = {"events": 3, "opens_ms": 200, "reload_ms": 1_000, "message_ms": 0, "idle_ms": 250, "late_ms": 0}

EXPERIMENT = Experiment(
    slug="replay-or-subscribe-first",
    package=__name__,
    variants=(Variant("broken", ("events.py",), expected="breaks", breaks="one-after-another"),),
    parameters=(
        Integer("events", 4, 1, 100, "events"),
        Integer("every_ms", 100, 1, 600_000, "ms"),
        Integer("opens_ms", 290, 0, 600_000, "ms"),
        Integer("reload_ms", 1_000, 0, 600_000, "ms"),
        Integer("message_ms", 5, 0, 1_000, "ms"),
        Integer("idle_ms", 1_000, 1, 600_000, "ms"),
        Integer("lost_event", 0, 0, 100, "event"),
        Integer("late_event", 0, 0, 100, "event"),
        Integer("late_ms", 150, 0, 10_000, "ms"),
    ),
    readings=(
        Reading("shown"),
        Reading("shown_later"),
        Reading("closed_ms", "ms"),
        Reading("calls", "calls"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    check=check,
    # The page opens at the instant of the second event, so that its steps and the worker's come in every order.
    exploration=Exploration(
        parameters=_SMALL,
        offers=(Offer("crash", ("worker",)),),
        eventually=("pages-end",),
    ),
    challenge=Challenge(
        file="events.py",
        checks=(
            Check("every-order", searched=True),
            Check("tail-lost", searched=True, parameters={"lost_event": 3}),
            Check(
                "late-event",
                claims=("one-after-another", "shown-as-emitted", "pages-end"),
                parameters={"late_event": 3, "opens_ms": 150},
            ),
            # Long enough that whoever waits for a silence, or for the end, is later than the next event.
            Check(
                "gap",
                claims=("one-after-another", "shown-as-emitted", "gaps-closed", "pages-end"),
                parameters={"events": 8, "lost_event": 3, "opens_ms": 150, "reload_ms": 2_000},
            ),
            Check(
                "long-silence",
                claims=("at-once", "few-calls", "pages-end"),
                parameters={"every_ms": 10_000, "opens_ms": 15_000, "reload_ms": 25_000},
            ),
        ),
        wrong={
            "shown-twice": "every-order",
            "publish-first": "every-order",
            "never-looks-again": "tail-lost",
            "gap-until-silence": "gap",
            "asks-all-the-time": "long-silence",
            "asks-when-idle": "long-silence",
        },
    ),
)
