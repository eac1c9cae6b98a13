"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import freezes, told, uses
from .scenario import until_us

Readings = Mapping[str, Any]
SHARE_MAX = 100  # at most one part in so many of a worker's time


def _freezes_told(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Those of which the window has not seen enough are left aside."""
    tell_us, seen = us_from_ms(setting["tell_ms"]), []
    for freeze in freezes(log, setting, setting["seen_ms"]):
        if freeze.from_us + tell_us > log.until_us:
            continue
        told_us = told(log, freeze, freeze.from_us + tell_us)
        stood = f"{freeze.worker} stood still from {freeze.from_us // US_PER_MS} to {freeze.until_us // US_PER_MS} ms"
        if told_us is None:
            return Finding(False, f"{stood}, and no alarm named it in time", freeze.position)
        seen.append((told_us - freeze.from_us) // US_PER_MS)
    if not seen:
        return Finding(None, "no worker stood still long enough, and early enough")
    return Finding(True, f"told after {', '.join(map(str, seen))} ms")


def _alarms_have_reasons(log: Log, setting: Setting, readings: Readings) -> Finding:
    tell_us, stood = us_from_ms(setting["tell_ms"]), freezes(log, setting, setting["seen_ms"] // 2)
    alarms = list(log.marks("alarm"))
    for alarm in alarms:
        worker, at_us = alarm.fields["worker"], alarm.at_us
        reasons = [each for each in stood if each.worker == worker and each.position < alarm.sequence]
        if not any(at_us <= each.until_us + tell_us for each in reasons):
            return Finding(False, f"{worker} was named at {at_us // US_PER_MS} ms, for nothing", alarm.sequence)
    return Finding(True, f"{len(alarms)} alarms")


def _measuring_is_cheap(log: Log, setting: Setting, readings: Readings) -> Finding:
    by_worker = {name: sum(by_second) for name, by_second in uses(log, setting).items()}
    most = max(by_worker.values(), default=0)
    share = most * setting["price_us"] / until_us(setting)
    return Finding(share * SHARE_MAX <= 1, f"at most {most} uses by a worker, {share:.2%} of its time")


def _a_worker_stood_still(log: Log, setting: Setting, readings: Readings) -> Finding:
    found = freezes(log, setting, setting["seen_ms"])
    return Finding(bool(found), f"{len(found)} times")


CLAIMS = (
    Claim("freezes-told", EVENTUALLY, _freezes_told),
    Claim("alarms-have-reasons", ALWAYS, _alarms_have_reasons, lasting=True),
    Claim("measuring-is-cheap", ALWAYS, _measuring_is_cheap, lasting=True),
    Claim("a-worker-stood-still", SOMETIMES, _a_worker_stood_still),
)
