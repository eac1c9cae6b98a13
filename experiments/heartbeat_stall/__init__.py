"""heartbeat-stall: the same blocking call on the event loop or on a pool thread, beside a heartbeat of 20 ms.

Intended invariant: every beat that is due runs, and on time.
Shortest violation: a call of 400 ms starts on the loop at 210 ms; the beat due at 220 ms runs at 610 ms.
"""

from py_runtime.lab import Choice, Experiment, Exploration, Integer, Reading, Variant

from .invariants import CLAIMS
from .predictions import PREDICTIONS
from .readings import read
from .safeguards import SAFEGUARDS
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="heartbeat-stall",
    package=__name__,
    variants=(
        Variant("in-loop", ("in_loop.py", "heartbeat.py"), expected="breaks", breaks="every-beat-ran"),
        Variant("offloaded", ("offloaded.py", "heartbeat.py"), expected="holds"),
    ),
    parameters=(
        Integer("interval_ms", 20, 1, 10_000, "ms"),
        Integer("window_ms", 1_000, 1, 50_000, "ms"),
        Integer("block_at_ms", 210, 0, 60_000, "ms"),
        Integer("block_ms", 400, 0, 60_000, "ms"),
        Choice("timer", "sleep-loop", ("sleep-loop", "phase-keeping")),
    ),
    readings=(
        Reading("beats_actual", "beats"),
        Reading("beats_theoretical", "beats"),
        Reading("delay_ms_max", "ms"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    predictions=PREDICTIONS,
    live=True,
    # The call begins and ends on beats, so that the pool thread and the loop can go in either order.
    exploration=Exploration(parameters={"window_ms": 100, "block_at_ms": 20, "block_ms": 40}),
    safeguards=SAFEGUARDS,
)
