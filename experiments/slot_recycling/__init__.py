"""slot-recycling: a global limit of ten, kept as a counter or as leases, while every third task is killed at work.

Intended invariant: a slot whose holder was killed is usable again at most one lease later.
Shortest violation: the third task is killed after its INCR; no DECR ever comes, and the capacity is nine for good.
"""

from py_runtime.lab import Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .predictions import PREDICTIONS
from .readings import read
from .safeguards import SAFEGUARDS
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="slot-recycling",
    package=__name__,
    variants=(
        Variant("counter", ("counter.py",), expected="breaks", breaks="capacity-returns"),
        Variant("lease", ("lease.py",), expected="holds"),
        Variant("lease-repaired", ("lease_repaired.py",), expected="holds"),
    ),
    parameters=(
        Integer("limit", 10, 1, 100, "slots"),
        Integer("duration_ms", 30_000, 1, 600_000, "ms"),
        Integer("arrival_first_ms", 7, 0, 600_000, "ms"),
        Integer("arrival_every_ms", 370, 5, 600_000, "ms"),
        Integer("task_ms", 2_450, 1, 600_000, "ms"),
        Integer("crash_every", 3, 0, 1_000, "admissions"),
        Integer("crash_after_ms", 1_250, 0, 600_000, "ms"),
        Integer("heartbeat_ms", 1_000, 1, 600_000, "ms"),
        Integer("lease_ms", 3_000, 1, 600_000, "ms"),
    ),
    readings=(
        Reading("admitted", "tasks"),
        Reading("refused", "tasks"),
        Reading("finished", "tasks"),
        Reading("crashed", "tasks"),
        Reading("running_at_end", "tasks"),
        Reading("first_refusal_ms", "ms"),
        Reading("capacity_every_5s", "slots"),
        Reading("running_max", "tasks"),
        Reading("lost", "tasks"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    predictions=PREDICTIONS,
    exploration=Exploration(
        # Three tasks for one slot. The second arrives as the first beats for the second time.
        parameters={
            "limit": 1,
            "duration_ms": 6_000,
            "arrival_first_ms": 0,
            "arrival_every_ms": 2_000,
            "task_ms": 2_500,
            "crash_every": 0,
            "lease_ms": 1_500,
        },
        offers=(
            Offer("crash", ("task-1", "task-2", "task-3")),
            Offer("duplicate-request", ("redis",)),
            Offer("clock-step", ("task-1", "task-2", "task-3"), amount_ms=5_000),
            # To a replica that lacks no write: of one that does nothing is claimed, since leases are lost with them and
            # more tasks than the limit run until the next beat. Once the scripts are loaded: a failover between
            # loading one and calling it again is more than redis-py tries.
            Offer("failover", ("redis",), from_ms=2_001),
        ),
        breaks={"lease": "limit-respected"},
    ),
    safeguards=SAFEGUARDS,
)
