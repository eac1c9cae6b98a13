"""renew-without-resurrecting: a heartbeat that adds what was swept, and a task that works on after it lost its slot.

Intended invariant: the set never holds more members than the limit, and whoever is not in it stops.
Shortest violation: task-1 stands still for longer than its lease, task-2 sweeps it and is admitted, task-1 wakes and
beats.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="renew-without-resurrecting",
    package=__name__,
    variants=(Variant("broken", ("lease.py",), expected="breaks", breaks="counted-within-limit"),),
    parameters=(
        Integer("limit", 1, 1, 10, "slots"),
        Integer("heartbeat_ms", 3_000, 1, 60_000, "ms"),
        Integer("lease_ms", 9_000, 1, 600_000, "ms"),
        Integer("task_ms", 20_000, 1, 600_000, "ms"),
        Integer("arrival_every_ms", 15_000, 0, 600_000, "ms"),
        Integer("tasks", 2, 1, 6, "tasks"),
        Integer("stall_at_ms", 6_500, 0, 600_000, "ms"),
        Integer("stall_ms", 10_000, 0, 600_000, "ms"),
        Integer("crash_at_ms", 0, 0, 600_000, "ms"),
        Integer("late_ms", 0, 0, 60_000, "ms"),
        Integer("fails_after_ms", 0, 0, 600_000, "ms"),
    ),
    readings=(
        Reading("counted_max", "members"),
        Reading("running_max", "tasks"),
        Reading("finished", "tasks"),
        Reading("stopped", "tasks"),
        Reading("refused", "tasks"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # Two tasks for one slot. The second comes when a lease that was not renewed has just ended.
        parameters={
            "heartbeat_ms": 1_000,
            "lease_ms": 2_500,
            "task_ms": 3_000,
            "arrival_every_ms": 2_900,
            "stall_ms": 0,
        },
        offers=(
            Offer("pause", ("task-1", "task-2"), amount_ms=4_000),
            Offer("crash", ("task-1", "task-2")),
        ),
    ),
    challenge=Challenge(
        file="lease.py",
        checks=(
            Check("every-order", searched=True),
            # A beat leaves 20 ms before the work ends, and arrives 30 ms after the release.
            Check("late-beat", ("no-ghost",), parameters={"stall_ms": 0, "tasks": 1, "task_ms": 6_020, "late_ms": 50}),
            Check(
                "healthy",
                claims=("healthy-tasks-finish", "limit-reached"),
                parameters={"stall_ms": 0, "limit": 2, "arrival_every_ms": 0},
            ),
            Check("crashed", claims=("slot-comes-back",), parameters={"stall_ms": 0, "crash_at_ms": 100}),
            Check("failed", claims=("slot-comes-back",), parameters={"stall_ms": 0, "fails_after_ms": 14_900}),
            Check("finished", claims=("slot-comes-back",), parameters={"stall_ms": 0, "task_ms": 14_900}),
        ),
        wrong={
            "only-existing": "every-order",
            "look-then-add": "every-order",
            "no-heartbeat": "healthy",
            "left-to-the-lease": "finished",
            "kept-by-failure": "failed",
        },
    ),
)
