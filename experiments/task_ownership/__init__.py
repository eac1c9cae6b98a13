"""task-ownership: a short job on a busy worker's socket waits in its queue, or becomes a row that any worker claims.

Intended invariant: an idle worker runs the job, exactly one owns it, and an owner that was replaced changes nothing.
Shortest violation (local queue): W1 is busy to tick 20, W2 and W3 are idle, and the job of tick 2 starts at tick 20.
"""

from py_runtime.lab import Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .predictions import PREDICTIONS
from .readings import read
from .safeguards import SAFEGUARDS
from .scenario import check, scenario, until_us
from .scene import scene

_CLAIM_PROGRAMS = ("claims.py", "worker.py", "gateway.py")

EXPERIMENT = Experiment(
    slug="task-ownership",
    package=__name__,
    variants=(
        Variant("local-queue", ("local_queue.py",), expected="breaks", breaks="idle-worker-runs-it"),
        Variant("global-claim", _CLAIM_PROGRAMS, expected="holds"),
        Variant("preemption", _CLAIM_PROGRAMS, expected="holds"),
    ),
    parameters=(
        Integer("long_ends_tick", 20, 1, 1_000, "ticks"),
        Integer("short_enters_tick", 2, 0, 1_000, "ticks"),
        Integer("release_tick", 9, 1, 1_000, "ticks"),
        Integer("late_started_tick", 12, 1, 1_000, "ticks"),
    ),
    readings=(
        Reading("wait_ticks", "ticks"),
        Reading("owner"),
        Reading("epoch"),
        Reading("claim_rows", "rows"),
        Reading("late_started_rows", "rows"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    predictions=PREDICTIONS,
    check=check,
    exploration=Exploration(
        parameters={"long_ends_tick": 6, "short_enters_tick": 0, "release_tick": 3, "late_started_tick": 5},
        offers=(Offer("duplicate-request", ("database",), from_ms=2_000),),  # from the first claim on
        eventually=("idle-worker-runs-it", "result-reaches-gateway"),
    ),
    safeguards=SAFEGUARDS,
)
