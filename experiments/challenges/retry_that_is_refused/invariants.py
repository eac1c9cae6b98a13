"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting, moment
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import refused_while_free, running_history, visits

ANSWERS = 5  # whoever asks knows within so many times the wait for one answer


def _limit_kept(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Of the tasks at work, those count that were admitted less than a lease ago: no program here renews."""
    lease_us, most, over = us_from_ms(setting["lease_ms"]), 0, None
    admitted_us = {event.actor: event.at_us for event in log.marks("admitted")}
    for position, at_us, running in running_history(log):
        covered = sum(at_us < admitted_us[task] + lease_us for task in running)
        most = max(most, covered)
        if covered > setting["limit"] and over is None:
            over = position
    return Finding(over is None, f"at most {most} worked under a lease, limit {setting['limit']}", over)


def _refused_for_a_reason(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    wrong = next(refused_while_free(log, setting), None)
    observed = f"{readings['refused_while_free']} of {readings['refused']} refusals without a reason"
    return Finding(wrong is None, observed, None if wrong is None else wrong.sequence)


def _answered_in_time(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    allowed_us = ANSWERS * us_from_ms(setting["answer_ms"])
    disturbed = {event.actor for event in log.of_kind("actor.crashed", "actor.paused")}
    longest_us = 0
    for visit in visits(log):
        if visit.actor in disturbed:
            continue
        until_us = log.until_us if visit.answered is None else visit.answered.at_us
        longest_us = max(longest_us, until_us - visit.asked.at_us)
        if until_us - visit.asked.at_us > allowed_us:
            observed = f"{visit.actor} waited for {(until_us - visit.asked.at_us) // US_PER_MS} ms"
            return Finding(False, observed, visit.asked.sequence)
    return Finding(True, f"at most {longest_us // US_PER_MS} ms")


def _everybody_admitted(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    asked = sum(moment(event) == "asked" for event in log.events)
    return Finding(readings["admitted"] == asked, f"{readings['admitted']} of {asked}")


def _limit_reached(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    return Finding(readings["running_max"] >= setting["limit"], f"{readings['running_max']} ran at once")


def _set_in_use(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """What is lost or late in a run is told by the set's name: without it, nothing would be."""
    return Finding(readings["counted_max"] > 0, f"at most {readings['counted_max']} members")


CLAIMS = (
    Claim("limit-kept", ALWAYS, _limit_kept, lasting=True),
    Claim("refused-for-a-reason", ALWAYS, _refused_for_a_reason, lasting=True),
    Claim("answered-in-time", ALWAYS, _answered_in_time),
    Claim("everybody-admitted", SOMETIMES, _everybody_admitted),
    Claim("limit-reached", SOMETIMES, _limit_reached),
    Claim("set-in-use", SOMETIMES, _set_in_use),
)
