"""The page of all challenges: what is marked as solved, forgotten, and said of a token. No Python runs here."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel.conftest import page_html
from tests.page.panel.test_challenge import EDITION, EVIL, FAILED, PASSED, TOKEN, states
from tests.page.panel.test_everyone import violations
from tests.page.panel.test_panel import button

LIST = "".join(
    f'<li data-challenge="{slug}" data-edition="{EDITION}"><a href="{slug}/">{slug}</a><br>Repair it.</li>'
    for slug in ("demo", "long", "third")
)
SAVED = {
    "demo": {"version": 1, "token": TOKEN, "edition": EDITION},
    "long": {"version": 1, "token": "olc1~long~x", "edition": "earlier"},
}


def page_text(scheme: str = "default") -> str:
    return page_html(f"<lab-challenges><ol>{LIST}</ol></lab-challenges>", scheme)


@pytest.fixture
def overview(open_page, site) -> Page:
    site.pages["/challenges/"] = page_text()
    return open_page("/challenges/", wait="lab-verify textarea")


def keep(page: Page, saved: dict) -> None:
    for slug, value in saved.items():
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [f"ownership-lab:solved:{slug}", value])
    page.reload()


def verify(page: Page, told: list[dict], token: str = TOKEN) -> None:
    page.evaluate("states => { fake.states = states; }", told)
    page.get_by_label("Token", exact=True).fill(token)
    button(page, "Check the token").click()


def said(page: Page):
    return page.locator("lab-verify .lab-check-said")


def test_the_list_is_marked_with_what_was_solved(overview):
    expect(overview.get_by_text("0 of 3 solved.")).to_be_visible()
    expect(button(overview, "Forget my progress")).to_be_disabled()
    keep(overview, {slug: json.dumps(value) for slug, value in SAVED.items()} | {"third": "{damaged"})
    expect(overview.get_by_text("1 of 3 solved.")).to_be_visible()
    items = overview.locator("li[data-challenge]")
    expect(items).to_have_text(
        ["demo ✓ solvedRepair it.", "long ↻ solved before its program changedRepair it.", "thirdRepair it."]
    )
    assert items.evaluate_all("all => all.map(one => one.dataset.solved)") == ["now", "earlier", "no"]


def test_progress_of_another_tab_is_seen(overview):
    other = overview.context.new_page()
    other.goto(overview.url)
    keep(other, {"demo": json.dumps(SAVED["demo"])})
    expect(overview.get_by_text("1 of 3 solved.")).to_be_visible()


def test_forgetting_asks_first_and_leaves_edits_alone(overview):
    keep(overview, {slug: json.dumps(value) for slug, value in SAVED.items()})
    overview.evaluate("localStorage.setItem('ownership-lab:edit:demo:broken:lease.py', 'mine')")
    button(overview, "Forget my progress").click()
    expect(button(overview, "Keep it")).to_be_focused()
    overview.keyboard.press("Enter")
    expect(button(overview, "Forget my progress")).to_be_focused()
    expect(overview.get_by_text("1 of 3 solved.")).to_be_visible()
    overview.keyboard.press("Enter")
    button(overview, "Forget it").click()
    expect(overview.get_by_text("Forgotten.")).to_be_visible()
    expect(overview.get_by_text("0 of 3 solved.")).to_be_visible()
    expect(overview.locator(".lab-solved")).to_have_count(0)
    assert overview.evaluate("Object.keys(localStorage)") == ["ownership-lab:edit:demo:broken:lease.py"]


def test_a_token_is_checked_and_said_what_it_is_of(overview):
    verify(overview, states(PASSED), f"  {TOKEN}\n")
    assert overview.evaluate("fake.works.at(-1)") == {"version": 1, "type": "verify", "token": TOKEN, "runs": 1}
    expect(said(overview)).to_have_text("✓ Solved: all 3 checks passed, with 1,186 runs.")
    expect(overview.locator("lab-verify .lab-check-of a")).to_have_attribute(
        "href", "http://localhost/challenges/demo/"
    )
    expect(overview.locator("lab-verify [data-status=passed]")).to_have_count(3)
    assert overview.evaluate("Object.keys(localStorage)") == [], "somebody else's token is no progress of the reader's"


def test_a_token_whose_repair_fails_is_told_check_by_check(overview):
    verify(overview, states(FAILED, title=EVIL))
    expect(said(overview)).to_have_text("✗ Not solved: 3 of 4 checks failed.")
    expect(overview.locator("lab-verify [data-status=failed]")).to_have_count(3)
    expect(overview.locator("lab-verify .lab-checks button")).to_have_count(0)
    expect(overview.locator("lab-verify .lab-check-of")).to_have_text(f"A token for {EVIL}")
    assert overview.evaluate("globalThis.owned") is None


@pytest.mark.parametrize(
    ("kind", "message", "sentence"),
    [
        ("input", "the token is damaged", "Nothing was checked: the token is damaged."),
        ("program", "no luck", "The program in the token failed in lease.py, line 3: no luck"),
        ("load", "the site is gone.", "Python could not be loaded: the site is gone."),
        ("busy", "", "The lab is busy. Wait for the run to end, then check again."),
        ("internal", f"{EVIL}.", f"The lab itself failed: {EVIL}."),
    ],
)
def test_what_cannot_be_checked_gets_one_sentence(overview, kind, message, sentence):
    fault = {"kind": kind, "message": message, "file": "lease.py", "line": 3}
    overview.evaluate("fault => { fake.fault = fault; }", fault)
    verify(overview, [])
    expect(said(overview)).to_have_text(sentence)
    expect(overview.locator("lab-verify li")).to_have_count(0)
    expect(button(overview, "Check the token")).to_be_focused()


@pytest.mark.parametrize(
    ("token", "sentence"),
    [("", "Paste a token first."), ("  ", "Paste a token first."), ("x" * 300_001, "A token has at most 300,000")],
    ids=["empty", "blank", "long"],
)
def test_what_is_no_token_is_not_sent(overview, token, sentence):
    verify(overview, [], token)
    expect(said(overview)).to_contain_text(sentence)
    assert overview.evaluate("fake.works") == []


def test_checking_a_token_shows_progress_and_can_be_stopped(overview):
    overview.evaluate("fake.hold = 'busy'")
    verify(overview, states(PASSED)[:1])
    expect(overview.locator("lab-verify .lab-check-progress")).to_have_text(
        "1,001 runs so far. Under way: A large space"
    )
    expect(said(overview)).to_have_text("1 of 3 checks made.")
    expect(button(overview, "Stop the checks")).to_be_focused()
    overview.keyboard.press("Enter")
    expect(said(overview)).to_contain_text("Stopped after 1,001 runs: 1 of 3 checks made.")
    expect(button(overview, "Check the token")).to_be_focused()


def test_leaving_the_page_stops_the_checks(overview):
    overview.evaluate("fake.hold = 'busy'")
    verify(overview, states(PASSED)[:1])
    expect(button(overview, "Stop the checks")).to_be_visible()
    overview.evaluate("document.querySelector('lab-challenges').remove()")
    assert overview.evaluate("import('/assets/lab/runtime.js').then(({ lab }) => lab().state)") == "idle"


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize("width", [360, 1280])
def test_everyone_can_use_the_page(open_page, site, scheme, width):
    site.pages["/challenges/"] = page_text(scheme)
    page = open_page("/challenges/", width=width, wait="lab-verify textarea")
    keep(page, {slug: json.dumps(value) for slug, value in SAVED.items()})
    verify(page, states(FAILED))
    expect(page.locator("lab-verify")).to_have_attribute("data-result", "failed")
    button(page, "Forget my progress").click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
