"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting

from .readings import in_flight


def _one_call_in_flight(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    counted = in_flight(log)
    most = max((flying for _, _, flying in counted), default=0)
    second = next((position for position, _, flying in counted if flying > 1), None)
    return Finding(most <= 1, f"at most {most} in flight at once", second)


def _one_call_in_all(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    calls = log.calls("upstream")
    second = calls[1].started if len(calls) > 1 else None
    return Finding(len(calls) == 1, f"calls: {len(calls)}", second)


def _everyone_answered(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    answered = sum(1 for _ in log.marks("answered"))
    return Finding(answered == setting["requests"], f"{answered} of {setting['requests']} answered")


def _requests_overlapped(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    calls = log.calls("upstream")
    first_end = calls[0].applied if calls and calls[0].applied is not None else len(log)
    during = sum(1 for event in log.marks("arrived") if calls and calls[0].started < event.sequence < first_end)
    return Finding(during > 0, f"{during} arrived during the first call")


CLAIMS = (
    Claim("one-call-in-flight", ALWAYS, _one_call_in_flight, lasting=True),
    Claim("one-call-in-all", ALWAYS, _one_call_in_all),
    Claim("everyone-answered", EVENTUALLY, _everyone_answered),
    Claim("requests-overlapped", SOMETIMES, _requests_overlapped),
)
