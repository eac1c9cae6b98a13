"""The views: each process's state, and what the set counts beside what really runs."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

from .readings import LEASES, members_in, refused_while_free, running_history
from .scenario import FIRST

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "asking", "label": "asks for a slot", "tone": "busy", "glyph": "?"},
    {"id": "working", "label": "at work", "tone": "good", "glyph": "●"},
    {"id": "still", "label": "stands still", "tone": "warn", "glyph": "Ⅱ"},
    {"id": "finished", "label": "finished", "tone": "neutral", "glyph": "✓"},
    {"id": "failed", "label": "failed", "tone": "warn", "glyph": "✗"},
    {"id": "refused", "label": "refused: full", "tone": "neutral", "glyph": "○"},
    {"id": "wrongly", "label": "refused while a slot was free", "tone": "bad", "glyph": "!"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]
STATE_AT = {
    "asked": "asking",
    "admitted": "working",
    "actor.paused": "still",
    "actor.resumed": "working",
    "finished": "finished",
    "failed": "failed",
    "refused": "refused",
    "actor.crashed": "crashed",
}
TEXT_OF = {
    "asking": "asks",
    "working": "works",
    "still": "stands still",
    "finished": "has finished",
    "failed": "has failed",
    "refused": "full",
    "wrongly": "full, though it is not",
    "crashed": "was killed",
}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_tasks(log, setting), _counts(log, setting)]


def _tasks(log: Log, setting: Setting) -> dict[str, Any]:
    names = [f"task-{number}" for number in range(1, setting["tasks"] + 1)]
    if setting["again_ms"]:
        names.insert(1, f"{FIRST}-again")
    wrongly = {event.sequence for event in refused_while_free(log, setting)}
    changes, ended = [], set()
    for event in log.events:
        state = "wrongly" if event.sequence in wrongly else STATE_AT.get(moment(event))
        if state is None or event.actor not in names or event.actor in ended:
            continue
        if state in ("finished", "failed", "refused", "wrongly", "crashed"):
            ended.add(event.actor)
        changes.append({"position": event.sequence, "cell": event.actor, "state": state, "text": TEXT_OF[state]})
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
