"""The views: what each caller is at the moment, and on which node the record of each key lies, beside the sequence."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

from .readings import records
from .scenario import SEQUENCE, callers, home_of, node_of, slot_of

_STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "waiting", "label": "waits", "tone": "neutral", "glyph": "…"},
    {"id": "leading", "label": "leads", "tone": "busy", "glyph": "●"},
    {"id": "still", "label": "stands still", "tone": "warn", "glyph": "Ⅱ"},
    {"id": "answered", "label": "has an answer", "tone": "good", "glyph": "✓"},
    {"id": "failed", "label": "failed", "tone": "bad", "glyph": "!"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_callers(log, setting), _records(log, setting)]


def _callers(log: Log, setting: Setting) -> dict[str, Any]:
    names = callers(setting)
    changes: list[dict[str, Any]] = []
    before = dict.fromkeys(names, "away")
    leaders = {event.sequence: (leader, token) for event, _, _, token, leader, _ in records(log, setting)}
    led: set[tuple[str, int]] = set()

    def turn(position: int, name: str, state: str, text: str) -> None:
        if name in names:
            changes.append({"position": position, "cell": name, "state": state, "text": text})
            if state != "still":
                before[name] = state

    for event in log.events:
        position, fields = event.sequence, event.fields
        kind = moment(event)
        if kind == "asked":
            turn(position, event.actor, "waiting", f"waits for {fields['key']}")
        elif kind == "answered":
            turn(position, event.actor, "answered", f"has an answer, token {fields['token']}")
        elif kind == "failed":
            turn(position, event.actor, "failed", fields["error"])
        elif kind == "actor.crashed":
            turn(position, event.actor, "crashed", "killed")
        elif kind == "actor.paused":
            turn(position, event.actor, "still", "stands still and does not know it")
        elif kind == "actor.resumed" and event.actor in names:
            turn(position, event.actor, before[event.actor], "goes on as if nothing had happened")
        if position in leaders and leaders[position] not in led:
            led.add(leaders[position])
            turn(position, leaders[position][0], "leading", f"leads with token {leaders[position][1]}")
    return {
        "view": "cells", "id": "callers", "label": "Who asks",
        "cells": [{"id": name, "label": name} for name in names],
        "states": _STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _records(log: Log, setting: Setting) -> dict[str, Any]:
    keys = list(dict.fromkeys(callers(setting).values()))
    cards = [{"id": "sequence", "title": SEQUENCE, "role": f"slot {slot_of(SEQUENCE)}, {node_of(SEQUENCE, setting)}"}]
    for key in keys:
        role = f"slot {slot_of(f'{{{key}}}')}, {home_of(key, setting)}"
        cards.append({"id": key, "title": f"flight of {key}", "role": role})
    changes = [_change(0, card["id"], "empty", "muted") for card in cards]
    held = {event.sequence: entry for event, *entry in records(log, setting)}
    for event in log.events:
        if event.sequence in held:
            node, key, token, leader, _ = held[event.sequence]
            changes.append(_change(event.sequence, key, f"{leader}, token {token}, on {node}", "busy"))
        for change in event.fields.get("changes", ()):
            if change["key"] == SEQUENCE and change["value"] is not None:
                changes.append(_change(event.sequence, "sequence", f"last token {change['value']}", "neutral"))
        if event.kind == "mark" and event.fields["name"] in ("answered", "failed"):
            word = event.fields["name"]
            text, tone = ("answered", "good") if word == "answered" else (event.fields["error"], "bad")
            changes.append(_change(event.sequence, event.fields["key"], f"{event.actor}: {text}", tone))
    return {
        "view": "cards", "id": "records", "label": "Slots and nodes", "cards": cards, "arrows": [], "changes": changes,
    }  # fmt: skip


def _change(position: int, card: str, text: str, tone: str) -> dict[str, Any]:
    return {"position": position, "card": card, "text": text, "tone": tone}
