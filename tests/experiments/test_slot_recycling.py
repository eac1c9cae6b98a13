"""slot-recycling agrees with an independent simulation over its parameters, also where leases are too short.

Left out: parameters at which the order of simultaneous events decides (the model is run in both orders).
"""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .golden import SLOTS
from .models.quota import quota
from .support import fallen, holds, run

DEFAULT = {
    "limit": 10, "duration_ms": 30_000, "arrival_first_ms": 7, "arrival_every_ms": 370, "task_ms": 2_450,
    "crash_every": 3, "crash_after_ms": 1_250, "heartbeat_ms": 1_000, "lease_ms": 3_000,
}  # fmt: skip

parameters = st.fixed_dictionaries(
    {
        "limit": st.integers(1, 12),
        "duration_ms": st.integers(1, 20_000),
        "arrival_first_ms": st.integers(0, 3_000),
        "arrival_every_ms": st.integers(120, 1_500),
        "task_ms": st.integers(1, 9_000),
        "crash_every": st.integers(0, 6),
        "crash_after_ms": st.integers(0, 6_000),
        "heartbeat_ms": st.integers(200, 5_000),
        "lease_ms": st.integers(100, 6_000),
    }
)


@pytest.mark.parametrize("variant", ["counter", "lease", "lease-repaired"])
@settings(max_examples=30, derandomize=True, deadline=None, database=None)
@given(values=parameters)
def test_readings_equal_the_model(variant, values):
    expected = quota(variant, values)
    assume(expected == quota(variant, values, order=-1))
    assert run(SLOTS, variant, **values).readings == expected


@pytest.mark.parametrize("variant", ["counter", "lease", "lease-repaired"])
def test_the_model_itself_gives_the_documented_numbers(variant):
    forth, back = quota(variant, DEFAULT), quota(variant, DEFAULT, order=-1)
    assert forth == back == run(SLOTS, variant).readings


@pytest.mark.parametrize(("heartbeat", "lease"), [(2_000, 1_500), (900, 400), (3_000, 1_000)])
def test_leases_shorter_than_a_heartbeat_let_more_than_the_limit_run(heartbeat, lease):
    report = run(SLOTS, "lease", limit=2, crash_every=0, heartbeat_ms=heartbeat, lease_ms=lease)
    assert report.readings["running_max"] > 2
    assert "limit-respected" in fallen(report)


def test_a_plain_renewal_puts_back_a_swept_member_and_the_repaired_one_tells_the_task():
    values = {"limit": 2, "crash_every": 0, "heartbeat_ms": 2_000, "lease_ms": 1_500}
    plain, repaired = run(SLOTS, "lease", **values), run(SLOTS, "lease-repaired", **values)
    assert holds(plain)["renewal-never-adds"] is False
    assert holds(repaired)["renewal-never-adds"] is True
    assert (plain.readings["lost"], repaired.readings["lost"] > 0) == (0, True)


@pytest.mark.parametrize("variant", ["counter", "lease", "lease-repaired"])
class TestEdges:
    def test_a_run_that_ends_before_the_first_arrival_admits_nobody(self, variant):
        report = run(SLOTS, variant, duration_ms=5)
        assert report.readings["admitted"] == 0
        assert report.readings["capacity_every_5s"] == [10]
        assert report.outcome == "never reached"

    def test_no_crash_rule_means_no_crash(self, variant):
        report = run(SLOTS, variant, crash_every=0)
        assert (report.readings["crashed"], report.readings["refused"]) == (0, 0)
        assert report.outcome == "never reached"

    def test_a_task_that_ended_before_its_crash_is_not_crashed(self, variant):
        assert run(SLOTS, variant, crash_after_ms=2_451).readings["crashed"] == 0

    def test_every_admitted_task_may_crash(self, variant):
        readings = run(SLOTS, variant, crash_every=1).readings
        assert readings["finished"] == 0
        assert readings["crashed"] + readings["running_at_end"] == readings["admitted"] > 0


def test_with_a_limit_of_one_a_single_crash_closes_the_counter_for_good():
    readings = run(SLOTS, "counter", limit=1, crash_every=1).readings
    assert (readings["admitted"], readings["crashed"], readings["refused"]) == (1, 1, 81)
    assert readings["first_refusal_ms"] == 377


def test_each_variant_breaks_what_it_lacks():
    assert fallen(run(SLOTS, "counter")) == {"capacity-returns", "nobody-refused-below-limit"}
    assert fallen(run(SLOTS, "lease")) == fallen(run(SLOTS, "lease-repaired")) == set()
