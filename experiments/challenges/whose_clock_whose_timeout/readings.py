"""What the run showed, from the log: who asked, who worked, and whom the set counted."""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting, moment
from py_runtime.sim import TraceEvent, us_from_ms

from .scenario import OTHER

LEASES = "{llm}:leases"
ENDS = ("left", "refused", "actor.crashed")


def read(log: Log, setting: Setting) -> dict[str, Any]:
    names = [moment(event) for event in log.events]
    counted = log.values_of("redis", LEASES)
    return {
        "running_max": max((len(tasks) for _, _, tasks in running_history(log)), default=0),
        "counted_max": max((members_in(value) for _, _, value in counted), default=0),
        "finished": names.count("finished"),
        "stopped": names.count("stopped"),
        "refused": names.count("refused"),
    }


def members_in(value: Any) -> int:
    """How many members a value of the set has; a program may also keep something else there."""
    return len(value) if isinstance(value, (list, dict)) else 0


def running_history(log: Log) -> list[tuple[int, int, tuple[str, ...]]]:
    """(position, at_us, tasks at work) after every admission and every end of work."""
    running: dict[str, None] = {}
    history = []
    for event in log.events:
        if moment(event) == "admitted":
            running[event.actor] = None
        elif moment(event) in ("finished", "stopped", "actor.crashed") and event.actor in running:
            del running[event.actor]
        else:
            continue
        history.append((event.sequence, event.at_us, tuple(running)))
    return history


def lease_us(setting: Setting, actor: str) -> int:
    """The lease length that this actor's worker is configured with."""
    return us_from_ms(setting["other_lease_ms" if actor == OTHER else "lease_ms"])


@dataclass(frozen=True)
class Visit:
    """One task from its question to its end; admitted, end: None where they never came."""

    actor: str
    asked: TraceEvent
    admitted: TraceEvent | None
    end: TraceEvent | None


def visits(log: Log) -> list[Visit]:
    """Every task in the order in which they asked."""
    found: dict[str, dict[str, TraceEvent]] = {}
    for event in log.events:
        name = moment(event)
        if name == "asked":
            found[event.actor] = {name: event}
        elif event.actor in found and name in ("admitted", *ENDS):
            found[event.actor].setdefault("end" if name in ENDS else name, event)
    return [Visit(actor, parts["asked"], parts.get("admitted"), parts.get("end")) for actor, parts in found.items()]


def used_until(log: Log, setting: Setting, visit: Visit) -> int | None:
    """The position until which a task may use a slot, one that was killed for a lease more; None: it was refused."""
    if visit.end is None:
        return len(log)
    if moment(visit.end) == "refused":
        return None
    if moment(visit.end) == "left":
        return visit.end.sequence
    return log.position_at(visit.end.at_us + lease_us(setting, visit.actor))
