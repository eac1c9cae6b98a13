"""A button that goes away when it is pressed hands the focus on, so that no reader without a pointer loses it."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_challenge import FAILED, ORDER, challenge_site, examine, states
from tests.page.panel.test_panel import button, press_run
from tests.page.panel.test_search import ended, state
from tests.page.panel.test_steer import begin, win


def hold(page: Page) -> None:
    page.evaluate("fake.hold = 'busy'")


def press(page: Page, name: str) -> None:
    button(page, name).focus()
    page.keyboard.press("Enter")


def release(page: Page) -> None:
    page.evaluate("fake.hold = null; fake.release()")


def test_a_search_hands_it_to_its_own_stop_and_back(panel):
    hold(panel)
    panel.evaluate("states => { fake.states = states; }", [state(40)])
    expect(button(panel, "Stop the search")).to_be_hidden()
    press(panel, "Try to break it")
    expect(button(panel, "Stop the search")).to_be_focused()
    panel.keyboard.press("Enter")
    expect(panel.locator(".lab-search-said")).to_contain_text("Stopped after 40 runs.")
    expect(button(panel, "Try to break it")).to_be_focused()
    expect(button(panel, "Stop the search")).to_be_hidden()


def test_a_search_that_shows_what_it_found_gives_it_back_after_that_run(panel):
    panel.evaluate("states => { fake.states = states; }", [ended("counterexample found", 3, ["capacity-returns"])])
    hold(panel)
    press(panel, "Try to break it")
    expect(panel.locator(".lab-status-words")).to_have_text("Running …")
    expect(button(panel, "Stop the search")).to_be_focused()
    release(panel)
    expect(panel.locator(".lab-search-said")).to_contain_text("Counterexample found after 3 runs.")
    expect(button(panel, "Try to break it")).to_be_focused()


def test_a_search_leaves_it_where_the_reader_has_gone_meanwhile(panel):
    hold(panel)
    panel.evaluate("states => { fake.states = states; }", [ended("holds within bounds", 247)])
    press(panel, "Try to break it")
    panel.get_by_role("slider").focus()
    release(panel)
    expect(panel.locator(".lab-search-said")).to_contain_text("(all 247 runs)")
    expect(button(panel, "Stop the search")).to_be_hidden()
    expect(panel.get_by_role("slider")).to_be_focused()


FAILS = """async (m) => {
  const [begin, stop] = ["begin", "stop"].map((name) => document.body.appendChild(document.createElement("button")));
  const buttons = new m.BeginStop(stop, begin);
  const seen = [stop.hidden];
  const work = async () => {
    seen.push(stop.hidden);
    throw new Error("broken");
  };
  const told = await buttons.during(work).catch((error) => error.message);
  return [...seen, told, stop.hidden];
}"""


def test_stop_goes_with_work_that_fails_too(modules):
    assert modules("focus.js", FAILS) == [True, False, "broken", True]


@pytest.mark.parametrize("work", ["a move", "a search"])
def test_a_game_that_is_left_while_the_lab_works_for_it_hands_it_to_its_beginning(panel, work):
    begin(panel)
    if work == "a search":
        win(panel)
    hold(panel)
    panel.locator('[data-choice="0"]' if work == "a move" else ".lab-steer-fewer").click()
    expect(panel.locator(".lab-steer-stop")).to_be_visible()
    panel.evaluate("fake.hold = null")
    press(panel, "Leave")
    expect(panel.locator(".lab-steer-said")).to_contain_text("You have left the game.")
    expect(button(panel, "Be the scheduler")).to_be_focused()
    expect(button(panel, "Stop the lab")).to_be_hidden()
    expect(panel.locator(".lab-status-words")).to_have_text(
        "Shown is the game that you have left, as far as it was played."
    )


def test_a_game_that_begins_slowly_can_be_stopped_by_keys(panel):
    hold(panel)
    press(panel, "Be the scheduler")
    expect(button(panel, "Stop the lab")).to_be_focused()
    panel.evaluate("fake.hold = null")
    panel.keyboard.press("Enter")
    expect(panel.locator(".lab-status-words")).to_contain_text("Stopped.")
    expect(button(panel, "Be the scheduler")).to_be_focused()
    expect(button(panel, "Stop the lab")).to_be_hidden()


def test_a_comparison_that_needs_a_run_hands_it_to_stop_and_back(panel):
    panel.evaluate("fake.change = { schedule: 'ol1~demo~counter~0_3.1~limit.3' }")
    press_run(panel)
    hold(panel)
    choice = panel.get_by_label("Compare with")
    choice.focus()
    choice.select_option(label="Lease")
    expect(button(panel, "Stop the other run")).to_be_focused()
    release(panel)
    expect(panel.locator(".lab-compare-table")).to_be_visible()
    expect(choice).to_be_focused()
    expect(button(panel, "Stop the other run")).to_be_hidden()


def test_trying_again_hands_it_to_stop_and_to_run(panel):
    panel.evaluate("fake.fault = { kind: 'load', message: 'A part is missing.' }")
    button(panel, "Run").click()
    panel.evaluate("fake.fault = null")
    hold(panel)
    press(panel, "Try again")
    expect(button(panel, "Stop")).to_be_focused()
    release(panel)
    expect(panel.locator("ownership-lab")).to_have_attribute("state", "ran")
    expect(button(panel, "Run")).to_be_focused()


def test_the_run_of_a_check_that_is_stopped_leaves_it_on_its_button(open_page, site):
    challenge_site(site)
    page = open_page()
    examine(page, states(FAILED))
    show = button(page, f"Show the run: {ORDER}")
    hold(page)
    show.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lab-status-words")).to_have_text("Running …")
    page.wait_for_timeout(100)  # browsers drop the focus at the next frame
    expect(show).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("fake.requests.length") == 1, "it cannot be pressed twice"
    page.evaluate("fake.hold = null")
    button(page, "Stop").click()
    expect(page.locator(".lab-status-words")).to_contain_text("Stopped.")
    expect(show).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize("name", ["Show the whole run", "Zoom out"])
def test_zooming_out_as_far_as_it_goes_leaves_it_among_the_zoom_buttons(panel, name):
    press(panel, "Zoom in")
    press(panel, name)
    expect(button(panel, name)).to_be_disabled()
    expect(button(panel, "Zoom in")).to_be_focused()


def test_the_first_page_of_the_table_hands_it_to_the_way_on(open_page, site):
    site.pages["/"] = page_html(element("long", 'position="60"'))
    page = open_page()
    page.get_by_role("tab", name="Table").click()
    press(page, "Earlier events")
    expect(button(page, "Earlier events")).to_be_disabled()
    expect(button(page, "Later events")).to_be_focused()
