"""single-flight-takeover: a leader that pauses, crashes or hangs, and four programs that each lack one safeguard.

Intended invariant: every caller gets the result of one token, and nobody evicts a leader whose lease still runs.
Shortest violation (blind takeover): B leads from 5,120 ms; C's delay ends at 5,310 ms and C writes its token over B's.
"""

from py_runtime.lab import Choice, Experiment, Exploration, Integer, Integers, Offer, Reading, Variant

from .invariants import CLAIMS
from .predictions import PREDICTIONS
from .readings import read
from .safeguards import SAFEGUARDS
from .scenario import FOLLOWERS_MAX, LEADER, PROGRAM, check, default_jitter_ms, scenario, until_us
from .scene import scene

_BREAKS = {
    "no-reread": "no-token-burnt",
    "blind-takeover": "live-leader-kept",
    "unchecked-publish": "one-result-for-all",
    "key-expiry-is-lease": "followers-answered",
}

EXPERIMENT = Experiment(
    slug="single-flight-takeover",
    package=__name__,
    variants=tuple(
        Variant(name, (file,), "breaks" if name in _BREAKS else "holds", _BREAKS.get(name))
        for name, file in PROGRAM.items()
    ),
    parameters=(
        Choice("fault", "pause", ("pause", "crash", "hang", "none")),
        Integer("fault_at_ms", 2_500, 0, 600_000, "ms"),
        Integer("pause_ms", 5_000, 1, 600_000, "ms"),
        Integer("followers", 2, 0, FOLLOWERS_MAX, "followers"),
        Integer("upstream_ms", 3_900, 1, 600_000, "ms"),
        Integer("heartbeat_ms", 1_000, 1, 600_000, "ms"),
        Integer("lease_ms", 3_000, 1, 600_000, "ms"),
        Integers("jitter_ms", (120, 310), 0, 60_000, "ms", FOLLOWERS_MAX, default_jitter_ms),
        Integer("until_ms", 20_000, 1, 600_000, "ms"),
    ),
    readings=(
        Reading("upstream_calls", "calls"),
        Reading("tokens_issued", "tokens"),
        Reading("publishes", "token, ms"),
        Reading("refused_writes", "writes"),
        Reading("result_token_seen_by", "token"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    predictions=PREDICTIONS,
    check=check,
    exploration=Exploration(
        parameters={"fault": "none", "upstream_ms": 1_900, "lease_ms": 2_500, "until_ms": 12_000},
        # Once it leads: a leader that stops between drawing its token and using it has burnt it, which is harmless.
        offers=(
            Offer("pause", (LEADER,), "pause_ms", from_ms=1_000),
            Offer("crash", (LEADER,), from_ms=1_000),
        ),
        eventually=("followers-answered",),
    ),
    safeguards=SAFEGUARDS,
)
