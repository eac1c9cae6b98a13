"""Leases judged by the caller's clock, lease length and limit, and the lost beats they outlive: documented numbers."""

import pytest

from ..support import answers, fallen, log_of, run, searched
from ..test_challenges import examined, repair

SLUG = "whose-clock-whose-timeout"
REFERENCE = repair(SLUG, "reference")
ALONE = {"limit": 1, "tasks": 1, "skew_ms": 0}  # one task and the other worker, for one slot
AHEAD = {"limit": 1, "tasks": 0, "skew_ms": 60_000, "other_at_ms": 100_000, "crash_at_ms": 100_001}


def members(report):
    """at_ms → the set's members, at each change."""
    values = log_of(report).values_of("redis", "{llm}:leases")
    return {at_us // 1000: [member for member, _ in value or ()] for _, at_us, value in values}


def test_a_clock_ten_seconds_ahead_sweeps_three_who_are_one_second_old():
    report = run(SLUG, "broken")
    history = members(report)
    assert (history[1_000], history[2_000]) == (["task-1", "task-2", "task-3"], ["other"])
    assert report.readings == {"running_max": 4, "counted_max": 3, "finished": 1, "stopped": 3, "refused": 0}
    stopped = [(event.actor, event.at_us) for event in log_of(report).marks("stopped")]
    assert stopped == [(f"task-{number}", 5_500_000) for number in (1, 2, 3)]
    assert fallen(report) == {"limit-kept", "healthy-keeps-slot"}
    assert fallen(run(SLUG, "broken", skew_ms=7_999)) == set()  # 1 ms less than a lease between the two


def test_by_redis_s_clock_the_fourth_is_refused():
    report = run(SLUG, "broken", sources=REFERENCE)
    assert report.readings == {"running_max": 3, "counted_max": 3, "finished": 3, "stopped": 0, "refused": 1}
    assert fallen(report) == set()


@pytest.mark.parametrize(
    ("sources", "until_ms"), [({}, 169_000), (REFERENCE, 109_000)], ids=["by its own clock", "by Redis's"]
)
def test_who_dies_with_a_clock_a_minute_ahead_is_counted_a_minute_longer(sources, until_ms):
    for later_at_ms, word in ((until_ms - 1, "refused"), (until_ms, "admitted")):
        report = run(SLUG, "broken", sources=sources, **AHEAD, later_at_ms=later_at_ms)
        assert answers(report)["later"] == (word, later_at_ms)


def test_a_caller_with_a_lease_of_two_seconds_drops_one_of_thirty_after_three():
    leases = {**ALONE, "lease_ms": 30_000, "other_lease_ms": 2_000, "other_at_ms": 4_000}
    assert members(run(SLUG, "broken", **leases))[4_000] == ["other"]
    assert answers(run(SLUG, "broken", sources=REFERENCE, **leases))["other"] == ("refused", 4_000)


def test_a_deadline_is_the_owner_s_whoever_asks():
    """The other worker dies with a lease of 30 s; those who ask have one of 9 s."""
    dead = {**ALONE, "tasks": 0, "other_at_ms": 1_000, "other_lease_ms": 30_000, "crash_at_ms": 1_001}
    for later_at_ms, word in ((30_999, "refused"), (31_000, "admitted")):
        report = run(SLUG, "broken", sources=REFERENCE, **dead, later_at_ms=later_at_ms)
        assert answers(report)["later"] == (word, later_at_ms)


def test_two_limits_admit_by_the_larger():
    assert run(SLUG, "broken", **ALONE, other_limit=2).readings["running_max"] == 2
    assert run(SLUG, "broken", sources=REFERENCE, **ALONE, other_limit=2).readings["running_max"] == 1


@pytest.mark.parametrize(
    ("beats", "lost", "survives"),
    [("2", 1, False), ("2.5", 1, True), ("3", 2, False), ("3.5", 2, True), ("4", 2, True)],
)
def test_how_many_lost_beats_a_lease_outlives(beats, lost, survives):
    [(file, text)] = REFERENCE.items()
    other = text.replace("BEATS_PER_LEASE = 4", f"BEATS_PER_LEASE = {beats}")
    assert beats == "4" or other != text
    report = run(SLUG, "broken", sources={file: other}, tasks=1, skew_ms=0, lost_beats=lost)
    assert ("healthy-keeps-slot" in fallen(report)) is not survives


def test_one_wrong_clock_or_one_wrong_configuration_breaks_it():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert found["runs"] <= 100
    assert len(found["counterexample"]["schedule"].split("~")[3].split("-")) == 1
    assert searched(SLUG, "broken", repair(SLUG, "server-time-only"))["outcome"] == "holds within bounds"


@pytest.mark.parametrize(("sources", "until_ms"), [(REFERENCE, 12_450), (repair(SLUG, "never-stops"), 21_000)])
def test_who_has_lost_its_lease_stops_with_the_next_beat_that_gets_through(sources, until_ms):
    """Four beats are lost, which takes 4 × (2,250 + 50) ms; the fifth comes 2,250 ms later."""
    report = run(SLUG, "broken", sources=sources, **ALONE, other_limit=1, other_at_ms=10_500, lost_beats=4)
    assert answers(report)["other"] == ("admitted", 10_500)
    [end] = [each for each in log_of(report).marks("stopped", "finished") if each.actor == "task-1"]
    assert end.at_us // 1000 == until_ms
    assert ("excess-ends" in fallen(report)) is (until_ms == 21_000)


def test_a_clock_that_is_set_during_the_work_outdates_its_correction():
    case = {"task_ms": 2_600, "other_at_ms": 3_400, "later_at_ms": 0}
    found = searched(SLUG, "broken", repair(SLUG, "corrected-clock"), case)["counterexample"]
    assert "healthy-keeps-slot" in found["violated"]
    assert searched(SLUG, "broken", repair(SLUG, "corrected-clock"), {})["counterexample"] is None


def test_whoever_waits_for_a_slot_is_not_told_that_there_is_none():
    report = run(SLUG, "broken", sources=repair(SLUG, "waits-for-a-slot"), skew_ms=0)
    assert answers(report)["other"] == ("admitted", 22_250)
    assert "answered-at-once" in fallen(report)


def test_a_watch_over_ones_own_lease_is_right_by_the_loops_time():
    """By the host's clock it stops a healthy task; the loop's time cannot be set."""
    text = repair(SLUG, "stops-by-its-clock")["lease.py"]
    assert (text.count("mine.now_ms()"), text.count("> mine.lease_ms")) == (3, 1)
    text = text.replace("mine.now_ms()", "asyncio.get_running_loop().time()").replace(
        "mine.lease_ms:", "mine.lease_ms / 1000:"
    )
    assert examined(SLUG, {"lease.py": text})["solved"]
