"""A counter with one expiry: each of its deaths with the documented numbers, and what the search finds by itself."""

import pytest

from experiments import EXPERIMENTS
from experiments.challenges.counter_autopsy.readings import count_history
from py_runtime.lab import replay

from ..support import fallen, log_of, run, searched
from ..test_challenges import examined, passed, repair

SLUG = "counter-autopsy"
REFERENCE = repair(SLUG, "reference")


def counter(report):
    """(at_ms, count) at each change of the counter, an expiry included."""
    return [(at_us // 1000, count) for _, at_us, count in count_history(log_of(report))]


def admitted(report):
    """Request → when it was admitted, in ms."""
    return {event.actor: event.at_us // 1000 for event in log_of(report).marks("admitted")}


def refused(report):
    return [event.actor for event in log_of(report).marks("refused")]


def test_a_request_that_outlives_the_key_is_forgotten_and_takes_somebody_else_s_unit():
    report = run(SLUG, "broken")
    found = dict(counter(report))  # the last word of each instant
    assert [(at_ms, found[at_ms]) for at_ms in found if at_ms <= 41_000] == [
        (0, 1), (30_001, 0), (35_000, 1), (40_000, 0), (41_000, 1),
    ]  # fmt: skip
    assert admitted(report) == {"request-1": 0, "request-2": 35_000, "request-3": 41_000}
    assert report.readings["running_max"] == 2
    assert fallen(report) == {"limit-kept"}


@pytest.mark.parametrize(("at_ms", "was_refused"), [(30_000, True), (30_001, False)])
def test_the_key_is_still_there_at_its_exact_instant(at_ms, was_refused):
    report = run(SLUG, "broken", arrivals_ms=[0, at_ms])
    assert (refused(report) == ["request-2"]) is was_refused


def test_if_nobody_came_the_decrement_makes_a_minus_one_that_never_expires():
    report = run(SLUG, "broken", arrivals_ms=[0, 41_000, 42_000])
    assert (40_000, -1) in counter(report)
    made = next(c for _, c in log_of(report).changes("redis") if c["value"] == "-1")
    assert "expires_at_ms" not in made
    assert admitted(report) == {"request-1": 0, "request-2": 41_000, "request-3": 42_000}
    assert report.readings["running_max"] == 2


def test_a_second_release_makes_room_for_two():
    report = run(SLUG, "broken", fails=1, arrivals_ms=[0, 2_000, 3_000, 4_000])
    values = [value for at_ms, value in counter(report) if at_ms <= 4_000]
    assert [v for v, before in zip(values, [None, *values], strict=False) if v != before] == [1, 0, -1, 0, 1, 2, 1]
    assert (list(admitted(report)), refused(report)) == (["request-1", "request-2", "request-3"], ["request-4"])
    assert report.readings["running_max"] == 2
    repaired = run(SLUG, "broken", sources=REFERENCE, fails=1, arrivals_ms=[0, 2_000, 3_000, 4_000])
    assert (refused(repaired), repaired.readings["running_max"]) == (["request-3", "request-4"], 1)


def test_a_short_expiry_lets_seven_work():
    report = run(SLUG, "broken", ttl_ms=5_000, arrivals_ms=list(range(0, 36_001, 6_000)))
    assert [value for at_ms, value in counter(report) if at_ms <= 36_000][-1] == 1
    assert report.readings["running_max"] == 7


def test_an_expiry_set_anew_by_each_question_never_comes_in_traffic():
    traffic = {"crashes": 1, "arrivals_ms": [0, *range(10_000, 600_001, 10_000)]}
    text = repair(SLUG, "refreshed-ttl")["counter.py"]
    first = "if count >= tonumber(ARGV[1]) then\n"
    asked = text.replace(first, f"redis.call('PEXPIRE', KEYS[1], ARGV[2])\n{first}")
    assert asked != text
    report = run(SLUG, "broken", sources={"counter.py": asked}, **traffic)
    assert len(refused(report)) == 60
    assert len(refused(run(SLUG, "broken", sources=REFERENCE, work_ms=5_000, **traffic))) == 5


def test_both_are_refused_though_the_slot_is_free():
    """The one that is refused still counts when the owner has left, and so the other is refused, too."""
    [found] = [check for check in examined(SLUG, {})["checks"] if check["id"] == "three-at-once"]
    report = replay(EXPERIMENTS, found["schedule"])
    assert list(admitted(report)) == ["request-1"]
    assert sorted(refused(report)) == ["request-2", "request-3"]
    [left] = log_of(report).marks("left")
    asked = {event.actor: event.sequence for event in log_of(report).marks("asked")}
    assert max(asked["request-2"], asked["request-3"]) > left.sequence
    assert fallen(report) == {"refused-for-a-reason"}


def test_the_simplest_way_to_break_it_is_a_kill_before_the_expiry_is_set():
    found = searched(SLUG, "broken")
    assert found["runs"] <= 100
    assert found["counterexample"]["violated"] == ["refused-for-a-reason"]
    assert found["counterexample"]["schedule"].split("~")[3] == "0_x1.1"


def test_every_death_has_a_check_that_the_published_program_fails():
    assert [name for name, good in passed(examined(SLUG, {})).items() if not good] == [
        "three-at-once", "failing", "killed", "outlives-the-key", "nobody-came", "in-turn",
    ]  # fmt: skip
