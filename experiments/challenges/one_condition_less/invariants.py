"""The claims of this experiment, each a check on the log."""

from collections.abc import Mapping
from typing import Any

from py_runtime.lab import ALWAYS, EVENTUALLY, SOMETIMES, Claim, Finding, Log, Setting

from .readings import FINAL, Write, writes
from .scenario import TICK_US, WORKERS

Readings = Mapping[str, Any]


def _work_once(log: Log, setting: Setting, readings: Readings) -> Finding:
    begun: dict[str, str] = {}
    for mark in log.marks("works"):
        first = begun.setdefault(mark.fields["job"], mark.actor)
        if first != mark.actor:
            return Finding(False, f"{mark.fields['job']}: by {first}, then by {mark.actor}", mark.sequence)
    return Finding(True, f"{len(begun)} jobs were worked on, each once")


def _works_as_started(log: Log, setting: Setting, readings: Readings) -> Finding:
    started = {(write.job, write.by): write.position for write in writes(log) if write.starts}
    for mark in log.marks("works"):
        if started.get((mark.fields["job"], mark.actor), mark.sequence) >= mark.sequence:
            return Finding(
                False, f"{mark.actor} works on {mark.fields['job']}, which it has not started", mark.sequence
            )
    return Finding(True, f"{len(started)} starts")


def _started_by_its_claimant(log: Log, setting: Setting, readings: Readings) -> Finding:
    holder: dict[str, str] = {}
    starts = 0
    for write in writes(log):
        if write.claims:
            holder[write.job] = write.by
        if write.starts:
            starts += 1
            if holder.get(write.job) != write.by:
                claimant = holder.get(write.job, "nobody")
                observed = f"{write.by} started {write.job}, which {claimant} had claimed last"
                return Finding(False, observed, write.position)
    return Finding(True, f"{starts} starts")


def _left_to_its_runner(log: Log, setting: Setting, readings: Readings) -> Finding:
    runner: dict[str, str] = {}
    for write in writes(log):
        if write.starts:
            runner.setdefault(write.job, write.by)
        elif runner.get(write.job, write.by) != write.by:
            return Finding(False, f"{write.by} {_change(write)}, which {runner[write.job]} ran", write.position)
    return Finding(True, f"{len(runner)} jobs were started")


def _change(write: Write) -> str:
    state = write.after.get("state")
    if state != write.before.get("state"):
        return f"made {write.job} {state or 'vanish'}"
    return f"took {write.job} from its owner" if write.after.get("owner") is None else f"changed {write.job}"


def _claims_are_numbered(log: Log, setting: Setting, readings: Readings) -> Finding:
    highest: dict[str, int] = {}
    claims = 0
    for write in writes(log):
        before, epoch = highest.get(write.job, 0), write.after.get("epoch")
        claims += write.claims
        if epoch is None or epoch < before or (write.claims and epoch == before):
            return Finding(False, f"{write.job} had epoch {before}, then {epoch}", write.position)
        highest[write.job] = epoch
    return Finding(True, f"{claims} claims, highest epoch {max(highest.values(), default=0)}")


def _young_claims_kept(log: Log, setting: Setting, readings: Readings) -> Finding:
    claimed: dict[str, Write] = {}
    taken = 0
    for write in writes(log):
        held = claimed.get(write.job)
        if write.claims:
            claimed[write.job] = write
        elif held is not None and write.after.get("token") != held.after.get("token") and write.by != held.by:
            taken += 1
            age = write.at_us // TICK_US - _claimed_tick(held)
            if age < setting["grace_ticks"]:
                return Finding(False, f"{held.by}'s claim was taken back after {age} ticks", write.position)
            del claimed[write.job]
    return Finding(True, f"{taken} claims were taken back")


def _claimed_tick(claim: Write) -> int:
    """When it was made, as the row says it: a transaction that made it may have become visible later."""
    tick, said = claim.at_us // TICK_US, claim.after.get("claimed_at")
    return min(tick, said) if isinstance(said, int) else tick


def _no_claim_is_left(log: Log, setting: Setting, readings: Readings) -> Finding:
    """When an attempt ends, no row bears a claim of it that it has not started; who was killed did not end so."""
    history = {write.position: write for write in writes(log)}
    held: dict[str, str] = {}  # job → whose claim its row bears, as long as nobody has started it
    ended = 0
    for event in log.events:
        write = history.get(event.sequence)
        if write is not None and write.claims:
            held[write.job] = write.by
        elif write is not None and (write.after.get("owner") is None or write.after.get("state") != "queued"):
            held.pop(write.job, None)
        elif event.kind == "actor.ended":
            ended += 1
            job = next((job for job, by in held.items() if by == event.actor), None)
            if job is not None:
                return Finding(False, f"{event.actor} ended, and {job} still bears its claim", event.sequence)
    return Finding(True, f"{ended} ended")


def _started_is_worked_on(log: Log, setting: Setting, readings: Readings) -> Finding:
    worked = {(mark.fields["job"], mark.actor) for mark in log.marks("works")}
    gone = {event.actor for event in log.of_kind("actor.crashed")}
    starts = [write for write in writes(log) if write.starts and write.by not in gone]
    idle = next((write for write in starts if (write.job, write.by) not in worked), None)
    if idle is not None:
        return Finding(False, f"{idle.job} runs, they say, but {idle.by} does not work on it", idle.position)
    return Finding(True, f"{len(starts)} starts")


def _jobs_end(log: Log, setting: Setting, readings: Readings) -> Finding:
    """A killed runner's job is left as it is: that it is lost is for somebody else to find out."""
    gone = {event.actor for event in log.of_kind("actor.crashed")}
    rows: dict[str, dict[str, Any]] = {}
    excused = set()
    for write in writes(log):
        rows[write.job] = write.after
        if write.starts and write.by in gone:
            excused.add(write.job)
    wanted = "failed" if setting["work_fails"] == "yes" else "done"
    states = [f"{job}: {row.get('state')}" for job, row in rows.items() if job not in excused]
    observed = ", ".join(states) or "every runner was killed"
    return Finding(all(state.endswith(f": {wanted}") for state in states) and bool(rows), observed)


def _killed_is_replaced(log: Log, setting: Setting, readings: Readings) -> Finding:
    if setting["disturbed"] != "killed":
        return Finding(None, "nobody was to be killed at its claim")
    rows = {write.job: write.after for write in writes(log)}
    states = [f"{job}: {row.get('state')}" for job, row in rows.items()]
    return Finding(bool(rows) and all(row.get("state") in FINAL for row in rows.values()), ", ".join(states))


def _jobs_overlap(log: Log, setting: Setting, readings: Readings) -> Finding:
    if setting["jobs"] == 1:
        return Finding(None, "there is one job")
    wanted = min(setting["jobs"], len(WORKERS) * setting["slots"])
    at_work: set[str] = set()
    most = 0
    for mark in log.marks("works", "worked", "gave-up"):
        if mark.fields["name"] == "works":
            at_work.add(mark.actor)
        else:
            at_work.discard(mark.actor)
        most = max(most, len(at_work))
    return Finding(most >= wanted, f"at most {most} attempts worked at once")


def _claimant_fell_silent(log: Log, setting: Setting, readings: Readings) -> Finding:
    silent = [event for event in log.of_kind("actor.paused", "actor.crashed") if event.actor.startswith(WORKERS)]
    return Finding(bool(silent), f"{len(silent)} times")


CLAIMS = (
    Claim("left-to-its-runner", ALWAYS, _left_to_its_runner, lasting=True),
    Claim("started-by-its-claimant", ALWAYS, _started_by_its_claimant, lasting=True),
    Claim("works-as-started", ALWAYS, _works_as_started, lasting=True),
    Claim("work-once", ALWAYS, _work_once, lasting=True),
    Claim("claims-are-numbered", ALWAYS, _claims_are_numbered, lasting=True),
    Claim("young-claims-kept", ALWAYS, _young_claims_kept, lasting=True),
    Claim("no-claim-is-left", ALWAYS, _no_claim_is_left, lasting=True),
    Claim("started-is-worked-on", EVENTUALLY, _started_is_worked_on),
    Claim("jobs-end", EVENTUALLY, _jobs_end),
    Claim("killed-is-replaced", EVENTUALLY, _killed_is_replaced),
    Claim("jobs-overlap", SOMETIMES, _jobs_overlap),
    Claim("claimant-fell-silent", SOMETIMES, _claimant_fell_silent),
)
