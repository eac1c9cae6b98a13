"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import records
from .scenario import LATER, callers, home_of, patience_us

Readings = Mapping[str, Any]


def _every_request_answered(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Counted from the last crash or standstill, or from the start; without those whose record's node is down."""
    silent = list(log.of_kind("actor.crashed", "actor.paused"))
    crashed = [event.actor for event in silent if event.kind == "actor.crashed"]
    awake_us = [event.at_us + event.fields.get("duration_us", 0) for event in silent]
    deadline_us = max(awake_us, default=0) + patience_us(setting)
    if deadline_us > log.until_us:
        return Finding(None, "the run is over before the time is")
    down = f"redis-{setting['down_node']}"
    wanted = [name for name, key in callers(setting).items() if name not in crashed and home_of(key, setting) != down]
    answered = {mark.actor: mark.at_us for mark in log.marks("answered")}
    later_us = us_from_ms(setting["later_at_ms"]) + patience_us(setting)
    due_us = {name: max(deadline_us, later_us) if name == LATER else deadline_us for name in wanted}
    without = [name for name in wanted if answered.get(name, log.until_us + 1) > due_us[name]]
    failure = next((mark for mark in log.marks("failed") if mark.actor in without), None)
    observed = f"without an answer: {', '.join(without) or 'nobody'}"
    if failure is not None:
        observed += f"; {failure.actor} failed: {failure.fields['error']}"
    return Finding(not without, observed, None if failure is None else failure.sequence)


def _one_result_per_key(log: Log, setting: Setting, readings: Readings) -> Finding:
    first: dict[str, tuple[int, str]] = {}
    for mark in log.marks("answered"):
        got = mark.fields["token"], mark.fields["answer"]
        before = first.setdefault(mark.fields["key"], got)
        if got != before:
            observed = f"{mark.fields['key']}: {before[1]!r} with token {before[0]}, {got[1]!r} with token {got[0]}"
            return Finding(False, observed, mark.sequence)
    return Finding(True if first else None, f"keys with an answer: {len(first)}")


def _tokens_grow(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Per key; a renewal leaves token and leader as they are."""
    last: dict[str, tuple[int, str]] = {}
    for event, _, key, token, leader, _ in records(log, setting):
        before = last.get(key, (0, ""))
        if (token, leader) != before:
            if token <= before[0]:
                observed = f"{key}: token {token} of {leader} at {event.at_us // US_PER_MS} ms, after {before[0]}"
                return Finding(False, observed, event.sequence)
            last[key] = token, leader
    return Finding(True, ", ".join(f"{key}: {token}" for key, (token, _) in last.items()) or "no tokens")


def _live_lease_kept(log: Log, setting: Setting, readings: Readings) -> Finding:
    last: dict[str, tuple[int, str, int]] = {}
    for event, _, key, token, leader, lease_until_us in records(log, setting):
        before = last.get(key, (0, "", 0))
        if (token, leader) != before[:2] and before[2] > event.at_us:
            lease = f"the lease of {before[1]} ran until {before[2] // US_PER_MS} ms"
            return Finding(False, f"{leader} led at {event.at_us // US_PER_MS} ms, {lease}", event.sequence)
        last[key] = token, leader, lease_until_us
    return Finding(True, f"flights: {len(last)}")


def _work_is_shared(log: Log, setting: Setting, readings: Readings) -> Finding:
    """As far as the keys that were asked for belong to different nodes."""
    wanted = {home_of(key, setting) for key in callers(setting).values()}
    held = {node for node, keys in readings["records_on"].items() if keys}
    observed = ", ".join(f"{node}: {', '.join(keys) or 'none'}" for node, keys in readings["records_on"].items())
    return Finding(len(held) >= len(wanted), observed)


def _one_call_per_key(log: Log, setting: Setting, readings: Readings) -> Finding:
    if any(True for _ in log.of_kind("actor.crashed", "actor.paused")):
        return Finding(None, "somebody crashed or stood still")
    calls = readings["upstream_calls"]
    return Finding(calls <= len(set(callers(setting).values())), f"calls: {calls}")


def _takeover_happened(log: Log, setting: Setting, readings: Readings) -> Finding:
    if setting["fault"] == "none":
        return Finding(None, "nothing was to happen to the leader")
    leaders = {(key, leader) for _, _, key, _, leader, _ in records(log, setting)}
    return Finding(len(leaders) > len({key for key, _ in leaders}), f"leaders: {len(leaders)}")


CLAIMS = (
    Claim("every-request-answered", EVENTUALLY, _every_request_answered),
    Claim("one-result-per-key", ALWAYS, _one_result_per_key, lasting=True),
    Claim("tokens-grow", ALWAYS, _tokens_grow, lasting=True),
    Claim("live-lease-kept", ALWAYS, _live_lease_kept, lasting=True),
    Claim("one-call-per-key", ALWAYS, _one_call_per_key),
    Claim("work-is-shared", EVENTUALLY, _work_is_shared),
    Claim("takeover-happened", SOMETIMES, _takeover_happened),
)
