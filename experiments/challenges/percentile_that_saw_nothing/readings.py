"""What the run showed: who stood still, who was named for it, and what measuring cost."""

from typing import Any, NamedTuple

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .scenario import workers


class Freeze(NamedTuple):
    """A stretch in which a worker's loop stood still. position: of the event that began it."""

    worker: str
    from_us: int
    until_us: int
    position: int


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """told_after_ms: from the beginning of the first freeze that must be seen to the first alarm for its worker."""
    alarms = list(log.marks("alarm"))
    return {
        "alarms": len(alarms),
        "named": sorted({alarm.fields["worker"] for alarm in alarms}),
        "told_after_ms": _told_after_ms(log, setting),
        "uses": sum(sum(by_second) for by_second in uses(log, setting).values()),
    }


def _told_after_ms(log: Log, setting: Setting) -> int | None:
    first = next(iter(freezes(log, setting, setting["seen_ms"])), None)
    told_us = None if first is None else told(log, first, log.until_us)
    return None if told_us is None else (told_us - first.from_us) // US_PER_MS


def freezes(log: Log, setting: Setting, least_ms: int) -> list[Freeze]:
    """Every freeze of a worker that lasted at least so long, in order; ordinary work is shorter."""
    names = workers(setting)
    found = []
    for event in log.of_kind("busy.started", "actor.paused"):
        duration_us = event.fields["duration_us"]
        if event.actor in names and duration_us >= us_from_ms(least_ms):
            found.append(Freeze(event.actor, event.at_us, event.at_us + duration_us, event.sequence))
    return found


def told(log: Log, freeze: Freeze, until_us: int) -> int | None:
    """When an alarm first named the worker, from the beginning of the freeze to `until_us`; None: it did not."""
    return next(
        (
            alarm.at_us
            for alarm in log.marks("alarm")
            if alarm.fields["worker"] == freeze.worker and freeze.from_us <= alarm.at_us <= until_us
        ),
        None,
    )


def uses(log: Log, setting: Setting) -> dict[str, list[int]]:
    """Worker → how often it used the metrics, by second; nothing of a run that was cut short."""
    measured = log.first_mark("measured")
    if measured is None:
        return {}
    return {name: by_second for name, by_second in measured.fields["uses"].items() if name in workers(setting)}
