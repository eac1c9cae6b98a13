"""What the run showed: which events each page has shown, in which order, and what it asked of Redis."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS

from .scenario import PAGES


def read(log: Log, setting: Setting) -> dict[str, Any]:
    first, later = PAGES
    closed_us = next((event.at_us for event in log.marks("closed") if event.actor == first), None)
    return {
        "shown": shown(log, first),
        "shown_later": shown(log, later),
        "closed_ms": None if closed_us is None else closed_us // US_PER_MS,
        "calls": sum(1 for call in log.calls("redis") if call.actor == first),
    }


def shown(log: Log, page: str) -> list[int]:
    """The numbers of the events that a page has shown, in that order."""
    return [event.fields["seq"] for event in log.marks("shown") if event.actor == page]


def opened_us(log: Log, page: str) -> int | None:
    """When the page took its first step; None where it never did."""
    return next((event.at_us for event in log.of_kind("actor.started") if event.actor == page), None)
