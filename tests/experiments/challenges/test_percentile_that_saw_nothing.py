"""A freeze in the samples of its loop: how few it leaves, which figures see it, and which freezes leave none."""

import asyncio
from typing import Any

import pytest

from ..support import fallen, log_of, program, run, searched
from ..test_challenges import examined, repair

SLUG = "percentile-that-saw-nothing"
FILE = "lag.py"
ALONE = {"workers": 1, "request_ms": 0}


def measured(report) -> dict[str, int]:
    """What the program had in the metrics at the end."""
    [mark] = log_of(report).marks("measured")
    return {name: int(value) for name, value in mark.fields["metrics"].items()}


def quantile(report, share: float) -> int:
    """What the published program makes of it."""
    namespace: dict[str, Any] = {"asyncio": asyncio}
    exec(program(SLUG, FILE), namespace)
    values = measured(report)

    class Metrics:
        def get(self, name):
            return values.get(name, 0)

    return namespace["quantile"](Metrics(), share)


def changed(*changes):
    """The reference repair with each old text replaced."""
    return repair(SLUG, "reference", *changes)


def test_ten_seconds_leave_one_sample_and_no_percentile_sees_it():
    report = run(SLUG, "broken", **ALONE)
    assert measured(report) == {"loop_lag_ms le 1": 99, "loop_lag_ms le any": 1}
    assert (quantile(report, 0.99), quantile(report, 0.999)) == (1, 2_500)  # the last bucket's bound; it was 9,700


def test_among_ten_workers_it_is_one_of_1171():
    report = run(SLUG, "broken")
    assert report.readings == {"alarms": 0, "named": [], "told_after_ms": None, "uses": 1_171}
    assert measured(report) == {"loop_lag_ms le 1": 1_170, "loop_lag_ms le any": 1}
    assert quantile(report, 0.999) == 1
    assert fallen(report) == {"freezes-told"}


def test_two_seconds_are_one_of_116_samples_of_their_own_worker():
    report = run(SLUG, "broken", **ALONE, freeze_ms=2_000)
    assert measured(report) == {"loop_lag_ms le 1": 115, "loop_lag_ms le 2500": 1}
    assert quantile(report, 0.99) == 1


def test_filled_in_samples_move_the_percentile_of_a_long_freeze_only():
    sources = repair(SLUG, "filled-in")
    report = run(SLUG, "broken", **ALONE, sources=sources)
    values = measured(report)
    late = sum(count for name, count in values.items() if not name.endswith("le 1"))
    assert (sum(values.values()), late) == (119, 20)
    assert report.readings["told_after_ms"] == 10_803
    assert run(SLUG, "broken", **ALONE, freeze_ms=300, sources=sources).readings["alarms"] == 0


def test_a_freeze_shorter_than_the_interval_is_seen_in_its_share_of_positions():
    """100 ms in an interval of 500 ms: a fifth. From 10,100 to 10,400 ms: no."""
    seen = 0
    for at_ms in range(3_005, 3_505, 10):
        report = run(SLUG, "broken", **ALONE, freeze_ms=100, freeze_at_ms=at_ms, window_ms=4_000)
        seen += len(measured(report)) > 1
    assert seen == 50 // 5
    report = run(SLUG, "broken", **ALONE, freeze_ms=300, freeze_at_ms=10_100)
    assert set(measured(report)) == {"loop_lag_ms le 1"}


def test_the_repaired_watcher_tells_of_it_while_it_lasts():
    report = run(SLUG, "broken", sources=repair(SLUG, "reference"))
    assert report.readings["named"] == ["worker-1"] and report.readings["told_after_ms"] == 303
    assert fallen(report) == set()


def test_the_simplest_way_to_break_it_is_one_pause():
    found = searched(SLUG, "broken")
    assert (found["outcome"], found["minimal"]) == ("counterexample found", True)
    assert found["counterexample"]["violated"][0] == "freezes-told" and found["runs"] <= 100


@pytest.mark.parametrize(
    ("changes", "claim"),
    [
        ([("            told[worker] = late_ms\n", "")], "alarms-have-reasons"),
        ([("alarm(worker)\n", "[alarm(each) for each in workers]\n")], "alarms-have-reasons"),
        ([("LOOK_S = 0.5", "LOOK_S = 7")], "freezes-told"),
    ],
)
def test_an_alarm_is_for_its_worker_and_its_time(changes, claim):
    report = run(SLUG, "broken", workers=4, window_ms=25_000, sources=changed(*changes))
    assert claim in fallen(report)


COUNTED = """
import asyncio

async def sample(worker, metrics, now_ms):
    while True:
        await asyncio.sleep(0.03)
        metrics.add(worker)

async def watch(workers, metrics, now_ms, alarm):
    before = {}
    while True:
        beats = {worker: metrics.get(worker) for worker in workers}
        for worker in workers:
            if before.get(worker) == beats[worker]:
                alarm(worker)
        before = beats
        await asyncio.sleep(EVERY)
"""


def counted(every_s):
    return {FILE: COUNTED.replace("EVERY", str(every_s))}


def test_counting_beats_between_two_looks_is_as_good():
    """A request of 60 ms puts two beats 90 ms apart at most, and two looks lie further apart."""
    assert examined(SLUG, counted(0.095))["solved"]


def test_two_looks_must_fit_into_the_shortest_freeze():
    assert searched(SLUG, "broken", counted(0.13))["counterexample"]["violated"] == ["freezes-told"]


NEXT_TO_BEATS = {
    "workers": 7, "window_ms": 54_000, "freeze_at_ms": 2_300, "freeze_ms": 200, "positions": 140, "request_ms": 0,
}  # fmt: skip


@pytest.mark.parametrize(
    ("interval_ms", "too_late_ms", "seen"),
    [(50, 149, True), (100, 99, True), (101, 100, False), (110, 100, False), (110, 70, True), (138, 61, True)],
)
def test_the_interval_and_what_is_too_late_must_fit_into_the_shortest_freeze(interval_ms, too_late_ms, seen):
    """A beat is late by 200 ms less the interval, where the freeze begins right behind the one before."""
    lengths = (("INTERVAL_MS = 50", f"INTERVAL_MS = {interval_ms}"), ("LATE_MS = 100", f"LATE_MS = {too_late_ms}"))
    report = run(SLUG, "broken", **NEXT_TO_BEATS, sources=changed(*lengths))
    assert fallen(report) == (set() if seen else {"freezes-told"})


@pytest.mark.parametrize(("look_s", "solved"), [(1.75, True), (1.9, False)])
def test_a_watcher_may_take_what_the_goal_gives_it(look_s, solved):
    """A freeze of 200 ms is written down when it is over; the next look comes at most one interval later."""
    assert examined(SLUG, changed(("LOOK_S = 0.5", f"LOOK_S = {look_s}")))["solved"] is solved
