"""The outlook of a failing run: what counts, what the answer holds, slices, and the sentences for bad input."""

import json
from dataclasses import replace as changed
from fractions import Fraction

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import Exploration, InputError, Offer, replay, run_once
from py_runtime.lab.cli import main
from py_runtime.lab.explore import Search
from py_runtime.lab.outlook import Outlook, OutlookOptions, read_outlook_options
from py_runtime.lab.wire import Bridge

from .toy import TOY

CRASH = Exploration(offers=(Offer("crash", ("counter",)),), eventually=("all-stepped",))
CRASHING = changed(TOY, exploration=CRASH)
TABLE = {CRASHING.slug: CRASHING}
KILLED = "ol1~toy~plain~0_x3.1"  # after its second step, and before the third
BACKWARDS = "async def main(mark, count):\n    mark('step', number=2)\n    mark('step', number=1)\n"


def looked(text=KILLED, experiments=TABLE, sources=None, **options):
    outlook = Outlook(experiments, text, sources, OutlookOptions(**options))
    while not outlook.done:
        outlook.advance(1)
    return outlook.result()


def drawn(result):
    return [(point["position"], point["until"], point["fails"], point["runs"]) for point in result["points"]]


def test_a_run_is_lost_with_the_crash_that_breaks_it():
    """The counter's turns: 0 starts, then for each of three steps one that wakes it and one that marks, which are turns
    2, 4 and 6, and it ends with the last. Killed at turn 3, after `started` and the first mark, events 0 and 1.

    A crash comes in half of the continuations. From the start it falls on one of turns 0 … 6, each of which is too
    early: 1/2. The same from each later moment, until it has come; then only the run itself is left.
    """
    result = looked(runs=200)
    trace = replay(TABLE, KILLED).trace
    assert [event.kind for event in trace] == ["actor.started", "mark", "actor.crashed"]
    assert [(point["position"], point["until"], point["open"]) for point in result["points"]] == [
        (-1, -1, True), (0, 0, True), (1, 1, True), (2, 2, False)
    ]  # fmt: skip
    for point in result["points"][:-1]:
        assert abs(Fraction(point["fails"], point["runs"]) - Fraction(1, 2)) <= Fraction(11, 100)  # 3 · sqrt(1/4 / 200)
    assert drawn(result)[-1] == (2, 2, 1, 1)
    assert [point["at_us"] for point in result["points"]] == [0, 0, 1_000, trace[2].at_us]
    assert result["no_return"] == {
        "position": 2, "at_us": trace[2].at_us, "step": result["points"][-1]["step"], "open": False, "before": 1
    }  # fmt: skip
    assert result["violated"] == ["all-stepped"]
    offered = [{"kind": "crash", "targets": ["counter"], "amount_ms": 0, "writes": 0}]
    assert (result["strikes"], result["faults"]) == (1, offered)
    assert result["bounds"] == {
        "runs": 200, "moments_max": 32, "steps_max": 5 * replay(TABLE, KILLED).bounds["steps"], "seed": 0
    }  # fmt: skip
    assert result["schedule"] == KILLED
    assert result["runs"] == 1 + 1 + 3 * 200


def test_what_the_scenario_itself_brings_about_is_lost_from_the_start():
    result = looked("ol1~toy~other~0_0", sources={"main.py": BACKWARDS})
    assert drawn(result) == [(-1, 3, 1, 1)]
    assert (result["no_return"]["position"], result["no_return"]["before"]) == (-1, None)
    assert (result["faults"], result["strikes"], result["runs"]) == ([], 0, 1)


def test_a_continuation_that_violates_only_something_else_has_not_failed():
    """Killed between its two marks the counter makes only one step; where it is not killed, they are out of order."""
    program = BACKWARDS.replace(
        "    mark('step', number=1)", "    await asyncio.sleep(0.001)\n    mark('step', number=1)"
    )
    result = looked("ol1~toy~plain~0_x1.1~count.2", sources={"main.py": "import asyncio\n" + program})
    assert result["violated"] == ["all-stepped"]
    assert all(0 < point["fails"] < point["runs"] for point in result["points"] if point["open"])


def test_of_what_the_run_violates_only_that_counts_which_a_search_judges_if_there_is_any():
    lenient = changed(TOY, exploration=changed(CRASH, eventually=(), not_judged=("in-order",)))
    both = looked("ol1~toy~plain~0_0~count.9", {"toy": CRASHING}, {"main.py": BACKWARDS})
    assert both["violated"] == ["in-order", "all-stepped"]
    strict = changed(TOY, exploration=changed(CRASH, eventually=()))
    assert looked("ol1~toy~plain~0_0~count.9", {"toy": strict}, {"main.py": BACKWARDS})["violated"] == ["in-order"]
    # A search judges neither: both are watched.
    neither = looked("ol1~toy~plain~0_0~count.9", {"toy": lenient}, {"main.py": BACKWARDS})
    assert neither["violated"] == ["in-order", "all-stepped"]


def test_an_error_that_nobody_handles_counts():
    result = looked("ol1~toy~other~0_0", sources={"main.py": "async def main(mark, count):\n    raise ValueError\n"})
    assert result["violated"] == ["no-program-error"]


def test_an_outlook_in_slices_comes_to_the_same_answer_and_keeps_what_it_has():
    whole, states = looked(), []
    outlook = Outlook(TABLE, KILLED)
    while not outlook.done:
        outlook.advance(7)
        states.append(outlook.state())
    assert outlook.result() == whole
    assert [state["runs"] for state in states] == sorted(state["runs"] for state in states)
    assert [len(state["points"]) for state in states] == sorted(len(state["points"]) for state in states)
    assert states[0]["points"][-1]["open"] is False  # what is known without drawing comes first
    assert {"points", "no_return", "violated", "moments", "runs", "done"} == set(states[0])


def test_the_seed_decides_what_is_drawn():
    assert looked(seed=1, runs=50) == looked(seed=1, runs=50)
    assert drawn(looked(seed=1, runs=50)) != drawn(looked(seed=2, runs=50))


@pytest.mark.parametrize(
    ("slug", "variant"),
    [("slot-recycling", "counter"), ("slot-recycling", "lease"), ("single-flight-takeover", "unchecked-publish")],
)
def test_a_counterexample_with_one_fault_can_be_saved_before_it_and_not_after(slug, variant):
    search = Search(EXPERIMENTS[slug], variant)
    while not search.done:
        search.advance()
    found = search.result()["counterexample"]
    result = looked(found["schedule"], EXPERIMENTS)
    assert result["strikes"] == 1
    report = replay(EXPERIMENTS, found["schedule"])
    assert set(result["violated"]) <= {claim.id for claim in report.claims if claim.holds is False}
    point = result["no_return"]
    assert point["position"] - 1 == point["before"]  # the moment is known to the event
    assert all(each["fails"] < each["runs"] for each in result["points"] if each["position"] < point["position"])
    assert all(each["fails"] == each["runs"] for each in result["points"] if each["position"] >= point["position"])
    # Up to there the run cannot be told from one without the fault; a clock that is put forward shows a little later.
    plain = run_once(EXPERIMENTS[slug], variant, report.parameters)
    before = [event.as_json() for event in report.trace[: point["position"]]]
    assert before == [event.as_json() for event in plain.trace[: point["position"]]]
    assert report.digest != plain.digest


@pytest.mark.parametrize("variant", ["in-loop"])
def test_a_published_run_that_its_scenario_breaks_is_lost_from_the_start(variant):
    result = looked(run_once(EXPERIMENTS["heartbeat-stall"], variant).schedule, EXPERIMENTS)
    assert result["no_return"]["before"] is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ol1~toy~plain~0_0", "the run violates no claim: there is nothing that it could have lost"),
        ("broken", "a schedule reads ol1~"),
        ("ol1~none~plain~0_0", "unknown experiment 'none'"),
        ("ol1~toy~none~0_0", "unknown variant 'none'"),
        ("ol1~toy~plain~0_x99.1", "choices or faults that this run never came to"),
        ("ol1~toy~plain~0_x0.2", "the schedule spends fault 2, where this run is offered 1"),
        ("ol1~toy~plain~0_7.1", "choices or faults that this run never came to"),
    ],
)
def test_a_schedule_that_has_no_outlook_is_refused_with_a_sentence(text, words):
    with pytest.raises(InputError) as caught:
        looked(text)
    assert words in str(caught.value)


def test_a_run_that_met_a_limit_has_no_outlook():
    program = "import asyncio\nasync def main(mark, count):\n    while True:\n        await asyncio.sleep(0)\n"
    with pytest.raises(InputError, match="the run met a limit of its own"):
        looked("ol1~toy~plain~0_0", sources={"main.py": program})


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"runs": 0}, "runs must be a whole number from 1 to 10000, got '0'"),
        ({"moments_max": "many"}, "moments_max must be a whole number from 1 to 10000"),
        ({"steps_max": True}, "steps_max must be a whole number from 1 to 2000000"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"faults_max": 1}, "unknown option 'faults_max'; there are: runs, moments_max, steps_max, seed"),
    ],
)
def test_an_option_that_is_not_legal_is_refused_with_a_sentence(given, words):
    with pytest.raises(InputError) as caught:
        read_outlook_options(given)
    assert words in str(caught.value)


def test_the_bridge_draws_slice_by_slice_what_is_drawn_here():
    bridge = Bridge(TABLE)
    request = {"version": 1, "type": "outlook", "schedule": KILLED, "options": {"runs": 30}, "runs": 1}
    answers = [json.loads(bridge.handle(json.dumps(request)))]
    while answers[-1]["ok"] and not answers[-1]["work"]["done"]:
        answers.append(json.loads(bridge.handle(json.dumps({"version": 1, "type": "more", "runs": 20}))))
    assert answers[0]["work"]["runs"] == 1
    assert answers[-1]["work"]["result"] == looked(runs=30)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schedule": None}, "schedule must be a text"),
        ({"options": {"tries": 1}}, "unknown option 'tries'"),
        ({"schedule": "ol1~toy~plain~0_0"}, "the run violates no claim"),
        ({"sources": {"none.py": ""}}, "unknown program file 'none.py'"),
    ],
)
def test_the_bridge_answers_a_bad_request_with_a_sentence(changes, words):
    request = {"version": 1, "type": "outlook", "schedule": KILLED, **changes}
    answer = json.loads(Bridge(TABLE).handle(json.dumps(request)))
    assert (answer["ok"], answer["error"]["kind"]) == (False, "input")
    assert words in answer["error"]["message"]


def call(capsys, *arguments):
    status = main(TABLE, ["outlook", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_the_command_prints_one_json_object(capsys):
    status, out, err = call(capsys, KILLED, "--runs", "30", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == looked(runs=30)


def test_the_command_says_from_where_on_nothing_could_be_saved(capsys):
    out = call(capsys, KILLED)[1]
    fails = looked()["points"][0]["fails"]
    assert "From event 3 on nothing is left to chance; of those drawn from the event before, not all failed." in out
    assert f"{fails} of 20" in out
    assert "all-stepped: " in out
    assert "bounds      runs 20, moments_max 32" in out
    # Two moments only: the start, and the run itself.
    assert (
        "not all of those from event 0, and none were drawn in between" in call(capsys, KILLED, "--moments-max", "1")[1]
    )


def test_the_command_refuses_a_run_that_violates_nothing(capsys):
    assert call(capsys, "ol1~toy~plain~0_0")[::2] == (
        2, "experiments: the run violates no claim: there is nothing that it could have lost\n"
    )  # fmt: skip
