"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting

from .readings import lease_us, moment, running_history, used_until, visits

SURVIVED = 2  # beats in a row that may be lost
CALLS_PER_LEASE = 8  # of a task at work
CALLS_MORE = 8  # for loading scripts, and for the release


def _limit_kept(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    over = next((position for position, _, tasks in running_history(log) if len(tasks) > setting["limit"]), None)
    return Finding(over is None, f"at most {readings['running_max']} worked at once, limit {setting['limit']}", over)


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
    Claim("limit-kept", ALWAYS, _limit_kept),
    Claim("healthy-keeps-slot", ALWAYS, _healthy_keeps_slot),
    Claim("refused-for-a-reason", ALWAYS, _refused_for_a_reason),
    Claim("few-calls", ALWAYS, _few_calls),
    Claim("limit-reached", SOMETIMES, _limit_reached),
)
