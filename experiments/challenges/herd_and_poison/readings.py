"""What the run showed: who died, who asked, who was told what, and which callers wrote without ever leading."""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, TraceEvent

from .scenario import callers

SEQUENCE = "flight:{weather}:seq"
ENDS = ("answered", "failed")


@dataclass(frozen=True)
class Asking:
    """One call of the upstream. ended_us: when its caller had the answer, gave up or was killed; None: never."""

    actor: str
    position: int
    started_us: int
    ended_us: int | None
    answered: bool


def read(log: Log, setting: Setting) -> dict[str, Any]:
    told = list(ends(log).values())
    names = [event.fields["name"] for event in told]
    return {
        "killed": sum(1 for _ in log.marks("killed")),
        "upstream_calls": len(askings(log)),
        "tokens": tokens(log),
        "needless_writes": len(needless_writes(log)),
        "answered": names.count("answered"),
        "failed": names.count("failed"),
        "last_told_ms": max((event.at_us for event in told), default=0) // US_PER_MS if told else None,
        "waiting": len(callers(setting)) - len(told) - len(crashed(log)),
    }


def ends(log: Log) -> dict[str, TraceEvent]:
    """Caller → its mark `answered` or `failed`."""
    return {event.actor: event for event in log.marks(*ENDS)}


def crashed(log: Log) -> dict[str, TraceEvent]:
    """Actor → when it was killed, by its call or otherwise."""
    return {event.actor: event for event in log.of_kind("actor.crashed")}


def askings(log: Log) -> list[Asking]:
    """The calls of the upstream, in order."""
    killed = crashed(log)
    found = []
    for call in log.calls("upstream"):
        ended_us = call.ended_us
        if ended_us is None and call.actor in killed:
            ended_us = killed[call.actor].at_us
        answered = call.ended_us is not None and call.error is None
        found.append(Asking(call.actor, call.started, call.started_us, ended_us, answered))
    return found


def spent_unasked(log: Log) -> list[int]:
    """When callers were killed that never asked: each may have used up an attempt."""
    asked = {event.actor for event in log.of_kind("call.started") if event.fields["to"] == "upstream"}
    return [event.at_us for actor, event in crashed(log).items() if actor not in asked]


def tokens(log: Log) -> int:
    """The last number that was drawn from the sequence."""
    values = log.values_of("redis", SEQUENCE)
    return int(values[-1][2] or 0) if values else 0


def needless_writes(log: Log) -> list[int]:
    """Instants of the calls that changed something in Redis, of callers that never asked the upstream."""
    started = {event.fields["call"]: event for event in log.of_kind("call.started")}
    led = {event.actor for event in started.values() if event.fields["to"] == "upstream"}
    wrote = dict.fromkeys(event.fields["call"] for event, _ in log.changes("redis") if "call" in event.fields)
    return [started[call].at_us for call in wrote if started[call].actor not in led]
