"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import kept, of_actor, reached_us, worked_us, worker_calls
from .scenario import CANCELLED, WEB, starts_ms

AT_ONCE_MS = 50
CALLS_FIRST, CALLS_PER_HEARTBEAT = 8, 2
GONE_MS = 600_000  # by when whatever a cancel has left must be gone

Readings = Mapping[str, Any]


def _stops_in_time(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Time in which the worker stands still is not its own: nothing can reach it."""
    told_us, marks = reached_us(log), of_actor(log, CANCELLED)
    if told_us is None or "began" not in marks:
        return Finding(True, "no cancel came to work that had begun")
    began = marks["began"]
    from_us = max(told_us, began.at_us)
    until_us = began.at_us + worked_us(log, CANCELLED)
    own_us = until_us - from_us - _still_us(log, from_us, until_us)
    holds = own_us <= us_from_ms(setting["heartbeat_ms"])
    observed = f"went on for {max(own_us, 0) // US_PER_MS} ms of its own time"
    end = marks.get("finished") or marks.get("stopped")
    return Finding(holds, observed, None if holds else end.sequence if end else len(log) - 1)


def _still_us(log: Log, from_us: int, until_us: int) -> int:
    """How long the cancelled execution's worker stood still in between."""
    pauses = [event for event in log.of_kind("actor.paused") if event.actor == CANCELLED]
    ends_us = [min(pause.at_us + pause.fields["duration_us"], until_us) for pause in pauses]
    return sum(max(end_us - max(pause.at_us, from_us), 0) for pause, end_us in zip(pauses, ends_us, strict=True))


def _stops_at_once(log: Log, setting: Setting, readings: Readings) -> Finding:
    told, marks = of_actor(log, WEB).get("told"), of_actor(log, CANCELLED)
    if setting["deaf_ms"] or setting["stall_ms"] or told is None or "began" not in marks:
        return Finding(None, "no message could arrive at once")
    late_us = marks["began"].at_us + worked_us(log, CANCELLED) - max(told.at_us, marks["began"].at_us)
    return Finding(late_us <= us_from_ms(AT_ONCE_MS), f"went on for {max(late_us, 0) // US_PER_MS} ms", told.sequence)


def _never_begins(log: Log, setting: Setting, readings: Readings) -> Finding:
    told, marks = of_actor(log, WEB).get("told"), of_actor(log, CANCELLED)
    if told is None or "arrived" not in marks or marks["arrived"].sequence < told.sequence:
        return Finding(True, "no execution was cancelled before it arrived")
    began = marks.get("began")
    observed = f"worked for {worked_us(log, CANCELLED) // US_PER_MS} ms after all" if began else "it did not begin"
    return Finding(began is None, observed, began.sequence if began else None)


def _others_finish(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Also the one that is to be cancelled, where nobody came to ask for it."""
    crashed = {event.actor for event in log.of_kind("actor.crashed")}
    wanted = [name for name in starts_ms(setting) if name not in crashed]
    wanted = [name for name in wanted if name != CANCELLED or not of_actor(log, WEB)]
    for name in wanted:
        marks = of_actor(log, name)
        over = marks.get("over")
        if "finished" not in marks or over is None or not over.fields["done"]:
            where = marks.get("stopped") or over
            return Finding(False, f"{name} was not cancelled, and did not finish", where.sequence if where else None)
    return Finding(True, f"finished: {', '.join(wanted)}")


def _says_what_happened(log: Log, setting: Setting, readings: Readings) -> Finding:
    over, marks = of_actor(log, CANCELLED).get("over"), of_actor(log, CANCELLED)
    if over is None:
        return Finding(True, "the execution is not over")
    finished = marks.get("finished")
    holds = over.fields["done"] == (finished is not None and finished.sequence < over.sequence)
    observed = "said that the work was done" if over.fields["done"] else "said that the work was not done"
    return Finding(holds, observed, None if holds else over.sequence)


def _nothing_stays(log: Log, setting: Setting, readings: Readings) -> Finding:
    last_us = log.until_us + us_from_ms(GONE_MS)
    for each in kept(log):
        if each.until_us > log.until_us and (not each.expires or each.until_us > last_us):
            return Finding(False, f"{each.key} is left{'' if each.expires else ', without an expiry'}")
    return Finding(True, f"keys left for a while: {readings['left']}")


def _looks_rarely(log: Log, setting: Setting, readings: Readings) -> Finding:
    for name, calls in worker_calls(log).items():
        marks = of_actor(log, name)
        end_us = marks["over"].at_us if "over" in marks else log.until_us
        beats = (end_us - marks["arrived"].at_us) // us_from_ms(setting["heartbeat_ms"])
        allowed = CALLS_FIRST + CALLS_PER_HEARTBEAT * beats
        if len(calls) > allowed:
            return Finding(False, f"{name} made {len(calls)} calls to Redis, allowed are {allowed}")
    return Finding(True, f"at most {readings['calls_max']} calls to Redis by one worker")


def _two_at_once(log: Log, setting: Setting, readings: Readings) -> Finding:
    first, other = (of_actor(log, name).get("began") for name in (CANCELLED, "other"))
    if first is None or other is None:
        return Finding(False, "they did not both work")
    shared_us = min(first.at_us + worked_us(log, CANCELLED), other.at_us + worked_us(log, "other"))
    shared_us -= max(first.at_us, other.at_us)
    return Finding(shared_us > 0, f"two tasks at work for {max(shared_us, 0) // US_PER_MS} ms")


CLAIMS = (
    Claim("stops-in-time", ALWAYS, _stops_in_time, lasting=True),
    Claim("stops-at-once", ALWAYS, _stops_at_once, lasting=True),
    Claim("never-begins", ALWAYS, _never_begins, lasting=True),
    Claim("others-finish", ALWAYS, _others_finish),
    Claim("says-what-happened", ALWAYS, _says_what_happened, lasting=True),
    Claim("nothing-stays", ALWAYS, _nothing_stays),
    Claim("looks-rarely", ALWAYS, _looks_rarely),
    Claim("two-at-once", SOMETIMES, _two_at_once),
)
