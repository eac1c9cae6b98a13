"""The switches that take a safeguard out of a program: an edit like any other, and an answer only after the guess."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_editing import content, kept, run
from tests.page.panel.test_everyone import SCHEMES, violations
from tests.page.panel.test_panel import button
from tests.page.panel.test_search import ended

WITHOUT = data.LEASE_PROGRAM.replace("> LIMIT:", "> 10**9:")


@pytest.fixture
def lease(open_page, site) -> Page:
    """The variant with safeguards, at its program, with the switches open."""
    site.pages["/"] = page_html(element(attributes='variant="lease"'))
    page = open_page()
    page.get_by_role("tab", name="Program").click()
    page.get_by_text("Safeguards: take one out (2)").click()
    return page


def switch(page: Page, name: str = "Limit check"):
    return page.get_by_role("group", name="Safeguards").get_by_role("checkbox", name=name)


def answer(page: Page, safeguard: str = "limit-check"):
    return page.locator(f"[data-safeguard={safeguard}] .lab-safeguard-answer")


def kept_lease(page: Page) -> dict | None:
    return page.evaluate("JSON.parse(localStorage.getItem('ownership-lab:edit:demo:lease:lease.py'))")


def test_all_are_on_and_a_variant_without_any_shows_none(lease):
    for name in ("Limit check", "Helper"):
        expect(switch(lease, name)).to_be_checked()
    expect(switch(lease)).to_have_accessible_description("No more than the limit are let in.")
    button(lease, "Counter").click()
    expect(lease.locator("lab-safeguards")).to_be_hidden()


def test_switching_one_off_is_an_edit_that_is_run_and_kept_and_switching_it_on_ends_it(lease):
    switch(lease).uncheck()
    expect(lease.locator(".lab-code")).to_contain_text("> 10**9:")
    expect(lease.locator(".lab-edit-bar .lab-chip-changed")).to_be_visible()
    assert kept_lease(lease)["text"] == WITHOUT
    assert run(lease)["sources"] == {"lease.py": WITHOUT}
    lease.reload()
    lease.get_by_role("tab", name="Program").click()
    expect(switch(lease)).not_to_be_checked()
    switch(lease).check()
    assert kept_lease(lease) is None
    assert "sources" not in run(lease)


def test_reset_switches_it_on_again_and_undo_reaches_it_in_the_editor(lease):
    switch(lease).uncheck()
    button(lease, "Reset to published").click()
    expect(switch(lease)).to_be_checked()
    button(lease, "Edit").click()
    expect(content(lease)).to_be_focused()
    switch(lease).uncheck()
    expect(content(lease)).to_contain_text("> 10**9:")
    content(lease).focus()
    lease.keyboard.press("Control+z")
    expect(content(lease)).to_contain_text("> LIMIT:")
    expect(switch(lease)).to_be_checked()


@pytest.mark.parametrize("editing", [False, True], ids=["while reading", "in the editor"])
def test_a_safeguard_of_another_file_opens_that_file(lease, editing):
    if editing:
        button(lease, "Edit").click()
        expect(content(lease)).to_be_focused()
    switch(lease, "Helper").uncheck()
    expect(lease.locator(".cm-content:visible" if editing else ".lab-code")).to_contain_text("return 2  # $& $1")
    expect(lease.get_by_role("tab", name="helper.py")).to_have_attribute("aria-selected", "true")
    assert run(lease)["sources"] == {"helper.py": "def helper():\n    return 2  # $& $1\n"}


def test_what_falls_is_told_after_a_run_and_before_it_only_to_who_asks(lease):
    expect(answer(lease)).to_be_hidden()
    switch(lease).uncheck()
    expect(answer(lease)).to_be_visible()
    expect(lease.get_by_text("Falls without it: Capacity comes back.")).to_be_hidden()
    run(lease)
    expect(lease.get_by_text("Falls without it: Capacity comes back.")).to_be_visible()
    expect(answer(lease)).to_contain_text("Everyone is let in.")
    switch(lease).check()
    expect(answer(lease)).to_be_hidden()


def test_one_that_stays_safe_says_why_when_asked(lease):
    switch(lease, "Helper").uncheck()
    answer(lease, "helper").get_by_text("What happens?").click()
    expect(answer(lease, "helper")).to_contain_text("Stays safe without it, within the bounds of the search.")
    expect(answer(lease, "helper")).to_contain_text("Nobody calls it.")


def test_a_search_without_it_is_of_its_own_case_and_tells_what_falls_when_it_ends(lease):
    switch(lease).uncheck()
    lease.evaluate("state => { fake.states = [state] }", ended("holds within bounds", 5))
    button(lease, "Try to break it").click()
    expect(lease.get_by_text("Falls without it: Capacity comes back.")).to_be_visible()
    switch(lease, "Helper").uncheck()
    button(lease, "Try to break it").click()
    lease.wait_for_function("fake.searches.length === 2")
    assert lease.evaluate("fake.searches.map(({ options }) => options.case ?? null)") == ["limit-check", None]


def test_where_the_reader_rewrote_its_lines_the_switch_rests_and_says_why(lease):
    button(lease, "Edit").click()
    expect(content(lease)).to_be_focused()
    lease.keyboard.press("Control+a")
    lease.keyboard.insert_text("LIMIT = 3\n")
    expect(switch(lease)).to_be_disabled()
    expect(lease.get_by_text("Its lines in lease.py are not as published")).to_be_visible()
    expect(switch(lease, "Helper")).to_be_enabled()
    button(lease, "Reset to published").click()
    expect(switch(lease)).to_be_enabled()
    expect(switch(lease)).to_be_checked()


def test_the_keyboard_reaches_the_switches_and_they_fit_a_phone(open_page, site):
    site.pages["/"] = page_html(element(attributes='variant="lease"'))
    page = open_page(width=360)
    page.get_by_role("tab", name="Program").click()
    page.get_by_text("Safeguards: take one out (2)").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(switch(page)).to_be_focused()
    page.keyboard.press("Space")
    expect(switch(page)).not_to_be_checked()
    page.keyboard.press("Tab")
    expect(answer(page).locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^Falls without it:"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_and_rows_are_high_enough_to_press(open_page, site, scheme):
    site.pages["/"] = page_html(element(attributes='variant="lease"'), scheme)
    page = open_page(width=360)
    page.get_by_role("tab", name="Program").click()
    page.get_by_text("Safeguards: take one out (2)").click()
    switch(page).uncheck()
    answer(page).locator("summary").click()
    assert violations(page) == []
    pressed = page.locator(".lab-safeguards summary:visible, .lab-safeguards label")
    heights = pressed.evaluate_all("all => all.map((each) => each.getBoundingClientRect().height)")
    assert len(heights) == 4 and min(heights) >= 24


def test_kept_edits_of_another_variant_are_left_alone(lease):
    switch(lease).uncheck()
    assert kept(lease) is None
