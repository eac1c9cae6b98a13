"""The views: each request's state, and what the counter says beside what really runs."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

from .readings import count_history, refused_while_free, running_history

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "working", "label": "at work", "tone": "good", "glyph": "●"},
    {"id": "beyond", "label": "at work, beyond the limit", "tone": "bad", "glyph": "!"},
    {"id": "finished", "label": "finished", "tone": "neutral", "glyph": "✓"},
    {"id": "failed", "label": "failed", "tone": "warn", "glyph": "✗"},
    {"id": "refused", "label": "refused: full", "tone": "neutral", "glyph": "○"},
    {"id": "wrongly", "label": "refused while a slot was free", "tone": "bad", "glyph": "○"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]
TEXT_OF = {
    "working": "works",
    "beyond": "works, though all slots are taken",
    "finished": "has finished",
    "failed": "has failed",
    "refused": "full",
    "wrongly": "full, though it is not",
    "crashed": "was killed",
}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_requests(log, setting), _counts(log, setting)]


def _requests(log: Log, setting: Setting) -> dict[str, Any]:
    names = [f"request-{number}" for number in range(1, len(setting["arrivals_ms"]) + 1)]
    wrongly = {event.sequence for event, _ in refused_while_free(log, setting)}
    beyond = {position for position, _, now in running_history(log) if len(now) > setting["limit"]}
    changes, ended = [], set()
    for event in log.events:
        state = moment(event).removeprefix("actor.")
        if state == "admitted":
            state = "beyond" if event.sequence in beyond else "working"
        elif event.sequence in wrongly:
            state = "wrongly"
        if state not in TEXT_OF or event.actor not in names or event.actor in ended:
            continue
        if state not in ("working", "beyond"):
            ended.add(event.actor)
        changes.append({"position": event.sequence, "cell": event.actor, "state": state, "text": TEXT_OF[state]})
    return {
        "view": "cells", "id": "requests", "label": "Requests",
        "cells": [{"id": name, "label": name} for name in names],
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _counts(log: Log, setting: Setting) -> dict[str, Any]:
    counted = _points([(at_us, count) for _, at_us, count in count_history(log)])
    running = _points([(at_us, len(requests)) for _, at_us, requests in running_history(log)])
    values = [value for _, value in counted + running]
    return {
        "view": "series", "id": "counts", "label": "Counted and running", "unit": "requests",
        "minimum": min(0, *values), "maximum": max(setting["limit"], *values),
        "lines": [
            {"id": "counted", "label": "what the counter says", "tone": "neutral", "points": counted},
            {"id": "running", "label": "requests at work", "tone": "good", "points": running},
        ],
    }  # fmt: skip


def _points(history: list[tuple[int, int]]) -> list[list[int]]:
    """One point per instant: the last word of that instant."""
    latest = {0: 0} | dict(history)
    return [[at_us, count] for at_us, count in latest.items()]
