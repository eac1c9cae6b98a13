"""Reading a trace: the log of a run, asked for marks, calls, store contents and lifetimes.

Readings, claims and views are functions of a log, so that they can be tested without a run and agree with each other.
Decides nothing; knows the kinds of event in `py_runtime/sim/trace.py` and the format of store changes.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from py_runtime.sim import TraceEvent


@dataclass(frozen=True)
class Call:
    """One call from start to end; an instant is None where that part never happened."""

    number: int
    actor: str
    to: str
    text: str
    started_us: int
    started: int
    applied_us: int | None = None
    applied: int | None = None
    ended_us: int | None = None
    reply: Any = None
    error: str | None = None


class Log:
    """The events of one run, in order; a position is an index into them.

    until_us: the instant at which the run ended, its last event's unless given.
    """

    def __init__(self, events: Sequence[TraceEvent], until_us: int | None = None) -> None:
        self.events = events
        self.until_us = until_us if until_us is not None else events[-1].at_us if events else 0

    def __len__(self) -> int:
        return len(self.events)

    def position_at(self, at_us: int) -> int:
        """The position of the last event up to and including the instant; 0 before the first."""
        return max(bisect_right(self.events, at_us, key=_instant) - 1, 0)

    def of_kind(self, *kinds: str) -> Iterator[TraceEvent]:
        """Events of these kinds, in order."""
        return (event for event in self.events if event.kind in kinds)

    def marks(self, *names: str) -> Iterator[TraceEvent]:
        """The experiment's own moments of these names, in order."""
        return (event for event in self.events if event.kind == "mark" and event.fields["name"] in names)

    def first_mark(self, name: str) -> TraceEvent | None:
        """The first moment of that name, or None."""
        return next(self.marks(name), None)

    def calls(self, to: str | None = None) -> list[Call]:
        """Every call (to one service, if given), in order of their start."""
        parts: dict[int, dict[str, Any]] = {}
        for event in self.events:
            number = event.fields.get("call")
            if event.kind == "call.started":
                parts[number] = {
                    "number": number, "actor": event.actor, "to": event.fields["to"], "text": event.fields["text"],
                    "started_us": event.at_us, "started": event.sequence,
                }  # fmt: skip
            elif event.kind == "call.applied":
                parts[number].update(
                    applied_us=event.at_us, applied=event.sequence, reply=event.fields.get("reply"),
                    error=event.fields.get("error"),
                )  # fmt: skip
            elif event.kind in ("call.completed", "call.failed"):
                parts[number].update(ended_us=event.at_us)
                if event.kind == "call.failed":
                    parts[number].update(error=event.fields["error"])
        return [Call(**part) for part in parts.values() if to is None or part["to"] == to]

    def changes(self, store: str) -> Iterator[tuple[TraceEvent, Mapping[str, Any]]]:
        """Every change to a store, with the event that made it."""
        for event in self.events:
            for change in event.fields.get("changes", ()):
                if change["store"] == store:
                    yield event, change

    def values_of(self, store: str, key: str) -> list[tuple[int, int, Any]]:
        """How one key went: (position, at_us, value after the change), value None where it was removed."""
        return [(event.sequence, event.at_us, c["value"]) for event, c in self.changes(store) if c["key"] == key]


def moment(event: TraceEvent) -> str:
    """What an event is in the experiment's own story: the name of a mark, else its kind, such as `actor.crashed`."""
    return event.fields["name"] if event.kind == "mark" else event.kind


def value_at(history: Sequence[tuple[int, int, Any]], at_us: int) -> Any:
    """The value of a key, from `Log.values_of`, once everything of the instant `at_us` has happened."""
    index = bisect_right(history, at_us, key=_changed_us)
    return history[index - 1][2] if index else None


def _instant(event: TraceEvent) -> int:
    return event.at_us


def _changed_us(entry: tuple[int, int, Any]) -> int:
    return entry[1]
