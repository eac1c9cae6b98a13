"""herd-and-poison: followers that all draw a number at once, a request that kills whoever makes it, a call that hangs.

Intended invariant: a request kills at most as many processes as attempts are allowed, and everybody hears of it.
Shortest violation: three callers; each takes over when the one before has been killed, and makes the same call.
"""

from py_runtime.lab import Challenge, Check, Choice, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="herd-and-poison",
    package=__name__,
    variants=(Variant("broken", ("flight.py",), expected="breaks", breaks="deaths-bounded"),),
    parameters=(
        Integer("followers", 5, 0, 1_000, "callers"),
        Choice("trouble", "poison", ("poison", "hang", "none")),
        Integer("troubled", 1_000, 0, 1_000, "calls"),
        Integer("kills_after_ms", 1_500, 1, 60_000, "ms"),
        Integer("upstream_ms", 2_000, 1, 60_000, "ms"),
        Integer("heartbeat_ms", 1_000, 1, 60_000, "ms"),
        Integer("lease_ms", 3_000, 1, 60_000, "ms"),
        Integer("limit_ms", 6_000, 1, 60_000, "ms"),
        Integer("attempts_max", 2, 1, 10, "calls"),
        Integer("jitter_ms", 500, 0, 60_000, "ms"),
        Integer("way_ms", 1, 0, 1_000, "ms"),
        Integer("later_at_ms", 0, 0, 100_000_000, "ms"),
    ),
    readings=(
        Reading("killed", "processes"),
        Reading("upstream_calls", "calls"),
        Reading("tokens", "numbers"),
        Reading("needless_writes", "writes"),
        Reading("answered", "callers"),
        Reading("failed", "callers"),
        Reading("last_told_ms", "ms"),
        Reading("waiting", "callers"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # Nobody's delay differs, so that all who wait take over at the same instant.
        parameters={"followers": 2, "jitter_ms": 0, "way_ms": 0, "upstream_ms": 500, "kills_after_ms": 500},
        offers=(Offer("crash", ("caller-2",), from_ms=3_000),),
        not_judged=("few-write",),  # the delay is what keeps it, and there is none here
    ),
    challenge=Challenge(
        file="flight.py",
        checks=(
            Check("poison-in-every-order", searched=True, faults_max=0),
            Check("accident-in-every-order", searched=True, parameters={"troubled": 1}, faults_max=0),
            Check(
                "poison", ("deaths-bounded", "told-in-time", "fails-only-after-attempts", "answers-are-the-upstreams")
            ),
            Check(
                "herd",
                ("few-write", "everyone-answered", "one-call-at-a-time", "next-try-in-time"),
                parameters={"followers": 100, "troubled": 1},
            ),
            Check(
                "hang",
                ("next-try-in-time", "told-in-time", "everyone-answered"),
                parameters={"trouble": "hang", "troubled": 1},
            ),
            Check(
                "all-hang",
                ("told-in-time", "fails-only-after-attempts", "answers-are-the-upstreams"),
                parameters={"trouble": "hang"},
            ),
            Check(
                "slow",
                ("one-call-at-a-time", "calls-have-their-time", "everyone-answered"),
                parameters={"trouble": "none", "upstream_ms": 5_700},
            ),
            # The second attempt had the answer. An hour later that may be gone, and somebody asks once more.
            Check(
                "begins-anew",
                ("everyone-answered", "fails-only-after-attempts"),
                parameters={"troubled": 1, "later_at_ms": 3_600_000},
            ),
        ),
        wrong={
            "no-second-look": "herd",
            "count-what-ends": "poison-in-every-order",
            "count-first": "accident-in-every-order",
            "one-attempt": "accident-in-every-order",
            "limit-is-lease": "slow",
            "count-is-kept": "begins-anew",
        },
    ),
)
