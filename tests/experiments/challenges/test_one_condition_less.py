"""Writes on a job's row: the clean-up of an attempt that was replaced, and what each missing condition lets happen."""

import pytest

from ..support import fallen, log_of, run, searched
from ..test_challenges import repair

SLUG = "one-condition-less"
FILE = "jobs.py"


def changed(*changes):
    """The reference repair with each old text replaced."""
    return repair(SLUG, "reference", *changes)


def rows_hit(report, actor):
    """(tick, rows) for every statement of an actor."""
    return [
        (call.applied_us // 1_000_000, call.reply["row_count"])
        for call in log_of(report).calls("database")
        if call.actor == actor
    ]


def test_the_replaced_attempt_may_not_start_and_still_ends_its_successors_job():
    report = run(SLUG, "broken")
    assert report.readings == {
        "state": "failed", "owner": "W3", "epoch": 2, "execution": "job-1/2", "started_by": "W3-2",
        "ended_by": "W2-1", "works": 1,
    }  # fmt: skip
    assert rows_hit(report, "W2-1") == [(4, 1), (12, 0), (12, 1)]
    assert rows_hit(report, "W3-1") == [(4, 0)]
    assert rows_hit(report, "W3-2") == [(10, 1), (11, 1), (14, 0)]
    assert [tick for tick, rows in rows_hit(report, "supervisor") if rows] == [9]
    assert fallen(report) == {"left-to-its-runner", "jobs-end"}


def test_with_its_conditions_the_clean_up_hits_no_row():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"))
    assert report.readings["state"] == "done"
    assert rows_hit(report, "W2-1") == [(4, 1), (12, 0), (12, 0), (12, 0)]  # start, its reading back, clean-up
    assert fallen(report) == set()


def test_a_worker_that_claims_its_own_released_job_again_is_two_attempts():
    """With the owner's name alone, the attempt of epoch 1 starts what epoch 2 has claimed."""
    case = {"slots": 2, "startup_ticks": 3}
    report = run(SLUG, "broken", **case)
    assert rows_hit(report, "W2-1")[:2] == [(4, 1), (12, 1)]
    assert report.readings["execution"] == "job-1/1" and report.readings["epoch"] == 2
    assert "started-by-its-claimant" in fallen(report)
    assert fallen(run(SLUG, "broken", sources=repair(SLUG, "reference"), **case)) == set()


def test_the_release_takes_a_running_job_from_its_worker():
    report = run(SLUG, "broken", disturbed="no", work_ticks=8)
    assert [tick for tick, rows in rows_hit(report, "supervisor") if rows] == [9]
    assert report.readings["owner"] is None and fallen(report) >= {"left-to-its-runner"}


def test_a_start_up_longer_than_the_grace_never_comes_to_its_start():
    report = run(SLUG, "broken", disturbed="no", startup_ticks=6, work_ticks=50, sources=repair(SLUG, "reference"))
    claims = [at for at, epoch in _epochs(report)]
    assert claims[:4] == [4, 10, 16, 22] and report.readings["works"] == 0


def _epochs(report):
    history = [
        (at_us // 1_000_000, row["epoch"]) for _, at_us, row in log_of(report).values_of("database", "jobs/job-1")
    ]
    return [(at, after) for (_, before), (at, after) in zip(history, history[1:], strict=False) if after > before]


def test_the_simplest_way_to_break_it_needs_no_fault():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert found["counterexample"]["violated"] == ["left-to-its-runner"]
    assert found["runs"] <= 100


UNSAFE = {
    "a release that resets the epoch": (
        "claims-are-numbered",
        ("claimed_at = NULL, token = NULL\n", "claimed_at = NULL, token = NULL, epoch = 0\n"),
    ),
    "a release that keeps claimed_at": ("jobs-end", ("owner = NULL, claimed_at = NULL", "owner = NULL")),
    "a release without a grace": (
        "young-claims-kept",
        ("AND claimed_at <= extract(epoch FROM now()) - :grace", "AND owner IS NOT NULL"),
    ),
    "a clean-up that ends what nobody has started": (
        "jobs-end",
        (
            "SET state = 'failed', result = :result\nWHERE id = :id AND state = 'running' AND execution_id = :execution"
            " AND epoch = :epoch AND token = :token",
            "SET state = 'failed', result = :result\nWHERE id = :id AND state = 'queued'",
        ),
    ),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_each_condition_has_a_claim_that_falls_without_it(name):
    claim, *changes = UNSAFE[name]
    found = searched(SLUG, "broken", changed(*changes))
    assert claim in found["counterexample"]["violated"]


def test_a_claim_in_a_serializable_transaction_is_as_good():
    """The loser gets an error in place of 0 rows, and reads it as: not claimed."""
    old = "    answer = await write(database, CLAIM, mine)\n"
    new = (
        '    try:\n        async with database.transaction("serializable") as connection:\n'
        "            answer = await connection.execute(CLAIM, mine)\n"
        "    except Exception:\n        answer = await write(database, MY_CLAIM, mine)\n"
    )
    found = searched(SLUG, "broken", changed((old, new)), runs_max=150)  # its messages have many more orders
    assert found["counterexample"] is None and found["cut"] == 0


def test_a_claim_that_is_not_read_back_is_left_in_its_row():
    found = searched(SLUG, "broken", repair(SLUG, "claim-is-lost"))
    assert found["counterexample"]["violated"] == ["no-claim-is-left"]


def test_who_dies_while_it_gets_ready_holds_no_started_job():
    killed = {"disturbed": "killed"}
    assert fallen(run(SLUG, "broken", sources=repair(SLUG, "reference"), **killed)) == set()
    report = run(SLUG, "broken", sources=repair(SLUG, "started-at-once"), **killed)
    assert (report.readings["state"], report.readings["owner"]) == ("running", "W2")
    assert fallen(report) == {"killed-is-replaced"}


@pytest.mark.parametrize(("slots", "most"), [(1, 2), (2, 3)])
def test_as_many_jobs_are_worked_on_as_there_are_places(slots, most):
    case = {"disturbed": "no", "jobs": 3, "slots": slots}
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"), **case)
    [overlap] = [claim for claim in report.claims if claim.id == "jobs-overlap"]
    assert (overlap.holds, overlap.observed) == (True, f"at most {most} attempts worked at once")


def test_a_start_that_never_arrived_and_is_not_sent_again_leaves_the_claim():
    once = changed(
        (
            "            continue\n",
            '            return await database.execute("SELECT id FROM jobs WHERE id IS NULL", {})\n',
        )
    )
    assert searched(SLUG, "broken", once)["counterexample"]["violated"] == ["no-claim-is-left"]
