"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms

from .readings import opened_us, shown
from .scenario import PAGES, emitted_us

Readings = Mapping[str, Any]
CALLS_FREE = 8  # to connect, subscribe, replay, look again after a gap, and leave


def _one_after_another(log: Log, setting: Setting, readings: Readings) -> Finding:
    last = dict.fromkeys(PAGES, 0)
    for mark in log.marks("shown"):
        page, seq = mark.actor, mark.fields["seq"]
        if seq != last[page] + 1:
            return Finding(False, f"{page} showed event {seq} after event {last[page]}", mark.sequence)
        last[page] = seq
    return Finding(True, ", ".join(f"{page}: 1 to {seq}" if seq else f"{page}: none" for page, seq in last.items()))


def _shown_as_emitted(log: Log, setting: Setting, readings: Readings) -> Finding:
    marks = list(log.marks("shown"))
    wrong = next((mark for mark in marks if not mark.fields["as_emitted"]), None)
    if wrong is not None:
        return Finding(False, f"{wrong.actor} showed another event {wrong.fields['seq']}", wrong.sequence)
    return Finding(True, f"{len(marks)} shown, each as it was emitted")


def _shown_again(log: Log, setting: Setting, readings: Readings) -> Finding:
    later = opened_us(log, PAGES[1])
    if later is None:
        return Finding(None, "no page was opened later")
    seen = {mark.fields["seq"] for mark in log.marks("shown") if mark.actor == PAGES[0] and mark.at_us < later}
    missing = sorted(seen - set(shown(log, PAGES[1])))
    observed = f"{len(seen)} had been shown; the later page lacks {', '.join(map(str, missing)) or 'none'}"
    return Finding(not missing, observed)


def _pages_end(log: Log, setting: Setting, readings: Readings) -> Finding:
    """Within two silences of the last event, or of the page's own opening; not where the worker was killed."""
    if any(event.actor == "worker" for event in log.of_kind("actor.crashed")):
        return Finding(None, "the worker was killed")
    bound_us = us_from_ms(2 * setting["idle_ms"] + setting["late_ms"] + 20 * setting["message_ms"])
    closed = {mark.actor: mark.at_us for mark in log.marks("closed")}
    told = []
    for page in PAGES:
        opened = opened_us(log, page)
        if opened is None:
            return Finding(False, f"{page} was not opened")
        due_us = max(opened, emitted_us(setting["events"], setting)) + bound_us
        if closed.get(page, due_us + 1) > due_us or setting["events"] not in shown(log, page):
            return Finding(False, f"{page} had not shown the last event at {due_us // US_PER_MS} ms")
        told.append(f"{page} closed at {closed[page] // US_PER_MS} ms")
    return Finding(True, ", ".join(told))


def _at_once(log: Log, setting: Setting, readings: Readings) -> Finding:
    bound_us, latest_us = us_from_ms(10 * setting["message_ms"]), 0
    for mark in log.marks("shown"):
        since_us = max(emitted_us(mark.fields["seq"], setting), opened_us(log, mark.actor) or 0)
        late_us = mark.at_us - since_us
        latest_us = max(latest_us, late_us)
        if late_us > bound_us:
            observed = f"{mark.actor} showed event {mark.fields['seq']} after {late_us // US_PER_MS} ms"
            return Finding(False, observed, mark.sequence)
    return Finding(True, f"each within {latest_us // US_PER_MS} ms")


def _gaps_closed(log: Log, setting: Setting, readings: Readings) -> Finding:
    """An event that is lost or late is known to be missing when the next one comes."""
    bound_us, latest_us = us_from_ms(10 * setting["message_ms"]), 0
    for mark in log.marks("shown"):
        seq = mark.fields["seq"]
        if seq == setting["events"]:
            continue  # no other comes after it
        late_us = mark.at_us - max(emitted_us(seq + 1, setting), opened_us(log, mark.actor) or 0)
        latest_us = max(latest_us, late_us)
        if late_us > bound_us:
            observed = f"{mark.actor} showed event {seq} {late_us // US_PER_MS} ms after event {seq + 1} was emitted"
            return Finding(False, observed, mark.sequence)
    return Finding(True, f"each within {latest_us // US_PER_MS} ms of the next")


def _few_calls(log: Log, setting: Setting, readings: Readings) -> Finding:
    closed = {mark.actor: mark.at_us for mark in log.marks("closed")}
    counted = []
    for page in PAGES:
        calls = [call for call in log.calls("redis") if call.actor == page]
        opened = opened_us(log, page)
        if opened is None:
            continue
        silences = (closed.get(page, log.until_us) - opened) // us_from_ms(setting["idle_ms"])
        allowed = CALLS_FREE + setting["events"] + 2 * silences
        if len(calls) > allowed:
            return Finding(False, f"{page} made {len(calls)} calls, allowed are {allowed}", calls[allowed].started)
        counted.append(f"{page}: {len(calls)} of {allowed}")
    return Finding(True, ", ".join(counted))


def _opened_between_events(log: Log, setting: Setting, readings: Readings) -> Finding:
    opened = opened_us(log, PAGES[0])
    first, last = emitted_us(1, setting), emitted_us(setting["events"], setting)
    inside = opened is not None and first <= opened <= last
    return Finding(inside, f"opened at {'no time' if opened is None else f'{opened // US_PER_MS} ms'}")


CLAIMS = (
    Claim("one-after-another", ALWAYS, _one_after_another, lasting=True),
    Claim("shown-as-emitted", ALWAYS, _shown_as_emitted, lasting=True),
    Claim("shown-again", ALWAYS, _shown_again),
    Claim("few-calls", ALWAYS, _few_calls),
    Claim("pages-end", EVENTUALLY, _pages_end),
    Claim("at-once", EVENTUALLY, _at_once),
    Claim("gaps-closed", EVENTUALLY, _gaps_closed),
    Claim("opened-between-events", SOMETIMES, _opened_between_events),
)
