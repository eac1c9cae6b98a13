"""Hand-made reports in the wire format, for tests of the panel alone: every kind of event, every view, long runs.

Decides nothing about experiments: `demo` is no experiment of the site. The numbers are chosen so that tests can state
what must be read at a position without asking the code under test.
"""

from typing import Any

LEASE_PROGRAM = '''"""Take a slot, work, give it back."""

LIMIT = 2  # slots


async def work(redis, name):
    if await redis.incr("inflight") > LIMIT:
        await redis.decr("inflight")
        return "refused"
    await redis.set("owner:" + name, "yes")
    return "done"
'''

# One that breaks a claim and has a case of its own, one that stays safe and is in another file; both of `lease`.
SAFEGUARDS = [
    {"id": "limit-check", "variant": "lease", "file": "lease.py", "changes": [["> LIMIT:", "> 10**9:"]],
     "falls": [{"id": "capacity-returns", "text": "Capacity comes back."}], "own_case": True, "label": "Limit check",
     "protects": "No more than the limit are let in.", "without": "Everyone is let in."},
    {"id": "helper", "variant": "lease", "file": "helper.py", "changes": [["return 1", "return 2  # $& $1"]],
     "falls": [], "own_case": False, "label": "Helper", "protects": "It helps.", "without": "Nobody calls it."},
]  # fmt: skip

HELPER_PROGRAM = "def helper():\n    return 1\n"


class Story:
    """A trace that is written down call by call."""

    def __init__(self) -> None:
        self.trace: list[dict[str, Any]] = []
        self.calls = 0

    def event(self, at_ms: float, actor: str, kind: str, line: int | None = None, **fields: Any) -> int:
        entry: dict[str, Any] = {
            "sequence": len(self.trace), "at_us": round(at_ms * 1000), "actor": actor, "kind": kind, "fields": fields,
        }  # fmt: skip
        if line is not None:
            entry["line"] = {"file": "lease.py", "line": line}
        self.trace.append(entry)
        return entry["sequence"]

    def call(
        self, at_ms: float, actor: str, to: str, text: str, reply: Any, changes: Any = (), took_ms: float = 0, line=7
    ) -> int:
        """A whole exchange; returns the position at which the service carried it out."""
        self.calls += 1
        call = self.calls
        self.event(at_ms, actor, "call.started", line, call=call, to=to, text=text)
        applied = {"call": call, "text": text, "reply": reply}
        if changes:
            applied["changes"] = list(changes)
        position = self.event(at_ms + took_ms / 2, to, "call.applied", **applied)
        self.event(at_ms + took_ms, actor, "call.completed", call=call, reply=reply)
        return position


def change(key: str, value: Any, type: str = "string", store: str = "redis", **more: Any) -> dict[str, Any]:
    return {"store": store, "key": key, "type": type, "value": value, **more}


def report(variant: str = "counter", limit: int = 2) -> dict[str, Any]:
    """A run of about forty events that breaks (`counter`) or holds (`lease`)."""
    story = Story()
    breaks = variant == "counter"
    story.event(0, "w1", "actor.started")
    story.event(0, "w2", "actor.started")
    admitted = story.call(10, "w1", "redis", "INCR inflight", 1, [change("inflight", "1")], took_ms=4)
    story.call(20, "w2", "redis", "INCR inflight", 2, [change("inflight", "2")], took_ms=4)
    running = change("job:1", {"state": "running", "owner": "w1"}, "hash")
    story.call(30, "w1", "redis", "HSET job:1 state running", 1, [running], line=10)
    story.call(
        35, "w2", "redis", "ZADD leases 3000 w2", 1,
        [change("leases", [["w2", 3000]], "zset", expires_at_ms=60)], line=10,
    )  # fmt: skip
    story.event(40, "w1", "busy.started", duration_us=20_000)
    story.event(60, "w1", "busy.completed")
    story.event(61, "w2", "actor.paused", duration_us=15_000)
    story.call(
        65, "w1", "sql", "UPDATE jobs SET epoch = 2 WHERE id = 42", 1,
        [change("jobs/42", {"id": 42, "owner": "w1", "epoch": 2}, "row", "sql")], line=10,
    )  # fmt: skip
    story.event(76, "w2", "actor.resumed")
    story.calls += 1
    story.event(77, "w2", "call.started", 8, call=story.calls, to="redis", text="DECR inflight")
    story.event(78, "w2", "call.lost", call=story.calls, direction="request", reason="dropped on the way")
    story.event(80, "w1", "offload.started", thread="w1/thread-1")
    story.event(95, "w1", "offload.completed", thread="w1/thread-1")
    violation = story.event(96, "w2", "mark", name="refused", text="no slot free", waited_us=1500)
    story.event(97, "w1", "output", text="one line printed")
    crashed = story.event(98, "w2", "actor.crashed")
    story.call(99, "w1", "redis", "DEL job:1", 1, [change("job:1", None, "hash")], line=11)
    story.event(100, "w1", "actor.ended")
    return {
        "version": 1, "experiment": "demo", "variant": variant,
        "parameters": {"limit": limit, "mode": "calm", "pauses_ms": [5, 10]}, "seed": 0,
        "outcome": "counterexample found" if breaks else "holds within bounds",
        "ended": "One run to 100 ms of virtual time.",
        "digest": ("ab" if breaks else "cd") * 32, "schedule": f"ol1~demo~{variant}~0_0", "events": len(story.trace),
        "until_us": 100_000, "bounds": {"steps": 50, "steps_max": 2_000_000, "events_max": 60_000},
        "readings": {
            "admitted": 6667 if breaks else 82, "first_refusal_ms": 96 if breaks else None, "capacity": [10, 1, 0],
            "rows": {"w1": 1, "w2": 0}, "publishes": [[2, 9020]],
        },
        "claims": [
            {"id": "capacity-returns", "kind": "always", "text": "Capacity comes back.", "holds": not breaks,
             "observed": "0 of 2 slots at the end", "position": violation if breaks else None},
            {"id": "somebody-worked", "kind": "sometimes", "text": "Somebody was admitted.", "holds": True,
             "observed": "1 admitted", "position": admitted},
            {"id": "silent", "kind": "always", "text": "A claim about another case.", "holds": None,
             "observed": "the case did not arise", "position": None},
        ],
        "lanes": [
            {"id": "redis", "label": "redis", "actors": ["redis"]}, {"id": "sql", "label": "sql", "actors": ["sql"]},
            {"id": "w1", "label": "worker 1", "actors": ["w1"]}, {"id": "w2", "label": "worker 2", "actors": ["w2"]},
        ],
        "trace": story.trace, "scene": scene(admitted, violation, crashed), "output": ["one line printed"],
    }  # fmt: skip


def scene(admitted: int, violation: int, crashed: int) -> list[dict[str, Any]]:
    """One view of each kind."""
    return [
        {"view": "cells", "id": "slots", "label": "Slots", "initial": "free",
         "cells": [{"id": str(number), "label": str(number)} for number in range(1, 11)],
         "states": [{"id": "free", "label": "free", "tone": "muted", "glyph": "○"},
                    {"id": "held", "label": "held by a running task", "tone": "good", "glyph": "●"},
                    {"id": "leaked", "label": "leaked, its holder crashed", "tone": "bad", "glyph": "✕"}],
         "changes": [{"position": admitted, "cell": "1", "state": "held", "text": "w1"},
                     {"position": admitted + 3, "cell": "2", "state": "held", "text": "w2"},
                     {"position": crashed, "cell": "2", "state": "leaked", "text": "w2"}]},
        {"view": "series", "id": "capacity", "label": "Usable capacity", "unit": "slots", "minimum": 0, "maximum": 10,
         "lines": [{"id": "usable", "label": "usable", "tone": "good", "points": [[0, 10], [10_000, 9], [20_000, 8]]},
                   {"id": "running", "label": "running", "tone": "bad", "points": [[0, 0], [12_000, 1], [98_000, 0]]}]},
        {"view": "dots", "id": "beats", "label": "Heartbeats",
         "rows": [{"id": "ran", "label": "ran", "tone": "good",
                   "points": [{"at_us": at * 1000, "position": position, "text": "on time"}
                              for at, position in ((10, 3), (20, 6), (61, violation))]},
                  {"id": "missed", "label": "never ran", "tone": "bad",
                   "points": [{"at_us": at * 1000, "text": "due"} for at in (40, 50)]}]},
        {"view": "cards", "id": "path", "label": "Where the task is",
         "cards": [{"id": "entry", "title": "Gateway · W1", "role": "entry"},
                   {"id": "job", "title": "Job", "role": "durable"},
                   {"id": "result", "title": "Gateway · W1", "role": "result"},
                   {"id": "w2", "title": "W2", "role": "worker"},
                   {"id": "w3", "title": "W3", "role": "worker"}],
         "arrows": [["entry", "job"], ["job", "result"]],
         "changes": [{"position": 0, "card": "job", "text": "waits for a run", "tone": "muted"},
                     {"position": violation, "card": "job", "text": "claimed by W2", "tone": "busy"},
                     {"position": 0, "card": "w2", "text": "idle", "tone": "muted"}]},
    ]  # fmt: skip


def long_report(events: int = 5000) -> dict[str, Any]:
    """A run of at least that many events with eight lanes, for what must stay smooth."""
    story = Story()
    at = 0
    while len(story.trace) < events:
        worker = f"w{at % 7 + 1}"
        story.call(at * 3.7, worker, "redis", f"INCR key:{at % 40}", at, [change(f"key:{at % 40}", str(at))])
        at += 1
    lanes = [{"id": name, "label": name, "actors": [name]} for name in ("redis", *(f"w{n}" for n in range(1, 8)))]
    count = len(story.trace)
    return {**report("lease"), "trace": story.trace, "events": count, "lanes": lanes, "scene": [], "digest": "ef" * 32}


def described(slug: str) -> dict[str, Any]:
    """The file of one experiment's whole description."""
    [found] = [each for each in catalogue()["experiments"] if each["slug"] == slug]
    return {"version": 1, "experiment": found}


def catalogue() -> dict[str, Any]:
    """`demo` and `long`, described whole."""
    readings = [
        {"name": "admitted", "label": "Admitted", "unit": "tasks", "caption": "Counted over the whole run."},
        {"name": "first_refusal_ms", "label": "First refusal", "unit": "ms", "caption": "A dash: nobody was."},
        {"name": "capacity", "label": "Capacity every 5 s", "unit": "slots", "caption": ""},
        {"name": "rows", "label": "Rows", "unit": "rows", "caption": ""},
        {"name": "publishes", "label": "Publishes", "unit": "", "caption": "Token and instant."},
    ]
    parameters = [
        {"name": "limit", "type": "integer", "unit": "slots", "default": 2, "minimum": 1, "maximum": 100,
         "choices": None, "label": "Limit", "help": "How many may run at once."},
        {"name": "mode", "type": "choice", "unit": "", "default": "calm", "minimum": None, "maximum": None,
         "choices": ["calm", "wild"], "label": "Mode", "help": "How it goes."},
        {"name": "pauses_ms", "type": "integers", "unit": "ms", "default": [5, 10], "minimum": 0, "maximum": 5000,
         "choices": None, "label": "Pauses", "help": "One per worker."},
    ]  # fmt: skip
    programs = [{"file": "lease.py", "text": LEASE_PROGRAM}, {"file": "helper.py", "text": HELPER_PROGRAM}]
    demo = {
        "slug": "demo", "title": "Same crash, two meanings of “reclaim”", "kicker": "Experiment · a demonstration",
        "question": "Who gives a slot back when its holder is gone?",
        "summary": "Ten slots, two workers, one crash. Each square is a slot.",
        "status": "Choose a way of reclaiming, then press Run.", "live": True,
        "variants": [
            {"id": "counter", "label": "Counter", "summary": "A number that goes up and down.", "expected": "breaks",
             "breaks": "capacity-returns"},
            {"id": "lease", "label": "Lease", "summary": "Named, dated entries.", "expected": "holds", "breaks": None}],
        "parameters": parameters, "readings": readings,
        "not_shown": ["How often workers crash.", "<b>markup</b> is text"],
        "programs": {"counter": programs, "lease": programs}, "safeguards": SAFEGUARDS, "challenge": None,
    }  # fmt: skip
    variants = demo["variants"][1:]
    long = {**demo, "slug": "long", "title": "A long run", "live": False, "variants": variants, "parameters": []}
    return {"version": 1, "experiments": [demo, long]}
