"""What the run showed: who wrote what into a job's row, and who worked."""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Log, Setting

FIRST = "job-1"
FINAL = ("done", "failed")
_KEY = "jobs/"


@dataclass(frozen=True)
class Write:
    """One change of a job's row; one that is not there is {}. by: the attempt or other actor whose statement it was."""

    position: int
    at_us: int
    job: str
    before: dict[str, Any]
    after: dict[str, Any]
    by: str

    @property
    def claims(self) -> bool:
        """Whether it gives the job an owner that it had not."""
        return self.before.get("owner") is None and self.after.get("owner") is not None

    @property
    def starts(self) -> bool:
        return self.before.get("state") == "queued" and self.after.get("state") not in (None, "queued", "failed")

    @property
    def ends(self) -> bool:
        return self.before.get("state") not in FINAL and self.after.get("state") in FINAL


def read(log: Log, setting: Setting) -> dict[str, Any]:
    """Of the first job; a reading that there is nothing to say of is None."""
    history = [write for write in writes(log) if write.job == FIRST]
    row = history[-1].after if history else {}
    return {
        "state": row.get("state"),
        "owner": row.get("owner"),
        "epoch": row.get("epoch"),
        "execution": row.get("execution_id"),
        "started_by": next((write.by for write in history if write.starts), None),
        "ended_by": next((write.by for write in history if write.ends), None),
        "works": sum(mark.fields["job"] == FIRST for mark in log.marks("works")),
    }


def writes(log: Log) -> list[Write]:
    """Every change of every job's row, in order."""
    callers = {event.fields["call"]: event.actor for event in log.of_kind("call.started")}
    rows: dict[str, dict[str, Any]] = {}
    found = []
    for event, change in log.changes("database"):
        if not change["key"].startswith(_KEY):
            continue
        job, after = change["key"].removeprefix(_KEY), change["value"] or {}
        by = callers.get(event.fields.get("call"), event.actor)
        found.append(Write(event.sequence, event.at_us, job, rows.get(job, {}), after, by))
        rows[job] = after
    return found
