"""Examining repairs of the toy challenge: exact results, programs of every kind, and slices that change nothing."""

import json
from dataclasses import replace

import pytest

from py_runtime.lab import Challenge, Check
from py_runtime.lab.errors import InputError, ProgramError
from py_runtime.lab.examine import Examination
from py_runtime.lab.wire import Bridge

from .toy import CHALLENGES, TASK, TOY

LOOP = "import asyncio\nasync def main(mark, count):\n    while True:\n        await asyncio.sleep(0)\n"


def repair(name: str) -> str:
    return TASK.resource(TASK.challenge.repair(name))


def examined(text: str | None, experiment=TASK) -> dict:
    examination = Examination(experiment, {} if text is None else {"main.py": text})
    while not examination.done:
        examination.advance()
    return examination.result()


def with_check(check: Check, experiment=TASK):
    """The toy challenge with this check alone; the experiment's texts say the rest."""
    return replace(experiment, challenge=Challenge(file="main.py", checks=(check,), wrong={}))


def statuses(result: dict) -> list[str]:
    return [check["status"] for check in result["checks"]]


def test_the_result_of_the_published_program_is_whole():
    assert examined(None) == {
        "version": 1, "experiment": "task", "title": "Toy", "solved": False, "runs": 3, "token": None,
        "checks": [
            {"id": "orders", "label": "Every order", "status": "passed", "why": None, "searched": True, "runs": 1,
             "outcome": "holds within bounds", "cut": 0, "violated": [], "schedule": None},
            {"id": "twenty", "label": "Twenty steps", "status": "failed", "why": "Steps are missing.",
             "searched": False, "runs": 1, "outcome": "counterexample found", "cut": 0,
             "violated": [{"id": "all-stepped", "text": "All steps were taken.", "observed": "10 of 20"}],
             "schedule": "ol1~task~plain~0_0~count.20"},
            {"id": "some", "label": "Some steps", "status": "passed", "why": None, "searched": False, "runs": 1,
             "outcome": "holds within bounds", "cut": 0, "violated": [], "schedule": "ol1~task~plain~0_0"},
        ],
    }  # fmt: skip


def test_the_reference_repair_solves_it_and_gets_a_token():
    result = examined(repair("reference"))
    assert (result["solved"], result["runs"], statuses(result)) == (True, 3, ["passed"] * 3)
    assert result["token"].startswith("olc1~task~")


def test_a_search_names_what_fell_and_the_schedule_that_shows_it():
    result = examined(repair("backwards"))
    check = result["checks"][0]
    assert (check["status"], check["outcome"], check["runs"]) == ("failed", "counterexample found", 2)
    assert check["violated"] == [{"id": "in-order", "text": "Numbers never fall.", "observed": None}]
    assert check["schedule"] == "ol1~task~plain~0_0~mood.noisy"
    assert result["runs"] == 4, "one run that broke it, one that looked for a simpler one, and two more checks"


def test_what_never_happens_fails_in_the_words_of_the_usual_run():
    result = examined(repair("idle"))
    assert statuses(result) == ["passed", "failed", "failed"]
    assert result["checks"][2]["outcome"] == "never reached"
    assert result["checks"][2]["violated"][0]["observed"] == "0 steps"


@pytest.mark.parametrize("slice_runs", [1, 2, 50])
def test_slices_change_nothing(slice_runs):
    examination = Examination(TASK, {"main.py": repair("backwards")})
    seen = [examination.state()]
    while not examination.done:
        examination.advance(slice_runs)
        seen.append(examination.state())
    assert examination.result() == examined(repair("backwards"))
    assert [state["runs"] for state in seen] == sorted(state["runs"] for state in seen)
    assert [check["status"] for check in seen[0]["checks"]] == ["running", "waiting", "waiting"]
    assert all(statuses(state).count("running") == (not state["done"]) for state in seen)


def test_a_program_that_raises_fails_every_check_with_its_line():
    result = examined(repair("reference").replace("    for", '    raise ValueError("no")\n    for'))
    assert statuses(result) == ["failed"] * 3
    [error, _] = result["checks"][2]["violated"]
    assert (error["id"], error["observed"]) == ("no-program-error", "counter: main.py, line 2: ValueError: no")


def test_a_program_that_waits_for_ever_is_judged_by_what_it_did():
    result = examined("import asyncio\nasync def main(mark, count):\n    await asyncio.Future()\n")
    assert statuses(result) == ["passed", "failed", "failed"]


def test_a_program_that_floods_the_output_is_judged_all_the_same():
    result = examined(repair("reference") + "    for line in range(10_000):\n        print(line)\n")
    assert result["solved"]


@pytest.mark.parametrize("searched", [False, True])
def test_a_run_that_meets_a_limit_is_not_passed(searched):
    check = Check("some", () if searched else ("stepped",), searched=searched)
    result = examined(LOOP, with_check(check))
    [found] = result["checks"]
    assert (found["status"], found["cut"], found["runs"]) == ("failed", 1, 1)
    assert found["outcome"] == ("bounds reached, not finished" if searched else "livelock")


def test_a_program_that_reaches_outside_is_not_passed():
    result = examined("async def main(mark, count):\n    import threading\n")
    assert not result["solved"]
    assert result["checks"][2]["outcome"] == "escaped"


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("def x(:\n", "main.py, line 1: invalid syntax", 1),
        ("import os\n", "import os reaches outside", 1),
        ("", "main.py must define main", None),
        ("main = 3\n", "main.py must define main", 1),
        ("x = '\0'\n", "null bytes", None),
    ],
)
def test_a_program_that_cannot_be_used_is_told_with_its_line(text, words, line):
    with pytest.raises(ProgramError) as caught:
        examined(text)
    assert words in str(caught.value)
    assert (caught.value.file, caught.value.line) == ("main.py", line)


def test_a_search_that_comes_to_its_bound_passes_and_says_so():
    concurrent = (
        "import asyncio\nasync def main(mark, count):\n"
        "    for number in range(count):\n        await asyncio.sleep(0.001)\n        mark('step', number=number)\n"
    )
    check = Check("orders", searched=True, parameters={"mood": "noisy"}, runs_max=1)
    two = replace(with_check(check), scenario=together)
    result = examined(concurrent, two)
    [found] = result["checks"]
    assert (found["status"], found["outcome"], found["runs"]) == ("passed", "bounds reached, not finished", 1)
    assert result["solved"]


def together(stage):
    """Two actors at the same instants, so that their order is open."""
    [main] = stage.program("main.py", "main")
    for name in ("left", "right"):
        stage.world.spawn(stage.world.actor(name), main(stage.world.mark, 1))


def test_only_challenges_are_examined_and_only_their_programs_replaced():
    with pytest.raises(InputError, match="toy is no challenge: there is nothing to check"):
        Examination(TOY, {})
    with pytest.raises(InputError, match="unknown program file 'other.py'"):
        Examination(TASK, {"other.py": ""})


def test_a_challenges_declaration_is_held_together():
    with pytest.raises(ValueError, match="names the claims"):
        Check("some")
    with pytest.raises(ValueError, match="different ids"):
        Challenge(file="main.py", checks=(Check("a", searched=True), Check("a", searched=True)), wrong={})
    with pytest.raises(ValueError, match="different ids"):
        Challenge(file="main.py", checks=(Check("a", searched=True),), wrong={"reference": "a"})
    with pytest.raises(ValueError, match="different ids"):
        Challenge(file="main.py", checks=(Check("a", searched=True),), wrong={"idle": "b"})
    with pytest.raises(ValueError, match="claims that there are not"):
        with_check(Check("some", ("no-such",)))


# Through the bridge


def ask(bridge: Bridge, **request) -> dict:
    return json.loads(bridge.handle(json.dumps({"version": 1, **request})))


def to_the_end(bridge: Bridge, **request) -> dict:
    answer = ask(bridge, **request)
    while answer["ok"] and not answer["work"]["done"]:
        answer = ask(bridge, type="more", runs=1)
    return answer


@pytest.mark.parametrize("name", ["reference", "backwards"])
def test_a_page_gets_what_a_terminal_gets_and_can_have_it_verified(name):
    bridge, text = Bridge(CHALLENGES), repair(name)
    answer = to_the_end(bridge, type="examine", experiment="task", sources={"main.py": text}, runs=1)
    assert answer["work"]["result"] == json.loads(json.dumps(examined(text)))
    token = answer["work"]["result"]["token"]
    if token:
        assert to_the_end(bridge, type="verify", token=token)["work"]["result"] == answer["work"]["result"]


@pytest.mark.parametrize(
    ("request_", "kind", "words"),
    [
        ({"type": "examine", "experiment": "toy"}, "input", "toy is no challenge"),
        ({"type": "examine", "experiment": "none"}, "input", "unknown experiment"),
        ({"type": "examine", "experiment": "task", "sources": {"main.py": 3}}, "input", "sources must map"),
        ({"type": "examine", "experiment": "task", "sources": {"x.py": ""}}, "input", "unknown program file"),
        ({"type": "examine", "experiment": "task", "sources": {"main.py": "def x(:"}}, "program", "invalid syntax"),
        ({"type": "verify"}, "input", "token must be a text"),
        ({"type": "verify", "token": 3}, "input", "token must be a text"),
        ({"type": "verify", "token": "hello"}, "input", "a token reads olc1~"),
    ],
)
def test_every_mistake_of_a_page_comes_back_as_a_sentence(request_, kind, words):
    answer = ask(Bridge(CHALLENGES), **request_)
    assert (answer["ok"], answer["error"]["kind"]) == (False, kind)
    assert words in answer["error"]["message"]
