"""A takeover that compares nothing, and three that compare the wrong thing: the rows of the documented table."""

import pytest

from ..support import edit, fallen, log_of, run, searched
from ..test_challenges import repair

SLUG = "takeover-compare-with-what"
CHECKED_PUBLISH = (
    "Returns 1 = published, 0 = refused.\n",
    "Returns 1 = published, 0 = refused.\nif redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then\n  return 0\nend\n",
)


def stations(report):
    """(at_ms, token, leader) whenever the flight got another leader."""
    found = []
    for event in report.trace:
        for change in event.fields.get("changes", ()):
            value = change["value"]
            if change["key"].endswith(":meta") and (not found or found[-1][1:] != (value["token"], value["leader"])):
                found.append((event.at_us // 1000, value["token"], value["leader"]))
    return found


def test_the_second_follower_replaces_the_first_and_the_sleeper_publishes():
    report = run(SLUG, "broken")
    assert report.readings == {
        "upstream_calls": 3,
        "tokens_issued": 3,
        "publishes": [[1, 7_500], [3, 9_210]],
        "refused_writes": 2,
        "result_token_seen_by": {"A": 1, "B": 1, "C": 3},
    }
    assert stations(report) == [(0, "1", "A"), (5_120, "2", "B"), (5_310, "3", "C")]
    assert fallen(report) == {"one-result-for-all", "live-lease-kept", "leader-works-alone", "leader-publishes"}


def test_a_checked_publish_alone_leaves_three_calls_for_one_result():
    report = run(SLUG, "broken", sources=edit(SLUG, "flight.py", CHECKED_PUBLISH))
    assert report.readings["upstream_calls"] == report.readings["tokens_issued"] == 3
    assert report.readings["publishes"] == [[3, 9_210]]
    refused = [event for event in report.trace if event.fields.get("reply") == 0 and event.kind == "call.completed"]
    assert ("B", 6_120_000) in [(event.actor, event.at_us) for event in refused]


@pytest.mark.parametrize("name", ["newer-token", "expected-token-only"])
def test_what_a_wrong_comparison_makes_of_the_same_pause(name):
    report = run(SLUG, "broken", sources=repair(SLUG, name))
    calls = {"newer-token": 3, "expected-token-only": 2}[name]
    assert (report.readings["upstream_calls"], report.readings["tokens_issued"]) == (calls, 3)


def test_an_unchecked_publish_gives_the_third_caller_the_first_ones_result():
    report = run(SLUG, "broken", sources=repair(SLUG, "unchecked-publish"))
    assert report.readings["publishes"] == [[1, 7_500], [2, 9_020]]
    assert report.readings["result_token_seen_by"]["C"] == 1


def test_the_repair_makes_two_calls_and_one_result():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"))
    assert report.readings == {
        "upstream_calls": 2,
        "tokens_issued": 2,
        "publishes": [[2, 9_020]],
        "refused_writes": 2,
        "result_token_seen_by": {"A": 2, "B": 2, "C": 2},
    }
    assert stations(report) == [(0, "1", "A"), (5_120, "2", "B")]


def test_a_clock_that_is_ahead_evicts_a_leader_with_three_seconds_to_go():
    case = {"fault": "none", "clock_ms": 10_000, "callers": 2, "gap_ms": 1_890}
    report = run(SLUG, "broken", sources=repair(SLUG, "expected-token-only"), **case)
    assert stations(report)[:2] == [(0, "1", "A"), (2_010, "2", "B")]
    [claim] = [claim for claim in report.claims if claim.id == "live-lease-kept"]
    assert claim.observed == "token 2 at 2010 ms, the lease of token 1 ran until 5000 ms"
    assert stations(run(SLUG, "broken", sources=repair(SLUG, "reference"), **case)) == [(0, "1", "A")]


def test_the_simplest_way_to_break_it_is_one_standstill():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert found["runs"] < 100
    assert found["counterexample"]["schedule"].split("~")[3] == "0_x0.1"


def test_one_renewal_is_not_a_heartbeat():
    [(file, text)] = repair(SLUG, "reference").items()
    once = text.replace(
        "        while True:\n            await asyncio.sleep(self._settings.heartbeat",
        "        if True:\n            await asyncio.sleep(self._settings.heartbeat",
    )
    once = once.replace(
        "                return\n\n    async def _run",
        "                return\n        await asyncio.Event().wait()\n\n    async def _run",
    )
    assert once.count("if True") == once.count("Event()") == 1
    assert "one-call-when-undisturbed" not in fallen(run(SLUG, "broken", sources={file: once}, fault="none"))
    assert "one-call-when-undisturbed" in fallen(
        run(SLUG, "broken", sources={file: once}, fault="none", upstream_ms=7_900)
    )


BACK = {"fault_at_ms": 500, "pause_ms": 4_000, "crash_b_at_ms": 3_600, "upstream_ms": 20_000}


@pytest.mark.parametrize(("name", "answered_ms"), [("reference", 26_430), ("unchecked-renewal", 42_810)])
def test_a_renewal_that_looks_at_no_token_keeps_a_dead_leader_alive(name, answered_ms):
    """B's lease ends at 6,120 ms. A, awake since 4,500, prolongs it until its own call ends."""
    report = run(SLUG, "broken", sources=repair(SLUG, name), **BACK)
    assert max(mark.at_us for mark in log_of(report).marks("answered")) // 1000 == answered_ms
    assert ("everybody-answered" in fallen(report)) is (name != "reference")
