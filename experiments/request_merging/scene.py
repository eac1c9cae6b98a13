"""The view: how many requests wait and how many upstream calls are in flight, over time."""

from typing import Any

from py_runtime.lab import Log, Setting

from .readings import in_flight


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    waiting, waiting_points = 0, [[0, 0]]
    for event in log.marks("arrived", "answered"):
        waiting += 1 if event.fields["name"] == "arrived" else -1
        waiting_points.append([event.at_us, waiting])
    flying_points = [[0, 0], *([at_us, flying] for _, at_us, flying in in_flight(log))]
    most = max(value for _, value in waiting_points + flying_points)
    return [
        {
            "view": "series",
            "id": "load",
            "label": "Requests waiting, calls in flight",
            "unit": "",
            "minimum": 0,
            "maximum": max(most, 1),
            "lines": [
                {"id": "waiting", "label": "requests waiting", "tone": "neutral", "points": waiting_points},
                {"id": "in-flight", "label": "upstream calls in flight", "tone": "warn", "points": flying_points},
            ],
        }
    ]
