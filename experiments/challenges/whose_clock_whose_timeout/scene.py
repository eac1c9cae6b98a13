"""The views: each task's state, and what the set counts beside what really runs."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

from .readings import LEASES, members_in, running_history
from .scenario import LATER, OTHER

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "working", "label": "at work, in the set", "tone": "good", "glyph": "●"},
    {"id": "uncounted", "label": "at work, and no longer in the set", "tone": "bad", "glyph": "!"},
    {"id": "finished", "label": "finished", "tone": "neutral", "glyph": "✓"},
    {"id": "stopped", "label": "had to stop: lease lost", "tone": "bad", "glyph": "■"},
    {"id": "refused", "label": "refused", "tone": "neutral", "glyph": "○"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]
ENDED = {
    "finished": "has finished",
    "stopped": "stops: its lease is lost",
    "refused": "is refused",
    "crashed": "was killed",
}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_tasks(log, setting), _counts(log, setting)]


def _tasks(log: Log, setting: Setting) -> dict[str, Any]:
    names = [f"task-{number}" for number in range(1, setting["tasks"] + 1)] + [OTHER]
    names += [LATER] * bool(setting["later_at_ms"])
    changes: list[dict[str, Any]] = []
    working: dict[str, bool] = {}  # task at work → whether it is in the set
    members: set[str] = set()

    def change(position: int, name: str, state: str, text: str) -> None:
        changes.append({"position": position, "cell": name, "state": state, "text": text})

    for event in log.events:
        for each in event.fields.get("changes", ()):
            if each["key"] == LEASES:
                members = {row[0] for row in each["value"] or () if isinstance(row, (list, tuple))}
        name = moment(event).removeprefix("actor.")
        if event.actor in names and name == "admitted":
            working[event.actor] = True
            change(event.sequence, event.actor, "working", "works")
        elif event.actor in names and name in ENDED and (name != "crashed" or event.actor in working):
            working.pop(event.actor, None)
            change(event.sequence, event.actor, name, ENDED[name])
        for task, counted in working.items():
            if counted != (task in members):
                working[task] = not counted
                text = "was dropped from the set, and works on" if counted else "works"
                change(event.sequence, task, "uncounted" if counted else "working", text)
    return {
        "view": "cells", "id": "tasks", "label": "Tasks", "cells": [{"id": name, "label": name} for name in names],
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _counts(log: Log, setting: Setting) -> dict[str, Any]:
    counted = _points([(at_us, members_in(value)) for _, at_us, value in log.values_of("redis", LEASES)])
    running = _points([(at_us, len(tasks)) for _, at_us, tasks in running_history(log)])
    highest = max(setting["limit"], *(value for _, value in counted + running))
    return {
        "view": "series", "id": "counts", "label": "Counted and running", "unit": "tasks",
        "minimum": 0, "maximum": highest,
        "lines": [
            {"id": "counted", "label": "members in the set", "tone": "neutral", "points": counted},
            {"id": "running", "label": "tasks at work", "tone": "good", "points": running},
        ],
    }  # fmt: skip


def _points(history: list[tuple[int, int]]) -> list[list[int]]:
    """One point per instant: the last word of that instant."""
    latest = {0: 0} | dict(history)
    return [[at_us, count] for at_us, count in latest.items()]
