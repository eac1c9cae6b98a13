"""lease-that-deletes-itself: a lease that is its key's expiry, at a moment that its owner's clock tells.

Intended invariant: while a leader works, the record names it, and whoever is dead is replaced within a lease.
Shortest violation: the leader's clock is set back, and its next renewal deletes the record and is answered with 1.
"""

from py_runtime.lab import Challenge, Check, Choice, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="lease-that-deletes-itself",
    package=__name__,
    variants=(Variant("broken", ("flight.py",), expected="breaks", breaks="leader-works-alone"),),
    parameters=(
        Integer("step_ms", -10_000, -600_000, 600_000, "ms"),
        Integer("step_at_ms", 2_500, 0, 600_000, "ms"),
        Choice("fault", "none", ("none", "pause", "crash")),
        Integer("fault_at_ms", 2_500, 0, 600_000, "ms"),
        Integer("pause_ms", 5_000, 1, 600_000, "ms"),
        Integer("callers", 2, 1, 3, "callers"),
        Integer("gap_ms", 3_200, 0, 600_000, "ms"),
        Integer("upstream_ms", 3_900, 1, 600_000, "ms"),
        Integer("heartbeat_ms", 1_000, 1, 600_000, "ms"),
        Integer("lease_ms", 3_000, 1, 600_000, "ms"),
        Integer("jitter_b_ms", 120, 0, 60_000, "ms"),
        Integer("jitter_c_ms", 310, 0, 60_000, "ms"),
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
        # B's delay ends at 1,700 ms if A has not beaten at 1,000 ms, and so does A's standstill that began then. It
        # ends at 2,700 ms if A did not beat again, and so does the one that began with the answer, at 1,900 ms.
        parameters={
            "step_ms": 0,
            "gap_ms": 10,
            "upstream_ms": 1_900,
            "lease_ms": 1_500,
            "pause_ms": 700,
            "jitter_b_ms": 200,
            "jitter_c_ms": 200,
        },
        offers=(
            Offer("clock-step", ("A",), -10_000),
            Offer("clock-step", ("A",), 10_000),
            Offer("pause", ("A",), "pause_ms", from_ms=1_000),
            # So long that B has led, has published, and may be forgotten by now.
            Offer("pause", ("A",), 6_000, from_ms=1_000),
            Offer("pause", ("A",), 800, from_ms=1_000),
            Offer("clock-step", ("B",), -10_000),
            Offer("clock-step", ("B",), 10_000),
        ),
        eventually=("everybody-answered",),
    ),
    challenge=Challenge(
        file="flight.py",
        checks=(
            Check("every-order", searched=True),
            Check("clock-back", ("leader-works-alone", "record-names-the-leader", "one-call-when-undisturbed")),
            # A is killed for certain, so that the one fault of a run may befall the clock of whoever waits for it.
            Check(
                "dead-leader-clocks",
                searched=True,
                parameters={"fault": "crash", "fault_at_ms": 500, "upstream_ms": 600},
            ),
            # A clock that is ahead gives a lease that is too long, which matters to whoever waits for it to end.
            Check(
                "dead-leader",
                ("everybody-answered", "takeover-happened", "leader-works-alone", "record-ends"),
                parameters={"step_ms": 10_000, "fault": "crash", "fault_at_ms": 3_500, "callers": 3, "gap_ms": 10},
            ),
            Check(
                "left-alone",
                ("work-kept", "everybody-answered"),
                parameters={"step_ms": 0, "fault": "pause", "pause_ms": 20_000, "callers": 1},
            ),
            # It wakes at 7,500 ms with its lease over, and goes on to ask until 9,000.
            Check(
                "late-at-work",
                ("work-kept", "everybody-answered"),
                parameters={"step_ms": 0, "fault": "pause", "callers": 1, "upstream_ms": 9_000},
            ),
            Check(
                "undisturbed",
                ("one-call-when-undisturbed", "everybody-answered", "record-ends"),
                parameters={"step_ms": 0, "callers": 3, "gap_ms": 10},
            ),
        ),
        wrong={
            "only-later": "every-order",
            "seconds-for-milliseconds": "every-order",
            "expireat-in-milliseconds": "dead-leader",
            "relative-but-compared": "dead-leader",
            "key-is-the-lease": "left-alone",
            "waits-by-its-own-clock": "dead-leader-clocks",
            "never-expires": "dead-leader",
            "gives-up-late": "late-at-work",
        },
    ),
)
