"""The views: what each execution does, and for how long there was something in Redis that a heartbeat could find."""

from typing import Any

from py_runtime.lab import Log, Setting, moment
from py_runtime.sim import US_PER_MS

from .readings import kept
from .scenario import CANCELLED, WEB, starts_ms

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "looking", "label": "has arrived", "tone": "neutral", "glyph": "○"},
    {"id": "working", "label": "at work", "tone": "busy", "glyph": "●"},
    {"id": "unwanted", "label": "at work, though cancelled", "tone": "bad", "glyph": "●"},
    {"id": "still", "label": "stands still", "tone": "warn", "glyph": "Ⅱ"},
    {"id": "stopped", "label": "stopped", "tone": "good", "glyph": "■"},
    {"id": "unbegun", "label": "over without having begun", "tone": "good", "glyph": "□"},
    {"id": "finished", "label": "finished", "tone": "good", "glyph": "✓"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_executions(log, setting), _flags(log), _looks(log)]


def _executions(log: Log, setting: Setting) -> dict[str, Any]:
    starts = starts_ms(setting)
    state, changes, cancelled = dict.fromkeys(starts, "away"), [], False
    for event in log.events:
        what = moment(event)
        if (event.actor, what) == (WEB, "told"):
            cancelled = True
            if state[CANCELLED] == "working":
                changes.append(_change(event, CANCELLED, "unwanted"))
                state[CANCELLED] = "unwanted"
            continue
        if event.actor not in starts:
            continue
        new = _next(state[event.actor], what, cancelled and event.actor == CANCELLED)
        if new is not None and new != state[event.actor]:
            state[event.actor] = new
            changes.append(_change(event, event.actor, new))
    cells = [{"id": name, "label": f"{task}, execution {number}"} for name, (task, number, _) in starts.items()]
    return {
        "view": "cells", "id": "executions", "label": "Executions", "cells": cells,
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _next(state: str, what: str, cancelled: bool) -> str | None:
    """The state after what has happened; None where it stays."""
    if state in ("stopped", "unbegun", "finished", "crashed"):
        return None
    at_work = "unwanted" if cancelled else "working"
    if what == "over":
        return "unbegun" if state == "looking" else None
    return {
        "arrived": "looking", "began": at_work, "finished": "finished", "stopped": "stopped",
        "actor.paused": "still", "actor.resumed": at_work, "actor.crashed": "crashed",
    }.get(what)  # fmt: skip


def _change(event: Any, cell: str, state: str) -> dict[str, Any]:
    return {"position": event.sequence, "cell": cell, "state": state, "text": f"{event.at_us // US_PER_MS:,} ms"}


def _flags(log: Log) -> dict[str, Any]:
    steps = sorted(step for each in kept(log) for step in ((each.from_us, 1), (min(each.until_us, log.until_us), -1)))
    keys, points = 0, {0: 0}
    for at_us, step in steps:
        keys += step
        points[at_us] = keys
    return {
        "view": "series", "id": "flags", "label": "Keys in Redis", "unit": "keys",
        "minimum": 0, "maximum": max(1, *points.values()),
        "lines": [
            {"id": "keys", "label": "keys", "tone": "neutral", "points": [list(each) for each in points.items()]},
        ],
    }  # fmt: skip


def _looks(log: Log) -> dict[str, Any]:
    """What could have met: the cancel's calls, those of the worker, and messages that went nowhere."""
    calls = log.calls("redis")
    worker = [call for call in calls if call.actor == CANCELLED]
    web = [call for call in calls if call.actor == WEB]
    lost = [event for event in log.of_kind("call.lost") if event.fields["direction"] == "push"]
    return {
        "view": "dots", "id": "looks", "label": "Who asked Redis when",
        "rows": [
            {"id": "web", "label": "the cancel", "tone": "warn", "points": [_dot(each) for each in web]},
            {"id": "lost", "label": "messages lost", "tone": "bad", "points": [
                {"at_us": each.at_us, "position": each.sequence, "text": "a message went nowhere"} for each in lost
            ]},
            {"id": "worker", "label": "the execution", "tone": "neutral", "points": [_dot(each) for each in worker]},
        ],
    }  # fmt: skip


def _dot(call: Any) -> dict[str, Any]:
    text = call.text if call.reply is None else f"{call.text} → {call.reply}"
    return {"at_us": call.started_us, "position": call.started, "text": text}
