"""Exploring an experiment: what counts, what the answer holds, slices, and the sentences for bad input."""

import json
from dataclasses import replace as changed

import pytest

from py_runtime.lab import Exploration, InputError, Offer, ProgramError, replay
from py_runtime.lab.cli import main
from py_runtime.lab.explore import Options, Search, read_options

from .toy import TOY

CRASH = Exploration({"count": 2}, offers=(Offer("crash", ("counter",)),), eventually=("all-stepped",))
CRASHING = changed(TOY, exploration=CRASH)
TABLE = {CRASHING.slug: CRASHING}
KEYS = {"outcome", "runs", "bounds", "counterexample"}


def explored(experiment=CRASHING, sources=None, parameters=None, **options):
    search = Search(experiment, "plain", parameters, Options(**options), sources)
    while not search.done:
        search.advance(1)
    return search.result()


def test_a_claim_that_an_experiment_declares_falls_to_the_fault_that_it_offers():
    result = explored()
    assert KEYS <= set(result)
    assert result["outcome"] == "counterexample found"
    assert result["counterexample"]["violated"] == ["all-stepped"]
    assert result["counterexample"]["schedule"].split("~")[3] == "0_x0.1"
    report = replay(TABLE, result["counterexample"]["schedule"])
    assert report.digest == result["counterexample"]["digest"]
    assert (report.outcome, report.bounds["steps"]) == ("counterexample found", result["counterexample"]["steps"])


@pytest.mark.parametrize(
    "experiment",
    [TOY, changed(TOY, exploration=changed(CRASH, eventually=())), changed(TOY, exploration=changed(CRASH, offers=()))],
)
def test_it_falls_to_nothing_else(experiment):
    result = explored(experiment)
    assert (result["outcome"], result["counterexample"]) == ("holds within bounds", None)


def test_an_invariant_that_is_not_judged_does_not_count():
    text = "async def main(mark, count):\n    mark('step', number=2)\n    mark('step', number=1)\n"
    assert explored(TOY, {"main.py": text})["counterexample"]["violated"] == ["in-order"]
    lenient = changed(TOY, exploration=Exploration(not_judged=("in-order",)))
    assert explored(lenient, {"main.py": text})["outcome"] == "holds within bounds"


def test_an_error_that_nobody_handles_counts_always():
    result = explored(TOY, {"main.py": "async def main(mark, count):\n    raise ValueError('no')\n"})
    assert result["counterexample"]["violated"] == ["no-program-error"]


def test_a_program_that_cannot_be_loaded_is_refused_with_its_line():
    with pytest.raises(ProgramError) as caught:
        explored(TOY, {"main.py": "async def main(mark, count):\n    retrun 1\n"})
    assert caught.value.line == 2


def test_a_run_that_never_ends_is_cut_and_leaves_the_answer_open():
    text = "import asyncio\nasync def main(mark, count):\n    while True:\n        await asyncio.sleep(0)\n"
    result = explored(TOY, {"main.py": text}, steps_max=100)
    assert (result["outcome"], result["cut"], result["runs"]) == ("bounds reached, not finished", 1, 1)


def test_the_small_case_gives_way_to_what_is_asked_for():
    assert explored()["parameters"]["count"] == 2
    assert explored(parameters={"count": "4"})["parameters"]["count"] == 4


def test_no_faults_are_spent_where_none_may_be():
    result = explored(faults_max=0)
    assert (result["outcome"], result["runs"], result["bounds"]["faults_max"]) == ("holds within bounds", 1, 0)


def test_a_search_in_slices_comes_to_the_same_answer_and_keeps_what_it_has():
    whole, states = explored(), []
    search = Search(CRASHING, "plain")
    while not search.done:
        search.advance(1)
        states.append(search.state())
    assert search.result() == whole
    assert [state["runs"] for state in states] == sorted(state["runs"] for state in states)
    first = next(index for index, state in enumerate(states) if state["best"] is not None)
    assert all(state["best"] is not None for state in states[first:])
    assert states[-1]["best"]["schedule"] == whole["counterexample"]["schedule"]


def test_a_search_that_is_stopped_has_an_answer_too():
    search = Search(CRASHING, "plain", options=Options(faults_max=0))
    assert search.result()["outcome"] == "bounds reached, not finished"
    search = Search(CRASHING, "plain")
    while search.best is None:
        search.advance(1)
    assert not search.done
    assert search.result()["outcome"] == "counterexample found"


def test_runs_by_lot_never_claim_to_be_all():
    result = explored(mode="random", runs_max=5, faults_max=0)
    assert (result["outcome"], result["runs"]) == ("bounds reached, not finished", 5)
    assert explored(mode="random", seed=1) == explored(mode="random", seed=1)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"runs_max": 0}, "runs_max must be a whole number from 1 to 10000000, got '0'"),
        ({"runs_max": True}, "runs_max must be"),
        ({"faults_max": "many"}, "faults_max must be a whole number from 0 to 10, got 'many'"),
        ({"faults_max": -1}, "faults_max must be"),
        ({"deviations_max": "1.5"}, "deviations_max must be a whole number from 0 to 1000"),
        ({"steps_max": "9" * 40}, "steps_max must be"),
        ({"mode": "fast"}, "unknown mode 'fast'; there are: exhaustive, random"),
        ({"seed": "1"}, "a seed goes with mode random"),
        ({"mode": "random", "seed": "x"}, "seed must be a whole number from 0 to 4294967295"),
        ({"mode": "random", "deviations_max": 1}, "deviations_max does not go with mode random"),
        ({"pruning": "no"}, "pruning must be true or false"),
        ({"seconds_max": 3}, "unknown option 'seconds_max'; there are: runs_max"),
    ],
)
def test_an_option_that_is_not_legal_is_refused_with_a_sentence(given, words):
    with pytest.raises(InputError) as caught:
        read_options(given)
    assert words in str(caught.value)


def call(capsys, *arguments):
    status = main(TABLE, ["explore", "toy", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_command_prints_one_json_object(capsys):
    status, out, err = call(capsys, "--variant", "plain", "--json")
    printed = json.loads(out)
    assert (status, err) == (0, "")
    assert printed == explored()
    assert set(printed["counterexample"]) == {"schedule", "violated", "steps", "digest"}


def test_the_command_says_the_outcome_with_its_number_of_runs(capsys):
    assert "counterexample found (2 runs)" in call(capsys, "--variant", "plain")[1]
    assert "holds within bounds (all 1 run)" in call(capsys, "--variant", "plain", "--faults-max", "0")[1]
    out = call(capsys, "--variant", "plain", "--faults-max", "0", "--deviations-max", "2", "--no-pruning")[1]
    assert "deviations_max 2" in out
    assert "pruning off" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: --variant"),
        (["--variant", "none"], "unknown variant 'none'; there are: plain, other"),
        (["--variant", "plain", "--runs-max", "0"], "runs_max must be a whole number"),
        (["--variant", "plain", "--set", "count=x"], "count must be a whole number"),
        (["--variant", "plain", "--set", "count"], "--set takes NAME=VALUE"),
        (["--variant", "plain", "--seconds-max", "3"], "unrecognized arguments: --seconds-max 3"),
    ],
)
def test_the_command_refuses_bad_input_with_status_2_and_one_sentence(capsys, arguments, words):
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
