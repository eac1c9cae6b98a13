"""What the run showed: calls, tokens, results, refused writes, and whose result each caller got."""

from typing import Any

from py_runtime.lab import Call, Log, Setting
from py_runtime.sim import US_PER_MS

from .scenario import UPSTREAM, callers

META, RESULT, SEQUENCE = (f"flight:{{weather}}:{part}" for part in ("meta", "result", "seq"))


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """publishes lists [token, at_ms] of every write of the result; a caller without an answer has None."""
    seen: dict[str, int | None] = dict.fromkeys(callers(setting))
    for mark in log.marks("answered"):
        seen[mark.actor] = mark.fields["token"]
    tokens = log.values_of("redis", SEQUENCE)
    return {
        "upstream_calls": len(log.calls(UPSTREAM)),
        "tokens_issued": int(tokens[-1][2] or 0) if tokens else 0,
        "publishes": [[token, at_us // US_PER_MS] for _, at_us, token, _ in publishes(log)],
        "refused_writes": len(refused_writes(log)),
        "result_token_seen_by": seen,
    }


def records(log: Log) -> list[tuple[int, int, int, str, int]]:
    """(position, at_us, token, leader, lease_until_us) after every change of the flight's record; token 0 for none."""
    found = []
    for position, at_us, value in log.values_of("redis", META):
        held = value or {}
        lease_until_us = int(float(held.get("lease_until", 0)) * US_PER_MS)
        found.append((position, at_us, int(held.get("token", 0)), held.get("leader", ""), lease_until_us))
    return found


def publishes(log: Log) -> list[tuple[int, int, int, str]]:
    """(position, at_us, token, answer) of every accepted publish."""
    values = log.values_of("redis", RESULT)
    return [(at, at_us, int(value["token"]), value["answer"]) for at, at_us, value in values if value]


def refused_writes(log: Log) -> list[Call]:
    """Scripts of a caller that led and was replaced, which Redis answered with 0."""
    led = [(position, leader) for position, _, _, leader, _ in records(log)]
    refused = []
    for call in log.calls("redis"):
        before = [leader for position, leader in led if call.applied is not None and position < call.applied]
        if call.reply == 0 and call.actor in before and before[-1] != call.actor:
            refused.append(call)
    return refused


def disturbances(log: Log) -> list[tuple[str, int, int]]:
    """(actor, from, until) of every time that an actor stood still, and of every crash, at the instant of both."""
    events = log.of_kind("actor.crashed", "actor.paused")
    return [(event.actor, event.at_us, event.at_us + event.fields.get("duration_us", 0)) for event in events]


def ends_of_calls(log: Log) -> dict[int, int]:
    """Call → the position at which its caller had the answer, or an error."""
    return {event.fields["call"]: event.sequence for event in log.of_kind("call.completed", "call.failed")}
