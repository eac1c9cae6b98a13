"""A link that is copied while a fault is set, on the built site: it leads to the run in which the fault strikes."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.test_links import copied_link
from tests.browser.test_steer import SLOTS, open_game, press, said, step


@pytest.fixture
def copying_page(new_page) -> Page:
    return new_page(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])


def test_a_fault_that_is_set_strikes_in_the_run_that_a_link_leads_to(copying_page, server):
    panel = open_game(copying_page, server, "counter")
    step(panel, "task-1 begins a task")
    panel.root.locator('[data-fault="crash"][data-target="task-1"]').click()
    expect(said(panel)).to_contain_text("Set: task-1 is killed before its next step.")
    here = panel.root.locator("lab-event").inner_text()
    link = copied_link(panel)
    assert re.search(r"#run=[^&]*_x\d+\.\d+~", link), link
    press(panel, "Let it run to its end")
    expect(said(panel)).to_contain_text("The run is over.")
    digest = panel.root.locator("lab-share").get_attribute("data-digest")

    page = copying_page.context.new_page()
    page.goto(link)
    opened = Panel(page, SLOTS)
    expect(opened.root).to_have_attribute("state", "ran", timeout=RUN_MS_MAX)
    expect(opened.root.locator("lab-share")).to_have_attribute("data-digest", digest)
    assert opened.root.locator("lab-event").inner_text() == here
