"""A follower that sleeps through the news: the documented instants, with and without the look that remembers."""

import pytest

from ..support import fallen, run, searched
from ..test_challenges import examined, repair

SLUG = "missed-wake-up"


@pytest.mark.parametrize("seed", range(12))
def test_the_follower_sleeps_to_the_leases_end_and_the_late_one_asks_again(seed):
    """Published at 4,000 ms; B is told at 6,000 ms, and C makes the second call at 9,000 ms, in whatever order."""
    report = run(SLUG, "broken", seed=seed)
    assert report.readings["told_ms"] == {"A": 4_000, "B": 6_000, "C": 13_000}
    assert report.readings["upstream_calls"] == 2
    assert fallen(report) == {"heard-at-once", "asked-once"}


@pytest.mark.parametrize("seed", range(12))
def test_the_repaired_follower_wakes_at_once_and_there_is_one_call(seed):
    report = run(SLUG, "broken", seed=seed, sources=repair(SLUG, "reference"))
    assert report.readings["told_ms"] == {"A": 4_000, "B": 4_001, "C": 9_000}
    assert report.readings["upstream_calls"] == 1
    assert fallen(report) == set()


def test_a_reply_that_comes_before_the_news_misses_nothing():
    report = run(SLUG, "broken", slow_ms=0)
    assert report.readings["told_ms"]["B"] == 4_000


FAILING = {"failing_calls": 4, "slow_ms": 0, "second_at_ms": 20, "third_at_ms": 1_900}


def test_a_failure_that_nobody_publishes_is_repeated_at_the_leases_end():
    """The upstream fails after 100 ms; those who wait begin again at 3,000 ms, one after the other."""
    report = run(SLUG, "broken", **FAILING)
    assert report.readings["told_ms"] == {"A": 100, "B": 3_100, "C": 6_100}
    assert report.readings["upstream_calls"] == 3


def test_a_failure_that_is_published_wakes_everybody_and_counts_for_a_while():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"), **FAILING)
    assert report.readings["told_ms"] == {"A": 100, "B": 100, "C": 1_900}
    assert report.readings["upstream_calls"] == 1


def test_what_is_missed_is_missed_without_any_fault():
    found = searched(SLUG, "broken")
    assert found["runs"] <= 100
    assert found["counterexample"]["violated"] == ["heard-at-once"]
    assert "x" not in found["counterexample"]["schedule"].split("~")[3]


@pytest.mark.parametrize("name", ["id-after-look", "announce-first"])
def test_what_comes_in_two_calls_is_missed_in_some_order(name):
    assert searched(SLUG, "broken", repair(SLUG, name))["counterexample"]["violated"] == ["heard-at-once"]


def test_a_leader_killed_between_result_and_entry_leaves_everybody_asleep():
    """Result first and entry second, in two calls: right in every order, until the leader dies in between."""
    whole = repair(SLUG, "reference")["flight.py"]
    entry = "redis.call('XADD', KEYS[3], '*', 'token', ARGV[1])\n"
    publish = "await self._publish(keys=keys, args=[token, KEEP_MS, answer])\n"
    halves = whole.replace(entry, "").replace(
        publish, publish + '        await self._redis.xadd(STREAM, {"t": token})\n'
    )
    assert halves.count("xadd") == 1
    assert searched(SLUG, "broken", {"flight.py": halves}, faults_max=0)["counterexample"] is None
    found = searched(SLUG, "broken", {"flight.py": halves})["counterexample"]
    assert found["violated"] == ["heard-at-once"]


BACK = {
    "failing_calls": 1, "upstream_ms": 500, "stall_ms": 4_000, "slow_ms": 0,
    "second_at_ms": 20, "third_at_ms": 4_500, "fourth_at_ms": 8_000,
}  # fmt: skip


@pytest.mark.parametrize(("name", "told_ms", "calls"), [("reference", 8_000, 2), ("unchecked-publish", 8_500, 3)])
def test_a_late_failure_takes_the_answer_away_where_nobody_looks_who_leads(name, told_ms, calls):
    """A's call fails at 100 ms, and A, asleep from 50 to 4,050, reads it then; B has led since 3,000."""
    report = run(SLUG, "broken", sources=repair(SLUG, name), **BACK)
    assert report.readings["told_ms"] == {"A": 4_050, "B": 3_500, "C": 4_500, "D": told_ms}
    assert report.readings["upstream_calls"] == calls
    assert fallen(report) == (set() if calls == 2 else {"asked-once", "heard-at-once"})


def test_a_failure_that_has_a_key_of_its_own_takes_nothing_away():
    """Who looks for the answer first does not mind a failure beside it, whoever wrote that."""
    failed = 'FAILED = "flight:{weather}:failed"\n'
    text = repair(
        SLUG,
        "unchecked-publish",
        ("KEEP_MS = ", failed + "KEEP_MS = "),
        (
            "local left",
            "if status == '' and redis.call('EXISTS', KEYS[4]) == 1 then\n  status = 'FAILED'\nend\nlocal left",
        ),
        ("self._look(keys=[META, RESULT, STREAM])", "self._look(keys=[META, RESULT, STREAM, FAILED])"),
        (
            "if redis.call('EXISTS', KEYS[2]) == 1 then\n  return 0",
            "if redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then\n  return 0",
        ),
        ("self._lead(keys=[META, RESULT]", "self._lead(keys=[META, RESULT, FAILED]"),
        (
            "keys=keys, args=[token, self._settings.failed_ms]",
            "keys=[META, FAILED, STREAM], args=[token, self._settings.failed_ms]",
        ),
    )["flight.py"]
    assert examined(SLUG, {"flight.py": text})["solved"]


def test_whoever_waits_may_look_again_at_each_heartbeat():
    """An entry wakes it all the same; a leader's death is found an interval later at most."""
    block = ("block=max(1, left_ms - spent_ms)", "block=self._settings.heartbeat_ms")
    assert examined(SLUG, repair(SLUG, "reference", block))["solved"]
