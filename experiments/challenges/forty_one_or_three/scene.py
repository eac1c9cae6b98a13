"""The views: how many requests wait and how many calls are in flight, and what became of each request."""

from typing import Any

from py_runtime.lab import Log, Setting

from .readings import in_flight

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "waits", "label": "waits", "tone": "warn", "glyph": "○"},
    {"id": "waited", "label": "answered after a wait", "tone": "good", "glyph": "●"},
    {"id": "at-once", "label": "answered at once", "tone": "good", "glyph": "✓"},
    {"id": "failed", "label": "told an error", "tone": "bad", "glyph": "×"},
    {"id": "left", "label": "left", "tone": "neutral", "glyph": "→"},
]


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_load(log), _requests(log, setting)]


def _load(log: Log) -> dict[str, Any]:
    waiting, waiting_points = 0, [[0, 0]]
    for event in log.marks("arrived", "answered", "failed", "left"):
        waiting += 1 if event.fields["name"] == "arrived" else -1
        waiting_points.append([event.at_us, waiting])
    flying_points = [[0, 0], *([at_us, flying] for _, at_us, flying in in_flight(log))]
    most = max(value for _, value in waiting_points + flying_points)
    return {
        "view": "series", "id": "load", "label": "Requests waiting, calls in flight", "unit": "",
        "minimum": 0, "maximum": max(most, 1),
        "lines": [
            {"id": "waiting", "label": "requests waiting", "tone": "neutral", "points": waiting_points},
            {"id": "in-flight", "label": "upstream calls in flight", "tone": "warn", "points": flying_points},
        ],
    }  # fmt: skip


def _requests(log: Log, setting: Setting) -> dict[str, Any]:
    changes = []
    for event in log.marks("arrived", "answered", "failed", "left"):
        name, number = event.fields["name"], event.fields["request"]
        if name == "arrived":
            state, text = "waits", event.fields["tenant"]
        elif name == "answered":
            wait_us = event.fields["wait_us"]
            state, text = ("waited" if wait_us else "at-once"), f"{event.fields['answer'][:80]}, after {wait_us} µs"
        else:
            state, text = name, event.fields["error"]
        changes.append({"position": event.sequence, "cell": str(number), "state": state, "text": text})
    numbers = [str(number) for number in range(1, setting["requests"] + 1)]
    return {
        "view": "cells", "id": "requests", "label": "Requests",
        "cells": [{"id": each, "label": each} for each in numbers],
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip
