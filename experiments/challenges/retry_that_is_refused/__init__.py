"""retry-that-is-refused: a caller that got no answer asks again, and finds the last slot taken by itself.

Intended invariant: nobody is refused for the sake of a slot that nobody uses, and no attempt frees another's slot.
Shortest violation: the answer that granted task-1 the last slot is lost; its retry is refused.
"""

from py_runtime.lab import Challenge, Check, Choice, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import LATE, NONE, REPLY, scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="retry-that-is-refused",
    package=__name__,
    variants=(Variant("broken", ("admission.py",), expected="breaks", breaks="refused-for-a-reason"),),
    parameters=(
        Integer("limit", 1, 1, 10, "slots"),
        Integer("lease_ms", 9_000, 1, 600_000, "ms"),
        Integer("answer_ms", 10, 1, 10_000, "ms"),
        Integer("task_ms", 400, 1, 600_000, "ms"),
        Integer("tasks", 4, 1, 10, "tasks"),
        Integer("arrival_first_ms", 1_000, 0, 600_000, "ms"),
        Integer("arrival_every_ms", 3_100, 0, 600_000, "ms"),
        Choice("lost", REPLY, (REPLY, LATE, NONE)),
        Integer("late_ms", 500, 1, 60_000, "ms"),
        Integer("again_ms", 0, 0, 600_000, "ms"),
        Integer("stall_at_ms", 100, 0, 600_000, "ms"),
        Integer("stall_ms", 0, 0, 600_000, "ms"),
        Integer("crash_at_ms", 0, 0, 600_000, "ms"),
        Choice("fails", "no", ("no", "yes")),
    ),
    readings=(
        Reading("running_max", "tasks"),
        Reading("admitted", "tasks"),
        Reading("refused", "tasks"),
        Reading("refused_while_free", "tasks"),
        Reading("counted_max", "members"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # Each asks when a retry of the one before it would go out.
        parameters={
            "lease_ms": 1_000,
            "task_ms": 15,
            "tasks": 3,
            "arrival_first_ms": 0,
            "arrival_every_ms": 10,
            "lost": NONE,
        },
        offers=(
            Offer("lost-request", ("redis",)),
            Offer("lost-reply", ("redis",)),
            Offer("duplicate-request", ("redis",)),
            Offer("pause", ("task-1",), amount_ms=50),
        ),
    ),
    challenge=Challenge(
        file="admission.py",
        checks=(
            Check("every-order", searched=True),
            Check(
                "second-attempt",
                claims=("limit-kept", "refused-for-a-reason"),
                parameters={
                    "lost": NONE, "tasks": 2, "arrival_first_ms": 0, "arrival_every_ms": 9_600,
                    "again_ms": 9_500, "stall_ms": 9_450,
                },
            ),
            Check(
                "attempt-after-attempt",
                claims=("refused-for-a-reason", "everybody-admitted"),
                parameters={"lost": NONE, "tasks": 1, "again_ms": 1_000},
            ),
            Check(
                "late-copy",
                claims=("refused-for-a-reason", "set-in-use"),
                parameters={"lost": LATE, "tasks": 2, "arrival_first_ms": 0, "arrival_every_ms": 600},
            ),
            # task-2 comes within the answer's time, so that task-1 is refused before its first request arrives.
            Check(
                "late-and-refused",
                claims=("refused-for-a-reason", "set-in-use"),
                parameters={"lost": LATE, "tasks": 2, "arrival_first_ms": 0, "arrival_every_ms": 5, "again_ms": 600},
            ),
            # Where task-1 stands still as it leaves, its late request arrives before it goes on.
            Check(
                "late-as-it-leaves",
                searched=True,
                parameters={"lost": LATE, "tasks": 2, "late_ms": 45, "arrival_every_ms": 80},
            ),
            # task-2 has the slot when task-1 asks again at 10 ms, and has left at 17.
            Check(
                "late-as-it-is-refused",
                searched=True,
                parameters={
                    "lost": LATE, "tasks": 2, "late_ms": 30, "task_ms": 12, "arrival_every_ms": 5, "again_ms": 80,
                },
            ),
            Check(
                "several",
                claims=("limit-reached", "limit-kept", "answered-in-time"),
                parameters={"lost": NONE, "limit": 2, "tasks": 3, "arrival_every_ms": 0},
            ),
            # task-1 has left when its second attempt comes, and both slots are in use when task-3 does.
            Check(
                "others-kept",
                claims=("limit-kept", "limit-reached"),
                parameters={"lost": NONE, "limit": 2, "tasks": 3, "arrival_every_ms": 300, "again_ms": 450},
            ),
            # task-1 fails at 1,400 ms.
            Check(
                "failed",
                claims=("refused-for-a-reason", "limit-reached"),
                parameters={"lost": NONE, "tasks": 2, "arrival_every_ms": 500, "fails": "yes"},
            ),
            Check(
                "crashed",
                claims=("refused-for-a-reason",),
                parameters={"lost": NONE, "tasks": 2, "arrival_every_ms": 9_200, "crash_at_ms": 1_100},
            ),
        ),
        wrong={
            "refused-means-mine": "every-order",
            "new-name-per-try": "every-order",
            "ended-by-task": "attempt-after-attempt",
            "ended-only-by-release": "late-and-refused",
            "whoever-leaves-clears": "others-kept",
            "kept-by-failure": "failed",
            "note-after-release": "late-as-it-leaves",
            "note-after-refusal": "late-as-it-is-refused",
        },
    ),
)  # fmt: skip
