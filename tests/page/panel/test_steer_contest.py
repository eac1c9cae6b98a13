"""The lab tries what a reader has broken, and the two are compared. No Python runs here: fake_game.js answers."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_everyone import SCHEMES, violations
from tests.page.panel.test_steer import begin, choose, current, moves, press, said, win

BREAKS = "ol1~demo~counter~0_x0.1~limit.1"


@pytest.fixture
def game(panel: Page) -> Page:
    return begin(panel)


def found(schedule: str, steps: int, violated=("capacity-returns",), **more) -> dict:
    best = {"schedule": schedule, "violated": list(violated), "steps": steps}
    result = {"outcome": "counterexample found", "runs": 3, "minimal": True, "counterexample": best}
    return {"runs": 3, "saved": 0, "level": 1, "shrink_runs": 2, "best": best, "done": True, "result": result, **more}


def nothing(outcome: str) -> dict:
    return {"runs": 9, "saved": 0, "level": 1, "shrink_runs": 0, "best": None, "done": True,
            "result": {"outcome": outcome, "runs": 9, "minimal": None, "counterexample": None}}  # fmt: skip


ANSWERS = [
    (found(BREAKS, 5), "smaller", "Yes: the lab’s counterexample is simpler than yours."),
    (found(BREAKS, 6), "equal", "No: yours is as simple as the lab’s."),
    (found(BREAKS.replace("x0.1", "2.1-x0.1"), 6), "larger", "No: yours is simpler than the one that the lab found."),
    (nothing("holds within bounds"), "nothing", "The lab found nothing in all 9 runs within its bounds, and you did"),
    (nothing("bounds reached, not finished"), "nothing", "The lab found nothing in 9 runs and reached its bounds."),
]


@pytest.mark.parametrize(("state", "answer", "words"), ANSWERS, ids=[str(number) for number in range(len(ANSWERS))])
def test_the_lab_tries_the_same_and_the_two_are_compared(game, state, answer, words):
    win(game)
    game.evaluate("(states) => (fake.states = states)", [{**nothing(""), "done": False}, state])
    press(game, "Can the lab do it in fewer steps?")
    contest = game.locator(".lab-steer-contest")
    expect(contest).to_have_attribute("data-answer", answer)
    expect(contest).to_contain_text(words)
    expect(game.locator(".lab-status-words")).to_have_text("The search was made here, in your browser.")
    assert game.evaluate("fake.searches") == [
        {"experiment": "demo", "variant": "counter", "parameters": {}, "options": {"runs_max": 20_000}}
    ]
    if answer != "nothing":
        expect(contest).to_contain_text("1 fault, 0 deviations from the usual order, 6 steps")
        expect(contest).to_contain_text("There is none simpler within the bounds of the search.")


def test_a_lab_that_breaks_something_else_says_so(game):
    win(game)
    game.evaluate("(states) => (fake.states = states)", [found(BREAKS, 5, ["silent"])])
    press(game, "Can the lab do it in fewer steps?")
    expect(game.locator(".lab-steer-answer")).to_contain_text(
        "It makes another claim fall: A claim about another case."
    )


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({**nothing(""), "done": False}, "Stopped after 9 runs: the lab had found nothing by then."),
        ({**found(BREAKS, 5), "done": False}, "This is the simplest that the lab had found by then"),
    ],
)
def test_a_search_that_is_stopped_says_what_it_had(game, state, words):
    win(game)
    game.evaluate("(state) => { fake.states = [state]; fake.hold = 'busy' }", state)
    press(game, "Can the lab do it in fewer steps?")
    expect(game.locator(".lab-steer-contest")).to_contain_text("so far")
    game.evaluate("fake.hold = null")
    game.get_by_role("button", name="Stop the lab").click()
    expect(game.locator(".lab-steer-contest")).to_contain_text(words)
    assert len(moves(game)) == 3


def test_the_labs_run_is_shown_as_a_line_of_the_game_and_can_be_gone_into(game):
    choose(game, 1)
    win(game)
    game.evaluate("(states) => (fake.states = states)", [found(BREAKS, 5)])
    press(game, "Can the lab do it in fewer steps?")
    game.get_by_role("button", name="Show the lab’s run").press("Enter")
    expect(current(game)).to_have_text("the lab’s run, for 6 steps")
    expect(said(game)).to_contain_text("This is the lab’s run. Yours is among the other lines.")
    expect(game.locator(".lab-steer-contest")).to_be_hidden()
    expect(game.locator(".lab-steer-undo")).to_be_focused()
    expect(game.get_by_role("button", name="Can the lab do it in fewer steps?")).to_be_hidden()
    mine = game.locator("[data-line-left]")
    expect(mine).to_have_text("Other line: 3 moves, fallen: Capacity comes back.")
    game.get_by_role("slider").press("Home")
    press(game, "Choose from this moment")
    expect(current(game)).to_have_text("the start")
    game.get_by_role("button", name="Other line: 3 moves").click()
    expect(current(game)).to_have_attribute("data-move", "3")
    expect(game.locator(".lab-steer-contest")).to_have_attribute("data-answer", "smaller")
    expect(game.locator(".lab-steer-contest")).to_be_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_in_a_game_and_nothing_overflows(open_page, site, scheme, width):
    site.pages["/"] = page_html(element(), scheme)
    page = begin(open_page(width=width))
    assert violations(page) == []
    win(page)
    page.evaluate("(states) => (fake.states = states)", [found(BREAKS, 5)])
    press(page, "Can the lab do it in fewer steps?")
    expect(page.locator(".lab-steer-contest")).to_have_attribute("data-answer", "smaller")
    page.locator('[data-move="1"]').click()
    choose(page, 1)
    page.get_by_role("slider").press("Home")
    expect(page.get_by_role("button", name="Choose from this moment")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """[...document.querySelectorAll(".lab-steer button")].filter((target) => target.checkVisibility())
          .map((target) => target.getBoundingClientRect()).filter((box) => box.width < 24 || box.height < 24).length"""
    )
    assert small == 0
