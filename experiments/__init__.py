"""Floor 4: the experiments. This table is all there is to register one: slug → declaration.

Each folder holds `programs/` (what a reader sees and edits), `scenario.py` (actors, arrivals, faults), `readings.py`,
`invariants.py` (the claims), `scene.py` (the views), `texts/` (what a reader reads) and the declaration naming them.
Experiments never import each other.
"""

from . import heartbeat_stall, request_merging, single_flight_takeover, slot_recycling, task_ownership

EXPERIMENTS = {
    each.EXPERIMENT.slug: each.EXPERIMENT
    for each in (heartbeat_stall, task_ownership, slot_recycling, single_flight_takeover, request_merging)
}
