"""What the run showed: calls, tokens, accepted publishes, refused writes, and whose result each caller got."""

from typing import Any

from py_runtime.lab import Call, Log, Setting
from py_runtime.sim import US_PER_MS

from .scenario import LEADER

META, RESULT, SEQUENCE = (f"flight:{{weather}}:{part}" for part in ("meta", "result", "seq"))


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """publishes lists [token, at_ms] of every write of the result; a caller without an answer has None."""
    callers = [chr(ord(LEADER) + index) for index in range(setting["followers"] + 1)]
    seen: dict[str, int | None] = dict.fromkeys(callers)
    for mark in log.marks("answered"):
        seen[mark.actor] = mark.fields["token"]
    tokens = log.values_of("redis", SEQUENCE)
    return {
        "upstream_calls": len(log.calls("upstream")),
        "tokens_issued": int(tokens[-1][2]) if tokens else 0,
        "publishes": [[token, at_us // US_PER_MS] for _, at_us, token in publishes(log)],
        "refused_writes": len(refused_writes(log)),
        "result_token_seen_by": seen,
    }


def publishes(log: Log) -> list[tuple[int, int, int]]:
    """(position, at_us, token) of every accepted publish."""
    return [(at, at_us, int(value["token"])) for at, at_us, value in log.values_of("redis", RESULT) if value]


def flight_writes(log: Log) -> list[Call]:
    """Renewals and publishes, in order of their start."""
    return [call for call in log.calls("redis") if "flight-renew" in call.text or "flight-publish" in call.text]


def refused_writes(log: Log) -> list[Call]:
    """Renewals and publishes that Redis answered with 0: the token was not the leader's any more."""
    return [call for call in flight_writes(log) if call.reply == 0]


def leaders(log: Log) -> list[tuple[int, int, dict[str, Any] | None, dict[str, Any]]]:
    """(position, at_us, record before, record after) whenever the flight got another token."""
    found, before = [], None
    for position, at_us, value in log.values_of("redis", META):
        if value is not None and (before is None or before["token"] != value["token"]):
            found.append((position, at_us, before, value))
        before = value
    return found
