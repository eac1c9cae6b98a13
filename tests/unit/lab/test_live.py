"""The live measurement, run on virtual time, where its numbers are exact."""

import asyncio

import pytest

from py_runtime.lab.live import measure, measure_text
from py_runtime.sim import World

# The documented run: 20 ms beats, a second of them, 400 ms of work from 210 ms on.
RUN = {"interval_ms": 20, "window_ms": 1000, "block_at_ms": 210}


def measured(work_of, **parameters):
    world = World()
    results = []

    async def main():
        results.append(await measure(lambda: world.now_us / 1000, work_of(world), **{**RUN, **parameters}))

    world.spawn(world.actor("page"), main())
    world.run(until_us=3_000_000)
    assert results, "the measurement did not end"
    return results[0]


def on_the_loop(world):
    return lambda: world.spend(400_000)


def elsewhere(world):
    return lambda: asyncio.sleep(0.4)


def test_work_on_the_loop_holds_up_a_sleep_loop_as_documented():
    result = measured(on_the_loop)
    assert (result.beats_actual, result.beats_theoretical, result.delay_ms_max) == (30, 50, 390)
    assert (result.work_started_ms, result.work_ended_ms) == (210, 610)


def test_a_phase_keeping_timer_gets_back_in_step_and_beats_once_more():
    result = measured(on_the_loop, timer="phase-keeping")
    assert (result.beats_actual, result.delay_ms_max) == (31, 390)
    assert result.beats_ms[10:13] == [610, 620, 640]


@pytest.mark.parametrize("timer", ["sleep-loop", "phase-keeping"])
def test_work_done_elsewhere_costs_no_beat(timer):
    result = measured(elsewhere, timer=timer)
    assert (result.beats_actual, result.delay_ms_max) == (50, 0)
    assert result.work_ended_ms == 610


def test_a_beat_that_comes_after_the_window_is_missed_but_its_delay_counts():
    result = measured(on_the_loop, block_at_ms=810)
    assert (result.beats_actual, result.delay_ms_max) == (40, 390)


def test_each_beat_is_told_as_it_happens():
    told = []
    result = measured(elsewhere, on_beat=lambda: told.append(None))
    assert len(told) == result.beats_actual == 50


@pytest.mark.parametrize("wrong", [{"timer": "sundial"}, {"interval_ms": 0}, {"window_ms": -1}, {"block_at_ms": -1}])
def test_what_cannot_be_measured_is_refused(wrong):
    with pytest.raises(ValueError):
        asyncio.run(measure(lambda: 0.0, lambda: None, **{**RUN, **wrong}))


def test_the_text_form_does_the_work_itself_unless_it_is_handed_a_worker():
    asked = []

    async def work(duration_ms):
        asked.append(duration_ms)

    request = '{"interval_ms": 5, "window_ms": 10, "block_at_ms": 0, "block_ms": 7, "timer": "sleep-loop"}'
    ticks = iter(range(10**9))
    asyncio.run(measure_text(lambda: next(ticks) / 100, work, None, request))
    assert asked == [7]
    text = asyncio.run(measure_text(lambda: next(ticks) / 100, None, None, request))
    assert '"beats_theoretical": 2' in text
