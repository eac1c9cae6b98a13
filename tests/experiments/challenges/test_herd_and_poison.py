"""A request that kills whoever makes it, a thousand that reach for one place, and a call that never ends."""

import pytest

from ..support import fallen, log_of, run, searched
from ..test_challenges import repair

SLUG = "herd-and-poison"
REFERENCE = repair(SLUG, "reference")


def asked_ms(report):
    """When the upstream was asked."""
    return [call.started_us // 1000 for call in log_of(report).calls("upstream")]


@pytest.mark.parametrize("seed", range(4))
def test_a_request_that_kills_takes_five_followers_with_its_leader(seed):
    report = run(SLUG, "broken", seed=seed)
    assert (report.readings["killed"], report.readings["upstream_calls"]) == (6, 6)
    assert "deaths-bounded" in fallen(report)


@pytest.mark.parametrize("seed", range(4))
def test_two_attempts_cost_two_processes_and_the_others_are_told(seed):
    report = run(SLUG, "broken", seed=seed, sources=REFERENCE)
    assert (report.readings["killed"], report.readings["failed"], report.readings["waiting"]) == (2, 4, 0)
    assert fallen(report) == {"everyone-answered"}, "nobody can be"


def test_every_takeover_burns_numbers_and_ends_in_a_death():
    """Five, four, three, two and one reach for the place of the one before: 1 + 5 + 4 + 3 + 2 + 1 numbers."""
    assert run(SLUG, "broken").readings["tokens"] == 16


def test_a_thousand_followers_draw_a_thousand_numbers_without_a_second_look_and_a_few_with_it():
    herd = {"followers": 1_000, "troubled": 1}
    broken = run(SLUG, "broken", **herd)
    assert (broken.readings["tokens"], broken.readings["answered"]) == (1 + 1_000, 1_000)
    repaired = run(SLUG, "broken", sources=REFERENCE, **herd)
    assert repaired.readings["answered"] == 1_000
    assert 1 + 1 < repaired.readings["tokens"] <= 1 + 15


def test_a_call_that_hangs_is_replaced_within_limit_lease_and_delay_or_never():
    hang = {"trouble": "hang", "troubled": 1}
    assert len(asked_ms(run(SLUG, "broken", **hang))) == 1
    report = run(SLUG, "broken", sources=REFERENCE, **hang)
    first, second = asked_ms(report)
    assert 6_000 < second - first <= 6_000 + 3_000 + 500
    assert (report.readings["answered"], fallen(report)) == (6, set())


def test_a_call_that_is_slow_is_not_given_up_one_millisecond_early():
    slow = {"trouble": "none", "upstream_ms": 5_999}
    assert run(SLUG, "broken", sources=REFERENCE, **slow).readings["upstream_calls"] == 1
    assert run(SLUG, "broken", sources=REFERENCE, **slow | {"upstream_ms": 6_001}).readings["failed"] == 6


def test_an_accident_is_not_a_failure():
    accident = {"troubled": 1}
    readings = run(SLUG, "broken", sources=REFERENCE, **accident).readings
    assert (readings["killed"], readings["answered"]) == (1, 5)
    readings = run(SLUG, "broken", sources=repair(SLUG, "one-attempt"), **accident).readings
    assert (readings["killed"], readings["failed"]) == (1, 5)


def test_a_leader_may_also_be_killed_by_something_else_in_any_order():
    found = searched(SLUG, "broken", REFERENCE)
    assert found["outcome"] == "holds within bounds"


def test_the_published_program_is_broken_by_its_plain_run():
    found = searched(SLUG, "broken")
    assert (found["runs"], found["minimal"]) == (1, True)
    assert found["counterexample"]["violated"] == ["deaths-bounded"]


@pytest.mark.parametrize(("name", "failed", "calls"), [("reference", 0, 3), ("count-is-kept", 1, 2)])
def test_a_count_that_outlives_its_flight_is_held_against_the_next(name, failed, calls):
    """One call kills, the second is answered; an hour later that answer is gone, and caller-7 asks."""
    report = run(SLUG, "broken", sources=repair(SLUG, name), troubled=1, later_at_ms=3_600_000)
    assert (report.readings["failed"], report.readings["upstream_calls"]) == (failed, calls)
    assert ("everyone-answered" in fallen(report)) is (failed > 0)
