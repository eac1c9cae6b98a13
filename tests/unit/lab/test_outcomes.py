"""Each outcome word is reached, for its own reason, and a run that was cut short keeps its partial trace."""

import pytest

from py_runtime.lab import Outcome
from py_runtime.sim import Bounds

from .support import claims, observed, run_toy

SPIN = ("mark('step', number=0)", "while True:", "    await asyncio.sleep(0)")


def test_there_are_seven_words_and_none_says_correct():
    assert len(Outcome) == 7
    assert not [word for word in Outcome if word in ("correct", "proved", "passed", "OK")]


def test_holds_within_bounds():
    report = run_toy()
    assert report.outcome == "holds within bounds"
    assert report.readings == {"steps": 3, "last": 2}
    assert report.ended.startswith("One run to 10 ms of virtual time")


def test_counterexample_found():
    report = run_toy("mark('step', number=2)", "mark('step', number=1)", count=2)
    assert report.outcome == "counterexample found"
    assert claims(report) == {"in-order": False, "stepped": True, "all-stepped": True}


def test_a_deadline_that_is_missed_is_a_counterexample_too():
    report = run_toy("mark('step', number=0)")
    assert report.outcome == "counterexample found"
    assert observed(report, "all-stepped") == "1 of 3"


def test_never_reached():
    assert run_toy(count=0).outcome == "never reached"


def test_deadlock_names_who_waits():
    report = run_toy("mark('step', number=0)", "await asyncio.Event().wait()", count=1)
    assert report.outcome == "deadlock"
    assert report.ended == "Nothing can happen any more at 0 ms of virtual time; still waiting: counter."


def test_waiting_while_others_go_on_is_no_deadlock():
    lines = ("mark('step', number=0)", "await asyncio.Event().wait()")
    assert run_toy(*lines, count=1, mood="noisy").outcome == "holds within bounds"


def test_livelock_keeps_the_trace_and_judges_nothing():
    report = run_toy(*SPIN)
    assert report.outcome == "livelock"
    assert report.ended == "Stopped at 0 ms of virtual time: 200,000 steps went by and the time did not move."
    assert [event.kind for event in report.trace] == ["actor.started", "mark"]
    assert report.readings == {"steps": None, "last": None}
    assert set(claims(report).values()) == {None}
    assert report.scene[0]["lines"][0]["points"] == [[0, 0]]


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        (Bounds(steps_max=500), "Stopped after 500 steps, at"),
        (Bounds(events_max=50), "Stopped when the trace held 50 events, at"),
        (Bounds(characters_max=500), "Stopped when the trace held 500 characters, at"),
    ],
)
def test_bounds_reached(bounds, reason):
    lines = ("while True:", "    await asyncio.sleep(0.000001)", "    mark('step', number=0)")
    report = run_toy(*lines, bounds=bounds)
    assert report.outcome == "bounds reached, not finished"
    assert report.ended.startswith(reason)
    assert 0 < len(report.trace) <= 500


def test_escaped_outweighs_every_claim():
    report = run_toy("import time")
    assert report.outcome == "escaped"
    assert "import time reaches outside the simulation; use asyncio.sleep" in observed(report, "no-program-error")


def test_an_error_that_nobody_handles_is_a_counterexample_with_file_and_line():
    report = run_toy("await asyncio.sleep(0)", "raise KeyError('lost')", count=0)
    assert report.outcome == "counterexample found"
    assert claims(report)["no-program-error"] is False
    assert observed(report, "no-program-error") == "counter: main.py, line 6: KeyError: 'lost'"


def test_a_program_that_leaves_nonsense_is_judged_by_what_can_be_read():
    report = run_toy("mark('step', number=1)", "mark('step', number='two')")
    assert report.outcome == "counterexample found"
    assert claims(report)["store-readable"] is False
    assert "TypeError" in observed(report, "store-readable")
    assert len(report.trace) == 4


def test_an_error_in_the_labs_own_code_is_not_blamed_on_a_published_program(monkeypatch):
    from .toy import TOY

    monkeypatch.setattr("tests.unit.lab.toy.numbers", lambda log: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        run_toy()
    assert TOY.slug == "toy"
