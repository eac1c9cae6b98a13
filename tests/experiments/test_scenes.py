"""Every scene can be drawn, also of odd and cut-short runs, and shows what the readings say."""

import json

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import run_once
from py_runtime.sim import Bounds

from .golden import FLIGHT, HEARTBEAT, MERGING, OWNERSHIP, SLOTS
from .scene_shapes import breaches
from .support import VARIANTS, run

ODD = {
    HEARTBEAT: [{"window_ms": 5}, {"block_ms": 60_000}, {"block_at_ms": 0}, {"interval_ms": 7}],
    OWNERSHIP: [{"short_enters_tick": 0}, {"short_enters_tick": 5, "long_ends_tick": 3}],
    SLOTS: [{"limit": 1}, {"crash_every": 1}, {"duration_ms": 1}, {"lease_ms": 900, "heartbeat_ms": 2_000, "limit": 2}],
    FLIGHT: [{"followers": 0}, {"followers": 20}, {"fault": "crash"}, {"fault": "hang"}, {"until_ms": 1}],
    MERGING: [{"requests": 1}, {"gap_us": 0}, {"gap_us": 500}],
}


def as_json(report):
    return json.loads(json.dumps(report.as_json()))


def views(report):
    return {view["id"]: view for view in report.scene}


@pytest.mark.parametrize(("slug", "variant"), VARIANTS)
def test_every_scene_can_be_drawn(slug, variant):
    for parameters in [{}, *ODD.get(slug, [])]:
        for seed in (0, 5):
            report = as_json(run(slug, variant, seed=seed, **parameters))
            assert report["scene"]
            assert breaches(report) == [], parameters


@pytest.mark.parametrize(("slug", "variant"), VARIANTS)
def test_a_run_that_was_cut_short_can_be_drawn_and_judges_nothing_but_what_has_fallen_for_good(slug, variant):
    whole = run(slug, variant).bounds["steps"]
    lasting = {claim.id for claim in EXPERIMENTS[slug].claims if claim.lasting}
    for steps in (1, 2, 7, whole // 3, whole // 2, whole - 1):
        report = run_once(EXPERIMENTS[slug], variant, bounds=Bounds(steps_max=steps))
        fallen = {claim.id for claim in report.claims if claim.holds is False}
        assert fallen <= lasting
        assert report.outcome == ("counterexample found" if fallen else "bounds reached, not finished")
        assert breaches(as_json(report)) == []
        assert {claim.holds for claim in report.claims} <= {None, False}
        assert set(report.readings.values()) == {None}


def folded(view, key, position, what):
    """What a page shows of a cell or card at a position: the last change at or before it."""
    state = view.get("initial")
    for change in view["changes"]:
        if change[key] == what and change["position"] <= position:
            state = change.get("state", change["text"])
    return state


@pytest.mark.parametrize("variant", ["counter", "lease", "lease-repaired"])
def test_squares_held_are_the_tasks_that_run_and_squares_leaked_are_counted_corpses(variant):
    report = run(SLOTS, variant)
    slots = views(report)["slots"]
    running, crashed = 0, set()
    for event in report.trace:
        name = event.fields.get("name") if event.kind == "mark" else event.kind
        running += (name == "admitted") - (name in ("finished", "actor.crashed"))
        if name == "actor.crashed":
            crashed.add(event.actor)
        if event.sequence % 20 == 0 or name == "actor.crashed":
            states = [folded(slots, "cell", event.sequence, cell["id"]) for cell in slots["cells"]]
            assert states.count("held") == running
            assert states.count("leaked") <= len(crashed)
            assert "uncounted" not in states
    final = [folded(slots, "cell", len(report.trace), cell["id"]) for cell in slots["cells"]]
    assert final.count("leaked") == {"counter": 10, "lease": 3, "lease-repaired": 3}[variant]
    assert 10 - final.count("leaked") - final.count("held") == report.readings["capacity_every_5s"][-1]


def test_a_task_that_runs_uncounted_has_a_square_of_its_own_look():
    slots = views(run(SLOTS, "lease", limit=2, crash_every=0, heartbeat_ms=2_000, lease_ms=1_500))["slots"]
    assert "uncounted" in {change["state"] for change in slots["changes"]}
    assert len(slots["cells"]) > 2


def test_the_capacity_line_passes_through_the_sampled_readings():
    report = run(SLOTS, "lease")
    [usable, _] = views(report)["capacity"]["lines"]
    for index, value in enumerate(report.readings["capacity_every_5s"]):
        assert [v for at_us, v in usable["points"] if at_us <= index * 5_000_000][-1] == value


def test_dots_are_the_beats():
    report = run(HEARTBEAT, "in-loop")
    rows = {row["id"]: row["points"] for row in views(report)["beats"]["rows"]}
    assert len(rows["due"]) == report.readings["beats_theoretical"]
    assert len(rows["on-time"]) + len(rows["late"]) == report.readings["beats_actual"]
    assert [point["text"] for point in rows["late"]] == ["390 ms late"]


def test_cards_of_the_local_queue_never_speak_of_a_row_and_those_of_the_claim_never_of_a_queue_in_memory():
    def texts(variant):
        return " ".join(change["text"] for view in run(OWNERSHIP, variant).scene for change in view["changes"])

    assert "stored" not in texts("local-queue") and "W1's own queue" in texts("local-queue")
    assert "stored" in texts("global-claim") and "W1's own queue" not in texts("global-claim")


def test_the_path_ends_with_the_event_at_the_gateway():
    path = views(run(OWNERSHIP, "global-claim"))["path"]
    assert folded(path, "card", 10_000, "result") == "tick 7: event arrived"
    assert folded(path, "card", 10_000, "job") == "tick 7: done"


def test_callers_and_store_show_the_takeover():
    report = run(FLIGHT, "repaired")
    callers, flight = views(report)["callers"], views(report)["flight"]
    assert [folded(callers, "card", len(report.trace), name) for name in "ABC"] == ["has the result of token 2"] * 3
    assert folded(flight, "card", len(report.trace), "sequence") == "2"
    assert folded(flight, "card", len(report.trace), "result").startswith("token 2")
    assert "leads with token 2" in [change["text"] for change in callers["changes"] if change["card"] == "B"]


def test_the_load_ends_with_nobody_waiting():
    for variant in ("plain", "merged", "merged-without-cache"):
        [waiting, flying] = views(run(MERGING, variant))["load"]["lines"]
        assert waiting["points"][-1][1] == flying["points"][-1][1] == 0
        assert max(value for _, value in flying["points"]) == {"plain": 41}.get(variant, 1)
