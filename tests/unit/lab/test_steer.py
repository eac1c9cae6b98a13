"""A game move by move: comes to the runs that a search finds, tells nothing too early, and refuses what is no move."""

import json
from dataclasses import replace as changed

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import ALWAYS, Claim, Exploration, Finding, Offer, replay
from py_runtime.lab.explore import Search
from py_runtime.lab.wire import Bridge

from .toy import TOY

CRASH = Exploration({"count": 2}, offers=(Offer("crash", ("counter",)),), eventually=("all-stepped",))
TABLE = {TOY.slug: changed(TOY, exploration=CRASH)}
GAME = {"version": 1, "type": "steer", "experiment": "toy", "variant": "plain"}


def ask(table=TABLE, **request):
    """The whole answer to a request."""
    return json.loads(Bridge(table).handle(json.dumps({**GAME, **request})))


def turn_of(table=TABLE, **request):
    """(report, turn) of a request that is answered."""
    answer = ask(table, **request)
    assert answer["ok"], answer
    return answer["report"], answer["turn"]


def holds(report):
    return {claim["id"]: claim["holds"] for claim in report["claims"]}


# The toy counts to two in these steps: the task begins, a timer is due, the task goes on and marks (twice).


def test_a_game_is_played_step_by_step_to_the_run_that_nobody_steered():
    report, turn = turn_of()
    seen, events = [], []
    while not turn["over"]:
        [choice] = turn["choices"]
        seen.append((turn["step"], turn["at_us"], choice["kind"], choice["line"] and choice["line"]["line"]))
        events.append(len(report["trace"]))
        report, turn = turn_of(**choice["to"])
    assert seen == [
        (0, 0, "begins", 4),
        (1, 1_000, "wakes", 6),
        (2, 1_000, "resumes", 6),
        (3, 2_000, "wakes", 6),
        (4, 2_000, "resumes", 6),
    ]
    assert events == [0, 1, 1, 2, 2]
    assert turn["points"] == [[0, 0], [1, 1], [3, 2]]
    assert (turn["step"], turn["violated"], turn["spent"], turn["deviations"]) == (5, [], 0, 0)
    again = replay(TABLE, report["schedule"])
    assert (again.digest, again.outcome) == (report["digest"], report["outcome"])
    assert report["outcome"] == "holds within bounds"


def test_a_run_that_is_not_over_claims_nothing():
    report, turn = turn_of(steps=3)
    assert (report["outcome"], turn["over"]) == ("bounds reached, not finished", False)
    assert report["ended"] == "Halted after 3 steps, at 2 ms of virtual time: this run is not over."
    assert holds(report) == {"in-order": None, "stepped": None, "all-stepped": None}
    assert {claim["observed"] for claim in report["claims"]} == {"the run is not over"}
    assert report["readings"] == {"steps": None, "last": None}
    assert report["until_us"] == 2_000


def test_what_is_shown_of_a_halted_run_is_the_beginning_of_its_replay():
    for steps in range(5):
        report, _ = turn_of(steps=steps)
        whole = replay(TABLE, report["schedule"]).as_json()
        assert report["trace"] == whole["trace"][: len(report["trace"])]


def test_a_fault_is_set_strikes_at_the_next_turn_and_is_all_that_may_be_spent():
    _, turn = turn_of(steps=2)
    [fault] = turn["faults"]
    assert (fault["kind"], fault["target"], fault["armed"], turn["spent"], turn["faults_max"]) == (
        "crash", "counter", False, 0, 1,
    )  # fmt: skip
    report, turn = turn_of(**fault["to"])
    assert (turn["step"], turn["spent"], turn["faults"][0]["armed"], turn["faults"][0]["to"]) == (2, 1, True, None)
    assert [each["number"] for each in turn["choices"][0]["faults"]] == [1]
    assert len(report["trace"]) == 1
    report, turn = turn_of(**turn["choices"][0]["to"])
    assert (turn["over"], turn["violated"], report["trace"][-1]["kind"]) == (True, ["all-stepped"], "actor.crashed")
    assert report["schedule"].split("~")[3] == "0_x2.1"
    assert replay(TABLE, report["schedule"]).digest == report["digest"]


def test_a_link_to_a_halted_run_leaves_out_a_fault_that_has_not_struck():
    _, turn = turn_of()
    report, turn = turn_of(**turn["faults"][0]["to"])
    assert turn["schedule"].split("~")[3] == "0_x0.1"
    assert report["schedule"].split("~")[3] == "0_0"


def test_a_fault_that_nothing_could_meet_any_more_is_told_and_left_out_of_the_schedule():
    _, turn = turn_of(steps=4)
    report, turn = turn_of(schedule=turn["faults"][0]["to"]["schedule"].replace("x4.1", "x9.1"), steps=0, until="end")
    assert (turn["over"], turn["missed"], turn["spent"]) == (True, [1], 0)
    assert report["schedule"].split("~")[3] == "0_0"
    assert replay(TABLE, report["schedule"]).digest == report["digest"]


def test_a_request_says_how_many_faults_a_game_may_spend():
    for most in (0, 2):
        _, turn = turn_of(faults_max=most)
        assert (turn["faults_max"], [fault["to"] is None for fault in turn["faults"]]) == (most, [most == 0])


def test_an_actor_that_is_gone_can_meet_no_fault():
    two = changed(CRASH, parameters={"count": 2, "mood": "noisy"}, faults_max=2)
    table = {TOY.slug: changed(TOY, exploration=two)}
    _, turn = turn_of(table)
    report, turn = turn_of(table, schedule=turn["faults"][0]["to"]["schedule"], steps=0, until="step")
    while report["trace"][-1:] == [] or report["trace"][-1]["kind"] != "actor.crashed":
        report, turn = turn_of(table, **turn["choices"][0]["to"])
    assert not turn["over"]
    assert turn["faults"] == []


def test_going_on_stops_at_a_choice_or_at_the_end():
    table = {TOY.slug: changed(TOY, exploration=changed(CRASH, parameters={"count": 2, "mood": "noisy"}))}
    _, turn = turn_of(table, until="choice")
    assert (turn["step"], [choice["lane"] for choice in turn["choices"]]) == (0, ["counter", "clock"])
    _, later = turn_of(table, schedule=turn["schedule"], steps=1, until="choice")
    assert later["over"]
    _, end = turn_of(table, schedule=turn["schedule"], steps=1, until="end")
    assert end == later


def test_another_lane_than_the_first_is_a_deviation_of_the_schedule():
    table = {TOY.slug: changed(TOY, exploration=changed(CRASH, parameters={"mood": "noisy"}))}
    _, turn = turn_of(table)
    report, turn = turn_of(table, **turn["choices"][1]["to"])
    assert (turn["deviations"], report["schedule"].split("~")[3]) == (1, "0_0.1")
    assert [event["actor"] for event in report["trace"]] == ["clock"]


def test_a_claim_that_nothing_can_mend_falls_at_once_and_others_only_at_the_end():
    def no_second(log, setting, readings):
        second = next((mark.sequence for mark in log.marks("step") if mark.fields["number"] == 1), None)
        return Finding(second is None, "a second step", second)

    [in_order, *others] = TOY.claims
    for lasting in (True, False):
        claim = Claim("in-order", ALWAYS, no_second, lasting=lasting)
        table = {TOY.slug: changed(TOY, claims=(claim, *others))}
        report, turn = turn_of(table, steps=5)
        assert (turn["over"], turn["violated"]) == (False, ["in-order"] if lasting else [])
        assert report["outcome"] == ("counterexample found" if lasting else "bounds reached, not finished")
        assert turn_of(table, until="end")[1]["violated"] == ["in-order"]


def played(slug, variant, schedule):
    """The end of a game in which the moves of a schedule are made, found by what the answers offer."""
    table, game = EXPERIMENTS, {"experiment": slug, "variant": variant}
    _, listed = schedule.split("~")[3].split("_")
    wanted = {} if listed == "0" else dict(part.split(".") for part in listed.split("-"))
    report, turn = turn_of(table, **game)
    point = moves = 0
    while not turn["over"]:
        moves += 1
        move = None
        for fault in turn["faults"]:
            part = fault["to"] and fault["to"]["schedule"].split("~")[3].split("_")[1].split("-")[-1]
            if part and wanted.get(part.split(".")[0]) == str(fault["number"]):
                move = fault["to"]
        if move is None:
            index = 0
            if len(turn["choices"]) > 1:
                index, point = int(wanted.get(str(point), 0)), point + 1
            move = turn["choices"][index]["to"]
        report, turn = turn_of(table, **game, **move)
    return report, turn, moves


@pytest.mark.parametrize(
    ("slug", "variant"),
    [("slot-recycling", "counter"), ("slot-recycling", "lease"), ("single-flight-takeover", "unchecked-publish")],
)
def test_the_moves_of_a_known_counterexample_come_to_its_digest(slug, variant):
    search = Search(EXPERIMENTS[slug], variant)
    while not search.done:
        search.advance(1_000)
    found = search.result()["counterexample"]
    report, turn, moves = played(slug, variant, found["schedule"])
    assert (report["schedule"], report["digest"]) == (found["schedule"], found["digest"])
    assert (turn["violated"], turn["step"]) == (found["violated"], found["steps"])
    assert moves > 20


def test_the_lease_can_be_beaten_and_the_claim_falls_before_the_run_is_over():
    search = Search(EXPERIMENTS["slot-recycling"], "lease")
    while not search.done:
        search.advance(1_000)
    schedule = search.result()["counterexample"]["schedule"]
    game = {"experiment": "slot-recycling", "variant": "lease", "schedule": schedule}
    turns = [turn_of(EXPERIMENTS, **game, steps=steps)[1] for steps in range(search.best.steps)]
    fallen = [turn["step"] for turn in turns if "limit-respected" in turn["violated"]]
    assert fallen
    assert min(fallen) < search.best.steps - 1


def test_an_edited_program_is_played_and_its_failure_told_with_its_line():
    text = "async def main(mark, count):\n    mark('step', number=7)\n    raise ValueError('no')\n"
    report, turn = turn_of(sources={"main.py": text}, until="end")
    assert "no-program-error" in turn["violated"]
    error = ask(sources={"main.py": "async def main(mark, count):\n    retrun 1\n"})["error"]
    assert (error["kind"], error["file"], error["line"]) == ("program", "main.py", 2)


def test_a_failure_that_the_end_would_tell_of_is_not_told_before():
    text = (
        "import asyncio\nasync def boom():\n    raise ValueError('no')\n"
        "async def main(mark, count):\n    task = asyncio.create_task(boom())\n    await asyncio.sleep(0.001)\n"
        "    mark('step', number=1)\n    await asyncio.gather(task, return_exceptions=True)\n"
    )
    report, turn = turn_of(sources={"main.py": text}, steps=3)
    assert not turn["over"]
    assert [event["kind"] for event in report["trace"]] == ["actor.started"]
    assert (turn["violated"], report["outcome"]) == ([], "bounds reached, not finished")


def test_the_case_of_a_safeguard_and_the_readers_own_parameters_are_played():
    assert turn_of(parameters={"count": 4})[0]["parameters"]["count"] == 4
    guards = [each for each in EXPERIMENTS["slot-recycling"].safeguards if each.parameters]
    for guard in guards:
        game = {"experiment": "slot-recycling", "variant": guard.variant, "case": guard.id}
        report, turn = turn_of(EXPERIMENTS, **game)
        assert guard.parameters.items() <= report["parameters"].items()
        again, _ = turn_of(EXPERIMENTS, **game, schedule=turn["schedule"], steps=turn["step"])
        assert again == report


BAD = [
    ({"experiment": "nothing"}, "unknown experiment 'nothing'"),
    ({"variant": "nothing"}, "unknown variant 'nothing'"),
    ({"variant": None}, "unknown variant 'None'"),
    ({"variant": ["plain"]}, "unknown variant"),
    ({"parameters": {"count": -1}}, "count must be"),
    ({"parameters": [1]}, "parameters must map names to values"),
    ({"steps": -1}, "steps must be a whole number from 0"),
    ({"steps": None}, "steps must be a whole number from 0"),
    ({"until": "forever"}, "unknown until 'forever'; there are: step, choice, end"),
    ({"until": ["end"]}, "unknown until"),
    ({"case": "nobody"}, "unknown case 'nobody'"),
    ({"case": ["nobody"]}, "unknown case"),
    ({"sources": {"other.py": ""}}, "unknown program file 'other.py'"),
    ({"schedule": 7}, "schedule must be a text"),
    ({"schedule": "broken"}, "a schedule reads ol1~"),
    ({"schedule": "ol1~toy~other~0_0"}, "the schedule is one of toy / other, and this game is one of toy / plain"),
    ({"schedule": "ol1~else~plain~0_0"}, "the schedule is one of else / plain"),
    ({"schedule": "ol1~toy~plain~0_0.1", "steps": 3}, "this run never came to; it belongs to another program"),
    ({"schedule": "ol1~toy~plain~0_0.5~mood.noisy", "steps": 3}, "takes option 5 at choice point 0"),
    ({"faults_max": 11}, "faults_max must be a whole number from 0 to 10"),
    ({"schedule": "ol1~toy~plain~0_x0.1-x1.1"}, "a game may spend 1 fault, and the schedule spends 2"),
    ({"schedule": "ol1~toy~plain~0_x0.2"}, "the schedule spends fault 2, where this run is offered 1"),
]


@pytest.mark.parametrize(("changes", "words"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_what_is_no_move_gets_a_sentence(changes, words):
    answer = ask(**{"until": "end", **changes})
    assert (answer["ok"], answer["error"]["kind"]) == (False, "input"), answer
    assert words in answer["error"]["message"]
