"""counter-autopsy: a limit kept as one number with one expiry, and the ways in which it dies.

Intended invariant: the number says how many work; a slot is given back once, by whoever has it, or by time.
Shortest violation: a request outlives the key; the next one finds no number, begins at 1, and works beside it.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Integers, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="counter-autopsy",
    package=__name__,
    variants=(Variant("broken", ("counter.py",), expected="breaks", breaks="limit-kept"),),
    parameters=(
        Integer("limit", 1, 1, 10, "slots"),
        Integer("ttl_ms", 30_000, 1, 600_000, "ms"),
        Integer("longest_ms", 60_000, 1, 600_000, "ms"),
        Integer("work_ms", 40_000, 1, 600_000, "ms"),
        Integers("arrivals_ms", (0, 35_000, 41_000), 0, 600_000, "ms", length_max=80),
        Integer("fails", 0, 0, 80, "request"),
        Integer("fail_after_ms", 1_000, 1, 600_000, "ms"),
        Integer("crashes", 0, 0, 80, "request"),
        Integer("crash_after_ms", 1_000, 1, 600_000, "ms"),
    ),
    readings=(
        Reading("running_max", "requests"),
        Reading("admitted", "requests"),
        Reading("refused", "requests"),
        Reading("count_min", ""),
        Reading("count_at_end", ""),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # Two ask as the first one ends, and a last one when whoever was killed is forgotten.
        parameters={
            "ttl_ms": 1_500,
            "longest_ms": 1_500,
            "work_ms": 1_000,
            "arrivals_ms": [0, 1_000, 1_000, 3_600],
        },
        offers=(Offer("crash", ("request-1", "request-2")),),
    ),
    challenge=Challenge(
        file="counter.py",
        checks=(
            Check("three-at-once", searched=True, parameters={"arrivals_ms": [0, 1_000, 1_000]}, faults_max=0),
            Check(
                "failing", searched=True, parameters={"arrivals_ms": [0, 1_000, 1_000], "fails": 1}, faults_max=0
            ),
            Check("killed", searched=True, parameters={"arrivals_ms": [0, 1_000, 3_600]}),
            Check("outlives-the-key", claims=("limit-kept", "refused-for-a-reason")),
            Check(
                "nobody-came",
                claims=("limit-kept", "refused-for-a-reason"),
                parameters={"arrivals_ms": [0, 41_000, 42_000]},
            ),
            Check(
                "in-turn",
                claims=("limit-kept", "refused-for-a-reason"),
                parameters={"limit": 2, "arrivals_ms": [0, 35_000, 61_000, 62_000]},
            ),
            Check(
                "crashed-in-traffic",
                claims=("limit-kept", "refused-for-a-reason"),
                parameters={
                    "limit": 2, "work_ms": 15_000, "crashes": 1, "arrivals_ms": list(range(0, 150_000, 10_000)),
                },
            ),
            Check(
                "all-slots",
                claims=("limit-reached", "limit-kept", "answered-at-once"),
                parameters={"limit": 2, "arrivals_ms": [0, 0, 0]},
            ),
        ),
        wrong={
            "floor-at-zero": "failing",
            "one-script-longer-ttl": "in-turn",
            "refreshed-ttl": "crashed-in-traffic",
            "names-without-dates": "killed",
        },
    ),
)  # fmt: skip
