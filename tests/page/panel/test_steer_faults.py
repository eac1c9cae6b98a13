"""The faults of a game: how many there may be, and links while one is set. No Python runs: fake_game.js answers."""

from playwright.sync_api import Page, expect

from tests.page.panel.test_steer import begin, choose, press, win
from tests.page.panel.test_steer_contest import BREAKS, found


def set_most(page: Page, most: str) -> None:
    page.get_by_label("Faults in one run, at most").select_option(most)


def begin_with(page: Page, allowed: int, most: str) -> Page:
    """A game of an experiment that allows so many faults, with the reader's own number in the form."""
    page.evaluate("(most) => { fake.faultsMax = most; }", allowed)
    set_most(page, most)
    return begin(page)


def test_a_game_has_as_many_faults_as_the_reader_has_set(panel):
    game = begin_with(panel, 3, "2")
    expect(game.locator(".lab-steer-facts")).to_contain_text("Faults spent: 0 of 2.")
    expect(game.get_by_text("Faults: 2 left")).to_be_visible()
    for left in ("1 left", "all spent"):
        game.locator(".lab-steer-fault").click()
        expect(game.get_by_text(f"Faults: {left}")).to_be_visible()
        choose(game, 1)
    expect(game.locator(".lab-steer-fault")).to_have_attribute("aria-disabled", "true")
    asked = game.evaluate("fake.steered.length")
    game.locator(".lab-steer-fault").click(force=True)
    assert game.evaluate("fake.steered.length") == asked
    press(game, "Undo")
    press(game, "Undo")
    expect(game.get_by_text("Faults: 1 left")).to_be_visible()


def test_a_game_without_faults_offers_none(panel):
    game = begin_with(panel, 3, "0")
    expect(game.locator(".lab-steer-facts")).to_contain_text("Faults spent: 0 of 0.")
    expect(game.locator(".lab-steer-fault")).to_be_hidden()


def test_a_game_has_more_faults_than_usual_where_the_reader_has_set_them(panel):
    game = begin_with(panel, 1, "3")
    expect(game.locator(".lab-steer-facts")).to_contain_text("Faults spent: 0 of 3.")
    choose(game, 0)
    assert [asked["faults_max"] for asked in game.evaluate("fake.steered")] == [3, 3]


def test_a_game_keeps_the_number_that_it_began_with_and_the_lab_gets_the_same(panel):
    game = begin_with(panel, 3, "2")
    set_most(game, "0")
    win(game)
    expect(game.locator(".lab-steer-facts")).to_contain_text("Faults spent: 1 of 2.")
    game.evaluate("(state) => { fake.states = [state]; }", found(BREAKS, 6))
    press(game, "Can the lab do it in fewer steps?")
    expect(game.locator(".lab-steer-contest")).to_have_attribute("data-answer", "equal")
    assert game.evaluate("fake.searches.at(-1).options") == {"runs_max": 20_000, "faults_max": 2}


def copied(page: Page) -> str:
    """The fragment of the link to the moment shown."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy link to this moment").click()
    expect(share(page)).to_contain_text("Copied.")
    return page.evaluate("navigator.clipboard.readText()").split("#")[1]


def share(page: Page):
    return page.locator(".lab-share").get_by_role("status")


def set_fault(page: Page) -> Page:
    """A game after one move, with a fault that has not struck."""
    begin(page)
    choose(page, 1)
    page.locator(".lab-steer-fault").click()
    expect(page.locator(".lab-steer-fault .lab-chip")).to_have_text("set")
    return page


def test_a_link_holds_the_fault_that_is_set(panel):
    game = set_fault(panel)
    assert copied(game) == "run=ol1~demo~counter~0_0.1-x1.1~limit.1&at=1"
    expect(share(game)).to_have_text("Copied.")
    assert game.evaluate("fake.steered.at(-1)") == {
        "experiment": "demo", "variant": "counter", "schedule": "ol1~demo~counter~0_0.1-x1.1~limit.1", "steps": 0,
        "until": "end",
    }  # fmt: skip
    expect(game.locator(".lab-steer-fault .lab-chip")).to_have_text("set")
    expect(game.locator(".lab-status-words")).to_contain_text("this run stands still until you choose")


def test_a_fault_that_would_never_strike_is_said_not_to_be_in_the_link(panel):
    game = set_fault(panel)
    game.evaluate("fake.missed = true")
    assert copied(game) == "run=ol1~demo~counter~0_0.1~limit.1&at=1"
    expect(share(game)).to_contain_text("A fault that you have set is not in this link: if all goes on as usual")


def test_a_link_that_the_lab_could_not_make_says_that_it_lacks_the_fault(panel):
    game = set_fault(panel)
    game.evaluate("fake.fault = {kind: 'internal', message: 'Oh.'}")
    assert copied(game) == "run=ol1~demo~counter~0_0.1~limit.1&at=1"
    expect(share(game)).to_have_text(
        "Copied. A fault that you have set is not in this link: the lab could not say when it strikes."
    )


def test_a_link_to_another_run_asks_nothing_of_the_game(panel):
    game = set_fault(panel)
    game.get_by_role("button", name="Run", exact=True).click()
    expect(game.get_by_text("Another run is shown now.")).to_be_visible()
    asked = game.evaluate("fake.steered.length")
    assert "x1.1" not in copied(game)
    assert game.evaluate("fake.steered.length") == asked
