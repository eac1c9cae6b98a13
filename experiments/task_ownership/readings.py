"""What the run showed: how long the short job waited, who owns it, and how many rows each write hit."""

from typing import Any

from py_runtime.lab import Log, Setting

from .scenario import SHORT, TICK_US


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """A reading that does not apply to the variant is None."""
    entered = next((mark.at_us for mark in log.marks("entered")), None)
    started = next((mark for mark in starts(log) if mark.fields["rows"] != 0), None)
    row = last_row(log)
    if row is not None:
        owner = row["owner"]
    else:
        owner = started.fields["worker"] if started else None
    return {
        "wait_ticks": None if started is None or entered is None else (started.at_us - entered) // TICK_US,
        "owner": owner,
        "epoch": row["epoch"] if row and row["epoch"] else None,
        "claim_rows": claim_rows(log),
        "late_started_rows": late_started_rows(log) if setting.variant == "preemption" else None,
    }


def starts(log: Log) -> list[Any]:
    """Every attempt to start the short job."""
    return [mark for mark in log.marks("started") if mark.fields["job"] == SHORT]


def claims(log: Log) -> list[Any]:
    """Every attempt to claim the short job."""
    return [mark for mark in log.marks("claim") if mark.fields["job"] == SHORT]


def last_row(log: Log) -> dict[str, Any] | None:
    """The job's row at the end; None where there is none."""
    history = log.values_of("database", f"jobs/{SHORT}")
    return history[-1][2] if history else None


def claim_rows(log: Log) -> dict[str, int] | None:
    """Rows hit by each worker's claims together; None where nobody claimed."""
    rows: dict[str, int] = {}
    for mark in claims(log):
        worker = mark.fields["worker"]
        rows[worker] = rows.get(worker, 0) + mark.fields["rows"]
    return dict(sorted(rows.items())) or None


def late_started_rows(log: Log) -> int | None:
    """Rows hit by the first claimant's started write; None where it never sent one."""
    first = next((mark.fields["worker"] for mark in claims(log) if mark.fields["rows"] == 1), None)
    return next((mark.fields["rows"] for mark in starts(log) if mark.fields["worker"] == first), None)
