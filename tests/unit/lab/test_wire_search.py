"""A search through the bridge: slice by slice, with the result of one in one go, and ended by whatever comes next."""

import json
import subprocess
import sys

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab.explore import Search
from py_runtime.lab.wire import Bridge
from tools.paths import ROOT

SEARCH = {"version": 1, "type": "explore", "experiment": "slot-recycling", "variant": "counter"}
MORE = {"version": 1, "type": "more"}
SLOTS = EXPERIMENTS["slot-recycling"]


def ask(bridge: Bridge, **request) -> dict:
    return json.loads(bridge.handle(json.dumps(request)))


def to_the_end(bridge: Bridge, **request) -> tuple[list[dict], dict]:
    """All states but the last, and the last."""
    states = [ask(bridge, **request)["work"]]
    while not states[-1]["done"]:
        states.append(ask(bridge, **MORE, runs=7)["work"])
    return states[:-1], states[-1]


def test_slices_end_in_the_result_of_one_go():
    states, last = to_the_end(Bridge(EXPERIMENTS), **SEARCH)
    search = Search(SLOTS, "counter")
    while not search.done:
        search.advance(1_000)
    assert last["result"] == json.loads(json.dumps(search.result()))
    assert last["result"]["outcome"] == "counterexample found"
    assert last["result"]["counterexample"]["schedule"] == last["best"]["schedule"]
    assert len(states) > 3
    assert [state["runs"] for state in states] == sorted(state["runs"] for state in states)
    assert not any("result" in state for state in states)


def test_a_request_makes_no_more_runs_than_it_asks_for():
    bridge = Bridge(EXPERIMENTS)
    request = {**SEARCH, "variant": "lease-repaired"}
    counts = [ask(bridge, **request, runs=2)["work"]["runs"]]
    counts += [ask(bridge, **MORE, runs=runs)["work"]["runs"] for runs in (1, 3)]
    assert counts == [2, 3, 6]


def test_the_counterexample_replays_with_its_digest_and_its_claims():
    bridge = Bridge(EXPERIMENTS)
    _, last = to_the_end(bridge, **SEARCH)
    found = last["result"]["counterexample"]
    report = ask(bridge, version=1, type="replay", schedule=found["schedule"])["report"]
    assert report["digest"] == found["digest"]
    fallen = {claim["id"] for claim in report["claims"] if claim["holds"] is False}
    assert set(found["violated"]) <= fallen


def test_an_edited_program_is_searched_and_the_parameters_asked_for_count():
    published = ROOT / "experiments" / "slot_recycling" / "programs" / "counter.py"
    source = published.read_text(encoding="utf-8").replace("await self._redis.decr(KEY)", "pass")
    request = {**SEARCH, "sources": {"counter.py": source}, "parameters": {"limit": 2}, "options": {"faults_max": 0}}
    _, last = to_the_end(Bridge(EXPERIMENTS), **request)
    result = last["result"]
    assert result["outcome"] == "counterexample found"
    assert (result["parameters"]["limit"], result["bounds"]["faults_max"], result["faults"]) == (2, 0, [])


def test_a_result_names_the_faults_that_runs_could_have():
    _, last = to_the_end(Bridge(EXPERIMENTS), **SEARCH)
    tasks = ["task-1", "task-2", "task-3"]
    assert last["result"]["faults"] == [
        {"kind": "crash", "targets": tasks, "amount_ms": 0, "writes": 0},
        {"kind": "duplicate-request", "targets": ["redis"], "amount_ms": 0, "writes": 0},
        {"kind": "clock-step", "targets": tasks, "amount_ms": 5_000, "writes": 0},
        {"kind": "failover", "targets": ["redis"], "amount_ms": 0, "writes": 0},
    ]


@pytest.mark.parametrize("between", [{"version": 1, "type": "catalogue"}, {**SEARCH, "variant": "nobody"}])
def test_another_request_ends_the_search(between):
    bridge = Bridge(EXPERIMENTS)
    assert ask(bridge, **SEARCH)["ok"]
    ask(bridge, **between)
    answer = ask(bridge, **MORE)
    assert (answer["ok"], answer["error"]["message"]) == (False, "no work is under way that could go on")


BAD = [
    ({"variant": "nobody"}, "unknown variant 'nobody'"),
    ({"experiment": "nothing"}, "unknown experiment 'nothing'"),
    ({"options": {"runs_max": 0}}, "runs_max must be a whole number from 1"),
    ({"options": {"tries": 3}}, "unknown option 'tries'"),
    ({"options": [3]}, "options must map names to values"),
    ({"parameters": {"limit": 0}}, "limit"),
    ({"sources": {"nothing.py": ""}}, "unknown program file 'nothing.py'"),
    ({"runs": 0}, "runs must be a whole number from 1 to 10000"),
    ({"runs": True}, "runs must be a whole number from 1 to 10000"),
]


@pytest.mark.parametrize(("changes", "words"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_a_bad_search_gets_a_sentence(changes, words):
    answer = ask(Bridge(EXPERIMENTS), **{**SEARCH, **changes})
    assert (answer["ok"], answer["error"]["kind"]) == (False, "input")
    assert words in answer["error"]["message"]


def test_a_program_that_does_not_compile_is_told_with_its_line():
    answer = ask(Bridge(EXPERIMENTS), **SEARCH, sources={"counter.py": "x = (\n"})
    assert (answer["error"]["kind"], answer["error"]["file"], answer["error"]["line"]) == ("program", "counter.py", 1)


def test_what_searches_is_imported_with_the_first_search_and_not_before_a_run():
    ask = (
        "import json, sys; from experiments import EXPERIMENTS; from py_runtime.lab.wire import Bridge;"
        "bridge = Bridge(EXPERIMENTS); told = lambda: print('py_runtime.sim.explorer' in sys.modules);"
        "request = {'version': 1, 'experiment': 'request-merging', 'variant': 'plain'};"
        "bridge.handle(json.dumps({**request, 'type': 'run'})); told();"
        "bridge.handle(json.dumps({**request, 'type': 'explore'})); told()"
    )
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
