"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS

from .readings import disturbances, ends_of_calls, publishes, records
from .scenario import UPSTREAM, callers, patience_us

Readings = Mapping[str, Any]


def _one_result_for_all(log: Log, setting: Setting, readings: Readings) -> Finding:
    answers: dict[tuple[int, str], None] = {}
    where = None
    for mark in log.marks("answered"):
        answers[mark.fields["token"], mark.fields["answer"]] = None
        if len(answers) > 1 and where is None:
            where = mark.sequence
    if not answers:
        return Finding(None, "nobody got an answer")
    seen = readings["result_token_seen_by"]
    observed = ", ".join(f"{actor}: token {token}" for actor, token in seen.items() if token is not None)
    return Finding(where is None, observed, where)


def _live_lease_kept(log: Log, setting: Setting, readings: Readings) -> Finding:
    token, leader, lease_us, takeovers = 0, "", 0, 0
    for position, at_us, new_token, new_leader, new_lease_us in records(log):
        if new_token and (new_token, new_leader) != (token, leader):
            if lease_us > at_us:
                lease = f"the lease of token {token} ran until {lease_us // US_PER_MS} ms"
                return Finding(False, f"token {new_token} at {at_us // US_PER_MS} ms, {lease}", position)
            takeovers += token > 0
        if new_token:  # a record that is removed is still somebody's until its lease is over
            token, leader, lease_us = new_token, new_leader, new_lease_us
    return Finding(True, f"takeovers: {takeovers}")


def _leader_works_alone(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Whoever crashed or stood still may have a rival."""
    calls, ends = log.calls(UPSTREAM), ends_of_calls(log)
    disturbed = [(event.actor, event.sequence) for event in log.of_kind("actor.crashed", "actor.paused")]
    for call in calls:
        for other in calls:
            over = ends.get(other.number, len(log)) < call.started
            if other.started >= call.started or over or other.actor == call.actor:
                continue
            if not any(actor == other.actor and position < call.started for actor, position in disturbed):
                observed = f"{call.actor} asked at {call.started_us // US_PER_MS} ms while {other.actor} worked"
                return Finding(False, observed, call.started)
    return Finding(True, f"calls: {len(calls)}")


def _leader_publishes(log: Log, setting: Setting, readings: Readings) -> Finding:
    history = [(position, token) for position, _, token, _, _ in records(log)]
    for position, at_us, token, _ in publishes(log):
        leading = next((led for led_from, led in reversed(history) if led_from <= position), 0)
        if leading != token:
            return Finding(False, f"token {token} published at {at_us // US_PER_MS} ms while {leading} led", position)
    return Finding(True, f"publishes: {len(publishes(log))}")


def _tokens_grow(log: Log, setting: Setting, readings: Readings) -> Finding:
    highest, leader, led, where = 0, "", [], None
    for position, _, token, name, _ in records(log):
        if token == 0 or (token, name) == (highest, leader):
            continue
        if token <= highest and where is None:
            where = position
        led.append(token)
        highest, leader = max(highest, token), name
    return Finding(where is None, f"tokens that led: {', '.join(map(str, led)) or 'none'}", where)


def _everybody_answered(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Counted from the last crash or standstill, or from the start; whoever crashed gets none."""
    crashed = [event.actor for event in log.of_kind("actor.crashed")]
    deadline_us = max((until_us for _, _, until_us in disturbances(log)), default=0) + patience_us(setting)
    if deadline_us > log.until_us:
        return Finding(None, "the run is over before the time is")
    answered = {mark.actor: mark.at_us for mark in log.marks("answered")}
    late = [
        name for name in callers(setting) if name not in crashed and answered.get(name, log.until_us + 1) > deadline_us
    ]
    return Finding(not late, f"without an answer at {deadline_us // US_PER_MS} ms: {', '.join(late) or 'nobody'}")


def _one_call_when_undisturbed(log: Log, setting: Setting, readings: Readings) -> Finding:
    if disturbances(log):
        return Finding(None, "somebody crashed or stood still")
    return Finding(readings["upstream_calls"] == 1, f"calls: {readings['upstream_calls']}")


def _takeover_happened(log: Log, setting: Setting, readings: Readings) -> Finding:
    if setting["fault"] == "none":
        return Finding(None, "nothing was to happen to the leader")
    leaders = {(token, leader) for _, _, token, leader, _ in records(log) if token}
    return Finding(len(leaders) > 1, f"takeovers: {max(len(leaders) - 1, 0)}")


CLAIMS = (
    Claim("one-result-for-all", ALWAYS, _one_result_for_all, lasting=True),
    Claim("live-lease-kept", ALWAYS, _live_lease_kept, lasting=True),
    Claim("leader-works-alone", ALWAYS, _leader_works_alone, lasting=True),
    Claim("leader-publishes", ALWAYS, _leader_publishes, lasting=True),
    Claim("tokens-grow", ALWAYS, _tokens_grow, lasting=True),
    Claim("one-call-when-undisturbed", ALWAYS, _one_call_when_undisturbed),
    Claim("everybody-answered", EVENTUALLY, _everybody_answered),
    Claim("takeover-happened", SOMETIMES, _takeover_happened),
)
