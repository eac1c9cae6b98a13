"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting, value_at

from .readings import claims, last_row, starts
from .scenario import CLAIM_AFTER, SHORT, TICK_US

Readings = Mapping[str, Any]


def _idle_worker_runs_it(log: Log, setting: Setting, readings: Readings) -> Finding:
    entered = log.first_mark("entered")
    long_ends = setting["long_ends_tick"]
    if setting["short_enters_tick"] + CLAIM_AFTER + 1 >= long_ends:
        return Finding(None, "the long job ended before another worker could have started the short one")
    started = next((mark for mark in starts(log) if mark.fields["rows"] != 0), None)
    if started is None:
        return Finding(False, "it did not start", entered.sequence if entered else None)
    tick = started.at_us // TICK_US
    observed = f"started at tick {tick}, the long job ended at tick {long_ends}"
    return Finding(tick < long_ends, observed, started.sequence)


def _one_winner_per_claim(log: Log, setting: Setting, readings: Readings) -> Finding:
    winners: dict[int, int] = {}
    for mark in claims(log):
        if mark.fields["rows"]:
            winners[mark.fields["epoch"]] = winners.get(mark.fields["epoch"], 0) + 1
    double = next((mark.sequence for mark in claims(log) if winners.get(mark.fields["epoch"], 1) > 1), None)
    losers = sum(mark.fields["rows"] == 0 for mark in claims(log))
    observed = f"epochs won: {', '.join(map(str, winners)) or 'none'}; claims that hit no row: {losers}"
    return Finding(double is None and bool(winners), observed, double)


def _epoch_never_falls(log: Log, setting: Setting, readings: Readings) -> Finding:
    history = [(position, value["epoch"]) for position, _, value in log.values_of("database", f"jobs/{SHORT}") if value]
    fall = next((after[0] for before, after in zip(history, history[1:], strict=False) if after[1] < before[1]), None)
    epochs = sorted({epoch for _, epoch in history})
    return Finding(fall is None, f"epochs in the row: {', '.join(map(str, epochs))}", fall)


def _stale_start_refused(log: Log, setting: Setting, readings: Readings) -> Finding:
    """A start is stale where the row had a higher epoch when it came."""
    history = [(position, at_us, value) for position, at_us, value in log.values_of("database", f"jobs/{SHORT}")]
    for mark in starts(log):
        row = value_at(history, mark.at_us)
        if row is not None and row["epoch"] > mark.fields["epoch"]:
            observed = f"{mark.fields['worker']}, epoch {mark.fields['epoch']}: {mark.fields['rows']} rows"
            return Finding(mark.fields["rows"] == 0, observed, mark.sequence)
    return Finding(None, "no start came with an old epoch")


def _late_write_happened(log: Log, setting: Setting, readings: Readings) -> Finding:
    rows = readings["late_started_rows"]
    if rows is None:
        return Finding(False, "the first claimant sent no started write")
    return Finding(True, f"the first claimant's started write hit {rows} rows")


def _row_keeps_new_owner(log: Log, setting: Setting, readings: Readings) -> Finding:
    if readings["late_started_rows"] != 0:
        return Finding(None, "no late write was refused")
    row = last_row(log)
    observed = f"{row['state']}, owner {row['owner']}, epoch {row['epoch']}, execution {row['execution_id'] or 'none'}"
    last_winner = [mark.fields["worker"] for mark in claims(log) if mark.fields["rows"]][-1:]
    kept = (row["state"], [row["owner"]], row["epoch"], row["execution_id"]) == ("queued", last_winner, 2, None)
    return Finding(kept, observed)


def _candidate_removed(log: Log, setting: Setting, readings: Readings) -> Finding:
    index = log.values_of("redis", "jobs:ready")
    won = [mark for mark in claims(log) if mark.fields["rows"]]
    if not won:
        return Finding(None, "nobody claimed the job")
    left = value_at(index, won[-1].at_us)
    members = [member for member, _ in left or ()]
    return Finding(SHORT not in members, f"after the claim the index holds {', '.join(members) or 'nothing'}")


def _result_reaches_gateway(log: Log, setting: Setting, readings: Readings) -> Finding:
    delivered = log.first_mark("delivered")
    if delivered is None:
        return Finding(False, "no event reached W1")
    return Finding(True, f"at tick {delivered.at_us // TICK_US}, on {delivered.actor}", delivered.sequence)


_CLAIMED = ("global-claim", "preemption")

CLAIMS = (
    Claim("idle-worker-runs-it", EVENTUALLY, _idle_worker_runs_it, variants=("local-queue", "global-claim")),
    Claim("one-winner-per-claim", ALWAYS, _one_winner_per_claim, variants=_CLAIMED),
    Claim("epoch-never-falls", ALWAYS, _epoch_never_falls, variants=_CLAIMED, lasting=True),
    Claim("candidate-removed", ALWAYS, _candidate_removed, variants=_CLAIMED),
    Claim("result-reaches-gateway", EVENTUALLY, _result_reaches_gateway, variants=("global-claim",)),
    Claim("stale-start-refused", ALWAYS, _stale_start_refused, variants=("preemption",)),
    Claim("row-keeps-new-owner", ALWAYS, _row_keeps_new_owner, variants=("preemption",)),
    Claim("late-write-happened", SOMETIMES, _late_write_happened, variants=("preemption",)),
)
