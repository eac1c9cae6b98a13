"""The challenge part of a panel: hints, checks with what came of them, what is kept of a solved one. No Python here."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_editing import change_limit, content
from tests.page.panel.test_everyone import violations
from tests.page.panel.test_panel import button

EVIL = "<img src=x onerror='globalThis.owned = true'>"
KEY = "ownership-lab:solved:demo"
EDITION = "00c0ffee"
TOKEN = "olc1~demo~AbC-_123"
CHALLENGE = {
    "file": "lease.py", "edition": EDITION, "goal": "Let capacity come back.",
    "hints": ["Look at the counter.", f"Not {EVIL}.", "Give each slot a name."],
    "reference": "LEASES = 'llm:leases'\n", "explained": "A lease ends by itself.",
}  # fmt: skip
ORDER, USUAL, SEEN = "Every order", "The usual run", "Something happens"
SCHEDULE = data.report()["schedule"]


def check(id: str, label: str, status: str = "passed", **more: Any) -> dict[str, Any]:
    plain = {"why": None, "searched": False, "runs": 1, "outcome": "holds within bounds", "cut": 0, "violated": []}
    return {"id": id, "label": label, "status": status, **plain, "schedule": SCHEDULE, **more}


PASSED = [
    check("order", ORDER, searched=True, runs=1183),
    check("bound", "A large space", searched=True, runs=2000, outcome="bounds reached, not finished"),
    check("usual", USUAL),
]
FAILED = [
    check(
        "order", ORDER, "failed", searched=True, runs=1070, outcome="counterexample found", why="It fails.",
        violated=[{"id": "capacity-returns", "text": "Capacity comes back.", "observed": None}],
    ),
    check(
        "usual", USUAL, "failed", outcome="never reached", why="It must be reached.",
        violated=[{"id": "somebody-worked", "text": EVIL, "observed": EVIL}],
    ),
    check("cut", "A cut one", "failed", searched=True, runs=12, cut=3, outcome="bounds reached, not finished",
          why="It must end.", schedule=None),
    check("fine", SEEN),
]  # fmt: skip


def states(checks: list[dict], runs: int = 1186, **result: Any) -> list[dict]:
    """One state under way, then the last."""
    solved = all(each["status"] == "passed" for each in checks)
    under_way = [{"id": c["id"], "label": c["label"], "status": "waiting"} for c in checks]
    under_way[0]["status"] = "passed"
    under_way[1]["status"] = "running"
    whole = {
        "version": 1, "experiment": "demo", "title": "Demo", "solved": solved, "runs": runs, "checks": checks,
        "token": TOKEN if solved else None, **result,
    }  # fmt: skip
    return [
        {"runs": 1001, "checks": under_way, "done": False},
        {"runs": runs, "checks": checks, "done": True, "result": whole},
    ]


def challenge_site(site) -> None:
    site.data["experiments/demo.json"]["experiment"]["challenge"] = dict(CHALLENGE)
    [demo, long] = site.data["experiments.json"]["experiments"]
    for entry in (demo, long):
        entry["challenge"] = {"goal": CHALLENGE["goal"], "edition": EDITION}


@pytest.fixture
def challenge(open_page, site) -> Page:
    challenge_site(site)
    return open_page()


def part(page: Page):
    return page.locator("lab-challenge")


def examine(page: Page, told: list[dict]) -> None:
    page.evaluate("states => { fake.states = states; }", told)
    button(page, "Check my repair").click()


def solve(page: Page) -> None:
    examine(page, states(PASSED))
    expect(part(page)).to_have_attribute("data-result", "solved")


def kept(page: Page) -> Any:
    return json.loads(page.evaluate("key => localStorage.getItem(key)", KEY) or "null")


def test_only_a_challenge_has_the_part_and_it_says_what_is_to_be_done(challenge, open_page, site):
    expect(part(challenge).locator(".lab-challenge-goal")).to_have_text("Challenge: Let capacity come back.")
    site.data["experiments/demo.json"]["experiment"]["challenge"] = None
    other = open_page()
    expect(part(other)).to_be_hidden()


def test_hints_come_one_after_another_then_the_reference_to_read(challenge):
    shown = challenge.locator(".lab-hints > li")
    for count in (1, 2, 3):
        button(challenge, f"Show hint {count} of 3").click()
        expect(shown).to_have_text(CHALLENGE["hints"][:count])
    expect(button(challenge, "Show the reference repair")).to_be_focused()
    challenge.keyboard.press("Enter")
    expect(challenge.locator(".lab-reference .lab-code")).to_contain_text("LEASES = 'llm:leases'")
    expect(challenge.locator(".lab-reference .lab-token-string")).to_have_text("'llm:leases'")
    expect(challenge.locator(".lab-reference")).to_contain_text("A lease ends by itself.")
    button(challenge, "Hide the reference repair").click()
    expect(challenge.locator(".lab-reference")).to_be_hidden()
    assert challenge.evaluate("Object.keys(localStorage)") == []


def test_the_editor_opens_at_the_file_that_is_to_be_repaired(challenge):
    challenge.get_by_role("tab", name="Program").click()
    challenge.get_by_role("tab", name="helper.py").click()
    button(challenge, "Edit lease.py").click()
    expect(content(challenge)).to_be_focused()
    expect(content(challenge)).to_contain_text("LIMIT = 2")
    challenge.get_by_role("tab", name="Store").click()
    challenge.evaluate("scrollTo(0, 0)")
    button(challenge, "Edit lease.py").click()
    expect(content(challenge)).to_be_focused()
    expect(content(challenge).get_by_text("LIMIT = 2")).to_be_in_viewport()


def test_what_is_checked_is_the_readers_text(challenge):
    examine(challenge, states(FAILED))
    asked = challenge.evaluate("fake.works.at(-1)")
    assert asked == {"version": 1, "type": "examine", "experiment": "demo", "runs": 1}
    expect(part(challenge).locator(".lab-check-of")).to_contain_text("What was checked is the published program")
    button(challenge, "Edit lease.py").click()
    expect(content(challenge)).to_be_focused()
    change_limit(challenge)
    expect(part(challenge).locator(".lab-check-of")).to_contain_text("You have edited the program since.")
    expect(button(challenge, f"Show the run: {ORDER}")).to_have_count(0)
    examine(challenge, states(FAILED))
    assert "LIMIT = 3" in challenge.evaluate("fake.works.at(-1).sources['lease.py']")
    expect(part(challenge).locator(".lab-check-of")).to_have_text("")


def test_parameters_that_cannot_be_read_do_not_keep_anybody_from_the_checks(challenge):
    button(challenge, "Parameters").click()
    challenge.get_by_label("Limit").fill("many")
    examine(challenge, states(FAILED))
    expect(part(challenge)).to_have_attribute("data-result", "failed")


def test_each_check_says_what_came_of_it_with_its_count_of_runs(challenge):
    examine(challenge, states(FAILED))
    expect(part(challenge).locator(".lab-check-said")).to_have_text("✗ Not solved: 3 of 4 checks failed.")
    checks = part(challenge).locator("[data-check]")
    expect(checks).to_have_count(4)
    assert checks.evaluate_all("all => all.map(one => one.dataset.status)") == ["failed", "failed", "failed", "passed"]
    first = checks.nth(0)
    expect(first).to_contain_text("✗Every order: failed")
    expect(first).to_contain_text("Counterexample found (1,070 runs, with those that looked for a simpler one).")
    expect(first).to_contain_text("It fails.")
    expect(first).to_contain_text("Falls: Capacity comes back.")
    expect(checks.nth(1)).to_contain_text("Never reached, in one run")
    expect(checks.nth(1)).to_contain_text(f"Observed: {EVIL}")
    expect(checks.nth(2)).to_contain_text("Not judged: 3 of 12 runs met a limit")
    expect(checks.nth(2).get_by_role("button")).to_have_count(0)
    expect(checks.nth(3)).to_contain_text("✓Something happens: passed")
    expect(checks.nth(3)).to_contain_text("Holds within bounds, in one run")
    assert challenge.evaluate("globalThis.owned") is None
    expect(challenge.locator("lab-challenge img")).to_have_count(0)


def test_show_the_run_replays_it_at_the_moment_at_which_the_claim_falls(challenge):
    examine(challenge, states(FAILED))
    button(challenge, f"Show the run: {ORDER}").click()
    expect(challenge.locator("ownership-lab")).to_have_attribute("state", "ran")
    assert challenge.evaluate("fake.requests.at(-1).schedule") == SCHEDULE
    position = data.report()["claims"][0]["position"]
    expect(challenge.get_by_role("slider")).to_be_focused()
    expect(challenge.get_by_role("slider")).to_have_attribute("aria-valuenow", str(position + 1))
    expect(part(challenge).locator(".lab-check-of")).to_contain_text(f"Shown below is the run that fails “{ORDER}”")
    expect(challenge.get_by_text("Run replays the schedule")).to_be_visible()


def test_a_solved_challenge_gives_a_token_an_explanation_and_the_next_one(challenge):
    solve(challenge)
    expect(part(challenge).locator(".lab-check-said")).to_have_text("✓ Solved: all 3 checks passed, with 1,186 runs.")
    expect(part(challenge)).to_contain_text("Holds within bounds (all 1,183 runs).")
    expect(part(challenge)).to_contain_text(
        "Bounds reached, not finished (2,000 runs): none of them broke a claim. There are"
    )
    box = challenge.locator("[data-solved=now]")
    expect(box).to_contain_text("A lease ends by itself.")
    expect(box).to_contain_text("python -m experiments verify TOKEN")
    expect(challenge.get_by_label("Completion token")).to_have_value(TOKEN)
    expect(box.get_by_role("link", name="A long run")).to_have_attribute("href", "http://localhost/challenges/long/")
    assert kept(challenge) == {"version": 1, "token": TOKEN, "edition": EDITION}
    challenge.reload()
    expect(challenge.get_by_label("Completion token")).to_have_value(TOKEN)


def test_the_last_challenge_leads_to_all_of_them(challenge, site):
    site.data["experiments.json"]["experiments"].reverse()
    solve(challenge)
    expect(challenge.get_by_text("This is the last challenge. All challenges")).to_be_visible()


def test_a_missing_index_costs_only_the_name_of_the_next_one(challenge, site):
    challenge.expected = ["404"]
    del site.data["experiments.json"]
    solve(challenge)
    expect(challenge.locator(".lab-next a")).to_have_attribute("href", "http://localhost/challenges/")


def test_a_failed_check_later_does_not_take_back_what_was_solved(challenge):
    solve(challenge)
    examine(challenge, states(FAILED))
    expect(part(challenge)).to_have_attribute("data-result", "failed")
    expect(challenge.get_by_label("Completion token")).to_have_value(TOKEN)


def test_of_an_earlier_edition_it_is_said_that_the_program_has_changed(challenge, site):
    solve(challenge)
    site.data["experiments/demo.json"]["experiment"]["challenge"]["edition"] = "other"
    challenge.reload()
    expect(challenge.get_by_text("the published program has changed since")).to_be_visible()
    expect(challenge.get_by_label("Completion token")).to_have_count(0)


@pytest.mark.parametrize(
    "value",
    [
        "{", "null", "[]", '{"version": 2, "token": "olc1~demo~x", "edition": ""}',
        '{"version": 1, "token": 7, "edition": "00c0ffee"}',
        '{"version": 1, "token": "olc1~other~x", "edition": "00c0ffee"}',
        json.dumps({"version": 1, "token": "olc1~demo~" + "x" * 300_000, "edition": EDITION}),
    ],
    ids=range(7),
)  # fmt: skip
def test_nonsense_in_the_storage_counts_as_unsolved(challenge, value):
    challenge.evaluate("([key, value]) => localStorage.setItem(key, value)", [KEY, value])
    challenge.reload()
    expect(button(challenge, "Check my repair")).to_be_enabled()
    expect(challenge.locator("[data-solved]")).to_have_count(0)
    solve(challenge)
    assert kept(challenge)["token"] == TOKEN


def test_without_storage_the_token_is_shown_and_the_reader_told(open_page, site):
    challenge_site(site)
    site.pages["/"] = page_html(
        "<script>Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('refused'); } });</script>"
        + element()
    )
    page = open_page()
    solve(page)
    expect(page.get_by_label("Completion token")).to_have_value(TOKEN)
    told = page.get_by_text("This browser keeps nothing for this page: copy the token")
    expect(told).to_be_visible()
    page.evaluate("""() => {
      const panel = document.querySelector("ownership-lab");
      panel.replaceWith(panel.cloneNode(false)); // as on the way back to the page
    }""")
    expect(page.get_by_role("button", name="Edit lease.py")).to_be_visible()
    expect(told).to_be_visible()


def test_the_checks_show_how_far_they_are_and_can_be_stopped_by_keys(challenge):
    challenge.evaluate("fake.hold = 'busy'")
    challenge.evaluate("states => { fake.states = states; }", states(PASSED)[:1])
    button(challenge, "Check my repair").focus()
    challenge.keyboard.press("Enter")
    expect(button(challenge, "Stop the checks")).to_be_focused()
    expect(part(challenge).locator(".lab-check-progress")).to_have_text("1,001 runs so far. Under way: A large space")
    expect(part(challenge).locator(".lab-check-said")).to_have_text("1 of 3 checks made.")
    assert part(challenge).locator("[data-check]").evaluate_all("all => all.map(one => one.dataset.status)") == [
        "passed", "running", "waiting",
    ]  # fmt: skip
    assert violations(challenge) == []
    challenge.keyboard.press("Enter")
    expect(part(challenge).locator(".lab-check-said")).to_have_text(
        "Stopped after 1,001 runs: 1 of 3 checks made. Nothing is said of the others."
    )
    expect(part(challenge).locator("[data-status=running]")).to_have_count(0)
    expect(button(challenge, "Check my repair")).to_be_focused()
    expect(button(challenge, "Stop the checks")).to_be_hidden()


def test_an_edit_while_the_checks_run_makes_their_results_those_of_the_text_before(challenge):
    button(challenge, "Edit lease.py").click()
    expect(content(challenge)).to_be_focused()
    challenge.evaluate("fake.hold = 'busy'")
    examine(challenge, states(FAILED))
    content(challenge).focus()
    change_limit(challenge)
    expect(part(challenge).locator(".lab-check-of")).to_have_text("")
    challenge.evaluate("fake.release()")
    expect(part(challenge)).to_have_attribute("data-result", "failed")
    expect(part(challenge).locator(".lab-check-of")).to_contain_text("You have edited the program since.")
    expect(button(challenge, f"Show the run: {ORDER}")).to_have_count(0)


def test_a_program_that_cannot_be_used_is_told_with_file_and_line(challenge):
    fault = {"kind": "program", "message": "invalid syntax", "file": "lease.py", "line": 3}
    challenge.evaluate("fault => { fake.fault = fault; }", fault)
    button(challenge, "Check my repair").click()
    expect(challenge.locator(".lab-status-words")).to_have_text(
        "The program failed in lease.py, line 3: invalid syntax"
    )
    expect(part(challenge).locator(".lab-check-said")).to_contain_text("Nothing was checked.")
    expect(challenge.locator(".lab-problem-line")).to_be_visible()
    expect(challenge.locator("[data-check]")).to_have_count(0)


def damaged() -> list[tuple[str, Any]]:
    """(what is wrong, change of the last state)."""
    return [
        ("no checks", lambda state: state.pop("checks")),
        ("an unknown status", lambda state: state["checks"][0].update(status="perhaps")),
        ("no result", lambda state: state.pop("result")),
        ("a number for a label", lambda state: state["checks"][0].update(label=7)),
        ("claims that are none", lambda state: state["result"]["checks"][0].update(violated=[3])),
        ("a negative count", lambda state: state["result"]["checks"][0].update(runs=-1)),
        ("a token that is none", lambda state: state["result"].update(token=7)),
    ]


@pytest.mark.parametrize("change", [change for _, change in damaged()], ids=[name for name, _ in damaged()])
def test_an_answer_that_is_not_understood_is_said_to_be_none(challenge, change):
    told = json.loads(json.dumps(states(PASSED)))
    change(told[-1])
    examine(challenge, told)
    expect(challenge.locator(".lab-status-words")).to_contain_text("The lab itself failed")
    expect(part(challenge).locator(".lab-check-said")).to_contain_text("Nothing was checked.")
    assert kept(challenge) is None


def test_choosing_anew_forgets_the_checks_and_keeps_what_was_solved(challenge):
    solve(challenge)
    button(challenge, "Lease").click()
    expect(challenge.locator("[data-check]")).to_have_count(0)
    expect(challenge.get_by_label("Completion token")).to_have_value(TOKEN)


@pytest.mark.parametrize("scheme", ["default", "slate"])
@pytest.mark.parametrize("width", [360, 1280])
def test_everyone_can_use_it(open_page, site, scheme, width):
    challenge_site(site)
    site.pages["/"] = page_html(element(), scheme)
    page = open_page(width=width)
    for count in (1, 2, 3):
        button(page, f"Show hint {count} of 3").click()
    button(page, "Show the reference repair").click()
    solve(page)
    assert violations(page) == []
    examine(page, states(FAILED))
    expect(part(page)).to_have_attribute("data-result", "failed")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_compact_form_opens_to_let_the_reader_edit(open_page, site):
    challenge_site(site)
    site.pages["/"] = page_html(element(attributes='variant="counter" compact'))
    page = open_page()
    button(page, "Edit lease.py").click()
    expect(content(page)).to_be_focused()


def test_in_a_frame_links_lead_into_a_tab_of_their_own(open_page, site):
    challenge_site(site)
    site.pages["/embed/demo/"] = page_html(element(attributes='variant="counter" embed'), embed=True)
    page = open_page("/embed/demo/")
    solve(page)
    links = page.locator("[data-solved] a")
    expect(links).to_have_count(2)
    assert links.evaluate_all("all => all.map(one => [one.target, one.rel])") == [["_blank", "noopener"]] * 2
