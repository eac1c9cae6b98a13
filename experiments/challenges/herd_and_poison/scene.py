"""The views: what each caller is at the moment, and how many numbers were drawn and processes killed."""

from typing import Any

from py_runtime.lab import Log, Setting, moment
from py_runtime.sim import US_PER_MS

from .readings import SEQUENCE
from .scenario import callers

CELLS_MAX = 60
STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "waiting", "label": "waits", "tone": "neutral", "glyph": "○"},
    {"id": "asking", "label": "asks the upstream", "tone": "busy", "glyph": "↑"},
    {"id": "answered", "label": "has the answer", "tone": "good", "glyph": "✓"},
    {"id": "failed", "label": "knows that there is none", "tone": "warn", "glyph": "!"},
    {"id": "killed", "label": "killed", "tone": "bad", "glyph": "×"},
]
STATE_AT = {"asked": "waiting", "answered": "answered", "failed": "failed", "actor.crashed": "killed"}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_callers(log, setting), _counts(log, setting)]


def _callers(log: Log, setting: Setting) -> dict[str, Any]:
    names = dict.fromkeys(callers(setting)[:CELLS_MAX])
    changes, over = [], set()
    upstream = {call.number for call in log.calls("upstream")}
    for event in log.events:
        what = moment(event)
        state = STATE_AT.get(what)
        if event.kind == "call.started" and event.fields["to"] == "upstream":
            state = "asking"
        elif event.kind == "call.failed" and state is None and event.fields["call"] in upstream:
            state = "waiting"
        if state is None or event.actor not in names or event.actor in over:
            continue
        if state in ("answered", "failed", "killed"):
            over.add(event.actor)
        text = f"{event.actor}, {event.at_us // US_PER_MS:,} ms"
        changes.append({"position": event.sequence, "cell": event.actor, "state": state, "text": text})
    cells = [{"id": name, "label": name.removeprefix("caller-")} for name in names]
    return {
        "view": "cells", "id": "callers", "label": f"Callers, the first {CELLS_MAX} at most", "cells": cells,
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _points(values: dict[int, int]) -> list[list[int]]:
    return [list(each) for each in values.items()]


def _counts(log: Log, setting: Setting) -> dict[str, Any]:
    drawn = {0: 0} | {at_us: int(value or 0) for _, at_us, value in log.values_of("redis", SEQUENCE)}
    dead = {0: 0} | {event.at_us: number for number, event in enumerate(log.of_kind("actor.crashed"), start=1)}
    return {
        "view": "series", "id": "counts", "label": "Numbers drawn, processes killed", "unit": "of each",
        "minimum": 0, "maximum": max(1, *drawn.values(), *dead.values()),
        "lines": [
            {"id": "drawn", "label": "numbers drawn", "tone": "neutral", "points": _points(drawn)},
            {"id": "dead", "label": "processes killed", "tone": "bad", "points": _points(dead)},
        ],
    }  # fmt: skip
