"""The views: each job's row, and what every attempt does."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

from .readings import Write, writes
from .scenario import TICK_US, WORKERS

STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "tries", "label": "tries", "tone": "neutral", "glyph": "○"},
    {"id": "holds", "label": "holds the claim", "tone": "busy", "glyph": "◐"},
    {"id": "still", "label": "stands still", "tone": "warn", "glyph": "Ⅱ"},
    {"id": "works", "label": "at work", "tone": "good", "glyph": "●"},
    {"id": "over", "label": "over", "tone": "neutral", "glyph": "✓"},
    {"id": "killed", "label": "killed", "tone": "bad", "glyph": "×"},
]
STATE_AT = {
    "actor.started": "tries",
    "actor.paused": "still",
    "works": "works",
    "actor.ended": "over",
    "actor.crashed": "killed",
}
TONES = {"queued": "warn", "running": "busy", "done": "good", "failed": "bad"}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    history = writes(log)
    return [_rows(history, setting), _attempts(log, history)]


def _rows(history: list[Write], setting: Setting) -> dict[str, Any]:
    jobs = [f"job-{number}" for number in range(1, setting["jobs"] + 1)]
    changes = [
        {"position": write.position, "card": write.job, "text": _row(write), "tone": _tone(write)}
        for write in history
        if write.job in jobs
    ]
    return {
        "view": "cards", "id": "rows", "label": "The jobs' rows",
        "cards": [{"id": job, "title": job, "role": "row"} for job in jobs], "arrows": [], "changes": changes,
    }  # fmt: skip


def _row(write: Write) -> str:
    row = write.after
    if not row:
        return f"deleted by {write.by}"
    parts = [row["state"], f"owner {row['owner'] or 'none'}", f"epoch {row['epoch']}"]
    if row["execution_id"] is not None:
        parts.append(f"execution {row['execution_id']}")
    return f"tick {write.at_us // TICK_US}, by {write.by}: {', '.join(parts)}"


def _tone(write: Write) -> str:
    return TONES.get(write.after.get("state"), "bad")


def _attempts(log: Log, history: list[Write]) -> dict[str, Any]:
    claims = {write.position: write.by for write in history if write.claims}
    holding: set[str] = set()
    names: dict[str, None] = {}
    changes: list[dict[str, Any]] = []
    for event in log.events:
        claimant = claims.get(event.sequence)
        if claimant in names:
            holding.add(claimant)
            changes.append(_cell(event.sequence, claimant, "holds", "claimed"))
        what = moment(event)
        if event.actor is None or not event.actor.startswith(WORKERS):
            continue
        if what == "actor.started":
            names[event.actor] = None
        elif what == "actor.resumed":
            state = "holds" if event.actor in holding else "tries"
            changes.append(_cell(event.sequence, event.actor, state, "goes on, with its old beliefs"))
        if what in STATE_AT:
            changes.append(_cell(event.sequence, event.actor, STATE_AT[what], f"tick {event.at_us // TICK_US}"))
    return {
        "view": "cells", "id": "attempts", "label": "Attempts",
        "cells": [{"id": each, "label": each} for each in names],
        "states": STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _cell(position: int, name: str, state: str, text: str) -> dict[str, Any]:
    return {"position": position, "cell": name, "state": state, "text": text}
