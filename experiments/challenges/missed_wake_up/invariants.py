"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import Asking, askings, calls_while_waiting, crashed, ends, outcomes, stood_still
from .scenario import arrivals_ms

LATE_MS = 50  # how long after an outcome whoever waits may be told of it
ASKING = "was asking"
CALLS_FIRST, CALLS_PER_HEARTBEAT = 8, 4  # to Redis, of whoever waits

Readings = Mapping[str, Any]


def _heard_at_once(log: Log, setting: Setting, readings: Readings) -> Finding:
    told, killed, found, still = ends(log), crashed(log), outcomes(log, setting), stood_still(log)
    slowest_us, where = 0, None
    for asked in log.marks("asked"):
        if asked.actor in still:
            continue
        end = told.get(asked.actor) or killed.get(asked.actor)
        told_us = end.at_us if end else log.until_us
        for standing in found:
            from_us = max(standing.from_us, asked.at_us)
            late_us = min(told_us, standing.until_us) - from_us
            if late_us > slowest_us:
                slowest_us = late_us
                where = end.sequence if end else len(log) - 1
    observed = f"the longest time from an outcome to whoever waited: {slowest_us // US_PER_MS} ms"
    holds = slowest_us <= us_from_ms(LATE_MS)
    return Finding(holds, observed, None if holds else where)


def _asked_once(log: Log, setting: Setting, readings: Readings) -> Finding:
    earlier: list[Asking] = []
    still = stood_still(log)
    answers = [each for each in outcomes(log, setting) if not each.failed]
    for asking in askings(log):
        for before in earlier:
            why = _counts(before, asking, setting)
            if why and not (why == ASKING and before.actor in still):
                observed = f"{asking.actor} asked at {asking.started_us // US_PER_MS} ms, where {before.actor} {why}"
                return Finding(False, observed, asking.position)
        for answer in answers:
            if answer.from_us < asking.started_us < answer.until_us:
                observed = f"{asking.actor} asked at {asking.started_us // US_PER_MS} ms, where there was {answer.what}"
                return Finding(False, observed, asking.position)
        earlier.append(asking)
    return Finding(True, f"calls of the upstream: {len(earlier)}")


def _counts(before: Asking, asking: Asking, setting: Setting) -> str:
    """Why another call is needless after an earlier one, in words; empty where it is not."""
    at_us = asking.started_us
    if not before.lived_at(asking.position):
        return ""
    if before.ended_us is None or at_us < before.ended_us:
        return ASKING
    if not before.failed:
        return f"had the answer since {before.ended_us // US_PER_MS} ms"
    failed_us = at_us - before.ended_us
    return "" if failed_us >= us_from_ms(setting["failed_ms"]) else f"had failed {failed_us // US_PER_MS} ms before"


def _no_stale_failure(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Lateness has a claim of its own: whoever learns late of a failure that was fresh may still be told of it."""
    failed_us = [asking.ended_us for asking in askings(log) if asking.failed]
    asked_us = {event.actor: event.at_us for event in log.marks("asked")}
    for event in log.marks("failed"):
        keep_us = us_from_ms(setting["failed_ms"] + LATE_MS)
        if not any(at_us <= event.at_us and asked_us[event.actor] <= at_us + keep_us for at_us in failed_us):
            observed = f"{event.actor} was told of a failure at {event.at_us // US_PER_MS} ms, and none was fresh"
            return Finding(False, observed, event.sequence)
    return Finding(True, f"failures told: {readings['failures_told']}")


def _answers_are_the_upstreams(log: Log, setting: Setting, readings: Readings) -> Finding:
    given = {call.reply: call.applied for call in log.calls("upstream") if call.applied is not None and not call.error}
    for event in log.marks("answered"):
        if given.get(event.fields["answer"], len(log)) > event.sequence:
            return Finding(False, f"{event.actor} has {event.fields['answer']!r:.60}", event.sequence)
    return Finding(True, f"different answers: {len(given)}")


def _served_in_time(log: Log, setting: Setting, readings: Readings) -> Finding:
    """A leader that dies costs what is left of its lease, and one more call; who waits may look once a heartbeat."""
    told, killed, still = ends(log), crashed(log), stood_still(log)
    died_us = max((event.at_us for event in killed.values()), default=0)
    slack_us = us_from_ms(setting["lease_ms"] + setting["heartbeat_ms"] + setting["upstream_ms"] + LATE_MS)
    for asked in log.marks("asked"):
        due_us = max(asked.at_us, died_us) + slack_us
        end = told.get(asked.actor)
        if asked.actor not in killed and asked.actor not in still and (end.at_us if end else log.until_us) > due_us:
            observed = f"{asked.actor} had nothing at {due_us // US_PER_MS} ms"
            return Finding(False, observed, end.sequence if end else len(log) - 1)
    return Finding(True, f"callers told in time: {len(told)}")


def _everyone_told(log: Log, setting: Setting, readings: Readings) -> Finding:
    killed = crashed(log)
    waiting = [name for name, at_ms in readings["told_ms"].items() if at_ms is None and name not in killed]
    return Finding(not waiting, f"without an answer at the end: {', '.join(waiting) or 'nobody'}")


def _waits_quietly(log: Log, setting: Setting, readings: Readings) -> Finding:
    told = ends(log)
    asked_us = {event.actor: event.at_us for event in log.marks("asked")}
    for actor, calls in calls_while_waiting(log).items():
        waited_us = (told[actor].at_us if actor in told else log.until_us) - asked_us[actor]
        allowed = CALLS_FIRST + CALLS_PER_HEARTBEAT * (waited_us // us_from_ms(setting["heartbeat_ms"]))
        if calls > allowed:
            return Finding(False, f"{actor} made {calls} calls to Redis, allowed are {allowed}")
    return Finding(True, f"at most {readings['redis_calls_max']} calls to Redis by one that waited")


def _asked_again(log: Log, setting: Setting, readings: Readings) -> Finding:
    found = askings(log)
    if not any(asking.failed for asking in found):
        return Finding(None, "no call failed")
    late = [name for name, at_ms in arrivals_ms(setting).items() if at_ms and _is_answered(log, name)]
    return Finding(len(found) > 1 and bool(late), f"answered after a failure: {', '.join(late) or 'nobody'}")


def _is_answered(log: Log, name: str) -> bool:
    end = ends(log).get(name)
    return end is not None and end.fields["name"] == "answered"


CLAIMS = (
    Claim("heard-at-once", ALWAYS, _heard_at_once, lasting=True),
    Claim("asked-once", ALWAYS, _asked_once, lasting=True),
    Claim("no-stale-failure", ALWAYS, _no_stale_failure),
    Claim("answers-are-the-upstreams", ALWAYS, _answers_are_the_upstreams, lasting=True),
    Claim("served-in-time", ALWAYS, _served_in_time),
    Claim("waits-quietly", ALWAYS, _waits_quietly),
    Claim("everyone-told", EVENTUALLY, _everyone_told),
    Claim("asked-again", SOMETIMES, _asked_again),
)
