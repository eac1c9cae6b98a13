"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting, moment
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import lease_us, running_history, used_until, visits

SURVIVED = 2  # beats in a row that may be lost
CALLS_PER_LEASE = 8  # of a task at work
CALLS_MORE = 8  # for loading scripts, and for the release


def _limit_kept(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    over = next((position for position, _, tasks in running_history(log) if len(tasks) > setting["limit"]), None)
    return Finding(over is None, f"at most {readings['running_max']} worked at once, limit {setting['limit']}", over)


def _excess_ends(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Whoever has lost its lease learns it with the next heartbeat that gets through, and there are some to a lease."""
    allowed_us, since_us, longest_us = us_from_ms(setting["lease_ms"]), None, 0
    for position, at_us, tasks in [*running_history(log), (len(log), log.until_us, None)]:
        if since_us is not None:
            longest_us = max(longest_us, at_us - since_us)
            if longest_us > allowed_us:
                return Finding(False, f"too many worked for {longest_us // US_PER_MS} ms", min(position, len(log) - 1))
        if tasks is None or len(tasks) <= setting["limit"]:
            since_us = None
        elif since_us is None:
            since_us = at_us
    return Finding(True, f"too many worked for {longest_us // US_PER_MS} ms at most")


def _answered_at_once(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    killed = {event.actor for event in log.of_kind("actor.crashed")}
    asked = [visit for visit in visits(log) if visit.actor not in killed]
    for visit in asked:
        answer = visit.admitted or visit.end
        waited_us = (log.until_us if answer is None else answer.at_us) - visit.asked.at_us
        if waited_us > us_from_ms(setting["answer_ms"]):
            return Finding(False, f"{visit.actor} waited for {waited_us // US_PER_MS} ms", visit.asked.sequence)
    return Finding(True, f"{len(asked)} asked, each was answered at once")


def _healthy_keeps_slot(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    if setting["lost_beats"] > SURVIVED:
        return Finding(None, f"{setting['lost_beats']} beats are lost")
    stopped = list(log.marks("stopped"))
    if stopped:
        return Finding(False, f"{len(stopped)} had to stop, {stopped[0].actor} first", stopped[0].sequence)
    return Finding(True, f"{readings['finished']} finished, none had to stop")


def _refused_for_a_reason(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """A slot is used from the question of whoever gets it until its task is over."""
    all_visits = visits(log)
    uses = [(visit.asked.sequence, used_until(log, setting, visit)) for visit in all_visits]
    uses = [(start, until) for start, until in uses if until is not None]
    refusals = [visit for visit in all_visits if visit.end is not None and moment(visit.end) == "refused"]
    for refusal in refusals:
        since, until = refusal.asked.sequence, refusal.end.sequence
        moments = [since, *(start for start, _ in uses if since < start < until)]
        most = max(sum(start <= at <= end for start, end in uses) for at in moments)
        if most < setting["limit"]:
            return Finding(False, f"{refusal.actor} was refused while {most} slots were in use", until)
    return Finding(True, f"{len(refusals)} refusals, each for a reason")


def _few_calls(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Per task: calls from its admission to its end, against the leases that this time is long."""
    calls = log.calls("redis")
    most = 0
    for visit in visits(log):
        if visit.admitted is None:
            continue
        until = len(log) if visit.end is None else visit.end.sequence
        worked_us = (log.until_us if visit.end is None else visit.end.at_us) - visit.admitted.at_us
        made = sum(call.actor == visit.actor and visit.admitted.sequence < call.started < until for call in calls)
        most = max(most, made)
        if made > CALLS_PER_LEASE * worked_us / lease_us(setting, visit.actor) + CALLS_MORE:
            return Finding(False, f"{visit.actor} made {made} calls while it worked", visit.admitted.sequence)
    return Finding(True, f"at most {most} calls of one task while it worked")


def _limit_reached(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    return Finding(readings["running_max"] >= setting["limit"], f"{readings['running_max']} ran at once")


CLAIMS = (
    Claim("limit-kept", ALWAYS, _limit_kept, lasting=True),
    Claim("excess-ends", ALWAYS, _excess_ends, lasting=True),
    Claim("healthy-keeps-slot", ALWAYS, _healthy_keeps_slot, lasting=True),
    Claim("refused-for-a-reason", ALWAYS, _refused_for_a_reason, lasting=True),
    Claim("answered-at-once", ALWAYS, _answered_at_once),
    Claim("few-calls", ALWAYS, _few_calls),
    Claim("limit-reached", SOMETIMES, _limit_reached),
)
