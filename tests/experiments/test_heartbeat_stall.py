"""heartbeat-stall agrees with plain arithmetic over its parameters, and says something sensible at their edges.

Left out: calls that start on a multiple of the interval, where two timers are due together.
"""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from .golden import HEARTBEAT
from .models.heartbeat import beats
from .support import fallen, holds, run


@settings(max_examples=150, derandomize=True, deadline=None, database=None)
@given(
    interval=st.integers(1, 60),
    window=st.integers(1, 1_500),
    block_at=st.integers(0, 1_700),
    block=st.integers(0, 2_000),
    variant=st.sampled_from(["in-loop", "offloaded"]),
    timer=st.sampled_from(["sleep-loop", "phase-keeping"]),
)
def test_readings_equal_the_model(interval, window, block_at, block, variant, timer):
    assume(block_at % interval)
    report = run(HEARTBEAT, variant, interval_ms=interval, window_ms=window, block_at_ms=block_at, block_ms=block,
                 timer=timer)  # fmt: skip
    expected = beats(interval, window, block_at, block, timer == "phase-keeping", variant == "offloaded")
    assert tuple(report.readings.values()) == expected


@pytest.mark.parametrize("block_at", range(201, 220))
@pytest.mark.parametrize("timer", ["sleep-loop", "phase-keeping"])
def test_wherever_the_block_starts_the_delay_is_what_is_left_of_it(block_at, timer):
    report = run(HEARTBEAT, "in-loop", block_at_ms=block_at, timer=timer)
    assert report.readings["delay_ms_max"] == block_at + 400 - 220
    assert holds(report)["delay-is-rest-of-call"] is True


def test_a_window_shorter_than_the_interval_has_no_beat_due():
    report = run(HEARTBEAT, "in-loop", window_ms=19, block_at_ms=5, block_ms=10)
    assert report.readings == {"beats_actual": 0, "beats_theoretical": 0, "delay_ms_max": 0}
    assert report.outcome == "holds within bounds"


def test_a_block_longer_than_the_window_counts_the_beat_that_is_still_overdue():
    report = run(HEARTBEAT, "in-loop", block_ms=60_000)
    assert report.readings == {"beats_actual": 10, "beats_theoretical": 50, "delay_ms_max": 780}
    assert holds(report)["work-completed"] is False
    assert report.outcome == "counterexample found"


def test_work_that_starts_after_the_window_is_never_reached():
    report = run(HEARTBEAT, "in-loop", block_at_ms=1_001)
    assert report.readings["beats_actual"] == 50
    assert report.outcome == "never reached"


def test_a_call_that_takes_no_time_delays_nobody():
    assert run(HEARTBEAT, "in-loop", block_ms=0).outcome == "holds within bounds"


def test_the_finest_heartbeat_over_the_longest_window_stays_within_the_bounds():
    report = run(HEARTBEAT, "offloaded", interval_ms=1, window_ms=50_000)
    assert report.readings["beats_actual"] == 50_000
    assert report.outcome == "holds within bounds"


def test_on_the_loop_both_claims_about_beats_fall_and_off_it_none():
    assert fallen(run(HEARTBEAT, "in-loop")) == {"every-beat-ran", "beats-on-time"}
    assert fallen(run(HEARTBEAT, "offloaded")) == set()
