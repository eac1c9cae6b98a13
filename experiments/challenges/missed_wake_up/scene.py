"""The views: what each caller is at the moment, and how many wait while the outcome is to be had."""

from typing import Any

from py_runtime.lab import Log, Setting, moment
from py_runtime.sim import US_PER_MS

from .readings import ENDS, outcomes
from .scenario import arrivals_ms

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "waiting", "label": "waits", "tone": "warn", "glyph": "○"},
    {"id": "asking", "label": "asks the upstream", "tone": "busy", "glyph": "↑"},
    {"id": "answered", "label": "has the answer", "tone": "good", "glyph": "✓"},
    {"id": "failed", "label": "knows of the failure", "tone": "neutral", "glyph": "!"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]
STATE_AT = {"asked": "waiting", "answered": "answered", "failed": "failed", "actor.crashed": "crashed"}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_callers(log, setting), _waiting(log, setting)]


def _callers(log: Log, setting: Setting) -> dict[str, Any]:
    names, changes, ended = list(arrivals_ms(setting)), [], set()
    for event in log.events:
        what = moment(event)
        state = STATE_AT.get(what)
        if event.kind == "call.started" and event.fields["to"] == "upstream":
            state = "asking"
        if state is None or event.actor not in names or event.actor in ended:
            continue
        if what in (*ENDS, "actor.crashed"):
            ended.add(event.actor)
        text = f"{event.actor}, {event.at_us // US_PER_MS:,} ms"
        changes.append({"position": event.sequence, "cell": event.actor, "state": state, "text": text})
    return {
        "view": "cells", "id": "callers", "label": "Callers", "cells": [{"id": name, "label": name} for name in names],
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _waiting(log: Log, setting: Setting) -> dict[str, Any]:
    """Two lines: callers without an outcome, and outcomes there; both above 0 for long is what must not be."""
    waiting: dict[str, None] = {}
    counts = {0: 0}
    for event in log.events:
        if event.kind == "mark" and event.fields["name"] == "asked":
            waiting[event.actor] = None
        elif event.kind == "actor.crashed" or (event.kind == "mark" and event.fields["name"] in ENDS):
            waiting.pop(event.actor, None)
        counts[event.at_us] = len(waiting)
    steps = sorted(
        step for each in outcomes(log, setting) for step in ((each.from_us, 1), (min(each.until_us, log.until_us), -1))
    )
    standing, there = 0, {0: 0}
    for at_us, step in steps:
        standing += step
        there[at_us] = int(standing > 0)
    return {
        "view": "series", "id": "waiting", "label": "Who waits for what is there", "unit": "callers",
        "minimum": 0, "maximum": len(arrivals_ms(setting)),
        "lines": [
            {"id": "waiting", "label": "callers that wait", "tone": "warn", "points": _points(counts)},
            {"id": "there", "label": "1 while there is an outcome", "tone": "good", "points": _points(there)},
        ],
    }  # fmt: skip


def _points(values: dict[int, int]) -> list[list[int]]:
    """One point per change."""
    points: list[list[int]] = []
    for at_us, value in values.items():
        if not points or points[-1][1] != value:
            points.append([at_us, value])
    return points
