"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, SOMETIMES, Claim, Finding, Log, Setting
from py_runtime.sim import US_PER_MS


def _every_beat_ran(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    actual, due = readings["beats_actual"], readings["beats_theoretical"]
    return Finding(actual >= due, f"{actual} of {due} beats ran", _first_late(log))


def _beats_on_time(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    late = sum(beat.fields["late_us"] > 0 for beat in log.marks("beat"))
    latest_ms = readings["delay_ms_max"]
    return Finding(latest_ms == 0, f"{late} late, the latest by {latest_ms} ms", _first_late(log))


def _work_completed(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    started, completed = log.first_mark("upload.started"), log.first_mark("upload.completed")
    if started is None:
        return Finding(False, "the call did not start in the window")
    if completed is None:
        return Finding(False, f"started at {started.at_us // US_PER_MS} ms, not completed in the window")
    return Finding(True, f"from {started.at_us // US_PER_MS} ms to {completed.at_us // US_PER_MS} ms")


def _delay_is_rest_of_call(log: Log, setting: Setting, readings: Mapping[str, Any]) -> Finding:
    """Only where the call ends in the window and does not start on a beat: there two timers are due together."""
    interval, start, length = setting["interval_ms"], setting["block_at_ms"], setting["block_ms"]
    due = (start // interval + 1) * interval
    if start % interval == 0 or start + length > setting["window_ms"] or due >= start + length:
        return Finding(None, "no beat was due strictly inside the call")
    rest = start + length - due
    observed = f"{readings['delay_ms_max']} ms; due at {due} ms, the call ended at {start + length} ms"
    return Finding(readings["delay_ms_max"] == rest, observed)


def _first_late(log: Log) -> int | None:
    return next((beat.sequence for beat in log.marks("beat") if beat.fields["late_us"] > 0), None)


CLAIMS = (
    Claim("every-beat-ran", ALWAYS, _every_beat_ran),
    Claim("beats-on-time", ALWAYS, _beats_on_time),
    Claim("delay-is-rest-of-call", ALWAYS, _delay_is_rest_of_call, variants=("in-loop",)),
    Claim("work-completed", SOMETIMES, _work_completed),
)
