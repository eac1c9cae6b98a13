"""one-node-two-nodes: a script that draws its token from a key in another slot, which works while one node has both.

Intended invariant: every request is answered on any number of nodes, tokens grow for each key, and every node works.
Shortest violation: two nodes, and a key whose slot is on the node that does not have the sequence.
"""

from py_runtime.lab import Challenge, Check, Choice, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import KEYS, scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="one-node-two-nodes",
    package=__name__,
    variants=(Variant("broken", ("flight.py",), expected="breaks", breaks="every-request-answered"),),
    parameters=(
        Integer("nodes", 2, 1, 4, "nodes"),
        Integer("keys", 4, 1, len(KEYS), "keys"),
        Integer("followers", 2, 0, 2, "followers"),
        Integer("later_at_ms", 0, 0, 100_000_000, "ms"),
        Integer("down_node", 0, 0, 4, "node"),
        Choice("fault", "none", ("none", "pause", "crash")),
        Integer("fault_at_ms", 2_500, 0, 600_000, "ms"),
        Integer("pause_ms", 5_000, 1, 600_000, "ms"),
        Integer("gap_ms", 10, 0, 600_000, "ms"),
        Integer("upstream_ms", 3_900, 1, 600_000, "ms"),
        Integer("heartbeat_ms", 1_000, 1, 600_000, "ms"),
        Integer("lease_ms", 3_000, 1, 600_000, "ms"),
        Integer("jitter_ms", 120, 0, 60_000, "ms"),
    ),
    readings=(
        Reading("answered", "requests"),
        Reading("failed", "requests"),
        Reading("upstream_calls", "calls"),
        Reading("token_seen_by", "token"),
        Reading("records_on", "keys"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # abc-2's delay ends at 1,700 ms if abc-1 has not beaten at 1,000 ms, and so does the shorter standstill.
        parameters={
            "keys": 2,
            "followers": 1,
            "upstream_ms": 1_900,
            "lease_ms": 1_500,
            "pause_ms": 700,
            "jitter_ms": 200,
        },
        offers=(
            Offer("pause", ("abc-1",), "pause_ms", from_ms=1_000),
            # So long that abc-2 has led and published.
            Offer("pause", ("abc-1",), 4_000, from_ms=1_000),
        ),
        eventually=("every-request-answered",),
    ),
    challenge=Challenge(
        file="flight.py",
        checks=(
            Check("every-order", searched=True),
            Check("two-nodes", ("every-request-answered", "one-call-per-key", "one-result-per-key")),
            Check("one-node", ("every-request-answered", "one-call-per-key"), parameters={"nodes": 1}),
            Check("all-nodes-work", ("work-is-shared",)),
            Check("node-down", ("every-request-answered",), parameters={"down_node": 1}),
            Check(
                "dead-leader",
                ("every-request-answered", "takeover-happened", "tokens-grow"),
                parameters={"fault": "crash"},
            ),
            # An hour: what a flight has left is gone by then, or ought to be.
            Check(
                "much-later",
                ("every-request-answered", "tokens-grow"),
                parameters={"keys": 1, "followers": 1, "later_at_ms": 3_600_000},
            ),
        ),
        wrong={
            "declared": "one-node",
            "one-tag": "all-nodes-work",
            "drawn-before": "node-down",
            "counter-expires": "every-order",
            "record-expires": "much-later",
        },
    ),
)
