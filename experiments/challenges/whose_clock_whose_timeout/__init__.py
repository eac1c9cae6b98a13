"""whose-clock-whose-timeout: leases that every worker judges by its own clock, its own lease length and its own limit.

Intended invariant: what one worker believes about time, leases and the limit does no harm to anybody else's slot.
Shortest violation: a worker whose clock is ahead by more than a lease asks for a slot, and sweeps all who work.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import FIRST, LATER, OTHER, check, scenario, until_us
from .scene import scene

ACTORS = (OTHER, FIRST, LATER)

EXPERIMENT = Experiment(
    slug="whose-clock-whose-timeout",
    package=__name__,
    variants=(Variant("broken", ("lease.py",), expected="breaks", breaks="limit-kept"),),
    parameters=(
        Integer("limit", 3, 1, 10, "slots"),
        Integer("lease_ms", 9_000, 1, 600_000, "ms"),
        Integer("task_ms", 20_000, 1, 600_000, "ms"),
        Integer("tasks", 3, 0, 10, "tasks"),
        Integer("arrival_ms", 1_000, 1, 600_000, "ms"),
        Integer("other_at_ms", 2_000, 1, 600_000, "ms"),
        Integer("skew_ms", 10_000, -600_000, 600_000, "ms"),
        Integer("other_lease_ms", 9_000, 1, 600_000, "ms"),
        Integer("other_limit", 3, 1, 10, "slots"),
        Integer("crash_at_ms", 0, 0, 600_000, "ms"),
        Integer("later_at_ms", 0, 0, 600_000, "ms"),
        Integer("lost_beats", 0, 0, 20, "messages"),
        Integer("answer_ms", 50, 1, 10_000, "ms"),
    ),
    readings=(
        Reading("running_max", "tasks"),
        Reading("counted_max", "members"),
        Reading("finished", "tasks"),
        Reading("stopped", "tasks"),
        Reading("refused", "tasks"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    check=check,
    exploration=Exploration(
        # One slot. The other worker asks as the first one beats; the last one when whoever was killed is forgotten.
        parameters={
            "limit": 1,
            "lease_ms": 2_000,
            "task_ms": 1_200,
            "tasks": 1,
            "arrival_ms": 1_000,
            "other_at_ms": 2_000,
            "skew_ms": 0,
            "other_lease_ms": 2_000,
            "other_limit": 1,
            "later_at_ms": 4_300,
        },
        offers=(
            Offer("clock-step", ACTORS, amount_ms=5_000),
            Offer("clock-step", ACTORS, amount_ms=-5_000),
            Offer("crash", ACTORS),
        ),
    ),
    challenge=Challenge(
        file="lease.py",
        checks=(
            Check("every-order", searched=True),
            Check("two-leases", searched=True, parameters={"other_lease_ms": 500}),
            Check(
                "two-limits",
                claims=("limit-kept",),
                parameters={"limit": 1, "tasks": 1, "skew_ms": 0, "other_limit": 2},
            ),
            Check(
                "lost-beats",
                claims=("healthy-keeps-slot", "few-calls"),
                parameters={"tasks": 1, "skew_ms": 0, "lost_beats": 2},
            ),
            # Four lost beats are too many. The other is admitted when the lease is over, before the fifth beat comes.
            Check(
                "really-lost",
                claims=("excess-ends",),
                parameters={
                    "limit": 1, "tasks": 1, "skew_ms": 0, "other_limit": 1, "other_at_ms": 10_500, "lost_beats": 4,
                },
            ),
            # Its clock is set while it works, and it works for longer than a lease.
            Check(
                "set-at-work",
                searched=True,
                parameters={"task_ms": 2_600, "other_at_ms": 3_400, "later_at_ms": 0},
            ),
            # Two beats are lost and nobody else comes for the slot; a clock is set meanwhile, or at another time.
            Check(
                "set-while-unheard",
                searched=True,
                parameters={"task_ms": 1_700, "other_at_ms": 3_300, "later_at_ms": 0, "lost_beats": 2},
            ),
            Check(
                "ahead-and-crashed",
                claims=("refused-for-a-reason",),
                parameters={
                    "limit": 1, "tasks": 0, "skew_ms": 60_000, "other_limit": 1, "other_lease_ms": 3_000,
                    "crash_at_ms": 2_100, "later_at_ms": 5_200,
                },
            ),
            Check(
                "all-slots",
                claims=("limit-reached", "limit-kept", "healthy-keeps-slot", "few-calls", "answered-at-once"),
                parameters={"skew_ms": 0},
            ),
        ),
        wrong={
            "deadline-by-caller": "every-order",
            "server-time-only": "two-leases",
            "three-beats": "lost-beats",
            "never-stops": "really-lost",
            "corrected-clock": "set-at-work",
            "one-long-lease": "ahead-and-crashed",
            "waits-for-a-slot": "all-slots",
            "stops-by-its-clock": "set-while-unheard",
        },
    ),
)  # fmt: skip
