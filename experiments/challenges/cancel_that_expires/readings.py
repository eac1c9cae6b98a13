"""What the run showed: when the cancelled execution ended, what the others did, and what is left in Redis."""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, TraceEvent, us_from_ms

from .scenario import CANCELLED, WEB


@dataclass(frozen=True)
class Kept:
    """A key while it stands. expires: whether it goes by itself."""

    key: str
    from_us: int
    until_us: int
    expires: bool


def read(log: Log, setting: Setting) -> dict[str, Any]:
    stopped = next((mark for mark in log.marks("stopped") if mark.actor == CANCELLED), None)
    return {
        "stopped_ms": None if stopped is None else stopped.at_us // US_PER_MS,
        "worked_ms": worked_us(log, CANCELLED) // US_PER_MS,
        "finished": sum(1 for _ in log.marks("finished")),
        "calls_max": max((len(calls) for calls in worker_calls(log).values()), default=0),
        "left": sum(each.until_us > log.until_us for each in kept(log)),
    }


def of_actor(log: Log, actor: str) -> dict[str, TraceEvent]:
    """The first mark of each name that an actor made."""
    found: dict[str, TraceEvent] = {}
    for event in log.of_kind("mark"):
        if event.actor == actor:
            found.setdefault(event.fields["name"], event)
    return found


def worked_us(log: Log, actor: str) -> int:
    """How long an execution's work lasted, by the clock on the wall."""
    marks = of_actor(log, actor)
    if "began" not in marks:
        return 0
    end = marks.get("finished") or marks.get("stopped")
    crash = next((event.at_us for event in log.of_kind("actor.crashed") if event.actor == actor), log.until_us)
    return (end.at_us if end else crash) - marks["began"].at_us


def reached_us(log: Log) -> int | None:
    """When the first of the cancel's calls changed a key or published; None where none did."""
    wrote = {event.fields["call"] for event, _ in log.changes("redis") if "call" in event.fields}
    reached = (
        call.applied_us
        for call in log.calls("redis")
        if call.actor == WEB and call.applied and (call.number in wrote or call.text.startswith("PUBLISH"))
    )
    return min(reached, default=None)


def worker_calls(log: Log) -> dict[str, list[int]]:
    """Worker → the instants of its calls to Redis."""
    calls: dict[str, list[int]] = {}
    for call in log.calls("redis"):
        if call.actor != WEB:
            calls.setdefault(call.actor, []).append(call.started_us)
    return calls


def kept(log: Log) -> list[Kept]:
    """Every key of Redis from when it was written until it was removed or its time was over."""
    found, open_keys = [], {}

    def close(key: str, at_us: int) -> None:
        from_us, expires_us = open_keys.pop(key)
        until_us = at_us if expires_us is None else min(at_us, expires_us)
        found.append(Kept(key, from_us, until_us, expires_us is not None))

    for event, change in log.changes("redis"):
        if change["key"] in open_keys:
            close(change["key"], event.at_us)
        if change["value"] is not None:
            expires_us = us_from_ms(change["expires_at_ms"]) if "expires_at_ms" in change else None
            open_keys[change["key"]] = event.at_us, expires_us
    for key in list(open_keys):
        close(key, log.until_us + US_PER_MS if open_keys[key][1] is None else open_keys[key][1])
    return sorted(found, key=lambda each: each.from_us)
