"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting

from .readings import upstream_calls
from .scenario import call_text, question_of, tenant_of

Readings = Mapping[str, Any]


def _calls_shared(log: Log, setting: Setting, readings: Readings) -> Finding:
    """An answer's age is counted from the start of its call here, so that a program may count from there."""
    calls = upstream_calls(log)
    for index, call in enumerate(calls):
        for other in calls[:index]:
            if other.text != call.text:
                continue
            if other.ended is None or other.ended > call.started:
                observed = f"{len(calls)} calls; at {call.started_us} µs one was in flight already"
                return Finding(False, observed, call.started)
            if other.reply is not None and call.started_us < other.started_us + setting["fresh_us"]:
                observed = f"{len(calls)} calls; at {call.started_us} µs there was a fresh answer"
                return Finding(False, observed, call.started)
    return Finding(True, f"calls: {len(calls)}")


def _fresh_answers(log: Log, setting: Setting, readings: Readings) -> Finding:
    came_us = {call.reply: call.ended_us for call in upstream_calls(log) if call.reply is not None}
    oldest_us = 0
    for mark in log.marks("answered"):
        age_us = mark.at_us - came_us.get(mark.fields["answer"], mark.at_us)
        oldest_us = max(oldest_us, age_us)
        if age_us > setting["fresh_us"]:
            observed = f"request {mark.fields['request']} got an answer that had come {age_us} µs before"
            return Finding(False, observed, mark.sequence)
    return Finding(True, f"the oldest had come {oldest_us} µs before")


def _own_answers(log: Log, setting: Setting, readings: Readings) -> Finding:
    given = {call.reply: call for call in upstream_calls(log) if call.reply is not None}
    answered = list(log.marks("answered"))
    for mark in answered:
        number, answer = mark.fields["request"], mark.fields["answer"]
        tenant, call = tenant_of(number, setting), given.get(answer)
        asked = call_text(tenant, question_of(number, setting))
        if call is None or call.text != asked or call.ended > mark.sequence:
            return Finding(False, f"request {number}, of {tenant}, got {answer[:80]!r}", mark.sequence)
    return Finding(True, f"{len(answered)} were answered")


def _told_in_time(log: Log, setting: Setting, readings: Readings) -> Finding:
    bound_us = 2 * setting["upstream_us"]
    arrived = {mark.fields["request"]: mark for mark in log.marks("arrived")}
    told = {mark.fields["request"]: mark.at_us for mark in log.marks("answered", "failed", "left")}
    for number, mark in arrived.items():
        if told.get(number, log.until_us + bound_us) - mark.at_us > bound_us:
            return Finding(False, f"request {number} was not told within {bound_us} µs", mark.sequence)
    return Finding(len(arrived) == setting["requests"], f"{len(told)} of {setting['requests']} were told")


def _fails_with_its_call(log: Log, setting: Setting, readings: Readings) -> Finding:
    refused = [call for call in upstream_calls(log) if call.refused]
    arrived = {mark.fields["request"]: mark.sequence for mark in log.marks("arrived")}
    failed = list(log.marks("failed"))
    for mark in failed:
        number = mark.fields["request"]
        text = call_text(tenant_of(number, setting), question_of(number, setting))
        if not any(call.text == text and arrived[number] < call.applied < mark.sequence for call in refused):
            observed = f"request {number} failed, and no call for it was refused while it waited"
            return Finding(False, observed, mark.sequence)
    return Finding(True, f"{len(failed)} failed")


def _tenants_apart(log: Log, setting: Setting, readings: Readings) -> Finding:
    calls = upstream_calls(log)
    pairs = [(one, other) for index, other in enumerate(calls) for one in calls[:index] if one.text != other.text]
    together = [other for one, other in pairs if one.ended is None or one.ended > other.started]
    return Finding(bool(together), f"{len(together)} pairs of calls for different tenants were in flight together")


def _requests_overlapped(log: Log, setting: Setting, readings: Readings) -> Finding:
    calls = upstream_calls(log)
    first_end = len(log) if not calls or calls[0].ended is None else calls[0].ended
    during = sum(1 for event in log.marks("arrived") if calls and calls[0].started < event.sequence < first_end)
    return Finding(during > 0, f"{during} arrived during the first call")


CLAIMS = (
    Claim("calls-shared", ALWAYS, _calls_shared, lasting=True),
    Claim("fresh-answers", ALWAYS, _fresh_answers, lasting=True),
    Claim("own-answers", ALWAYS, _own_answers, lasting=True),
    Claim("fails-with-its-call", ALWAYS, _fails_with_its_call, lasting=True),
    Claim("told-in-time", EVENTUALLY, _told_in_time),
    Claim("tenants-apart", SOMETIMES, _tenants_apart),
    Claim("requests-overlapped", SOMETIMES, _requests_overlapped),
)
