"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS

from .readings import flight_writes, leaders, publishes

Readings = Mapping[str, Any]


def _one_result_for_all(log: Log, setting: Setting, readings: Readings) -> Finding:
    seen = {actor: token for actor, token in readings["result_token_seen_by"].items() if token is not None}
    if not seen:
        return Finding(None, "nobody got an answer")
    differs = next((mark.sequence for mark in log.marks("answered") if len(set(seen.values())) > 1), None)
    observed = ", ".join(f"{actor}: token {token}" for actor, token in seen.items())
    return Finding(len(set(seen.values())) == 1, observed, differs)


def _followers_answered(log: Log, setting: Setting, readings: Readings) -> Finding:
    followers = list(readings["result_token_seen_by"].items())[1:]
    waiting = [actor for actor, token in followers if token is None]
    observed = f"without an answer at {setting['until_ms']} ms: {', '.join(waiting) or 'nobody'}"
    return Finding(not waiting, observed)


def _live_leader_kept(log: Log, setting: Setting, readings: Readings) -> Finding:
    """The lease is the field lease_until; where the record itself expires, a live one cannot be replaced."""
    takeovers = leaders(log)[1:]
    for position, at_us, before, after in takeovers:
        if before is not None and int(before.get("lease_until", 0)) * US_PER_MS > at_us:
            lease = f"lease of token {before['token']} until {before['lease_until']} ms"
            return Finding(False, f"token {after['token']} at {at_us // US_PER_MS} ms, {lease}", position)
    return Finding(True, f"takeovers: {len(takeovers)}")


def _no_token_burnt(log: Log, setting: Setting, readings: Readings) -> Finding:
    led = {value["token"] for _, _, _, value in leaders(log)}
    issued, burnt = readings["tokens_issued"], readings["tokens_issued"] - len(led)
    return Finding(burnt == 0, f"{issued} issued, {burnt} never led")


def _current_token_publishes(log: Log, setting: Setting, readings: Readings) -> Finding:
    history = [(position, value["token"]) for position, _, _, value in leaders(log)]
    for position, at_us, token in publishes(log):
        leading = next((led for led_from, led in reversed(history) if led_from <= position), None)
        if leading != str(token):
            return Finding(False, f"token {token} published at {at_us // US_PER_MS} ms while {leading} led", position)
    return Finding(True, f"publishes: {len(publishes(log))}")


def _tokens_never_fall(log: Log, setting: Setting, readings: Readings) -> Finding:
    tokens = [int(value["token"]) for _, _, _, value in leaders(log)]
    return Finding(tokens == sorted(set(tokens)), f"tokens that led: {', '.join(map(str, tokens))}")


def _takeover_happened(log: Log, setting: Setting, readings: Readings) -> Finding:
    if setting["fault"] == "none":
        return Finding(None, "no fault was asked for")
    return Finding(len(leaders(log)) > 1, f"takeovers: {len(leaders(log)) - 1}")


def _stale_write_refused(log: Log, setting: Setting, readings: Readings) -> Finding:
    answered = [call for call in flight_writes(log) if call.reply in (0, 1)]
    for position, _, before, _ in leaders(log):
        replaced = before["leader"] if before else None
        first = next((call for call in answered if call.actor == replaced and call.applied > position), None)
        if first is not None:
            answered_with = "accepted" if first.reply else "refused"
            observed = f"{first.actor} at {first.applied_us // US_PER_MS} ms: {answered_with}"
            return Finding(first.reply == 0, observed, first.applied)
    return Finding(None, "no leader wrote after it was replaced")


CLAIMS = (
    Claim("one-result-for-all", ALWAYS, _one_result_for_all, lasting=True),
    Claim("followers-answered", EVENTUALLY, _followers_answered),
    Claim("live-leader-kept", ALWAYS, _live_leader_kept, lasting=True),
    Claim("current-token-publishes", ALWAYS, _current_token_publishes, lasting=True),
    Claim("tokens-never-fall", ALWAYS, _tokens_never_fall, lasting=True),
    Claim("no-token-burnt", ALWAYS, _no_token_burnt),
    Claim("takeover-happened", SOMETIMES, _takeover_happened),
    Claim("stale-write-refused", SOMETIMES, _stale_write_refused),
)
