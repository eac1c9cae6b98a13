"""Who runs the short job and when, in ticks, from the rules alone."""

PERSIST_TO_CLAIM = 2  # row at the job's tick, index one later, claim one after that


def local_queue(long_ends: int, short_enters: int):
    starts = max(long_ends, short_enters)
    return {"wait_ticks": starts - short_enters, "owner": "W1", "epoch": None, "claim_rows": None,
            "late_started_rows": None}  # fmt: skip


def global_claim():
    return {"wait_ticks": PERSIST_TO_CLAIM + 1, "owner": "W2", "epoch": 1, "claim_rows": {"W2": 1, "W3": 0},
            "late_started_rows": None}  # fmt: skip


def preemption(short_enters: int, release: int, late: int):
    """None where release and late start fall on one tick: their order decides."""
    if release == late:
        return None
    if late < release:  # it was only slow: its claim still stood
        return {"wait_ticks": late - short_enters, "owner": "W2", "epoch": 1, "claim_rows": {"W2": 1, "W3": 0},
                "late_started_rows": 1}  # fmt: skip
    return {"wait_ticks": None, "owner": "W3", "epoch": 2, "claim_rows": {"W2": 1, "W3": 1}, "late_started_rows": 0}
