"""A game goes on after its page was left, on the built site: every state of it is made again by Python."""

from playwright.sync_api import expect

from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.test_steer import SLOTS, moves, open_game, press, said, step


def test_a_game_goes_on_after_its_page_was_left(page, server):
    panel = open_game(page, server, "counter")
    digest = panel.root.locator("lab-share")
    step(panel, "task-1 begins a task")
    before = digest.get_attribute("data-digest")
    panel.root.locator('[data-fault="crash"][data-target="task-1"]').click()
    expect(said(panel)).to_contain_text("Set: task-1 is killed before its next step.")
    press(panel, "Go on to the next choice")
    expect(moves(panel)).to_have_count(4)
    here, told = digest.get_attribute("data-digest"), moves(panel).all_inner_texts()

    page.goto(server.url)
    page.go_back()
    panel = Panel(page, SLOTS).wait_until_drawn()
    panel.root.get_by_role("button", name="Go on with the game that you left").click()
    expect(said(panel)).to_contain_text("The game goes on where you left it", timeout=RUN_MS_MAX)
    digest = panel.root.locator("lab-share")
    expect(digest).to_have_attribute("data-digest", here)
    assert moves(panel).all_inner_texts() == told
    press(panel, "Undo")
    expect(panel.root.locator(".lab-steer-fault .lab-chip")).to_have_text("set")
    press(panel, "Undo")
    expect(said(panel)).to_contain_text("Back at move 1.")
    expect(digest).to_have_attribute("data-digest", before)
