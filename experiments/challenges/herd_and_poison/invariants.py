"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import askings, crashed, ends, spent_unasked
from .scenario import attempt_ms, callers

SLACK_MS = 100  # for the ways to Redis and back
WRITES_FIRST, FOLLOWERS_PER_WRITE = 2, 10

Readings = Mapping[str, Any]


def _deaths_bounded(log: Log, setting: Setting, readings: Readings) -> Finding:
    killed = list(log.marks("killed"))
    allowed = setting["attempts_max"]
    where = killed[allowed].sequence if len(killed) > allowed else None
    return Finding(where is None, f"{len(killed)} processes were killed by their call, allowed are {allowed}", where)


def _next_try_in_time(log: Log, setting: Setting, readings: Readings) -> Finding:
    """A call that came to nothing, while more are allowed and somebody lives to make one."""
    found, longest_us = askings(log), us_from_ms(attempt_ms(setting) + SLACK_MS)
    alive = set(callers(setting)) - set(crashed(log))
    more = max(setting["attempts_max"] - 1 - len(spent_unasked(log)), 0)
    for index, asking in enumerate(found[:more]):
        if asking.answered or not alive:
            continue
        next_us = found[index + 1].started_us if index + 1 < len(found) else log.until_us
        if next_us - asking.started_us > longest_us:
            observed = (
                f"after the call at {asking.started_us // US_PER_MS} ms nobody asked until {next_us // US_PER_MS} ms"
            )
            return Finding(False, observed, asking.position)
    return Finding(True, f"calls: {len(found)}")


def _told_in_time(log: Log, setting: Setting, readings: Readings) -> Finding:
    told, killed = ends(log), crashed(log)
    longest_us = us_from_ms(setting["attempts_max"] * attempt_ms(setting) + setting["upstream_ms"] + SLACK_MS)
    for asked in log.marks("asked"):
        end = told.get(asked.actor)
        told_us = end.at_us if end else log.until_us
        if asked.actor not in killed and told_us - asked.at_us > longest_us:
            observed = f"{asked.actor} had heard nothing at {(asked.at_us + longest_us) // US_PER_MS} ms"
            return Finding(False, observed, end.sequence if end else len(log) - 1)
    return Finding(True, f"callers told: {len(told)}")


def _fails_only_after_attempts(log: Log, setting: Setting, readings: Readings) -> Finding:
    """An attempt comes to nothing too where its caller is killed before it asks, or before it tells of the answer."""
    found, unasked_us, killed = askings(log), spent_unasked(log), crashed(log)
    for event in log.marks("failed"):
        over = [each for each in found if each.ended_us is not None and each.ended_us <= event.at_us]
        vain = sum(not each.answered or each.actor in killed for each in over)
        vain += sum(at_us <= event.at_us for at_us in unasked_us)
        if vain < setting["attempts_max"]:
            observed = f"{event.actor} was told of a failure at {event.at_us // US_PER_MS} ms, after {vain} attempts"
            return Finding(False, observed, event.sequence)
    return Finding(True, f"callers told of a failure: {readings['failed']}")


def _one_call_at_a_time(log: Log, setting: Setting, readings: Readings) -> Finding:
    """A call that takes longer than it may counts no more."""
    earlier, killed = [], crashed(log)
    for asking in askings(log):
        for before in earlier:
            over_us = before.started_us + us_from_ms(setting["limit_ms"])
            busy = asking.started_us < over_us and (before.ended_us is None or asking.started_us < before.ended_us)
            death = killed.get(before.actor)
            if busy or (before.answered and (death is None or death.sequence > asking.position)):
                why = "was asking" if busy else "had the answer"
                observed = f"{asking.actor} asked at {asking.started_us // US_PER_MS} ms, while {before.actor} {why}"
                return Finding(False, observed, asking.position)
        earlier.append(asking)
    return Finding(True, f"calls: {len(earlier)}")


def _calls_have_their_time(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Of callers that live: whoever gives up before the limit throws work away."""
    killed, limit_us = crashed(log), us_from_ms(setting["limit_ms"])
    for asking in askings(log):
        if asking.answered or asking.actor in killed or asking.ended_us is None:
            continue
        if asking.ended_us - asking.started_us < limit_us:
            observed = f"{asking.actor} gave up after {(asking.ended_us - asking.started_us) // US_PER_MS} ms"
            return Finding(False, observed, asking.position)
    return Finding(True, "no call was given up early")


def _few_write(log: Log, setting: Setting, readings: Readings) -> Finding:
    allowed = WRITES_FIRST + setting["followers"] // FOLLOWERS_PER_WRITE
    found = readings["needless_writes"]
    return Finding(found <= allowed, f"{found} writes by callers that never led, allowed are {allowed}")


def _answers_are_the_upstreams(log: Log, setting: Setting, readings: Readings) -> Finding:
    given = {call.reply: call.applied for call in log.calls("upstream") if call.applied is not None and not call.error}
    for event in log.marks("answered"):
        if given.get(event.fields["answer"], len(log)) > event.sequence:
            return Finding(False, f"{event.actor} has {event.fields['answer']!r:.60}", event.sequence)
    return Finding(True, f"different answers: {len(given)}")


def _everyone_answered(log: Log, setting: Setting, readings: Readings) -> Finding:
    told, killed = ends(log), crashed(log)
    without = [name for name in callers(setting) if name not in killed]
    without = [name for name in without if name not in told or told[name].fields["name"] != "answered"]
    return Finding(not without, f"without an answer: {', '.join(without[:5]) or 'nobody'}")


CLAIMS = (
    Claim("deaths-bounded", ALWAYS, _deaths_bounded, lasting=True),
    Claim("next-try-in-time", ALWAYS, _next_try_in_time),
    Claim("told-in-time", ALWAYS, _told_in_time),
    Claim("fails-only-after-attempts", ALWAYS, _fails_only_after_attempts),
    Claim("one-call-at-a-time", ALWAYS, _one_call_at_a_time, lasting=True),
    Claim("calls-have-their-time", ALWAYS, _calls_have_their_time),
    Claim("few-write", ALWAYS, _few_write),
    Claim("answers-are-the-upstreams", ALWAYS, _answers_are_the_upstreams, lasting=True),
    Claim("everyone-answered", SOMETIMES, _everyone_answered),
)
