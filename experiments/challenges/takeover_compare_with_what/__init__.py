"""takeover-compare-with-what: a takeover that asks nothing, and a publish that asks nothing either.

Intended invariant: nobody replaces a leader whose lease still runs, and only the leader publishes.
Shortest violation: two followers come to the end of their delays; the second replaces the first, which leads by then.
"""

from py_runtime.lab import Challenge, Check, Choice, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="takeover-compare-with-what",
    package=__name__,
    variants=(Variant("broken", ("flight.py",), expected="breaks", breaks="live-lease-kept"),),
    parameters=(
        Choice("fault", "pause", ("pause", "crash", "none")),
        Integer("fault_at_ms", 2_500, 0, 600_000, "ms"),
        Integer("pause_ms", 5_000, 1, 600_000, "ms"),
        Integer("crash_b_at_ms", 0, 0, 600_000, "ms"),
        Integer("callers", 3, 1, 3, "callers"),
        Integer("gap_ms", 10, 0, 600_000, "ms"),
        Integer("upstream_ms", 3_900, 1, 600_000, "ms"),
        Integer("heartbeat_ms", 1_000, 1, 600_000, "ms"),
        Integer("lease_ms", 3_000, 1, 600_000, "ms"),
        Integer("jitter_b_ms", 120, 0, 60_000, "ms"),
        Integer("jitter_c_ms", 310, 0, 60_000, "ms"),
        Integer("clock_ms", 0, -60_000, 60_000, "ms"),
    ),
    readings=(
        Reading("upstream_calls", "calls"),
        Reading("tokens_issued", "tokens"),
        Reading("publishes", "token, ms"),
        Reading("refused_writes", "writes"),
        Reading("result_token_seen_by", "token"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # B's delay ends at 1,700 ms if A has not beaten at 1,000 ms, and at 2,700 ms if A did not beat again. There the
        # standstills end: the shorter one if it began with the beat, the longer one if with the answer, at 1,900 ms.
        parameters={
            "fault": "none",
            "callers": 2,
            "upstream_ms": 1_900,
            "lease_ms": 1_500,
            "pause_ms": 700,
            "jitter_b_ms": 200,
            "jitter_c_ms": 200,
        },
        offers=(
            Offer("pause", ("A",), "pause_ms", from_ms=1_000),
            Offer("pause", ("A",), 800, from_ms=1_000),
            Offer("crash", ("B", "C"), from_ms=1_700),
        ),
        eventually=("everybody-answered",),
    ),
    challenge=Challenge(
        file="flight.py",
        checks=(
            Check("every-order", searched=True),
            # A is killed for certain, so that the one fault of a run may befall whoever comes after it.
            Check(
                "second-takeover",
                searched=True,
                parameters={"fault": "crash", "fault_at_ms": 500, "callers": 3, "upstream_ms": 600},
            ),
            Check(
                "clock-ahead",
                ("live-lease-kept", "one-call-when-undisturbed"),
                parameters={"fault": "none", "clock_ms": 10_000},
            ),
            # So long that no lease lasts unless it is renewed again and again.
            Check(
                "undisturbed",
                ("one-call-when-undisturbed", "everybody-answered"),
                parameters={"fault": "none", "upstream_ms": 7_900},
            ),
            # B leads from 3,120 ms on and dies. A wakes at 4,500 ms, and its call to the upstream goes on.
            Check(
                "leader-back",
                ("everybody-answered", "takeover-happened", "one-result-for-all"),
                parameters={
                    "fault_at_ms": 500,
                    "pause_ms": 4_000,
                    "crash_b_at_ms": 3_600,
                    "upstream_ms": 20_000,
                },
            ),
            Check(
                "dead-leader",
                ("everybody-answered", "takeover-happened"),
                parameters={"fault": "crash", "clock_ms": -10_000},
            ),
        ),
        wrong={
            "newer-token": "every-order",
            "expected-token-only": "clock-ahead",
            "kept-token": "second-takeover",
            "unchecked-publish": "every-order",
            "never-replaced": "dead-leader",
            "unchecked-renewal": "leader-back",
        },
    ),
)
