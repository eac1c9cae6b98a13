"""missed-wake-up: a follower that begins to listen after the news, and a late one that asks again for what is there.

Intended invariant: whoever waits is told of an outcome once there is one, and nobody asks the upstream for it again.
Shortest violation: B looks and finds a leader, A publishes, B begins to wait for what is added from now on.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

# A waits from the start, C from soon after, and B comes at the very instant of the outcome.
_SHORT = {
    "upstream_ms": 2_000,
    "lease_ms": 2_500,
    "heartbeat_ms": 1_500,
    "second_at_ms": 2_000,
    "third_at_ms": 10,
    "slow_ms": 0,
}
_FAILS = {"failing_calls": 1, "fails_after_ms": 100}

EXPERIMENT = Experiment(
    slug="missed-wake-up",
    package=__name__,
    variants=(Variant("broken", ("flight.py",), expected="breaks", breaks="heard-at-once"),),
    parameters=(
        Integer("upstream_ms", 4_000, 1, 60_000, "ms"),
        Integer("heartbeat_ms", 1_000, 1, 60_000, "ms"),
        Integer("lease_ms", 3_000, 1, 60_000, "ms"),
        Integer("failed_ms", 2_000, 1, 60_000, "ms"),
        Integer("second_at_ms", 3_999, 0, 60_000, "ms"),
        Integer("slow_ms", 2, 0, 60_000, "ms"),
        Integer("third_at_ms", 9_000, 0, 60_000, "ms"),
        Integer("fourth_at_ms", 0, 0, 60_000, "ms"),
        Integer("failing_calls", 0, 0, 4, "calls"),
        Integer("fails_after_ms", 100, 0, 60_000, "ms"),
        Integer("crash_at_ms", 0, 0, 60_000, "ms"),
        Integer("stall_at_ms", 50, 0, 60_000, "ms"),
        Integer("stall_ms", 0, 0, 60_000, "ms"),
    ),
    readings=(
        Reading("told_ms", "ms"),
        Reading("upstream_calls", "calls"),
        Reading("failures_told", "callers"),
        Reading("redis_calls_max", "calls"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        parameters=_SHORT, offers=(Offer("crash", ("A",), from_ms=100),), eventually=("everyone-told",)
    ),
    challenge=Challenge(
        file="flight.py",
        checks=(
            Check("every-order", searched=True),
            # C comes when the failure no longer counts, also where it was published halfway.
            Check(
                "failure-in-every-order",
                searched=True,
                parameters={**_FAILS, "second_at_ms": 100, "third_at_ms": 2_700, "failed_ms": 500},
            ),
            Check("late", ("asked-once", "heard-at-once", "everyone-told")),
            Check(
                "merged",
                ("asked-once", "heard-at-once", "waits-quietly", "everyone-told"),
                parameters={"second_at_ms": 10, "third_at_ms": 1_730, "fourth_at_ms": 3_370, "slow_ms": 0},
            ),
            Check(
                "failed",
                ("asked-once", "heard-at-once", "no-stale-failure", "answers-are-the-upstreams", "everyone-told"),
                parameters={**_FAILS, "second_at_ms": 20, "third_at_ms": 1_900, "slow_ms": 0},
            ),
            # The one failure is just over when B asks, C waits with B, and D comes late.
            Check(
                "well-again",
                ("asked-again", "asked-once", "heard-at-once", "no-stale-failure", "everyone-told"),
                parameters={
                    **_FAILS,
                    "second_at_ms": 2_500,
                    "third_at_ms": 3_500,
                    "fourth_at_ms": 20_000,
                    "slow_ms": 0,
                },
            ),
            # A is dead and its lease over. B looks when nobody leads yet, and learns of it when C has long been done.
            Check(
                "slow-caller",
                ("asked-once", "everyone-told"),
                parameters={
                    "upstream_ms": 1_000,
                    "lease_ms": 5_000,
                    "crash_at_ms": 500,
                    "second_at_ms": 5_010,
                    "slow_ms": 2_500,
                    "third_at_ms": 5_020,
                },
            ),
            Check(
                "leader-killed",
                ("served-in-time", "asked-once", "heard-at-once"),
                parameters={"crash_at_ms": 1_500, "second_at_ms": 20, "third_at_ms": 700, "slow_ms": 0},
            ),
            # A fails at 100 ms and sees it at 4,050. B leads from 3,000 on and has the answer at 3,500.
            Check(
                "leader-back",
                ("asked-once", "heard-at-once", "answers-are-the-upstreams", "everyone-told"),
                parameters={
                    **_FAILS,
                    "upstream_ms": 500,
                    "stall_ms": 4_000,
                    "second_at_ms": 20,
                    "third_at_ms": 4_500,
                    "fourth_at_ms": 8_000,
                    "slow_ms": 0,
                },
            ),
        ),
        wrong={
            "id-after-look": "every-order",
            "announce-first": "every-order",
            "from-zero": "well-again",
            "failure-for-ever": "well-again",
            "failure-in-halves": "failure-in-every-order",
            "lead-without-look": "slow-caller",
            "unchecked-publish": "leader-back",
        },
    ),
)
