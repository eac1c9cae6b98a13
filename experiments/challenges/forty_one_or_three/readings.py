"""What the run showed: the calls to the upstream, and what each request got."""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting


@dataclass
class UpstreamCall:
    """One call by position and instant; what never happened is None. reply: None too where it failed."""

    text: str
    started: int
    started_us: int
    applied: int | None = None
    ended: int | None = None
    ended_us: int | None = None
    reply: str | None = None
    refused: bool = False


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """wait_us_mean is a whole number where the sum divides evenly; it covers the requests that were answered."""
    answered = list(log.marks("answered"))
    return {
        "upstream_calls": len(upstream_calls(log)),
        "answered": len(answered),
        "failed": sum(1 for _ in log.marks("failed")),
        "end_us": max((event.at_us for event in answered), default=None),
        "wait_us_mean": mean([event.fields["wait_us"] for event in answered]),
    }


def mean(values: list[int]) -> int | float | None:
    """The mean; an int where it is one; None of nothing."""
    if not values:
        return None
    total, count = sum(values), len(values)
    return total // count if total % count == 0 else total / count


def upstream_calls(log: Log) -> list[UpstreamCall]:
    """Every call, in order of their start."""
    calls: dict[int, UpstreamCall] = {}
    for event in log.of_kind("call.started", "call.applied", "call.completed", "call.failed"):
        fields = event.fields
        if event.kind == "call.started":
            calls[fields["call"]] = UpstreamCall(fields["text"], event.sequence, event.at_us)
            continue
        call = calls[fields["call"]]
        if event.kind == "call.applied":
            call.applied = event.sequence
            call.refused = fields.get("error") is not None
        else:
            call.ended, call.ended_us = event.sequence, event.at_us
            call.reply = fields.get("reply")
    return list(calls.values())


def in_flight(log: Log) -> list[tuple[int, int, int]]:
    """(position, at_us, upstream calls in flight) after every start and every end."""
    calls = upstream_calls(log)
    steps = [(call.started, call.started_us, 1) for call in calls]
    steps += [(call.ended, call.ended_us, -1) for call in calls if call.ended is not None]
    flying, counted = 0, []
    for position, at_us, change in sorted(steps):
        flying += change
        counted.append((position, at_us, flying))
    return counted
