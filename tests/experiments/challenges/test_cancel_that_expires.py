"""A cancel at 4,000 ms and heartbeats every 3,000 ms: stopped at 4,000, at 6,000, or never."""

import pytest

from ..support import edit, fallen, run, searched
from ..test_challenges import repair

SLUG = "cancel-that-expires"


@pytest.mark.parametrize("seed", range(6))
def test_a_lost_message_and_a_flag_that_is_gone_stop_nobody(seed):
    """The flag goes at 5,500 ms; the look at 6,000 ms finds nothing, and the work goes on to its end."""
    report = run(SLUG, "broken", seed=seed)
    assert report.readings == {"stopped_ms": None, "worked_ms": 20_000, "finished": 2, "calls_max": 8, "left": 0}
    assert fallen(report) == {"stops-in-time"}


@pytest.mark.parametrize("seed", range(6))
def test_the_flag_is_found_at_the_next_heartbeat(seed):
    report = run(SLUG, "broken", seed=seed, sources=repair(SLUG, "reference"))
    assert (report.readings["stopped_ms"], report.readings["finished"]) == (6_000, 1)
    assert fallen(report) == set()


@pytest.mark.parametrize("sources", [{}, repair(SLUG, "reference")])
def test_a_message_that_arrives_stops_at_once(sources):
    assert run(SLUG, "broken", sources=sources, deaf_ms=0).readings["stopped_ms"] == 4_000


@pytest.mark.parametrize(("flag_ms", "stopped_ms"), [(1_999, None), (2_001, 6_000)])
def test_what_counts_is_the_time_to_the_next_look(flag_ms, stopped_ms):
    sources = edit(SLUG, "cancel.py", ("FLAG_MS = 1_500", f"FLAG_MS = {flag_ms}"))
    assert run(SLUG, "broken", sources=sources).readings["stopped_ms"] == stopped_ms


def test_a_flag_for_lease_and_interval_outlives_a_worker_that_is_blocked():
    """Blocked from 3,500 to 10,500 ms: a flag for 6,000 ms is gone by then, one for 12,000 ms is not."""
    short = run(SLUG, "broken", sources=repair(SLUG, "two-intervals"), stall_ms=7_000)
    assert (short.readings["stopped_ms"], fallen(short)) == (None, {"stops-in-time"})
    assert run(SLUG, "broken", sources=repair(SLUG, "reference"), stall_ms=7_000).readings["stopped_ms"] == 10_500


def test_a_flag_that_is_named_for_the_task_stops_its_next_execution_before_it_begins():
    report = run(SLUG, "broken", sources=repair(SLUG, "longer-flag"), again_ms=7_000)
    assert fallen(report) == {"others-finish"}
    assert [event.actor for event in report.trace if event.fields.get("name") == "began"] == ["first", "other"]


def test_without_a_look_at_the_start_a_queued_execution_works_to_its_first_heartbeat():
    queued = {"cancel_ms": 1_000, "start_ms": 2_000}
    assert run(SLUG, "broken", sources=repair(SLUG, "no-look-first"), **queued).readings["worked_ms"] == 3_000
    assert run(SLUG, "broken", sources=repair(SLUG, "reference"), **queued).readings["worked_ms"] == 0


def test_the_order_of_flag_and_message_matters_only_where_the_caller_is_killed_in_between():
    sources = repair(SLUG, "publish-first")
    assert searched(SLUG, "broken", sources, faults_max=0)["counterexample"] is None
    found = searched(SLUG, "broken", sources)["counterexample"]
    assert found["violated"] == ["stops-in-time"]
    assert found["schedule"].split("~")[3].startswith("0_x1")  # the first fault that is offered: a crash of `web`


def test_the_published_program_is_broken_soon():
    found = searched(SLUG, "broken")
    assert found["runs"] <= 100 and found["counterexample"]["violated"] == ["stops-in-time"]
