"""The view: a strip of dots, one row for the beats that were due, one for those that ran on time, one for late ones."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    interval_us, window_us = us_from_ms(setting["interval_ms"]), us_from_ms(setting["window_ms"])
    due = [
        {"at_us": at_us, "position": log.position_at(at_us), "text": "due"}
        for at_us in range(interval_us, window_us + 1, interval_us)
    ]
    on_time: list[dict[str, Any]] = []
    late: list[dict[str, Any]] = []
    for beat in log.marks("beat"):
        late_us = beat.fields["late_us"]
        text = f"{late_us // US_PER_MS} ms late" if late_us else "on time"
        (late if late_us else on_time).append({"at_us": beat.at_us, "position": beat.sequence, "text": text})
    return [
        {
            "view": "dots",
            "id": "beats",
            "label": "Heartbeats",
            "rows": [
                {"id": "due", "label": "due", "tone": "muted", "points": due},
                {"id": "on-time", "label": "ran on time", "tone": "good", "points": on_time},
                {"id": "late", "label": "ran late", "tone": "bad", "points": late},
            ],
        }
    ]
