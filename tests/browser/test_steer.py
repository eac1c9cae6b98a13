"""A reader beats a program on the built site, by clicks and by keys: real Python, against the lab, and as a link."""

import re

import pytest
from playwright.sync_api import Page, expect

from experiments import EXPERIMENTS
from py_runtime.lab import replay
from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.reading import embed_url, slider, wait_number
from tests.browser.test_accessibility import LOOKS, look, violations
from tests.browser.test_editing import content, open_editor, type_over
from tests.browser.test_links import copied_link, digest_and_event
from tests.browser.test_search import searched

SLOTS = "slot-recycling"


@pytest.fixture
def copying_page(new_page) -> Page:
    return new_page(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])


def begin(panel: Panel) -> None:
    panel.root.get_by_role("button", name="Be the scheduler").click()
    expect(panel.root.locator(".lab-steer-box")).to_be_visible(timeout=RUN_MS_MAX)


def open_game(page: Page, server, variant: str) -> Panel:
    page.goto(embed_url(server, SLOTS, f"?variant={variant}"))
    panel = Panel(page, SLOTS).wait_until_drawn()
    begin(panel)
    return panel


def press(panel: Panel, name: str) -> None:
    panel.root.locator("lab-steer").get_by_role("button", name=name, exact=True).click()


def moves(panel: Panel):
    return panel.root.locator(".lab-steer-moves li")


def step(panel: Panel, words: str) -> None:
    """Take the step that is told in these words."""
    before = moves(panel).count()
    panel.root.locator(".lab-steer-choices button", has_text=words).click()
    expect(moves(panel)).to_have_count(before + 1)


def said(panel: Panel):
    return panel.root.locator(".lab-steer-said")


def test_a_game_is_won_compared_linked_and_replayed(copying_page, server):
    panel = open_game(copying_page, server, "counter")
    step(panel, "task-1 begins a task")
    step(panel, "redis gets the request of task-1: INCR llm:inflight")
    step(panel, "the answer of redis arrives at task-1")
    step(panel, "task-1 reads the answer of redis")
    panel.root.locator('[data-fault="crash"][data-target="task-1"]').click()
    expect(said(panel)).to_contain_text("Set: task-1 is killed before its next step.")
    step(panel, "task-1 is killed")
    expect(panel.root.locator('[data-claim="capacity-returns"]')).to_have_attribute("data-holds", "null")
    press(panel, "Let it run to its end")
    expect(said(panel)).to_contain_text("The run is over. Claims have fallen:")
    expect(panel.root.locator('[data-claim="capacity-returns"]')).to_have_attribute("data-holds", "false")

    press(panel, "Can the lab do it in fewer steps?")
    contest = panel.root.locator(".lab-steer-contest")
    expect(contest).to_have_attribute("data-answer", "smaller", timeout=RUN_MS_MAX)
    labs = searched(SLOTS, "counter")["counterexample"]
    expect(contest).to_contain_text(f"The lab’s: 1 fault, 0 deviations from the usual order, {labs['steps']} steps.")
    expect(contest).to_contain_text(
        f"Your counterexample: 1 fault, 0 deviations from the usual order, {labs['steps'] + 1} steps."
    )

    slider(panel.root).press("Home")
    wait_number(panel.root, 1)
    link, before = copied_link(panel), digest_and_event(panel)
    schedule = re.search(r"#run=([^&]+)", link)[1]
    assert replay(EXPERIMENTS, schedule).digest == before[0]
    page = copying_page.context.new_page()
    page.goto(link)
    opened = Panel(page, SLOTS)
    expect(opened.root).to_have_attribute("state", "ran", timeout=RUN_MS_MAX)
    wait_number(opened.root, 1)
    assert digest_and_event(opened) == before
    page.close()

    press(panel, "Back to where the game stands")
    press(panel, "Show the lab’s run")
    expect(panel.root.locator("lab-share")).to_have_attribute("data-digest", labs["digest"])
    panel.root.locator("[data-line-left]").click()
    expect(panel.root.locator("lab-share")).to_have_attribute("data-digest", before[0])


def test_the_past_is_forked_by_keys_and_both_lines_stay(page, server):
    panel = open_game(page, server, "lease")
    expect(panel.root.locator('[data-choice="0"]')).to_be_focused()
    for _ in range(3):
        before = moves(panel).count()
        page.keyboard.press("1")
        expect(moves(panel)).to_have_count(before + 1)
    press(panel, "Go on to the next choice")
    expect(said(panel)).to_contain_text("2 steps are possible.")
    here = panel.root.locator("lab-share").get_attribute("data-digest")
    press(panel, "Let it run to its end")
    unseen = EXPERIMENTS[SLOTS].texts()["claims"]["crash-happened"]
    expect(said(panel)).to_contain_text(f"has fallen. Not seen in this run: {unseen} Undo")
    assert panel.root.locator("lab-share").get_attribute("data-digest") != here
    page.keyboard.press("u")
    expect(panel.root.locator("lab-share")).to_have_attribute("data-digest", here)
    panel.root.locator(".lab-steer-undo").focus()
    page.keyboard.press("2")
    expect(panel.root.locator("[data-line-left]")).to_have_text("Other line: 5 moves, to the end, nothing fell")
    panel.root.locator("[data-line-left]").click()
    expect(moves(panel)).to_have_count(6)
    expect(panel.root.locator("[data-line-left]")).to_have_text("Other line: 5 moves, not over, nothing fell yet")


def test_a_claim_that_nothing_can_mend_falls_before_the_run_is_over_and_the_lab_does_no_better(page, server):
    labs = searched(SLOTS, "lease")["counterexample"]
    panel = open_game(page, server, "lease")
    panel.root.locator('[data-fault="clock-step"][data-target="task-2"]').click()
    expect(said(panel)).to_contain_text("Set: the clock of task-2 jumps 5,000 ms ahead before its next step.")
    limit = panel.root.locator('[data-claim="limit-respected"]')
    for made in range(2, 20):
        if limit.get_attribute("data-holds") == "false":
            break
        press(panel, "Go on to the next choice")
        expect(moves(panel)).to_have_count(made + 1)
    expect(limit).to_have_attribute("data-holds", "false")
    fallen = panel.root.locator(".lab-steer-fallen")
    expect(fallen).to_contain_text("The run is not over, but nothing that follows can mend this.")
    expect(panel.root.locator('[data-claim="capacity-returns"]')).to_have_attribute("data-holds", "null")
    press(panel, "Can the lab do it in fewer steps?")
    contest = panel.root.locator(".lab-steer-contest")
    expect(contest).to_have_attribute("data-answer", "equal", timeout=RUN_MS_MAX)
    expect(contest).to_contain_text(
        f"Your counterexample: 1 fault, 0 deviations from the usual order, {labs['steps']} steps."
    )
    assert panel.root.locator("lab-share").get_attribute("data-digest") == labs["digest"]


def test_an_edit_is_played_stop_ends_a_step_that_never_does_and_the_game_is_kept(page, server):
    panel = open_editor(page, embed_url(server, SLOTS, "?variant=counter"))
    type_over(
        panel,
        "class Quota:\n    def __init__(self, redis, limit, settings):\n        self._redis = redis\n\n\n"
        "async def run_task(quota, task_id, work):\n    await quota._redis.get('x')\n    while True:\n        pass\n",
    )
    begin(panel)
    step(panel, "task-1 begins a task")
    step(panel, "redis gets the request of task-1: GET x")
    press(panel, "Let it run to its end")
    expect(panel.status).to_have_text("Running …", timeout=RUN_MS_MAX)
    panel.stop_button.click()
    expect(panel.status).to_contain_text("Stopped.")
    expect(moves(panel)).to_have_count(3)
    expect(content(panel)).to_contain_text("while True:")
    panel.root.locator(".lab-steer-choices button").click()
    expect(moves(panel)).to_have_count(4, timeout=RUN_MS_MAX)


def test_axe_finds_nothing_in_a_game(page, server):
    panel = open_game(page, server, "counter")
    press(panel, "Let it run to its end")
    expect(said(panel)).to_contain_text("The run is over")
    slider(panel.root).press("Home")
    press(panel, "Choose from this moment")
    expect(said(panel)).to_contain_text("Back at move")
    found = []
    for scheme, size in LOOKS:
        look(page, scheme, size)
        found += [f"{scheme} {size['width']} {line}" for line in violations(page)]
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert found == []
