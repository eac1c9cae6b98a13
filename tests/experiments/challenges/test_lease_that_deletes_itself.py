"""A lease that is its key's expiry, by its owner's clock: the documented step of 10 s, and its record."""

import pytest

from ..support import fallen, log_of, run, searched
from ..test_challenges import repair

SLUG = "lease-that-deletes-itself"
META = "flight:{weather}:meta"
CLOCK_RIGHT = {"step_ms": 0, "gap_ms": 10}


def replies(report, word):
    """(at_ms, reply) of every script whose text names `word`."""
    calls = [call for call in log_of(report).calls("redis") if word in call.text]
    return [(call.applied_us // 1000, call.reply) for call in calls]


def test_the_renewal_deletes_the_record_and_is_told_that_it_succeeded():
    report = run(SLUG, "broken")
    history = log_of(report).values_of("redis", META)
    assert [(at_us // 1000, value and value["leader"]) for _, at_us, value in history][:5] == [
        (0, "A"), (1_000, "A"), (2_000, "A"), (3_000, None), (3_200, "B"),
    ]  # fmt: skip
    assert replies(report, "renew")[:3] == [(1_000, 1), (2_000, 1), (3_000, 1)]
    assert replies(report, "publish") == [(3_900, 0), (7_100, 1)]
    assert report.readings == {
        "upstream_calls": 2,
        "tokens_issued": 2,
        "publishes": [[2, 7_100]],
        "refused_writes": 1,
        "result_token_seen_by": {"A": 2, "B": 2},
    }
    assert fallen(report) == {"leader-works-alone", "record-names-the-leader", "one-call-when-undisturbed"}


def test_the_repaired_lease_runs_until_six_seconds_and_the_second_caller_waits():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"))
    leases = [value["lease_until"] for _, _, value in log_of(report).values_of("redis", META)]
    assert leases == ["3000", "4000", "5000", "6000"]
    assert report.readings["upstream_calls"] == 1
    assert report.readings["publishes"] == [[1, 3_900]]


@pytest.mark.parametrize("name", ["broken", "relative-but-compared"])
def test_what_is_gone_is_never_equal_to_what_was_seen(name):
    """The last row of the documented table, but for its tokens, which were drawn before each attempt."""
    sources = {} if name == "broken" else repair(SLUG, name)
    report = run(SLUG, "broken", sources=sources, fault="pause", callers=3, **CLOCK_RIGHT)
    assert report.readings["upstream_calls"] == 1
    assert report.readings["publishes"] == []
    assert set(report.readings["result_token_seen_by"].values()) == {None}


def test_a_late_leader_without_a_rival_throws_its_work_away_unless_its_record_outlives_its_lease():
    case = {"fault": "pause", "callers": 1, **CLOCK_RIGHT}
    assert run(SLUG, "broken", sources=repair(SLUG, "key-is-the-lease"), **case).readings["upstream_calls"] == 2
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"), **case)
    assert (report.readings["upstream_calls"], report.readings["publishes"]) == (1, [[1, 7_500]])


def test_milliseconds_given_to_expireat_are_taken_for_seconds():
    case = {"fault": "crash", "fault_at_ms": 3_500, "callers": 3, **CLOCK_RIGHT}
    report = run(SLUG, "broken", sources=repair(SLUG, "expireat-in-milliseconds"), **case)
    ends = [change["expires_at_ms"] for _, change in log_of(report).changes("redis") if change["key"] == META]
    assert ends == [3_000_000, 4_000_000, 5_000_000, 6_000_000]
    assert report.readings["result_token_seen_by"] == {"A": None, "B": None, "C": None}


def test_the_simplest_way_to_break_it_is_one_step_of_a_clock():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert found["runs"] < 100
    assert found["counterexample"]["schedule"].split("~")[3] == "0_x0.1"


def test_a_follower_that_waits_by_its_own_clock_waits_as_long_as_it_is_wrong():
    case = {"fault": "crash", "fault_at_ms": 500, "upstream_ms": 600}
    found = searched(SLUG, "broken", repair(SLUG, "waits-by-its-own-clock"), case)["counterexample"]
    assert found["violated"] == ["everybody-answered"]
    assert searched(SLUG, "broken", repair(SLUG, "reference"), case)["counterexample"] is None


def test_a_takeover_that_does_not_look_for_a_result_asks_again_for_what_is_there():
    [(file, text)] = repair(SLUG, "reference").items()
    blind = text.replace("redis.call('EXISTS', KEYS[2]) == 1 or ", "")
    assert blind != text
    assert searched(SLUG, "broken", {file: blind})["counterexample"] is not None


@pytest.mark.parametrize(("name", "calls"), [("reference", 1), ("gives-up-late", 2)])
def test_a_leader_that_wakes_at_work_goes_on_with_it(name, calls):
    """A stands still from 2,500 to 7,500 ms; the upstream answers at 9,000, and nobody else has come."""
    alone = {"step_ms": 0, "fault": "pause", "callers": 1, "upstream_ms": 9_000}
    report = run(SLUG, "broken", sources=repair(SLUG, name), **alone)
    assert report.readings["upstream_calls"] == calls
