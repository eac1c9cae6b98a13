"""The search for a schedule that breaks the program, as the panel tells of it. No Python runs here."""

import pytest
from playwright.sync_api import Page, expect

FOUND = "ol1~demo~counter~0_3.1-x2.1~limit.1"
BOUNDS = {"mode": "exhaustive", "runs_max": 20_000, "faults_max": 1, "deviations_max": None}


FAULTS = [
    {"kind": "crash", "targets": ["task-1", "task-2", "task-3"], "amount_ms": 0, "writes": 0},
    {"kind": "clock-step", "targets": ["task-1"], "amount_ms": 5_000, "writes": 0},
    {"kind": "clock-step", "targets": ["task-2"], "amount_ms": -5_000, "writes": 0},
    {"kind": "failover", "targets": ["redis"], "amount_ms": 0, "writes": 2},
    {"kind": "new-kind", "targets": ["redis"], "amount_ms": 0, "writes": 0},
]


def state(runs: int, best: dict | None = None, **more) -> dict:
    return {"runs": runs, "saved": 2 * runs, "level": 1, "shrink_runs": 0, "best": best, "done": False, **more}


def ended(outcome: str, runs: int, violated: list[str] | None = None) -> dict:
    """The last state of a search; with violated claims, one that found something."""
    best = violated and {"schedule": FOUND, "violated": violated, "steps": 26}
    result = {
        "outcome": outcome, "runs": runs, "saved": 544, "bounds": BOUNDS, "parameters": {"limit": 1, "mode": "calm"},
        "faults": FAULTS, "shrink_runs": 38, "minimal": True, "counterexample": best and {**best, "digest": "ab" * 32},
    }  # fmt: skip
    return state(runs, best, done=True, result=result)


@pytest.fixture
def search(panel: Page):
    """Press the button with a search that goes through these states; with `hold` it stays at the last."""

    def begin(*states: dict, hold: bool = False) -> Page:
        panel.evaluate("([states, hold]) => { fake.states = states; fake.hold = hold && 'busy' }", [states, hold])
        panel.get_by_role("button", name="Try to break it").click()
        return panel

    return begin


def said(page: Page):
    return page.locator(".lab-search-said")


def test_a_counterexample_is_shown_and_stays_the_schedule_that_run_replays(search):
    page = search(state(1), ended("counterexample found", 3, ["capacity-returns"]))
    expect(said(page)).to_contain_text("Counterexample found after 3 runs.")
    expect(page.locator(".lab-search-more")).to_contain_text("Falls: Capacity comes back.")
    expect(page.locator(".lab-search-more")).to_contain_text("It takes 26 steps. 38 more runs looked for a simpler one")
    expect(page.locator(".lab-search-more")).to_contain_text("Searched in this case: Limit 1")
    expect(page.locator(".lab-replay")).to_contain_text(FOUND)
    assert page.evaluate("fake.requests.map(({ schedule }) => schedule)") == [FOUND]
    expect(page.locator("ownership-lab")).to_have_attribute("state", "ran")


def test_holds_within_bounds_says_how_many_runs_and_which_bounds(search):
    page = search(state(1), ended("holds within bounds", 247))
    expect(said(page)).to_contain_text("Holds within bounds (all 247 runs): none broke a claim. 544 more runs")
    expect(page.locator(".lab-search-progress")).to_be_hidden()
    expect(page.locator(".lab-search-more")).to_contain_text(
        "at most 1 fault in a run, any number of deviations from the usual order, at most 20,000 runs"
    )
    expect(page.locator(".lab-search-more")).to_contain_text(
        "Faults that were tried: a crash of task-1, task-2 or task-3; the clock of task-1 5,000 ms ahead; "
        "the clock of task-2 5,000 ms back; a failover of redis to a replica that lacks the last 2 writes; new-kind."
    )
    assert page.evaluate("fake.requests.length") == 0
    expect(page.locator("lab-search")).to_have_attribute("data-outcome", "holds within bounds")


@pytest.mark.parametrize("grown", [False, True])
def test_a_search_that_has_ended_is_not_told_to_run_or_load_still(search, panel, grown):
    panel.evaluate("grown => { fake.grown = grown }", grown)
    page = search(state(1), ended("holds within bounds", 247))
    expect(said(page)).to_contain_text("(all 247 runs)")
    expect(page.locator(".lab-status-words")).to_have_text("The search was made here, in your browser.")
    expect(page.locator(".lab-status progress")).to_be_hidden()


def test_bounds_that_were_reached_promise_nothing(search):
    page = search(ended("bounds reached, not finished", 1_000))
    expect(said(page)).to_contain_text("Bounds reached, not finished: 1,000 runs made")
    expect(said(page)).to_contain_text("There are more.")


def test_how_far_the_search_is_moves_and_is_not_announced(search):
    page = search(state(1), state(1_200), hold=True)
    progress = page.locator(".lab-search-progress")
    expect(progress).to_contain_text("1,200 runs so far")
    expect(progress).to_contain_text("at most 1 deviation from")
    assert progress.get_attribute("role") is None and progress.get_attribute("aria-live") is None
    for name in ("Run", "Try to break it", "Reset"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()


def test_stop_keeps_what_was_found(search):
    best = {"schedule": FOUND, "violated": ["capacity-returns"], "steps": 30}
    page = search(state(1), state(9, best), hold=True)
    expect(said(page)).to_contain_text("Looking for a simpler one")
    page.evaluate("fake.hold = null")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(said(page)).to_have_text("Stopped. The counterexample found until then is shown; a simpler one may exist.")
    expect(page.locator(".lab-replay")).to_contain_text(FOUND)
    assert page.evaluate("fake.requests.map(({ schedule }) => schedule)") == [FOUND]


def test_stop_before_anything_was_found_says_so(search):
    page = search(state(1), state(40), hold=True)
    expect(page.locator(".lab-search-progress")).to_contain_text("40 runs")
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(said(page)).to_have_text("Stopped after 40 runs. None broke a claim; nothing is said of the others.")
    expect(page.locator(".lab-search-progress")).to_be_hidden()
    expect(page.get_by_role("button", name="Try to break it")).to_be_enabled()


def test_what_is_asked_for_is_what_the_reader_set(search, panel):
    panel.get_by_role("button", name="Parameters").click()
    panel.get_by_label("Limit").fill("7")
    panel.get_by_label("Faults in one run").select_option("2")
    panel.get_by_label("Runs, at most").select_option("1,000")
    page = search(ended("holds within bounds", 5))
    expect(said(page)).to_contain_text("(all 5 runs)")
    assert page.evaluate("fake.searches") == [
        {"experiment": "demo", "variant": "counter", "parameters": {"limit": 7},
         "options": {"runs_max": 1_000, "faults_max": 2}},
    ]  # fmt: skip


def test_a_wrong_parameter_is_told_before_anything_is_searched(panel):
    panel.get_by_role("button", name="Parameters").click()
    panel.get_by_label("Limit").fill("many")
    panel.get_by_role("button", name="Try to break it").click()
    expect(panel.get_by_text("Nothing was run: mend the marked parameter first.")).to_be_visible()
    assert panel.evaluate("fake.searches.length") == 0


def test_a_failure_is_told_and_the_search_says_nothing(search, panel):
    panel.evaluate("fake.fault = {kind: 'program', message: 'lease.py, line 7: bad', file: 'lease.py', line: 7}")
    page = search(ended("holds within bounds", 5))
    expect(page.get_by_text("The program failed: lease.py, line 7: bad")).to_be_visible()
    expect(said(page)).to_be_empty()


def test_another_variant_forgets_the_search(search):
    page = search(ended("holds within bounds", 247))
    expect(said(page)).to_contain_text("(all 247 runs)")
    page.get_by_role("button", name="Lease", exact=True).click()
    expect(said(page)).to_be_empty()
