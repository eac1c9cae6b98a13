"""cancel-that-expires: a cancel whose message is lost, and whose flag is gone before the next heartbeat looks.

Intended invariant: whatever execution was cancelled stops within a heartbeat, and no other one does.
Shortest violation: a cancel at 4,000 ms whose message is lost sets a flag for 1,500 ms; the heartbeat looks at 6,000.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import CANCELLED, WEB, scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="cancel-that-expires",
    package=__name__,
    variants=(Variant("broken", ("cancel.py",), expected="breaks", breaks="stops-in-time"),),
    parameters=(
        Integer("heartbeat_ms", 3_000, 1, 60_000, "ms"),
        Integer("lease_ms", 9_000, 1, 600_000, "ms"),
        Integer("task_ms", 20_000, 1, 600_000, "ms"),
        Integer("start_ms", 0, 0, 600_000, "ms"),
        Integer("cancel_ms", 4_000, 0, 600_000, "ms"),
        Integer("deaf_ms", 1_000, 0, 600_000, "ms"),
        Integer("again_ms", 0, 0, 600_000, "ms"),
        Integer("others", 1, 0, 1, "tasks"),
        Integer("stall_at_ms", 3_500, 0, 600_000, "ms"),
        Integer("stall_ms", 0, 0, 600_000, "ms"),
    ),
    readings=(
        Reading("stopped_ms", "ms"),
        Reading("worked_ms", "ms"),
        Reading("finished", "executions"),
        Reading("calls_max", "calls"),
        Reading("left", "keys"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # The cancel comes when a heartbeat looks. The message is lost, so that all depends on the flag.
        parameters={
            "heartbeat_ms": 1_000,
            "lease_ms": 4_000,
            "task_ms": 6_000,
            "cancel_ms": 1_000,
            "others": 0,
        },
        offers=(Offer("crash", (WEB,)), Offer("pause", (CANCELLED,), amount_ms=2_500)),
    ),
    challenge=Challenge(
        file="cancel.py",
        checks=(
            Check("every-order", searched=True),
            Check(
                "at-the-start",
                searched=True,
                parameters={"cancel_ms": 500, "start_ms": 500, "task_ms": 2_500},
                faults_max=0,
            ),
            Check("lost-message", ("stops-in-time", "says-what-happened")),
            Check("message", ("stops-at-once",), parameters={"deaf_ms": 0}),
            Check("queued", ("never-begins",), parameters={"cancel_ms": 1_000, "start_ms": 2_000}),
            Check("blocked", ("stops-in-time",), parameters={"stall_ms": 7_000}),
            Check("again", ("stops-in-time", "others-finish"), parameters={"again_ms": 7_000}),
            Check(
                "late-cancel",
                ("others-finish",),
                parameters={"cancel_ms": 8_000, "task_ms": 7_000, "again_ms": 7_500, "deaf_ms": 0},
            ),
            Check(
                "healthy", ("others-finish", "two-at-once", "looks-rarely"), parameters={"cancel_ms": 0, "deaf_ms": 0}
            ),
            Check("tidy", ("nothing-stays", "looks-rarely")),
        ),
        wrong={
            "publish-first": "every-order",
            "two-intervals": "every-order",
            "longer-flag": "again",
            "no-look-first": "queued",
            "no-expiry": "tidy",
        },
    ),
)
