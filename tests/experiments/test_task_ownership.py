"""task-ownership agrees with the rules over its ticks.

Left out: a release and a late start on one tick, where their order decides.
"""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from py_runtime.lab import InputError

from .golden import OWNERSHIP
from .models import ownership
from .support import fallen, holds, run

ticks = st.integers(0, 40)
many = settings(max_examples=40, derandomize=True, deadline=None, database=None)


@many
@given(long_ends=st.integers(1, 40), short_enters=ticks)
def test_the_local_queue_equals_the_model(long_ends, short_enters):
    report = run(OWNERSHIP, "local-queue", long_ends_tick=long_ends, short_enters_tick=short_enters)
    assert report.readings == ownership.local_queue(long_ends, short_enters)
    # Another worker could start it at the third tick after its arrival: nothing is lost where W1 is free by then.
    worse = short_enters + 3 < long_ends
    assert report.outcome == ("counterexample found" if worse else "holds within bounds")


@many
@given(long_ends=st.integers(1, 40), short_enters=ticks)
def test_the_global_claim_equals_the_model(long_ends, short_enters):
    report = run(OWNERSHIP, "global-claim", long_ends_tick=long_ends, short_enters_tick=short_enters)
    assert report.readings == ownership.global_claim()


@many
@given(short_enters=ticks, release=st.integers(1, 20), late=st.integers(1, 20))
def test_preemption_equals_the_model(short_enters, release, late):
    expected = ownership.preemption(short_enters, short_enters + 2 + release, short_enters + 2 + late)
    assume(expected is not None)
    report = run(OWNERSHIP, "preemption", short_enters_tick=short_enters, release_tick=short_enters + 2 + release,
                 late_started_tick=short_enters + 2 + late)  # fmt: skip
    assert report.readings == expected
    assert fallen(report) == set()


def test_a_claimant_that_was_only_slow_starts_and_the_release_hits_nothing():
    report = run(OWNERSHIP, "preemption", release_tick=12, late_started_tick=9)
    assert report.readings["late_started_rows"] == 1
    [released] = [event for event in report.trace if event.fields.get("name") == "released"]
    assert released.fields["rows"] == 0
    assert holds(report)["stale-start-refused"] is None


def test_a_late_start_on_the_very_tick_of_the_second_claim_is_refused():
    report = run(OWNERSHIP, "preemption", release_tick=9, late_started_tick=10)
    assert (report.readings["late_started_rows"], report.readings["owner"], report.readings["epoch"]) == (0, "W3", 2)


@pytest.mark.parametrize("name", ["release_tick", "late_started_tick"])
def test_release_and_late_start_before_the_first_claim_are_refused_with_the_reason(name):
    with pytest.raises(InputError, match=f"{name} must come after the first claim.* at tick 4; got 4"):
        run(OWNERSHIP, "preemption", **{name: 4})
    assert run(OWNERSHIP, "global-claim", **{name: 4}).readings["wait_ticks"] == 3


@pytest.mark.parametrize("seed", range(1, 12))
def test_whoever_wins_the_claim_exactly_one_does(seed):
    report = run(OWNERSHIP, "global-claim", seed=seed)
    assert sorted(report.readings["claim_rows"].values()) == [0, 1]
    assert report.readings["claim_rows"][report.readings["owner"]] == 1
    again = run(OWNERSHIP, "preemption", seed=seed)
    assert (again.readings["epoch"], again.readings["late_started_rows"]) == (2, 0)
    assert fallen(report) == fallen(again) == set()


def test_some_seed_lets_the_other_worker_win():
    owners = {run(OWNERSHIP, "global-claim", seed=seed).readings["owner"] for seed in range(12)}
    assert owners == {"W2", "W3"}
