"""The claims of this experiment, each a check on the log."""

from collections.abc import Iterator, Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting, moment
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import counted_history, running_history, task_of


def _counted_within_limit(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    over = next((position for position, _, members in counted_history(log) if len(members) > setting["limit"]), None)
    return Finding(over is None, f"at most {readings['counted_max']} members, limit {setting['limit']}", over)


def _works_only_while_counted(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Whoever is swept learns it at the next heartbeat; time in which the task stands still is not counted."""
    allowed_us, longest_us, where = us_from_ms(setting["heartbeat_ms"]), 0, None
    for task, since_us, until_us, position in _uncounted(log):
        awake_us = until_us - since_us - _still_us(log, task, since_us, until_us)
        longest_us = max(longest_us, awake_us)
        if awake_us > allowed_us and where is None:
            where = position
    return Finding(where is None, f"a task that was not counted went on for {longest_us // US_PER_MS} ms", where)


def _uncounted(log: Log) -> Iterator[tuple[str, int, int, int]]:
    """(task, from, until, position) for every stretch in which a task ran and was no member of the set."""
    changes = [(position, at_us, "counted", names) for position, at_us, names in counted_history(log)]
    changes += [(position, at_us, "running", names) for position, at_us, names in running_history(log)]
    counted: set[str] = set()
    running: set[str] = set()
    since: dict[str, tuple[int, int]] = {}
    for position, at_us, what, names in sorted(changes):
        if what == "counted":
            counted = {task_of(name) for name in names}
        else:
            running = set(names)
        for task in sorted(running - counted - set(since)):
            since[task] = at_us, position
        for task in sorted(set(since) - (running - counted)):
            yield task, since[task][0], at_us, since[task][1]
            del since[task]
    for task, (from_us, position) in since.items():
        yield task, from_us, log.until_us, position


def _still_us(log: Log, task: str, since_us: int, until_us: int) -> int:
    """How much of a stretch the task stood still."""
    pauses = [event for event in log.of_kind("actor.paused") if event.actor == task]
    ends_us = [pause.at_us + pause.fields["duration_us"] for pause in pauses]
    spans = zip(pauses, ends_us, strict=True)
    return sum(max(min(end_us, until_us) - max(pause.at_us, since_us), 0) for pause, end_us in spans)


def _no_ghost(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Nothing puts a member into the set for a task that has ended."""
    ended = {event.actor: event.sequence for event in log.marks("finished", "failed", "stopped")}
    before: set[str] = set()
    for position, at_us, members in counted_history(log):
        for member in sorted(set(members) - before):
            if ended.get(task_of(member), position) < position:
                return Finding(False, f"{member} came back at {at_us // US_PER_MS} ms, after its end", position)
        before = set(members)
    return Finding(True, f"{len(ended)} tasks ended, and none was put back")


def _slot_comes_back(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Whoever crashed is rightly still counted for one lease, and so is who stands still; news may also come late."""
    lease_us, refusals = us_from_ms(setting["lease_ms"]), 0
    silent = [
        (event.sequence, event.at_us + event.fields.get("duration_us", 0) + lease_us)
        for event in log.of_kind("actor.crashed", "actor.paused")
    ]
    history = running_history(log)
    for refusal in log.marks("refused"):
        refusals += 1
        running = next((tasks for position, _, tasks in reversed(history) if position < refusal.sequence), ())
        excused = any(since < refusal.sequence and refusal.at_us < until_us for since, until_us in silent)
        if len(running) < setting["limit"] and not excused:
            observed = f"{refusal.actor} was refused while {len(running)} ran"
            return Finding(False, observed, refusal.sequence)
    return Finding(True, f"{refusals} refusals, each for a reason")


def _healthy_tasks_finish(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    disturbed = {event.actor for event in log.of_kind("actor.crashed", "actor.paused")}
    disturbed |= {event.actor for event in log.marks("failed")}
    admitted = {event.actor for event in log.marks("admitted")} - disturbed
    finished = {event.actor for event in log.marks("finished")}
    wrong = next((event for event in log.marks("stopped") if event.actor in admitted), None)
    if not admitted:
        return Finding(None, "no task was admitted and left alone")
    observed = f"{len(admitted & finished)} of {len(admitted)} finished"
    return Finding(admitted <= finished, observed, None if wrong is None else wrong.sequence)


def _limit_reached(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    return Finding(readings["running_max"] >= setting["limit"], f"{readings['running_max']} ran at once")


def _task_stood_still(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    paused = [event for event in log.events if moment(event) == "actor.paused"]
    return Finding(bool(paused), f"{len(paused)} times")


CLAIMS = (
    Claim("counted-within-limit", ALWAYS, _counted_within_limit, lasting=True),
    Claim("works-only-while-counted", ALWAYS, _works_only_while_counted, lasting=True),
    Claim("no-ghost", ALWAYS, _no_ghost, lasting=True),
    Claim("slot-comes-back", ALWAYS, _slot_comes_back, lasting=True),
    Claim("healthy-tasks-finish", ALWAYS, _healthy_tasks_finish),
    Claim("limit-reached", SOMETIMES, _limit_reached),
    Claim("task-stood-still", SOMETIMES, _task_stood_still),
)
