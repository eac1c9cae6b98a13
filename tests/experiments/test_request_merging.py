"""request-merging agrees with plain arithmetic over its parameters.

Left out: gaps of which the upstream's time is a multiple, where an arrival falls on a completion.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .golden import MERGING
from .models.merging import merging, tied
from .support import fallen, holds, run


@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(
    variant=st.sampled_from(["plain", "merged", "merged-without-cache"]),
    requests=st.integers(1, 60),
    gap=st.integers(0, 3_000),
    upstream=st.integers(1, 30_000),
)
def test_readings_equal_the_model(variant, requests, gap, upstream):
    assume(not tied(requests, gap, upstream))
    readings = run(MERGING, variant, requests=requests, gap_us=gap, upstream_us=upstream).readings
    calls, end, waits = merging(variant, requests, gap, upstream)
    assert (readings["upstream_calls"], readings["end_us"]) == (calls, end)
    exact = Fraction(waits, requests)
    assert readings["wait_us_mean"] == (int(exact) if exact.denominator == 1 else float(exact))


@pytest.mark.parametrize("variant", ["plain", "merged", "merged-without-cache"])
def test_one_request_costs_one_call(variant):
    report = run(MERGING, variant, requests=1)
    assert report.readings == {"upstream_calls": 1, "end_us": 20_000, "wait_us_mean": 20_000}
    assert report.outcome == "never reached"  # nothing overlapped


def test_requests_further_apart_than_a_call_never_overlap():
    report = run(MERGING, "plain", requests=5, gap_us=30_000)
    assert report.readings["upstream_calls"] == 1
    assert holds(report)["requests-overlapped"] is False


def test_merging_lowers_the_mean_wait_and_ends_at_the_same_time():
    plain, merged = run(MERGING, "plain").readings, run(MERGING, "merged").readings
    assert merged["end_us"] == plain["end_us"]
    assert merged["wait_us_mean"] < plain["wait_us_mean"]


def test_each_variant_breaks_what_it_lacks():
    assert fallen(run(MERGING, "plain")) == {"one-call-in-flight", "one-call-in-all"}
    assert fallen(run(MERGING, "merged")) == set()
    assert fallen(run(MERGING, "merged-without-cache")) == {"one-call-in-all"}


def test_the_largest_stampede_stays_within_the_bounds():
    report = run(MERGING, "plain", requests=2_000, gap_us=0)
    assert report.readings["upstream_calls"] == 2_000
    assert report.outcome == "counterexample found"
