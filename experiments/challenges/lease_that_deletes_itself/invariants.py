"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS

from .readings import disturbances, ends_of_calls, record_ends_ms, records
from .scenario import UPSTREAM, callers, patience_us

Readings = Mapping[str, Any]
DAY_MS = 86_400_000


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


def _may_be_replaced(log: Log, name: str, position: int) -> bool:
    """Whether a caller crashed or stood still before a position, and has not been seen since in a renewal."""
    silent = [event.sequence for event in log.of_kind("actor.crashed", "actor.paused") if event.actor == name]
    awake = [event.sequence for event in log.of_kind("actor.resumed") if event.actor == name]
    if not any(each < position for each in silent):
        return False
    woke = max((each for each in awake if each < position), default=None)
    asleep = woke is None or any(woke < each < position for each in silent)
    return asleep or not any(woke < at < position for at, _, _, leader in records(log) if leader == name)


def _leader_works_alone(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Whoever crashed or stood still may have a rival; whose clock was set may not."""
    calls, ends = log.calls(UPSTREAM), ends_of_calls(log)
    for call in calls:
        for other in calls:
            over = ends.get(other.number, len(log)) < call.started
            if other.started >= call.started or over or other.actor == call.actor:
                continue
            if not _may_be_replaced(log, other.actor, call.started):
                observed = f"{call.actor} asked at {call.started_us // US_PER_MS} ms while {other.actor} worked"
                return Finding(False, observed, call.started)
    return Finding(True, f"calls: {len(calls)}")


def _record_names_the_leader(log: Log, setting: Setting, readings: Readings) -> Finding:
    """From the call to the upstream to its answer; whoever crashed or stood still may have been replaced."""
    history, ends = records(log), ends_of_calls(log)
    for call in log.calls(UPSTREAM):
        for position, at_us, token, leader in history:
            if not call.started <= position < ends.get(call.number, len(log)):
                continue
            if leader == call.actor:
                continue
            if _may_be_replaced(log, call.actor, position):
                break
            there = f"token {token} of {leader}" if token else "nothing"
            observed = f"{there} stood there at {at_us // US_PER_MS} ms, while {call.actor} worked"
            return Finding(False, observed, position)
    return Finding(True, f"changes of the record: {len(history)}")


def _work_kept(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Between two calls of one caller the record must have named another."""
    last: dict[str, int] = {}
    for call in log.calls(UPSTREAM):
        since = last.get(call.actor)
        last[call.actor] = call.started
        others = [at for at, _, _, leader in records(log) if leader and leader != call.actor and at < call.started]
        if since is not None and not any(position > since for position in others):
            observed = f"{call.actor} asked again at {call.started_us // US_PER_MS} ms, and nobody had replaced it"
            return Finding(False, observed, call.started)
    return Finding(True, f"calls: {readings['upstream_calls']}")


def _record_ends(log: Log, setting: Setting, readings: Readings) -> Finding:
    ends_ms = record_ends_ms(log)
    if ends_ms is None:
        return Finding(False, "never")
    left_ms = ends_ms - log.until_us // US_PER_MS
    observed = f"at {ends_ms:,} ms" if ends_ms else "there is none left"
    return Finding(left_ms <= DAY_MS, observed)


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
    leaders = {(token, leader) for _, _, token, leader in records(log) if token}
    return Finding(len(leaders) > 1, f"takeovers: {max(len(leaders) - 1, 0)}")


CLAIMS = (
    Claim("leader-works-alone", ALWAYS, _leader_works_alone, lasting=True),
    Claim("record-names-the-leader", ALWAYS, _record_names_the_leader, lasting=True),
    Claim("one-result-for-all", ALWAYS, _one_result_for_all, lasting=True),
    Claim("work-kept", ALWAYS, _work_kept, lasting=True),
    Claim("record-ends", ALWAYS, _record_ends),
    Claim("one-call-when-undisturbed", ALWAYS, _one_call_when_undisturbed),
    Claim("everybody-answered", EVENTUALLY, _everybody_answered),
    Claim("takeover-happened", SOMETIMES, _takeover_happened),
)
