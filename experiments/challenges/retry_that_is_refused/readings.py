"""What the run showed, from the log: who asked, who worked, and whom the set counted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting, moment
from py_runtime.sim import TraceEvent, us_from_ms

LEASES = "llm:leases"
ENDS = ("left", "refused", "actor.crashed")


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """refused_while_free: refusals for which there was no reason from the question to the answer."""
    names = [moment(event) for event in log.events]
    counted = log.values_of("redis", LEASES)
    return {
        "running_max": max((len(tasks) for _, _, tasks in running_history(log)), default=0),
        "admitted": names.count("admitted"),
        "refused": names.count("refused"),
        "refused_while_free": sum(1 for _ in refused_while_free(log, setting)),
        "counted_max": max((members_in(value) for _, _, value in counted), default=0),
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
        elif moment(event) in ("finished", "failed", "actor.crashed") and event.actor in running:
            del running[event.actor]
        else:
            continue
        history.append((event.sequence, event.at_us, tuple(running)))
    return history


@dataclass(frozen=True)
class Visit:
    """One process from its question to its end; `end` None: it never came. Positions in the log."""

    actor: str
    asked: TraceEvent
    answered: TraceEvent | None
    end: TraceEvent | None


def visits(log: Log) -> list[Visit]:
    """Every process in the order in which they asked."""
    found: dict[str, dict[str, TraceEvent]] = {}
    for event in log.events:
        name = moment(event)
        if name == "asked":
            found[event.actor] = {"asked": event}
        elif event.actor in found and name in ("admitted", *ENDS):
            parts = found[event.actor]
            parts.setdefault("answered", event)
            if name != "admitted":
                parts.setdefault("end", event)
    return [Visit(actor, parts["asked"], parts.get("answered"), parts.get("end")) for actor, parts in found.items()]


def refused_while_free(log: Log, setting: Setting) -> Iterator[TraceEvent]:
    """Refusals such that at no moment since the question were as many slots used by others as there are.

    A slot is used from the question of whoever gets it until that process is over; of one that was killed or stands
    still, a lease longer at most.
    """
    all_visits = visits(log)
    refusals = [visit for visit in all_visits if visit.end is not None and moment(visit.end) == "refused"]
    if not refusals:
        return
    uses = [(visit.actor, visit.asked.sequence, _used_until(log, setting, visit)) for visit in all_visits]
    uses = [use for use in uses if use[2] is not None]
    for refusal in refusals:
        since, until = refusal.asked.sequence, refusal.end.sequence
        moments = [since, *(start for _, start, _ in uses if since < start < until)]
        if all(sum(start <= at <= end for _, start, end in uses) < setting["limit"] for at in moments):
            yield refusal.end


def _used_until(log: Log, setting: Setting, visit: Visit) -> int | None:
    """The position until which a process may use a slot; None for one that was refused."""
    if visit.end is None:
        return len(log)
    if moment(visit.end) == "refused":
        return None
    if moment(visit.end) == "left":
        return visit.end.sequence
    return log.position_at(visit.end.at_us + us_from_ms(setting["lease_ms"]))
