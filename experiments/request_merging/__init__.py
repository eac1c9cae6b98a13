"""request-merging: equal requests at a fixed gap meet a cache, a single flight with a cache, and one without.

Intended invariant: one key costs one upstream call, however many ask for it.
Shortest violation: the second request arrives 490 µs after the first, finds the cache still empty, and calls too.
"""

from py_runtime.lab import Experiment, Exploration, Integer, Reading, Variant

from .invariants import CLAIMS
from .predictions import PREDICTIONS
from .readings import read
from .safeguards import SAFEGUARDS
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="request-merging",
    package=__name__,
    variants=(
        Variant("plain", ("plain.py",), expected="breaks", breaks="one-call-in-flight"),
        Variant("merged", ("merged.py",), expected="holds"),
        Variant("merged-without-cache", ("merged_without_cache.py",), expected="breaks", breaks="one-call-in-all"),
    ),
    parameters=(
        Integer("requests", 100, 1, 2_000, "requests"),
        Integer("gap_us", 490, 0, 10_000_000, "µs"),
        Integer("upstream_us", 20_000, 1, 60_000_000, "µs"),
    ),
    readings=(
        Reading("upstream_calls", "calls"),
        Reading("end_us", "µs"),
        Reading("wait_us_mean", "µs"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    predictions=PREDICTIONS,
    # Three requests come while the first call is in flight, or as it completes; the fourth comes after it.
    exploration=Exploration(parameters={"requests": 4, "gap_us": 10_000}, eventually=("everyone-answered",)),
    safeguards=SAFEGUARDS,
)
