"""The view: what each caller is at the moment, and what Redis holds about the flight."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS

from .readings import META, RESULT, SEQUENCE, refused_writes
from .scenario import LEADER

_CARDS = {META: "meta", RESULT: "result", SEQUENCE: "sequence"}


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    callers = [chr(ord(LEADER) + index) for index in range(setting["followers"] + 1)]
    calling = [_change(0, name, "not here yet", "muted") for name in callers]
    storing = [_change(0, card, "empty", "muted") for card in _CARDS.values()]
    leader = None
    for event in log.events:
        position, name = event.sequence, event.fields.get("name")
        if event.kind == "mark" and name == "asked":
            calling.append(_change(position, event.actor, "waits for a result", "neutral"))
        elif event.kind == "mark" and name == "answered":
            calling.append(_change(position, event.actor, f"has the result of token {event.fields['token']}", "good"))
        elif event.kind == "actor.crashed":
            calling.append(_change(position, event.actor, "crashed", "bad"))
        elif event.kind == "actor.paused":
            calling.append(_change(position, event.actor, "paused; believes that it leads", "warn"))
        for change in event.fields.get("changes", ()):
            if change["key"] in _CARDS:
                storing.append(_stored(position, change["key"], change["value"]))
            if change["key"] == META and change["value"] and change["value"]["token"] != leader:
                leader = change["value"]["token"]
                calling.append(_change(position, change["value"]["leader"], f"leads with token {leader}", "busy"))
    for call in refused_writes(log):
        what = "renewal" if "renew" in call.text else "publish"
        calling.append(_change(call.applied, call.actor, f"{what} refused at {call.applied_us // US_PER_MS} ms", "bad"))
    calling.sort(key=lambda change: change["position"])
    return [
        {
            "view": "cards", "id": "callers", "label": "Who asks, who leads",
            "cards": [_caller(name) for name in callers],
            "arrows": [], "changes": calling,
        },
        {
            "view": "cards", "id": "flight", "label": "What Redis holds",
            "cards": [
                {"id": "meta", "title": "Leader", "role": "meta"},
                {"id": "result", "title": "Result", "role": "result"},
                {"id": "sequence", "title": "Last token issued", "role": "sequence"},
            ],
            "arrows": [], "changes": storing,
        },
    ]  # fmt: skip


def _caller(name: str) -> dict[str, str]:
    return {"id": name, "title": name, "role": "first to ask" if name == LEADER else "follower"}


def _stored(position: int, key: str, value: Any) -> dict[str, Any]:
    if value is None:
        return _change(position, _CARDS[key], "expired", "warn")
    if key == META:
        lease = f", lease until {value['lease_until']} ms" if "lease_until" in value else ""
        return _change(position, "meta", f"{value['leader']}, token {value['token']}{lease}, {value['status']}", "busy")
    if key == RESULT:
        return _change(position, "result", f"token {value['token']}: {value['answer']}", "good")
    return _change(position, "sequence", str(value), "neutral")


def _change(position: int, card: str, text: str, tone: str) -> dict[str, Any]:
    return {"position": position, "card": card, "text": text, "tone": tone}
