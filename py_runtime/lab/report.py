"""The report of one run: everything a page, a terminal or a test needs, as plain values.

Decides the names of its fields (the wire format, version 1) and how actors are packed into lanes for drawing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from py_runtime.sim import Actor, TraceEvent

WIRE_VERSION = 1


@dataclass(frozen=True)
class CheckedClaim:
    """A claim with what its check saw; holds None: it says nothing about this run."""

    id: str
    kind: str
    text: str
    holds: bool | None
    observed: str
    position: int | None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id, "kind": self.kind, "text": self.text, "holds": self.holds, "observed": self.observed,
            "position": self.position,
        }  # fmt: skip


@dataclass(frozen=True)
class Report:
    """What one run showed. `summary()` is what the command line prints, `as_json()` what goes to a page."""

    experiment: str
    variant: str
    parameters: Mapping[str, Any]
    seed: int
    outcome: str
    ended: str
    digest: str
    schedule: str
    until_us: int
    bounds: Mapping[str, int]
    readings: Mapping[str, Any]
    claims: Sequence[CheckedClaim]
    lanes: Sequence[Mapping[str, Any]]
    trace: Sequence[TraceEvent]
    scene: Sequence[Mapping[str, Any]]
    output: Sequence[str]
    # The answers to the experiment's questions, each {"id", "value", "text"}.
    predictions: Sequence[Mapping[str, Any]] = ()

    def summary(self) -> dict[str, Any]:
        """The report without trace and views; `events` counts the trace."""
        return {
            "version": WIRE_VERSION,
            "experiment": self.experiment,
            "variant": self.variant,
            "parameters": dict(self.parameters),
            "seed": self.seed,
            "outcome": self.outcome,
            "ended": self.ended,
            "digest": self.digest,
            "schedule": self.schedule,
            "events": len(self.trace),
            "until_us": self.until_us,
            "bounds": dict(self.bounds),
            "readings": dict(self.readings),
            "claims": [claim.as_json() for claim in self.claims],
        }

    def as_json(self) -> dict[str, Any]:
        """The whole report in the wire format."""
        return {
            **self.summary(),
            "lanes": list(self.lanes),
            "trace": [event.as_json() for event in self.trace],
            "scene": list(self.scene),
            "output": list(self.output),
            "predictions": list(self.predictions),
        }


def pack_lanes(actors: Mapping[str, Actor], trace: Sequence[TraceEvent]) -> list[dict[str, Any]]:
    """Rows for drawing: one per actor or pool thread, in order of making; a pool's short lives share the fewest rows.

    Actors without events get none. Each row is {"id", "label", "actors"}.
    """
    lives: dict[str, tuple[int, int]] = {}
    for event in trace:
        first, _ = lives.get(event.actor, (event.sequence, 0))
        lives[event.actor] = (first, event.sequence)
    rows: list[dict[str, Any]] = []
    pools: dict[str, list[list[Any]]] = {}  # pool → rows as [end of the last life in it, row]
    order = {name: index for index, name in enumerate(actors)}

    def place(name: str) -> tuple[int, int]:
        owner = name.partition("/")[0]  # a pool thread is drawn below its actor
        return order.get(owner, len(order)), -1 if name == owner else lives[name][0]

    for name in sorted(lives, key=place):
        pool = actors[name].pool if name in actors else None
        if pool is None:
            rows.append({"id": name, "label": name, "actors": [name]})
            continue
        first, last = lives[name]
        packed = pools.setdefault(pool, [])
        for entry in packed:
            if entry[0] < first:
                entry[0] = last
                entry[1]["actors"].append(name)
                break
        else:
            row = {"id": f"{pool}-{len(packed) + 1}", "label": f"{pool} {len(packed) + 1}", "actors": [name]}
            packed.append([last, row])
            rows.append(row)
    return rows
