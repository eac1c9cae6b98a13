"""A game that was left, by its button or with its page, can be gone on with. No Python: fake_game.js answers."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel.test_editing import change_limit, open_editor
from tests.page.panel.test_everyone import violations
from tests.page.panel.test_panel import button
from tests.page.panel.test_steer import begin, choose, current, moves, press, said, win

KEY = "ownership-lab:game:demo:counter"
RESUME = "Go on with the game that you left"
EVIL = "<img src=x onerror='globalThis.owned = true'>"


def reopen(page: Page) -> Page:
    page.reload()
    expect(page.locator(".lab-status-words")).to_contain_text("Shown is the recorded run")
    return page


def resume(page: Page) -> None:
    button(page, RESUME).click()
    expect(page.locator(".lab-steer-box")).to_be_visible()


def kept(page: Page) -> Any:
    return json.loads(page.evaluate("key => sessionStorage.getItem(key)", KEY) or "null")


def keep(page: Page, entry: Any) -> None:
    text = entry if isinstance(entry, str) else json.dumps(entry)
    page.evaluate("([key, text]) => sessionStorage.setItem(key, text)", [KEY, text])


@pytest.fixture
def played(panel: Page) -> Page:
    """A game of three moves, a fault among them, with the second move undone and made otherwise."""
    begin(panel)
    choose(panel, 0)
    choose(panel, 1)
    press(panel, "Undo")
    panel.locator(".lab-steer-fault").click()
    expect(panel.locator(".lab-steer-fault .lab-chip")).to_have_text("set")
    choose(panel, 1)
    return panel


def test_there_is_nothing_to_go_on_with_before_a_move_was_made(panel):
    expect(button(panel, RESUME)).to_be_hidden()
    begin(panel)
    reopen(panel)
    expect(button(panel, "Be the scheduler")).to_be_enabled()
    expect(button(panel, RESUME)).to_be_hidden()


def test_a_game_goes_on_where_it_was_when_its_page_was_left(played):
    told, facts = moves(played), played.locator(".lab-steer-facts").inner_text()
    reopen(played)
    button(played, RESUME).focus()
    played.keyboard.press("Enter")
    expect(said(played)).to_have_text(
        "The game goes on where you left it, with the program and the parameters that it began with. "
        "2 steps are possible."
    )
    assert moves(played) == told
    expect(played.locator(".lab-steer-facts")).to_have_text(facts)
    expect(current(played)).to_have_attribute("data-move", "3")
    expect(played.locator('[data-choice="0"]')).to_be_focused()
    assert played.evaluate("fake.steered.length") == 1, "the other states are made again when they are gone to"
    choose(played, 0)
    assert moves(played)[:4] == told
    assert violations(played) == []


def test_moves_and_lines_of_a_game_that_was_left_can_be_returned_to(played):
    other = played.locator("[data-line-left]").inner_text()
    reopen(played)
    resume(played)
    press(played, "Undo")
    expect(said(played)).to_have_text("Back at move 2. 2 steps are possible.")
    expect(played.locator(".lab-steer-fault .lab-chip")).to_have_text("set")
    press(played, "Undo")
    expect(played.locator('[data-choice="0"]')).to_be_visible()
    played.locator(".lab-steer-fault").click()
    expect(current(played)).to_have_attribute("data-move", "2")
    expect(played.locator('[data-choice="1"]')).to_be_visible()
    choose(played, 1)
    expect(played.locator(".lab-steer-moves li")).to_have_count(4)
    expect(played.locator('[data-choice="1"]')).to_be_visible()
    assert played.locator("[data-line-left]").all_inner_texts() == [other]
    played.locator("[data-line-left]").click()
    expect(current(played)).to_have_attribute("data-move", "2")
    expect(played.locator('[data-choice="1"]')).to_be_visible()


def test_the_past_of_a_game_that_was_left_can_be_acted_in(panel):
    begin(panel)
    press(panel, "Let it run to its end")
    expect(said(panel)).to_contain_text("The run is over")
    reopen(panel)
    resume(panel)
    panel.get_by_role("slider").press("Home")
    for _ in range(5):
        panel.get_by_role("slider").press("ArrowRight")
    press(panel, "Choose from this moment")
    expect(current(panel)).to_have_text("as usual, for 3 steps")
    assert moves(panel) == ["the start", "as usual, for 3 steps", "as usual, for 3 steps"]


def test_leaving_by_the_button_can_be_taken_back(played):
    press(played, "Leave")
    expect(said(played)).to_contain_text("You have left the game.")
    resume(played)
    assert len(moves(played)) == 4


def test_each_variant_has_a_game_of_its_own(played):
    button(played, "Lease").click()
    expect(played.locator(".lab-status-words")).to_contain_text("Shown is the recorded run")
    expect(button(played, RESUME)).to_be_hidden()
    button(played, "Counter").click()
    resume(played)
    assert len(moves(played)) == 4


def test_it_goes_on_with_the_program_parameters_and_bounds_that_it_began_with(panel):
    open_editor(panel)
    change_limit(panel)
    button(panel, "Parameters").click()
    panel.get_by_label("Limit", exact=True).fill("7")
    panel.evaluate("fake.faultsMax = 3")
    panel.get_by_label("Faults in one run, at most").select_option("2")
    begin(panel)
    choose(panel, 0)
    reopen(panel)
    button(panel, "Reset to published").or_(panel.get_by_role("tab", name="Program")).first.click()
    button(panel, "Reset to published").click()
    panel.evaluate("fake.faultsMax = 3")
    resume(panel)
    assert "LIMIT = 3" in panel.evaluate("fake.steered[0].sources['lease.py']")
    expect(panel.get_by_text("has changed since this game began. This game goes on")).to_be_visible()
    expect(panel.locator(".lab-steer-facts")).to_contain_text("Faults spent: 0 of 2.")
    win(panel)
    panel.evaluate("fake.states = []")
    button(panel, "Can the lab do it in fewer steps?").click()
    asked = panel.evaluate("fake.searches[0]")
    assert (asked["parameters"], asked["options"]["faults_max"]) == ({"limit": 7}, 2)


def test_a_game_that_cannot_be_made_again_says_why_and_leaves_the_focus_on_its_button(played):
    reopen(played)
    played.evaluate("fake.fault = {kind: 'input', message: 'it belongs to another program'}")
    button(played, RESUME).focus()
    played.keyboard.press("Enter")
    expect(played.locator(".lab-status-words")).to_have_text("Nothing was run: it belongs to another program")
    expect(played.locator(".lab-steer-box")).to_be_hidden()
    expect(button(played, RESUME)).to_be_focused()


def test_words_in_the_storage_are_never_markup(played):
    entry = kept(played)
    entry["lines"][0][1]["made"] = {"kind": "told", "words": EVIL}
    entry["lines"][1][-1]["fallen"] = [EVIL]
    reopen(played)
    keep(played, entry)
    reopen(played)
    resume(played)
    assert moves(played)[1] == EVIL
    expect(played.locator("[data-line-left]")).to_contain_text(EVIL)
    expect(played.locator("lab-steer img")).to_have_count(0)
    assert played.evaluate("globalThis.owned") is None


def damaged() -> list[tuple[str, Any]]:
    """(what is wrong, change of a whole entry; a text takes its place)."""
    return [
        ("no JSON", "{"),
        ("nothing", "null"),
        ("a list", "[]"),
        ("too long", lambda entry: entry["lines"][0][1].update(fallen=["x" * 1_000_001])),
        ("another version", lambda entry: entry.update(version=2)),
        ("no lines", lambda entry: entry.update(lines=[])),
        ("an empty line", lambda entry: entry["lines"].append([])),
        ("a place outside", lambda entry: entry.update(at=4)),
        ("a place that is none", lambda entry: entry.update(at=-1)),
        ("a program that is not one of the variant", lambda entry: entry.update(sources={"other.py": ""})),
        ("a number for a program", lambda entry: entry.update(sources={"lease.py": 7})),
        ("unknown options", lambda entry: entry.update(options={"runs_max": 1})),
        ("no parameters", lambda entry: entry.pop("parameters")),
        ("a number of faults that is none", lambda entry: entry.update(options={"faults_max": "2"})),
        (
            "a schedule that is none",
            lambda entry: entry["lines"][0][1].update(schedule=f"ol1~demo~counter~{EVIL}"),
        ),
        (
            "a schedule of another experiment",
            lambda entry: entry["lines"][0][1].update(schedule="ol1~long~counter~0_0~limit.1"),
        ),
        ("a step that is none", lambda entry: entry["lines"][0][1].update(step=1.5)),
        ("a move that is none", lambda entry: entry["lines"][0][1].update(made={"kind": "lane", "choice": {}})),
        ("words that are none", lambda entry: entry["lines"][0][1].update(made={"kind": "told", "words": {}})),
        ("claims that are none", lambda entry: entry["lines"][1][0].update(fallen=[{}])),
    ]


def test_nonsense_in_the_storage_is_not_offered(played):
    whole = kept(played)
    assert (whole["version"], whole["at"], [len(line) for line in whole["lines"]]) == (1, 3, [4, 3])
    for name, change in damaged():
        entry = json.loads(json.dumps(whole))
        if callable(change):
            change(entry)
        keep(played, entry if callable(change) else change)
        reopen(played)
        expect(button(played, "Be the scheduler")).to_be_enabled()
        assert not button(played, RESUME).is_visible(), name
    keep(played, whole)
    reopen(played)
    expect(button(played, RESUME)).to_be_visible()


KEEPS = """(m, key, lengths, room) => {
  const stored = new Map([[key, "earlier"]]);
  const store = {
    setItem(name, entry) {
      if (entry.length > room) throw new DOMException("full", "QuotaExceededError");
      stored.set(name, entry);
    },
    removeItem: (name) => stored.delete(name),
  };
  const turn = { schedule: "s", step: 0, over: false };
  const lineOf = (length) => [{ turn, made: { kind: "start" }, fallen: ["x".repeat(length)] }];
  const [line, ...left] = lengths.map(lineOf);
  const asked = { experiment: "demo", variant: "counter", parameters: {} };
  m.keepGame({ asked, options: {} }, { line, at: 0, left }, store);
  const entry = stored.get(key) ?? null;
  return entry === null || entry === "earlier" ? entry : JSON.parse(entry).lines.length;
}"""


@pytest.mark.parametrize(
    ("lengths", "room", "lines"),
    [
        ([10, 10], 2_000_000, 2),
        ([10, 1_000_000], 2_000_000, 1),
        ([10, 10_000], 1_000, 1),
        ([1_000_000, 10], 2_000_000, None),
        ([10_000, 10], 1_000, None),
        ([10, 10], 0, None),
    ],
)
def test_of_a_game_too_long_to_be_kept_the_left_lines_go_first_and_no_earlier_game_stays(modules, lengths, room, lines):
    assert modules("panel/steer-kept.js", KEEPS, KEY, lengths, room) == lines


def test_without_storage_a_game_is_played_all_the_same(open_page, site):
    site.pages["/"] = site.pages["/"].replace(
        "<main>",
        "<script>Object.defineProperty(globalThis, 'sessionStorage', { get() { throw new Error('refused'); } });"
        "</script><main>",
    )
    page = begin(open_page())
    choose(page, 0)
    press(page, "Leave")
    expect(button(page, RESUME)).to_be_hidden()
