"""What the run showed: answers, failures, calls, tokens, and which node held the record of which flight."""

from typing import Any

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, TraceEvent

from .scenario import UPSTREAM, callers


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """token_seen_by: None for a caller without an answer. records_on: node → the keys whose records it held."""
    seen: dict[str, int | None] = dict.fromkeys(callers(setting))
    for mark in log.marks("answered"):
        seen[mark.actor] = mark.fields["token"]
    held: dict[str, list[str]] = {f"redis-{number}": [] for number in range(1, setting["nodes"] + 1)}
    for _, node, key, _, _, _ in records(log, setting):
        if key not in held[node]:
            held[node].append(key)
    return {
        "answered": sum(token is not None for token in seen.values()),
        "failed": sum(1 for _ in log.marks("failed")),
        "upstream_calls": len(log.calls(UPSTREAM)),
        "token_seen_by": seen,
        "records_on": held,
    }


def records(log: Log, setting: Setting) -> list[tuple[TraceEvent, str, str, int, str, int]]:
    """(event, node, key, token, leader, lease_until_us) of every change of a record.

    A record is a hash with these fields that has the key in its name.
    """
    found = []
    keys = list(dict.fromkeys(callers(setting).values()))
    for event in log.events:
        for change in event.fields.get("changes", ()):
            value = change["value"]
            key = next((each for each in keys if each in change["key"]), None)
            if key is not None and isinstance(value, dict) and "token" in value and "leader" in value:
                lease_until_us = int(float(value.get("lease_until", 0)) * US_PER_MS)
                found.append((event, change["store"], key, int(value["token"]), value["leader"], lease_until_us))
    return found
