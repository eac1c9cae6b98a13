"""Runs in the browser: the same digests as when the site was built, errors as sentences, nothing left behind."""

import json

import pytest

from tests.page.runtime.conftest import expect_workers
from tools.paths import CATALOGUE, experiment_file, report_file


def variants():
    if not CATALOGUE.is_file():
        return [("", "")]  # one case, which fails with the command to run
    slugs = [entry["slug"] for entry in json.loads(CATALOGUE.read_text())["experiments"]]
    described = {slug: json.loads(experiment_file(slug).read_text())["experiment"] for slug in slugs}
    return [(slug, variant["id"]) for slug in slugs for variant in described[slug]["variants"]]


def attempt(page, request):
    return page.evaluate("(request) => attempt(lab().run(request))", request)


def a_run(**changes):
    return {"experiment": "heartbeat-stall", "variant": "in-loop", **changes}


@pytest.mark.parametrize(("slug", "variant"), variants())
def test_a_run_in_the_browser_has_the_digest_recorded_by_cpython(warm_page, slug, variant):
    recorded = json.loads(report_file(slug, variant).read_text())
    report = attempt(warm_page, {"experiment": slug, "variant": variant})["report"]
    assert report["digest"] == recorded["digest"]
    assert report["readings"] == recorded["readings"]


def test_a_live_worker_answers_without_starting_anything(warm_page):
    attempt(warm_page, a_run())
    warm_page.evaluate("states.length = 0")
    assert attempt(warm_page, a_run())["report"]["readings"]["beats_actual"] == 30
    assert warm_page.evaluate("states") == ["busy", "ready"]
    assert len(warm_page.workers) == 1


def test_parameters_and_edited_sources_reach_the_program(warm_page):
    result = attempt(warm_page, a_run(parameters={"block_ms": 0}))
    assert result["report"]["readings"]["beats_actual"] == 50
    source = "async def handle_upload(store, key, payload):\n    print('edited')\n"
    result = attempt(warm_page, a_run(sources={"in_loop.py": source}))
    assert result["report"]["readings"]["beats_actual"] == 50
    assert "edited" in "".join(result["report"]["output"])


def test_a_schedule_is_replayed_to_the_same_digest(warm_page):
    first = attempt(warm_page, a_run())["report"]
    again = attempt(warm_page, a_run(schedule=first["schedule"]))["report"]
    assert again["digest"] == first["digest"]


GAME = {"experiment": "slot-recycling", "variant": "counter"}


def test_a_game_is_answered_with_what_can_happen_next(warm_page):
    start = warm_page.evaluate("(request) => lab().steer(request)", GAME)
    assert (start["turn"]["step"], start["turn"]["over"], start["report"]["trace"]) == (1, False, [])
    [choice] = start["turn"]["choices"]
    after = warm_page.evaluate("(request) => lab().steer(request)", {**GAME, **choice["to"]})
    assert (after["turn"]["step"], [event["actor"] for event in after["report"]["trace"]]) == (2, ["task-1", "task-1"])
    end = warm_page.evaluate("(request) => lab().steer(request)", {**GAME, "until": "end"})
    again = attempt(warm_page, a_run(schedule=end["report"]["schedule"]))["report"]
    assert (end["turn"]["over"], again["digest"]) == (True, end["report"]["digest"])


def test_a_move_that_is_none_and_one_while_the_lab_is_busy_are_refused(warm_page):
    refused = warm_page.evaluate("(request) => attempt(lab().steer(request))", {**GAME, "schedule": "broken"})
    assert refused["error"]["kind"] == "input"
    both = "(request) => Promise.all([lab().steer(request), attempt(lab().steer(request))])"
    first, second = warm_page.evaluate(both, GAME)
    assert (first["turn"]["step"], second["error"]["kind"]) == (1, "busy")


@pytest.mark.parametrize(
    ("changes", "kind", "named"),
    [
        ({"experiment": "no-such"}, "input", "no-such"),
        ({"variant": "no-such"}, "input", "no-such"),
        ({"parameters": {"interval_ms": -1}}, "input", "interval_ms"),
        ({"schedule": "nonsense"}, "input", "nonsense"),
        ({"sources": {"in_loop.py": "def handle_upload(:"}}, "program", "in_loop.py"),
        ({"sources": {"in_loop.py": "import js"}}, "program", "js"),
    ],
)
def test_a_mistake_comes_back_as_a_sentence_that_names_it(warm_page, changes, kind, named):
    error = attempt(warm_page, a_run(**changes))["error"]
    assert error["kind"] == kind
    assert named in error["message"]
    assert "Traceback" not in error["message"]
    assert "report" in attempt(warm_page, a_run())


@pytest.mark.parametrize(
    "body",
    [
        "return await handle_upload(store, key, payload)",
        "x = [0] * 10**9",
        "raise SystemExit(3)",
        "raise KeyboardInterrupt",
    ],
    ids=["endless recursion", "too much memory", "exit", "interrupt"],
)
def test_a_program_that_goes_too_far_does_not_take_python_with_it(warm_page, body):
    source = f"async def handle_upload(store, key, payload):\n    {body}\n"
    result = attempt(warm_page, a_run(sources={"in_loop.py": source}))
    assert "report" in result or result["error"]["message"]
    assert attempt(warm_page, a_run())["report"]["readings"]["beats_actual"] == 30


def test_a_worker_that_has_grown_without_end_is_replaced_once_it_has_answered(warm_page):
    source = "async def handle_upload(store, key, payload):\n    bytearray(1_200_000_000)\n"
    warm_page.evaluate("states.length = 0")
    result = attempt(warm_page, a_run(sources={"in_loop.py": source}))
    assert result["report"]["readings"]["beats_actual"] == 50
    assert warm_page.evaluate("lab().heapBytes") > 1_200_000_000
    assert attempt(warm_page, a_run())["report"]["readings"]["beats_actual"] == 30
    assert warm_page.evaluate("states") == ["busy", "loading", "ready", "busy", "ready"]
    assert warm_page.evaluate("lab().heapBytes") < 200_000_000
    expect_workers(warm_page, 1)


def test_a_flood_of_output_is_bounded(warm_page):
    flood = "async def handle_upload(store, key, payload):\n    for n in range(200_000):\n        print('x' * 100)\n"
    result = attempt(warm_page, a_run(sources={"in_loop.py": flood}))
    assert len(json.dumps(result)) < 5_000_000
    assert attempt(warm_page, a_run())["report"]["readings"]["beats_actual"] == 30


def test_repeated_runs_do_not_grow_pythons_memory(warm_page):
    sizes = warm_page.evaluate(
        """async () => {
          const sizes = [];
          for (let n = 0; n < 60; n += 1) {
            await lab().run({ experiment: "slot-recycling", variant: "counter" });
            sizes.push(lab().heapBytes);
          }
          return sizes;
        }"""
    )
    assert sizes[-1] == sizes[9], sizes
