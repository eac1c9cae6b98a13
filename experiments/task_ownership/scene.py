"""The views: the job's way from the socket and back, and the three workers with the index beside them."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import TraceEvent

from .scenario import SHORT, TICK_US


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    path: list[dict[str, Any]] = [
        _change(0, "entry", "the WebSocket stays here", "neutral"),
        _change(0, "job", "no short job yet", "muted"),
        _change(0, "result", "no event yet", "muted"),
    ]
    workers: list[dict[str, Any]] = [_change(0, name, "idle", "muted") for name in ("W1", "W2", "W3")]
    workers.append(_change(0, "index", "empty", "muted"))
    for event in log.events:
        if event.kind == "mark":
            _mark(event, setting.variant, path, workers)
        elif event.kind in ("actor.paused", "actor.resumed") and event.actor in ("W2", "W3"):
            text = "out of contact" if event.kind == "actor.paused" else "back, with its old beliefs"
            workers.append(_change(event.sequence, event.actor, text, "warn"))
    for position, _, value in log.values_of("redis", "jobs:ready"):
        members = [member for member, _ in value or ()]
        workers.append(_change(position, "index", ", ".join(members) or "empty", "busy" if members else "muted"))
    workers.sort(key=lambda change: change["position"])
    return [
        {
            "view": "cards", "id": "path", "label": "The short job's way",
            "cards": [
                {"id": "entry", "title": "Gateway · W1", "role": "entry"},
                {"id": "job", "title": "Job · short", "role": "durable job"},
                {"id": "result", "title": "Gateway · W1", "role": "where the result goes"},
            ],
            "arrows": [["entry", "job"], ["job", "result"]],
            "changes": path,
        },
        {
            "view": "cards", "id": "workers", "label": "Index and workers",
            "cards": [
                {"id": "index", "title": "Ready index", "role": "a hint, rebuilt from the rows"},
                {"id": "W1", "title": "W1", "role": "gateway"},
                {"id": "W2", "title": "W2", "role": "worker"},
                {"id": "W3", "title": "W3", "role": "worker"},
            ],
            "arrows": [],
            "changes": workers,
        },
    ]  # fmt: skip


def _mark(event: TraceEvent, variant: str, path: list[dict[str, Any]], workers: list[dict[str, Any]]) -> None:
    fields, at, tick = event.fields, event.sequence, event.at_us // TICK_US
    name, worker, rows = fields["name"], fields.get("worker"), fields.get("rows")
    if fields.get("job") == "long":
        text, tone = ("runs the long job", "busy") if name == "started" else ("idle", "muted")
        workers.append(_change(at, "W1", text, tone))
    elif name == "entered":
        path.append(_change(at, "entry", f"tick {tick}: the short job came in", "busy"))
        if variant == "local-queue":
            path.append(_change(at, "job", "waits in W1's own queue", "warn"))
    elif name == "persisted":
        path.append(_change(at, "job", "stored, queued, no owner", "warn"))
    elif name == "claim" and rows:
        path.append(_change(at, "job", f"claimed by {worker}, epoch {fields['epoch']}", "busy"))
        workers.append(_change(at, worker, f"tick {tick}: claimed, epoch {fields['epoch']}", "busy"))
    elif name == "claim":
        workers.append(_change(at, worker, f"tick {tick}: claim hit 0 rows", "muted"))
    elif name == "released" and rows:
        path.append(_change(at, "job", f"tick {tick}: claim released, no owner", "warn"))
    elif name == "started" and rows == 0:
        workers.append(_change(at, worker, f"tick {tick}: late start hit 0 rows", "bad"))
    elif name == "started":
        path.append(_change(at, "job", f"tick {tick}: runs on {worker}", "good"))
        workers.append(_change(at, worker, "runs the short job", "good"))
    elif name == "ended":
        path.append(_change(at, "job", f"tick {tick}: done", "good"))
        workers.append(_change(at, worker, "idle", "muted"))
        if worker == "W1" and fields.get("job") == SHORT:
            path.append(_change(at, "result", f"tick {tick}: answered", "good"))
    elif name == "delivered":
        path.append(_change(at, "result", f"tick {tick}: event arrived", "good"))


def _change(position: int, card: str, text: str, tone: str) -> dict[str, Any]:
    return {"position": position, "card": card, "text": text, "tone": tone}
