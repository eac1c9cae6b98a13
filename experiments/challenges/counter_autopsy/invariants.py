"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS

from .readings import refused_while_free, running_history, visits

ANSWER_MS = 100  # calls take no time here; whoever waits for longer is waiting for a slot


def _limit_kept(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    over = next((position for position, _, now in running_history(log) if len(now) > setting["limit"]), None)
    return Finding(over is None, f"at most {readings['running_max']} worked at once, limit {setting['limit']}", over)


def _refused_for_a_reason(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    for refusal, most in refused_while_free(log, setting):
        observed = f"{refusal.actor} was refused at {refusal.at_us // US_PER_MS} ms, while {most} slots were in use"
        return Finding(False, observed, refusal.sequence)
    return Finding(True, f"{readings['refused']} refusals, each for a reason")


def _answered_at_once(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    longest_us = 0
    for visit in visits(log):
        until_us = log.until_us if visit.answered is None else visit.answered.at_us
        longest_us = max(longest_us, until_us - visit.asked.at_us)
        if longest_us > ANSWER_MS * US_PER_MS:
            return Finding(False, f"{visit.actor} waited for {longest_us // US_PER_MS} ms", visit.asked.sequence)
    return Finding(True, f"at most {longest_us // US_PER_MS} ms")


def _errors_come_out(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    failed = {event.actor: event.sequence for event in log.marks("failed")}
    if not failed:
        return Finding(None, "no work failed")
    silent = next((e for e in log.marks("left", "refused") if e.actor in failed and "error" not in e.fields), None)
    if silent is not None:
        return Finding(False, f"{silent.actor} failed, and its caller was not told", silent.sequence)
    return Finding(True, f"{len(failed)} failed, and the caller was told")


def _limit_reached(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    return Finding(readings["running_max"] >= setting["limit"], f"{readings['running_max']} ran at once")


CLAIMS = (
    Claim("limit-kept", ALWAYS, _limit_kept, lasting=True),
    Claim("refused-for-a-reason", ALWAYS, _refused_for_a_reason, lasting=True),
    Claim("answered-at-once", ALWAYS, _answered_at_once, lasting=True),
    Claim("errors-come-out", ALWAYS, _errors_come_out, lasting=True),
    Claim("limit-reached", SOMETIMES, _limit_reached),
)
