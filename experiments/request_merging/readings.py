"""What the run showed: calls to the upstream, when the last request was answered, the mean wait."""

from typing import Any

from py_runtime.lab import Log, Setting


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """wait_us_mean is a whole number where the sum divides evenly; it covers the requests that were answered."""
    waits_us = [event.fields["wait_us"] for event in log.marks("answered")]
    return {
        "upstream_calls": len(log.calls("upstream")),
        "end_us": max((event.at_us for event in log.marks("answered")), default=None),
        "wait_us_mean": mean(waits_us),
    }


def mean(values: list[int]) -> int | float | None:
    """The mean; an int where it is one; None of nothing."""
    if not values:
        return None
    total, count = sum(values), len(values)
    return total // count if total % count == 0 else total / count


def in_flight(log: Log) -> list[tuple[int, int, int]]:
    """(position, at_us, upstream calls in flight) after every start and every answer."""
    steps = [(call.started, call.started_us, 1) for call in log.calls("upstream")]
    steps += [(call.applied, call.applied_us, -1) for call in log.calls("upstream") if call.applied is not None]
    flying, counted = 0, []
    for position, at_us, change in sorted(steps):
        flying += change
        counted.append((position, at_us, flying))
    return counted
