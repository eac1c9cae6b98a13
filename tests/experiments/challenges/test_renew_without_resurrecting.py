"""A blocked task's heartbeat: with the numbers of the stall that is documented, and the shortest schedules."""

import pytest

from ..support import fallen, log_of, run, searched
from ..test_challenges import repair

SLUG = "renew-without-resurrecting"


def members(report):
    """at_ms → the set's members, at each change."""
    values = log_of(report).values_of("redis", "llm:leases")
    return {at_us // 1000: [member for member, _ in value or ()] for _, at_us, value in values}


def test_the_late_heartbeat_brings_the_swept_member_back():
    report = run(SLUG, "broken")
    assert report.readings == {"counted_max": 2, "running_max": 2, "finished": 2, "stopped": 0, "refused": 0}
    history = members(report)
    assert (history[15_000], history[16_500]) == (["task-2"], ["task-2", "task-1"])
    assert fallen(report) == {"counted-within-limit"}


def test_one_millisecond_earlier_the_second_task_is_refused():
    report = run(SLUG, "broken", arrival_every_ms=14_999)
    assert report.readings["refused"] == 1
    assert fallen(report) == set()


def test_the_repaired_task_learns_at_its_next_heartbeat_that_its_lease_is_lost():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"))
    assert report.readings == {"counted_max": 1, "running_max": 2, "finished": 1, "stopped": 1, "refused": 0}
    [stopped] = [event for event in report.trace if event.fields.get("name") == "stopped"]
    assert (stopped.actor, stopped.at_us) == ("task-1", 16_500_000)


def test_the_simplest_way_to_break_it_is_one_stall():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert found["counterexample"]["schedule"].split("~")[3].startswith("0_x")


def test_a_renewal_that_nobody_waits_for_stops_nobody():
    whole = repair(SLUG, "reference")["lease.py"]
    half = whole.replace("[working, heartbeat], return_when", "[working], return_when")
    assert half != whole
    assert searched(SLUG, "broken", {"lease.py": half})["counterexample"]["violated"] == ["works-only-while-counted"]


def test_a_beat_on_its_way_when_the_work_ends_leaves_a_ghost():
    report = run(SLUG, "broken", stall_ms=0, tasks=1, task_ms=6_020, late_ms=50)
    assert members(report) == {0: ["task-1"], 3_000: ["task-1"], 6_020: [], 6_050: ["task-1"]}
    assert fallen(report) == {"no-ghost", "task-stood-still"}


@pytest.mark.parametrize(("sources", "word"), [("reference", "admitted"), ("left-to-the-lease", "refused")])
def test_a_slot_is_free_as_soon_as_its_task_is_over(sources, word):
    report = run(SLUG, "broken", sources=repair(SLUG, sources), stall_ms=0, task_ms=14_900)
    assert [event.fields["name"] for event in report.trace if event.kind == "mark" and event.actor == "task-2"][
        0
    ] == word
    assert ("slot-comes-back" in fallen(report)) is (word == "refused")


def test_tasks_share_nothing_in_python():
    """Each is a process: a variable of the program's module is its own."""
    text = repair(SLUG, "reference")["lease.py"]
    counted = text.replace("class LeaseLost", "BEGUN = []\n\n\nclass LeaseLost").replace(
        "    if not await quota.acquire(task_id)",
        "    BEGUN.append(task_id)\n    print(BEGUN)\n    if not await quota.acquire(task_id)",
    )
    assert run(SLUG, "broken", sources={"lease.py": counted}).output == ["['task-1']", "['task-2']"]
