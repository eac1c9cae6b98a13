"""What the run showed: who had the outcome when, who asked the upstream, and when an outcome was to be had."""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, TraceEvent, us_from_ms

from .scenario import arrivals_ms

RESULT = "flight:{weather}:result"
ENDS = ("answered", "failed")


@dataclass(frozen=True)
class Asking:
    """One call of the upstream. ended_us: when its caller had the answer or the error; None where it never did.

    killed: where its caller was killed, by position and instant; None where it was not.
    """

    actor: str
    position: int
    started_us: int
    ended_us: int | None
    failed: bool
    killed: TraceEvent | None

    def lived_at(self, position: int) -> bool:
        """Whether its caller had not been killed by then."""
        return self.killed is None or self.killed.sequence > position


@dataclass(frozen=True)
class Standing:
    """An outcome that could be had: from one instant until another, the run's end for an answer that stays."""

    what: str
    failed: bool
    from_us: int
    until_us: int


def read(log: Log, setting: Setting) -> dict[str, Any]:
    told = ends(log)
    return {
        "told_ms": {name: told[name].at_us // US_PER_MS if name in told else None for name in arrivals_ms(setting)},
        "upstream_calls": len(askings(log)),
        "failures_told": sum(event.fields["name"] == "failed" for event in told.values()),
        "redis_calls_max": max(calls_while_waiting(log).values(), default=0),
    }


def ends(log: Log) -> dict[str, TraceEvent]:
    """Caller → its mark `answered` or `failed`."""
    return {event.actor: event for event in log.marks(*ENDS)}


def crashed(log: Log) -> dict[str, TraceEvent]:
    """Actor → when it was killed."""
    return {event.actor: event for event in log.of_kind("actor.crashed")}


def stood_still(log: Log) -> set[str]:
    """Those who stood still for a while: others may have taken over from them, and nothing reaches them in time."""
    return {event.actor for event in log.of_kind("actor.paused")}


def askings(log: Log) -> list[Asking]:
    """The calls of the upstream, in order."""
    killed = crashed(log)
    return [
        Asking(call.actor, call.started, call.started_us, call.ended_us, call.error is not None, killed.get(call.actor))
        for call in log.calls("upstream")
    ]


def outcomes(log: Log, setting: Setting) -> list[Standing]:
    """Answers while they stand in Redis, and what leaders that live have been told, for as long as both last."""
    found = []
    history = [(event.at_us, change) for event, change in log.changes("redis") if change["key"] == RESULT]
    for index, (at_us, change) in enumerate(history):
        value = change["value"]
        if not isinstance(value, dict) or "answer" not in value:
            continue
        until_us = history[index + 1][0] if index + 1 < len(history) else log.until_us
        expires_us = us_from_ms(change["expires_at_ms"]) if "expires_at_ms" in change else until_us
        found.append(Standing("an answer in Redis", False, at_us, min(until_us, expires_us)))
    for asking in askings(log):
        if asking.ended_us is None:
            continue
        until_us = asking.ended_us + us_from_ms(setting["failed_ms"]) if asking.failed else log.until_us
        if asking.killed is not None:
            until_us = min(until_us, asking.killed.at_us)
        what = f"{'a failure' if asking.failed else 'an answer'} that {asking.actor} was told of"
        found.append(Standing(what, asking.failed, asking.ended_us, until_us))
    return found


def calls_while_waiting(log: Log) -> dict[str, int]:
    """Caller → how many calls it made to Redis, those who led left aside."""
    led = {asking.actor for asking in askings(log)}
    counts: dict[str, int] = {}
    for call in log.calls("redis"):
        if call.actor not in led:
            counts[call.actor] = counts.get(call.actor, 0) + 1
    return counts
