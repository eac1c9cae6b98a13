"""The views: what the set counts beside what really runs, and each task's state."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

from .readings import counted_history, running_history

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "working", "label": "at work", "tone": "good", "glyph": "●"},
    {"id": "still", "label": "stands still", "tone": "warn", "glyph": "Ⅱ"},
    {"id": "finished", "label": "finished", "tone": "neutral", "glyph": "✓"},
    {"id": "failed", "label": "failed", "tone": "warn", "glyph": "✗"},
    {"id": "stopped", "label": "stopped, lease lost", "tone": "warn", "glyph": "!"},
    {"id": "refused", "label": "refused", "tone": "neutral", "glyph": "○"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]
STATE_AT = {
    "admitted": "working",
    "actor.paused": "still",
    "actor.resumed": "working",
    "finished": "finished",
    "failed": "failed",
    "stopped": "stopped",
    "refused": "refused",
    "actor.crashed": "crashed",
}
TEXT_OF = {
    "working": "works",
    "still": "stands still",
    "finished": "has finished",
    "failed": "has failed",
    "stopped": "has stopped",
    "refused": "found no slot",
    "crashed": "was killed",
}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_tasks(log, setting), _counts(log, setting)]


def _tasks(log: Log, setting: Setting) -> dict[str, Any]:
    names = [f"task-{number}" for number in range(1, setting["tasks"] + 1)]
    changes, ended = [], set()
    for event in log.events:
        state = STATE_AT.get(moment(event))
        if state is None or event.actor not in names or event.actor in ended:
            continue
        if state not in ("working", "still"):
            ended.add(event.actor)
        changes.append({"position": event.sequence, "cell": event.actor, "state": state, "text": TEXT_OF[state]})
    return {
        "view": "cells", "id": "tasks", "label": "Tasks", "cells": [{"id": name, "label": name} for name in names],
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _counts(log: Log, setting: Setting) -> dict[str, Any]:
    counted = _points(counted_history(log))
    running = _points(running_history(log))
    highest = max(setting["limit"], *(value for _, value in counted + running))
    return {
        "view": "series", "id": "counts", "label": "Counted and running", "unit": "tasks",
        "minimum": 0, "maximum": highest,
        "lines": [
            {"id": "counted", "label": "members in the set", "tone": "neutral", "points": counted},
            {"id": "running", "label": "tasks at work", "tone": "good", "points": running},
        ],
    }  # fmt: skip


def _points(history: list[tuple[int, int, tuple[str, ...]]]) -> list[list[int]]:
    """One point per instant: the last word of that instant."""
    latest = {0: 0} | {at_us: len(names) for _, at_us, names in history}
    return [[at_us, count] for at_us, count in latest.items()]
