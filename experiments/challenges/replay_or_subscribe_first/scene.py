"""The views: when each event was emitted and shown, and which ones a page has left out or shown twice."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS

from .scenario import PAGES, emitted_us

STATES = [
    {"id": "away", "label": "not shown", "tone": "muted", "glyph": "·"},
    {"id": "shown", "label": "shown", "tone": "good", "glyph": "●"},
    {"id": "out", "label": "left out, a later one is shown", "tone": "bad", "glyph": "×"},
    {"id": "twice", "label": "shown again", "tone": "warn", "glyph": "2"},
]


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_pages(log, setting), _ways(log, setting)]


def _pages(log: Log, setting: Setting) -> dict[str, Any]:
    changes = []
    seen: dict[str, set[int]] = {page: set() for page in PAGES}
    for mark in log.marks("shown"):
        page, seq = mark.actor, mark.fields["seq"]
        if page not in seen or not 1 <= seq <= setting["events"]:
            continue
        text = f"{mark.at_us // US_PER_MS} ms"
        for missing in range(1, seq):
            if missing not in seen[page]:
                changes.append(_cell(mark.sequence, page, missing, "out", text))
        changes.append(_cell(mark.sequence, page, seq, "twice" if seq in seen[page] else "shown", text))
        seen[page].add(seq)
    cells = [
        {"id": f"{page}/{seq}", "label": f"{page} · {seq}"} for page in PAGES for seq in range(1, setting["events"] + 1)
    ]
    return {
        "view": "cells", "id": "pages", "label": "What the pages show", "cells": cells, "states": STATES,
        "initial": "away", "changes": changes,
    }  # fmt: skip


def _cell(position: int, page: str, seq: int, state: str, text: str) -> dict[str, Any]:
    return {"position": position, "cell": f"{page}/{seq}", "state": state, "text": text}


def _ways(log: Log, setting: Setting) -> dict[str, Any]:
    emitted = [
        {"at_us": at_us, "position": log.position_at(at_us), "text": f"event {seq}"}
        for seq in range(1, setting["events"] + 1)
        if (at_us := emitted_us(seq, setting)) <= log.until_us
    ]
    rows = [{"id": "emitted", "label": "emitted", "tone": "neutral", "points": emitted}]
    for page in PAGES:
        points = [
            {"at_us": mark.at_us, "position": mark.sequence, "text": f"event {mark.fields['seq']}"}
            for mark in log.marks("shown")
            if mark.actor == page
        ]
        rows.append({"id": page, "label": f"{page} shows", "tone": "good", "points": points})
    return {"view": "dots", "id": "ways", "label": "Emitted and shown", "rows": rows}
