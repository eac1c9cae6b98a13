"""The views: what each caller is at the moment, and what Redis holds about the flight."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS

from .readings import META, RESULT, SEQUENCE, refused_writes
from .scenario import callers

_STATES = [
    {"id": "away", "label": "not there yet", "tone": "muted", "glyph": "·"},
    {"id": "waiting", "label": "waits", "tone": "neutral", "glyph": "…"},
    {"id": "leading", "label": "leads", "tone": "busy", "glyph": "●"},
    {"id": "unrecorded", "label": "leads, and no record says so", "tone": "bad", "glyph": "?"},
    {"id": "replaced", "label": "was replaced while it led", "tone": "warn", "glyph": "!"},
    {"id": "still", "label": "stands still", "tone": "warn", "glyph": "Ⅱ"},
    {"id": "answered", "label": "has an answer", "tone": "good", "glyph": "✓"},
    {"id": "crashed", "label": "killed", "tone": "bad", "glyph": "×"},
]
_CARDS = {META: "meta", RESULT: "result", SEQUENCE: "sequence"}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_callers(log, callers(setting)), _flight(log)]


def _callers(log: Log, names: tuple[str, ...]) -> dict[str, Any]:
    changes: list[dict[str, Any]] = []
    over, leader, still = set(), "", {}
    state = dict.fromkeys(names, "away")

    def turn(position: int, name: str, to: str, text: str) -> None:
        if name in state and name not in over:
            state[name] = to
            changes.append({"position": position, "cell": name, "state": to, "text": text})
            if to in ("answered", "crashed"):
                over.add(name)

    for event in log.events:
        position, mark = event.sequence, event.fields.get("name")
        if event.kind == "mark" and mark == "asked":
            turn(position, event.actor, "waiting", "waits for a result")
        elif event.kind == "mark" and mark == "answered":
            turn(position, event.actor, "answered", f"has the result of token {event.fields['token']}")
        elif event.kind == "actor.crashed":
            turn(position, event.actor, "crashed", "killed")
        elif event.kind == "actor.paused" and event.actor in state:
            still.setdefault(event.actor, state[event.actor])
            turn(position, event.actor, "still", "stands still and does not know it")
        elif event.kind == "actor.resumed" and event.actor in still:
            turn(position, event.actor, still.pop(event.actor), "goes on as if nothing had happened")
        for change in event.fields.get("changes", ()):
            if change["key"] == META and change["value"] is None and state.get(leader) == "leading":
                turn(position, leader, "unrecorded", "leads, and no record says so")
                leader = ""
            if change["key"] == META and change["value"] and change["value"].get("leader") != leader:
                if state.get(leader) in ("leading", "still"):
                    still.pop(leader, None)
                    turn(position, leader, "replaced", f"replaced by {change['value'].get('leader')}")
                leader = change["value"].get("leader")
                turn(position, leader, "leading", f"leads with token {change['value'].get('token')}")
    for call in refused_writes(log):
        text = f"refused at {call.applied_us // US_PER_MS} ms: another leads"
        if not any(change["cell"] == call.actor and change["position"] >= call.applied for change in changes):
            changes.append({"position": call.applied, "cell": call.actor, "state": "waiting", "text": text})
    changes.sort(key=lambda change: change["position"])
    return {
        "view": "cells", "id": "callers", "label": "Who asks, who leads",
        "cells": [{"id": name, "label": name} for name in names],
        "states": _STATES, "initial": "away", "changes": changes,
    }  # fmt: skip


def _flight(log: Log) -> dict[str, Any]:
    changes = [_change(0, card, "empty", "muted") for card in _CARDS.values()]
    for event, change in log.changes("redis"):
        if change["key"] in _CARDS:
            changes.append(_stored(event.sequence, change["key"], change["value"], change.get("expires_at_ms")))
    return {
        "view": "cards", "id": "flight", "label": "What Redis holds",
        "cards": [
            {"id": "meta", "title": "Leader", "role": "META"},
            {"id": "result", "title": "Result", "role": "RESULT"},
            {"id": "sequence", "title": "Last token drawn", "role": "SEQUENCE"},
        ],
        "arrows": [], "changes": changes,
    }  # fmt: skip


def _stored(position: int, key: str, value: Any, expires_at_ms: int | None) -> dict[str, Any]:
    if value is None:
        return _change(position, _CARDS[key], "gone", "warn")
    if key == META:
        lease = f", lease until {value['lease_until']} ms" if "lease_until" in value else ""
        ends = "never expires" if expires_at_ms is None else f"expires at {expires_at_ms:,} ms"
        return _change(position, "meta", f"{value.get('leader')}, token {value.get('token')}{lease}, {ends}", "busy")
    if key == RESULT:
        return _change(position, "result", f"token {value.get('token')}: {value.get('answer')}", "good")
    return _change(position, "sequence", str(value), "neutral")


def _change(position: int, card: str, text: str, tone: str) -> dict[str, Any]:
    return {"position": position, "card": card, "text": text, "tone": tone}
