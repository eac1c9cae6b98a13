"""The checks of a repair, begun from beside the editor. No Python here."""

import pytest
from playwright.sync_api import expect

from tests.page.panel.test_challenge import FAILED, challenge_site, part, states
from tests.page.panel.test_editing import change_limit, content
from tests.page.panel.test_panel import button


@pytest.mark.parametrize("width", [360, 1280])
def test_from_the_editor_the_checks_are_begun_and_their_report_comes_into_view(open_page, site, width):
    challenge_site(site)
    page = open_page(width=width)
    button(page, "Edit lease.py").click()
    expect(content(page)).to_be_focused()
    change_limit(page)
    expect(button(page, "Check my repair")).not_to_be_in_viewport()
    page.evaluate("fake.hold = 'busy'")
    page.evaluate("states => { fake.states = states; }", states(FAILED))
    here = button(page, "Check my repair, and go to the report")
    here.focus()
    page.keyboard.press("Enter")
    expect(button(page, "Stop the checks")).to_be_focused()
    expect(button(page, "Stop the checks")).to_be_in_viewport()
    expect(here).to_be_disabled()
    assert "LIMIT = 3" in page.evaluate("fake.works.at(-1).sources['lease.py']")
    page.evaluate("fake.release()")
    expect(part(page).locator(".lab-check-said")).to_be_in_viewport()
    expect(part(page).locator(".lab-check-said")).to_have_text("✗ Not solved: 3 of 4 checks failed.")
    expect(button(page, "Check my repair")).to_be_focused()
    assert page.evaluate("fake.works.length") == 1


def test_only_a_challenge_has_a_button_for_its_checks_beside_the_editor(panel):
    panel.get_by_role("tab", name="Program").click()
    expect(button(panel, "Edit")).to_be_visible()
    expect(panel.locator(".lab-check-here")).to_have_count(0)
