"""What the run showed, from the log: which requests worked when, and what the counter said."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting, moment
from py_runtime.sim import TraceEvent, us_from_ms

INFLIGHT = "llm:inflight"
ENDS = ("left", "refused", "actor.crashed")


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """count_min, count_at_end: of what INFLIGHT stands for; 0 where it is not there."""
    names = [moment(event) for event in log.events]
    counts = [0, *(count for _, _, count in count_history(log))]
    return {
        "running_max": max((len(requests) for _, _, requests in running_history(log)), default=0),
        "admitted": names.count("admitted"),
        "refused": names.count("refused"),
        "count_min": min(counts),
        "count_at_end": counts[-1],
    }


def count_history(log: Log) -> list[tuple[int, int, int]]:
    """(position, at_us, count) after every change: of a number itself, of anything else how many it holds.

    An expiry is one, too, at the first millisecond at which the key is gone; no event of the log tells of it.
    """
    changes = [(event, change) for event, change in log.changes("redis") if change["key"] == INFLIGHT]
    history = []
    for index, (event, change) in enumerate(changes):
        history.append((event.sequence, event.at_us, _count_of(change["value"])))
        if change["value"] is None or "expires_at_ms" not in change:
            continue
        gone_us = us_from_ms(change["expires_at_ms"] + 1)
        if gone_us <= (changes[index + 1][0].at_us if index + 1 < len(changes) else log.until_us):
            history.append((log.position_at(gone_us - 1), gone_us, 0))
    return history


def _count_of(value: Any) -> int:
    if isinstance(value, (list, dict)):
        return len(value)
    return int(value or 0)


def running_history(log: Log) -> list[tuple[int, int, tuple[str, ...]]]:
    """(position, at_us, requests at work) after every admission and every end of work."""
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
    """One request from its question to its end; answered, end: None where they never came."""

    actor: str
    asked: TraceEvent
    answered: TraceEvent | None
    end: TraceEvent | None


def visits(log: Log) -> list[Visit]:
    """Every request in the order in which they asked."""
    found: dict[str, dict[str, TraceEvent]] = {}
    for event in log.events:
        name = moment(event)
        if name == "asked":
            found[event.actor] = {"asked": event}
        elif event.actor in found and name in ("admitted", *ENDS):
            parts = found[event.actor]
            parts.setdefault("answered", event)
            if name in ENDS:
                parts.setdefault("end", event)
    return [Visit(actor, parts["asked"], parts.get("answered"), parts.get("end")) for actor, parts in found.items()]


def refused_while_free(log: Log, setting: Setting) -> Iterator[tuple[TraceEvent, int]]:
    """Refusals for which there was no reason, with how many slots were used by others at most since the question.

    A slot is used from the question of whoever gets it until that request is over; of one that was killed, for as long
    as a request may work at most.
    """
    all_visits = visits(log)
    refusals = [visit for visit in all_visits if visit.end is not None and moment(visit.end) == "refused"]
    if not refusals:
        return
    uses = [(visit.asked.sequence, _used_until(log, setting, visit)) for visit in all_visits]
    uses = [(start, until) for start, until in uses if until is not None]
    for refusal in refusals:
        since, until = refusal.asked.sequence, refusal.end.sequence
        moments = [since, *(start for start, _ in uses if since < start < until)]
        most = max(sum(start <= at <= end for start, end in uses) for at in moments)
        if most < setting["limit"]:
            yield refusal.end, most


def _used_until(log: Log, setting: Setting, visit: Visit) -> int | None:
    """The position until which a request may use a slot; None for one that was refused."""
    if visit.end is None:
        return len(log)
    if moment(visit.end) == "refused":
        return None
    if moment(visit.end) == "left":
        return visit.end.sequence
    return log.position_at(visit.end.at_us + us_from_ms(setting["longest_ms"]))
