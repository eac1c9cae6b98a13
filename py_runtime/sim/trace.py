"""The trace: the ordered, immutable list of what happened in one run, and its digest.

Decides which kinds of event exist (`KINDS`), what one event holds, and how a trace is hashed. Knows nothing of
actors, stores or views; those read it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

# kind → what it means and which fields it carries. Pairs end in .started and .completed or .failed.
KINDS: dict[str, str] = {
    "actor.started": "an actor takes its first step",
    "actor.ended": "every task that the scenario gave the actor is done",
    "actor.crashed": "the actor never runs again, as after SIGKILL",
    "actor.paused": "the actor stops for duration_us and will go on with its old beliefs",
    "actor.resumed": "a paused actor goes on",
    "busy.started": "a step begins to cost virtual time: duration_us",
    "busy.completed": "the busy time is over",
    "offload.started": "a pool thread begins a call",
    "offload.completed": "the offloaded call returned",
    "offload.failed": "the offloaded call raised: error",
    "call.started": "a request leaves its caller, or a pushed message its service: call, to, text",
    "call.applied": "the service carried the request out, or the actor got the pushed message: call, reply, changes",
    "call.completed": "the reply reached the caller: call, reply",
    "call.failed": "the caller got an error or gave up: call, error",
    "call.lost": "a message went nowhere: call, direction, reason",
    "replica.synced": "a replica has its primary's data: from, how, keys or writes, changes",
    "replica.applied": "a replica carried out a write of its primary: from, text, behind_us, changes",
    "replica.cut": "a replica lost its link: from, and how many writes it is missing",
    "replica.promoted": "a replica became a primary: from, and how many writes of the old one are lost",
    "task.failed": "a task ended with an exception nobody caught: task, error",
    "output": "a program printed a line: text",
    "mark": "a moment of the experiment's own story: name and its fields",
}


@dataclass(slots=True)
class TraceEvent:
    """One entry: `sequence` counts from 0, `at_us` is virtual, `fields` holds JSON values only. Nothing changes one.

    Not frozen: making a frozen one takes three times as long, and a run makes one for each thing that happens.

    `line` is the program's file and line that caused the event, where there is one. It is left out of the digest:
    a comment added to a program moves lines and changes nothing that happened.
    """

    sequence: int
    at_us: int
    actor: str
    kind: str
    fields: Mapping[str, Any]
    line: tuple[str, int] | None = None

    def as_json(self) -> dict[str, Any]:
        """The event as the wire format writes it."""
        written: dict[str, Any] = {
            "sequence": self.sequence,
            "at_us": self.at_us,
            "actor": self.actor,
            "kind": self.kind,
            "fields": self.fields,
        }
        if self.line is not None:
            written["line"] = {"file": self.line[0], "line": self.line[1]}
        return written


def trace_digest(events: Iterable[TraceEvent]) -> str:
    """SHA-256 (64 hex digits) over the events in order; equal digests mean that the runs were the same, event by event.

    Fields are written as JSON with sorted keys and no spaces, which every Python writes alike for the integers, texts,
    lists and mappings that a trace may hold.
    """
    digest = hashlib.sha256()
    encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, check_circular=False).encode
    written = [[event.at_us, event.actor, event.kind, event.fields] for event in events]
    for start in range(0, len(written), _TOGETHER):
        some = written[start : start + _TOGETHER]
        text = encode([part for each in some for part in (each, _MARK)])
        if text.count(_SEAM) == len(some):
            lines = text[1:-1].replace(_SEAM + ",", "\n").replace(_SEAM, "\n")
        else:  # some field has a list with such a mark in it
            lines = "".join(f"{encode(each)}\n" for each in some)
        digest.update(lines.encode())
    return digest.hexdigest()


# Many events are written by one call, since a call costs more than an event: with a mark behind each, that shows in the
# text where one ends. No text within a field looks like it, since quotation marks are escaped there.
_TOGETHER = 1_000
_MARK = "\0"
_SEAM = "," + json.dumps(_MARK)


def snapshot(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Make of the fields of one event, in place, what they are now, so that nothing done later changes the past.

    The dictionary itself becomes the event's: what a call gathers by `**fields` is made anew each time.

    Raises ValueError for an unknown kind, TypeError for what is no JSON value: at the call that is wrong.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of trace event {kind!r}; kinds are listed in py_runtime/sim/trace.py")
    for name, value in fields.items():
        if type(value) not in _SCALARS:
            fields[name] = _copied(value, name)
    return fields


_SCALARS = frozenset((str, int, bool, float, type(None)))


def _copied(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return {str(key): each if type(each) in _SCALARS else _copied(each, name) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [each if type(each) in _SCALARS else _copied(each, name) for each in value]
    if isinstance(value, (str, int, float)):
        return value
    raise TypeError(f"a trace event holds JSON values only, but {name} has a {type(value).__name__}")


def _size(value: Any) -> int:
    """Characters of a text or of all in a list or mapping; any other value, and the place in a list, counts as one."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return sum([len(key) + _size(each) for key, each in value.items()])
    if isinstance(value, list):
        return len(value) + sum([_size(each) for each in value])
    return 1


class Trace:
    """The growing list of events of one run; full after `events_max` entries or `characters_max` characters of fields.

    Then it takes no more.
    """

    def __init__(self, events_max: int, characters_max: int) -> None:
        self.events: list[TraceEvent] = []
        self.characters = 0
        self.events_max = events_max
        self.characters_max = characters_max

    def append(self, at_us: int, actor: str, kind: str, fields: dict[str, Any], line: tuple[str, int] | None) -> bool:
        """Add one event; returns False where the trace is full. `fields` must be a `snapshot`."""
        events = self.events
        if len(events) >= self.events_max or self.characters >= self.characters_max:
            return False
        self.characters += _size(fields)
        events.append(TraceEvent(len(events), at_us, actor, kind, fields, line))
        return True
