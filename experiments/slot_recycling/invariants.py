"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import Counted, running_history


def _capacity_returns(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """At the end, what is counted beyond the running tasks may only be crashes younger than one lease."""
    end_us = us_from_ms(setting["duration_ms"])
    crashes = list(log.of_kind("actor.crashed"))
    young = sum(crash.at_us > end_us - us_from_ms(setting["lease_ms"]) for crash in crashes)
    counted = Counted(log, setting).at(end_us)
    excess = counted - readings["running_at_end"]
    observed = f"{counted} counted, {readings['running_at_end']} running; {young} crashed within the last lease"
    return Finding(excess <= young, observed, crashes[0].sequence if crashes else None)


def _limit_respected(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    over = next((position for position, _, running in running_history(log) if running > setting["limit"]), None)
    return Finding(over is None, f"at most {readings['running_max']} ran at once, limit {setting['limit']}", over)


def _running_are_counted(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Judged once everything of an instant has happened."""
    counted = Counted(log, setting)
    history = running_history(log)
    for index, (position, at_us, running) in enumerate(history):
        if index + 1 < len(history) and history[index + 1][1] == at_us:
            continue
        if counted.at(at_us) < running:
            observed = f"{running} ran and {counted.at(at_us)} were counted at {at_us // US_PER_MS} ms"
            return Finding(False, observed, position)
    return Finding(True, f"at all {len(history)} changes")


def _nobody_refused_below_limit(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """A slot whose holder crashed less than one lease ago is rightly still taken."""
    lease_us = us_from_ms(setting["lease_ms"])
    crashes_us = [crash.at_us for crash in log.of_kind("actor.crashed")]
    history = running_history(log)
    wrong, first = 0, None
    for refusal in log.marks("refused"):
        running = next((now for position, _, now in reversed(history) if position < refusal.sequence), 0)
        held = sum(refusal.at_us - lease_us < at_us <= refusal.at_us for at_us in crashes_us)
        if running + held < setting["limit"]:
            wrong += 1
            first = refusal.sequence if first is None else first
    return Finding(wrong == 0, f"{wrong} of {readings['refused']} refusals", first)


def _tasks_accounted_for(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    parts = [readings[name] for name in ("finished", "crashed", "running_at_end", "lost")]
    observed = f"{readings['admitted']} admitted; " + " + ".join(map(str, parts)) + f" = {sum(parts)}"
    return Finding(readings["admitted"] == sum(parts), observed)


def _crash_happened(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    return Finding(readings["crashed"] > 0, f"{readings['crashed']} crashed")


def _renewal_never_adds(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """A member may enter the set only before its task was admitted; a heartbeat comes after."""
    callers = {event.fields["call"]: event for event in log.of_kind("call.started")}
    admitted = {event.actor: event.sequence for event in log.marks("admitted")}
    members: set[str] = set()
    renewals = 0
    for event, change in log.changes("redis"):
        if change["key"] != Counted.KEYS[setting.variant]:
            continue
        now = {member for member, _ in change["value"] or ()}
        call = callers.get(event.fields.get("call"))
        late = call is not None and call.sequence > admitted.get(call.actor, len(log))
        renewals += late
        if late and now - members:
            at = f"{event.at_us // US_PER_MS} ms"
            return Finding(False, f"{', '.join(sorted(now - members))} came back at {at}", event.sequence)
        members = now
    return Finding(True, f"{renewals} writes by admitted tasks, none added a member")


CLAIMS = (
    Claim("capacity-returns", ALWAYS, _capacity_returns),
    Claim("limit-respected", ALWAYS, _limit_respected, lasting=True),
    Claim("running-are-counted", ALWAYS, _running_are_counted),
    Claim("nobody-refused-below-limit", ALWAYS, _nobody_refused_below_limit),
    Claim("tasks-accounted-for", ALWAYS, _tasks_accounted_for),
    Claim("renewal-never-adds", ALWAYS, _renewal_never_adds, variants=("lease", "lease-repaired"), lasting=True),
    Claim("crash-happened", SOMETIMES, _crash_happened),
)
