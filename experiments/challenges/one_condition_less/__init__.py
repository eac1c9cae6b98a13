"""one-condition-less: writes on a job's row that do not ask whose it is, so that an attempt long replaced ends it.

Intended invariant: a job that runs is changed only by the attempt that started it.
Shortest violation: W2 claims and stands still; its claim is released, W3 claims and starts; W2 wakes, may not start,
and marks the job as failed.
"""

from py_runtime.lab import Challenge, Check, Choice, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="one-condition-less",
    package=__name__,
    variants=(Variant("broken", ("jobs.py",), expected="breaks", breaks="left-to-its-runner"),),
    parameters=(
        Integer("enters_tick", 2, 0, 1_000, "ticks"),
        Integer("startup_ticks", 1, 0, 1_000, "ticks"),
        Integer("work_ticks", 3, 1, 1_000, "ticks"),
        Integer("grace_ticks", 5, 1, 1_000, "ticks"),
        Choice("disturbed", "paused", ("paused", "killed", "no")),
        Integer("wakes_tick", 12, 0, 1_000, "ticks"),
        Integer("jobs", 1, 1, 4, "jobs"),
        Integer("slots", 1, 1, 4, "slots"),
        Choice("work_fails", "no", ("no", "yes")),
    ),
    readings=(
        Reading("state"),
        Reading("owner"),
        Reading("epoch"),
        Reading("execution"),
        Reading("started_by"),
        Reading("ended_by"),
        Reading("works", "times"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # Claimed at tick 2, the job is started at 4, or released at 5. A start that is put off by one tick meets the
        # release; one that is put off by four meets the next attempt's claim or start. A worker may make that one too,
        # while its first attempt stands still.
        parameters={
            "enters_tick": 0, "startup_ticks": 2, "work_ticks": 2, "grace_ticks": 3, "disturbed": "no", "slots": 2,
        },
        offers=(
            Offer("pause", ("W2-1",), amount_ms=1_000),
            Offer("pause", ("W2-1",), amount_ms=4_000),
            Offer("crash", ("W2-1",)),
            Offer("lost-reply", ("database",), from_ms=1_000),
            Offer("lost-request", ("database",), from_ms=1_000),
        ),
        eventually=("started-is-worked-on", "jobs-end"),
    ),
    challenge=Challenge(
        file="jobs.py",
        checks=(
            Check("every-order", searched=True),
            Check("silent", claims=("killed-is-replaced", "jobs-end", "work-once"), parameters={"disturbed": "killed"}),
            Check("failing-work", claims=("jobs-end",), parameters={"disturbed": "no", "work_fails": "yes"}),
            Check(
                "three-jobs",
                claims=("jobs-end", "jobs-overlap"),
                parameters={"disturbed": "no", "jobs": 3, "slots": 2},
            ),
        ),
        wrong={
            "owner-alone": "every-order",
            "zero-is-lost": "every-order",
            "claim-is-lost": "every-order",
            "look-then-claim": "every-order",
            "no-release": "silent",
            "started-at-once": "silent",
            "no-clean-up": "failing-work",
        },
    ),
)  # fmt: skip
