"""What the run showed: beats that ran, beats that were due, the longest delay."""

from py_runtime.lab import Log, Setting
from py_runtime.sim import US_PER_MS, us_from_ms


def read(log: Log, setting: Setting) -> dict[str, int]:
    """beats_actual counts the closed window: a beat at its very end counts, as it does on a grid that starts at 0."""
    beats = list(log.marks("beat"))
    delays_us = [beat.fields["late_us"] for beat in beats]
    overdue_us = overdue(log, setting)
    if overdue_us is not None:
        delays_us.append(overdue_us)
    return {
        "beats_actual": len(beats),
        "beats_theoretical": setting["window_ms"] // setting["interval_ms"],
        "delay_ms_max": max(delays_us, default=0) // US_PER_MS,
    }


def overdue(log: Log, setting: Setting) -> int | None:
    """How long the next beat had been due when the window closed, in µs; None if it was not due yet."""
    beats = list(log.marks("beat"))
    interval_us, window_us = us_from_ms(setting["interval_ms"]), us_from_ms(setting["window_ms"])
    last_us = beats[-1].at_us if beats else 0
    due_us = last_us + interval_us
    if setting["timer"] == "phase-keeping":
        due_us = last_us // interval_us * interval_us + interval_us
    return window_us - due_us if due_us <= window_us else None
