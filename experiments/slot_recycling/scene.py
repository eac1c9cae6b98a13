"""The views: one square per slot, and the usable capacity beside the tasks that really run."""

from typing import Any

from py_runtime.lab import Log, Setting, moment

from .readings import Counted, running_history

STATES = [
    {"id": "free", "label": "free", "tone": "neutral", "glyph": "○"},
    {"id": "held", "label": "held by a running task", "tone": "good", "glyph": "●"},
    {"id": "leaked", "label": "leaked: counted, and nobody runs", "tone": "bad", "glyph": "×"},
    {"id": "uncounted", "label": "runs, and is not counted", "tone": "warn", "glyph": "!"},
]


def scene(log: Log, setting: Setting) -> list[dict[str, Any]]:
    return [_slots(log, setting), _capacity(log, setting)]


def _slots(log: Log, setting: Setting) -> dict[str, Any]:
    """Each admitted task takes the lowest free square. A square beyond the limit appears where more than it run."""
    squares = _Squares(setting["limit"])
    counted = Counted(log, setting)
    lapses = sorted(_lapses(log, counted)) if setting.variant != "counter" else []
    for event in log.events:
        while lapses and lapses[0][0] <= event.at_us:
            _, task, recounted = lapses.pop(0)
            squares.recount(event.sequence, task, recounted)
        name = moment(event)
        if name == "admitted":
            squares.admit(event.sequence, event.actor)
        elif name in ("finished", "lost"):
            squares.leave(event.sequence, event.actor)
        elif name == "actor.crashed":
            squares.crash(event.sequence, event.actor)
    cells = [{"id": str(number), "label": str(number)} for number in range(1, len(squares.tasks) + 1)]
    return {
        "view": "cells", "id": "slots", "label": "Slots", "cells": cells, "states": STATES, "initial": "free",
        "changes": squares.changes,
    }  # fmt: skip


def _lapses(log: Log, counted: Counted) -> list[tuple[int, str, bool]]:
    """(at_us, task, counted from then on) whenever a task begins or ceases to be counted by the store."""
    found: list[tuple[int, str, bool]] = []
    before: set[str] = set()
    for _, at_us, _ in counted.changes():
        value = counted.value_at(at_us)
        now = {member.partition("#")[0] for member in counted.live(value, at_us)}
        found += [(at_us, task, False) for task in sorted(before - now)]
        found += [(at_us, task, True) for task in sorted(now - before)]
        before = now
    return found


class _Squares:
    """Which task is in which square, and the changes that a page folds."""

    def __init__(self, limit: int) -> None:
        self.tasks: list[str | None] = [None] * limit
        self.states: list[str] = ["free"] * limit
        self.changes: list[dict[str, Any]] = []

    def admit(self, position: int, task: str) -> None:
        if None not in self.tasks:
            self.tasks.append(None)
            self.states.append("free")
        square = self.tasks.index(None)
        self.tasks[square] = task
        self._set(position, square, "held")

    def leave(self, position: int, task: str) -> None:
        if task in self.tasks:
            self._free(position, self.tasks.index(task))

    def crash(self, position: int, task: str) -> None:
        if task in self.tasks:
            square = self.tasks.index(task)
            if self.states[square] == "uncounted":
                self._free(position, square)
            else:
                self._set(position, square, "leaked")

    def recount(self, position: int, task: str, counted: bool) -> None:
        if task not in self.tasks:
            return
        square = self.tasks.index(task)
        state = self.states[square]
        if counted and state == "uncounted":
            self._set(position, square, "held")
        elif not counted and state == "held":
            self._set(position, square, "uncounted")
        elif not counted and state == "leaked":
            self._free(position, square)

    def _free(self, position: int, square: int) -> None:
        self.tasks[square] = None
        self._set(position, square, "free", "")

    def _set(self, position: int, square: int, state: str, text: str | None = None) -> None:
        self.states[square] = state
        shown = self.tasks[square] if text is None else text
        self.changes.append({"position": position, "cell": str(square + 1), "state": state, "text": shown})


def _capacity(log: Log, setting: Setting) -> dict[str, Any]:
    limit, end_us = setting["limit"], log.until_us
    counts = Counted(log, setting).changes()
    usable = _within([[0, limit], *([at_us, limit - count] for _, at_us, count in counts)], end_us)
    running = _within([[0, 0], *([at_us, now] for _, at_us, now in running_history(log))], end_us)
    values = [value for _, value in usable + running]
    return {
        "view": "series", "id": "capacity", "label": "Usable capacity", "unit": "slots",
        "minimum": min(0, *values), "maximum": max(limit, *values),
        "lines": [
            {"id": "usable", "label": "usable capacity", "tone": "good", "points": usable},
            {"id": "running", "label": "tasks really running", "tone": "neutral", "points": running},
        ],
    }  # fmt: skip


def _within(points: list[list[int]], end_us: int) -> list[list[int]]:
    """One point per instant, the last word of that instant, up to the end of the run."""
    latest = {at_us: value for at_us, value in points if at_us <= end_us}
    return [[at_us, value] for at_us, value in latest.items()]
