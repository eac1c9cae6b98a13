"""The views: which workers stand still and which are named, and how often two of them write what they measure."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, US_PER_S, us_from_ms

from .readings import freezes, uses
from .scenario import workers

STATES = [
    {"id": "runs", "label": "runs", "tone": "good", "glyph": "●"},
    {"id": "still", "label": "stands still, unnoticed", "tone": "bad", "glyph": "Ⅱ"},
    {"id": "named", "label": "named by an alarm", "tone": "warn", "glyph": "!"},
    {"id": "unjustly", "label": "named, and did not stand still", "tone": "bad", "glyph": "?"},
]


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_workers(log, setting), _uses(log, setting)]


def _workers(log: Log, setting: Setting) -> dict[str, Any]:
    names, tell_us = workers(setting), us_from_ms(setting["tell_ms"])
    stood = freezes(log, setting, setting["seen_ms"] // 2)
    changes = [
        {"position": each.position, "cell": each.worker, "state": "still", "text": f"{each.from_us // US_PER_MS} ms"}
        for each in stood
    ]
    changes += [
        {"position": log.position_at(each.until_us), "cell": each.worker, "state": "runs", "text": "runs again"}
        for each in stood
        if each.until_us <= log.until_us
    ]
    for alarm in log.marks("alarm"):
        worker, at_us = alarm.fields["worker"], alarm.at_us
        if worker not in names:
            continue
        spans = [(each.from_us, each.until_us + tell_us) for each in stood if each.worker == worker]
        just = any(from_us <= at_us <= until_us for from_us, until_us in spans)
        text = f"alarm at {at_us // US_PER_MS} ms"
        changes.append(
            {"position": alarm.sequence, "cell": worker, "state": "named" if just else "unjustly", "text": text}
        )
    return {
        "view": "cells", "id": "workers", "label": "Workers", "cells": [{"id": each, "label": each} for each in names],
        "states": STATES, "initial": "runs", "changes": sorted(changes, key=lambda change: change["position"]),
    }  # fmt: skip


def _uses(log: Log, setting: Setting) -> dict[str, Any]:
    """The first worker, which stands still, and the last one, if there are two."""
    by_worker = uses(log, setting)
    shown = list(dict.fromkeys((workers(setting)[0], workers(setting)[-1])))
    lines = []
    for name, tone in zip(shown, ("warn", "neutral"), strict=False):
        counts = by_worker.get(name, [])
        points = [
            [second * US_PER_S, count] for second, count in enumerate(counts) if second * US_PER_S <= log.until_us
        ]
        lines.append({"id": name, "label": name, "tone": tone, "points": points or [[0, 0]]})
    most = max(value for line in lines for _, value in line["points"])
    return {
        "view": "series", "id": "uses", "label": "Uses of the metrics in each second", "unit": "uses",
        "minimum": 0, "maximum": max(most, 1), "lines": lines,
    }  # fmt: skip
