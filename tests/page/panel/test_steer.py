"""The game in which the reader is the scheduler, as the panel plays it. No Python runs here: fake_game.js answers."""

import pytest
from playwright.sync_api import Page, expect


def begin(page: Page) -> Page:
    page.get_by_role("button", name="Be the scheduler").click()
    expect(page.locator(".lab-steer-box")).to_be_visible()
    return page


@pytest.fixture
def game(panel: Page) -> Page:
    return begin(panel)


def said(page: Page):
    return page.locator(".lab-steer-said")


def press(page: Page, name: str) -> None:
    page.locator(".lab-steer").get_by_role("button", name=name, exact=True).click()


def moves(page: Page) -> list[str]:
    return page.locator(".lab-steer-moves button").all_inner_texts()


def current(page: Page):
    return page.locator('.lab-steer-moves [aria-current="step"]')


def choose(page: Page, index: int) -> None:
    """Make a move and wait until it is made."""
    before = int(current(page).get_attribute("data-move"))
    page.locator(f'[data-choice="{index}"]').click()
    expect(current(page)).to_have_attribute("data-move", str(before + 1))


def test_a_game_begins_before_the_first_step_in_the_case_that_a_search_looks_at(panel):
    panel.get_by_role("button", name="Parameters").click()
    panel.get_by_label("Limit").fill("7")
    begin(panel)
    assert panel.evaluate("fake.steered") == [{"experiment": "demo", "variant": "counter", "parameters": {"limit": 7}}]
    expect(said(panel)).to_have_text("The game begins. 2 steps are possible.")
    expect(panel.locator(".lab-steer-facts")).to_have_text(
        "Steps taken: 0. Time: 0 ms. Faults spent: 0 of 1. 0 deviations from the usual order."
    )
    expect(panel.locator(".lab-status-words")).to_contain_text("this run stands still until you choose")
    expect(panel.locator('[data-choice="0"]')).to_be_focused()


def test_what_can_happen_is_told_in_words_and_text_of_programs_is_no_markup(game):
    assert game.locator(".lab-steer-choices button span:not(.lab-chip)").all_inner_texts() == [
        "w1 goes on at lease.py, line 7",
        "redis gets the request of w2: <b>GET</b> 0",
    ]
    assert game.locator(".lab-steer-faults button").all_inner_texts() == ["w1 is killed before its next step"]
    assert game.locator(".lab-steer-choices b").count() == 0
    expect(game.locator('[data-choice="0"] .lab-chip')).to_have_text("usual")


def test_a_run_that_is_not_over_is_shown_and_claims_nothing(game):
    choose(game, 0)
    expect(game.locator(".lab-verdict")).to_have_attribute("data-outcome", "bounds reached, not finished")
    assert set(game.locator("[data-claim]").evaluate_all("all => all.map((one) => one.dataset.holds)")) == {"null"}
    expect(game.locator("lab-event")).to_have_attribute("data-position", "2")


def test_moves_go_by_click_and_by_key_and_are_undone_and_made_again(game):
    choose(game, 1)
    expect(said(game)).to_have_text("Done: redis gets the request of w2: <b>GET</b> 0. 2 steps are possible.")
    game.keyboard.press("1")
    expect(current(game)).to_have_text("w1 goes on at lease.py, line 7")
    assert moves(game) == ["the start", "redis gets the request of w2: <b>GET</b> 0", "w1 goes on at lease.py, line 7"]
    game.keyboard.press("u")
    expect(current(game)).to_have_attribute("data-move", "1")
    game.keyboard.press("u")
    expect(current(game)).to_have_attribute("data-move", "0")
    game.keyboard.press("u")
    expect(current(game)).to_have_attribute("data-move", "0")
    game.keyboard.press("r")
    expect(current(game)).to_have_attribute("data-move", "1")
    press(game, "Redo")
    expect(current(game)).to_have_attribute("data-move", "2")
    expect(game.locator(".lab-steer-redo")).to_have_attribute("aria-disabled", "true")
    assert game.evaluate("fake.steered.length") == 3, "what was seen is not run again"


def test_keys_belong_to_the_game_only_while_the_focus_is_in_it(game):
    game.get_by_role("slider").focus()
    for key in ("1", "u", "r"):
        game.keyboard.press(key)
    assert game.evaluate("fake.steered.length") == 1
    game.locator(".lab-steer-undo").focus()
    game.keyboard.press("Control+1")
    game.keyboard.press("9")
    assert game.evaluate("fake.steered.length") == 1
    game.keyboard.press("2")
    expect(current(game)).to_have_attribute("data-move", "1")


def test_the_focus_stays_in_the_game_whatever_is_replaced(game):
    def focused() -> str:
        return game.evaluate("document.activeElement.closest('lab-steer') && document.activeElement.className")

    choose(game, 0)
    assert "lab-steer-choice" in focused()
    game.locator(".lab-steer-fault").focus()
    game.keyboard.press("Enter")
    expect(game.locator(".lab-steer-fault .lab-chip")).to_have_text("set")
    assert "lab-steer-choice" in focused()
    game.locator('[data-move="0"]').click()
    expect(current(game)).to_have_attribute("data-move", "0")
    assert "lab-link" in focused()
    press(game, "Go on to the next choice")
    expect(current(game)).to_have_attribute("data-move", "1")
    assert "lab-steer-on" in focused()
    press(game, "Let it run to its end")
    expect(said(game)).to_contain_text("The run is over")
    assert "lab-steer" in focused()


def test_a_fault_is_set_told_at_the_step_that_it_strikes_and_the_budget_is_spent(game):
    game.locator(".lab-steer-fault").click()
    expect(said(game)).to_have_text("Set: w1 is killed before its next step. 2 steps are possible.")
    expect(game.locator('[data-choice="0"] > span').nth(0)).to_have_text("w1 is killed")
    expect(game.locator(".lab-steer-fault")).to_have_attribute("aria-disabled", "true")
    expect(game.get_by_text("Faults: all spent")).to_be_visible()
    game.locator(".lab-steer-fault").click(force=True)
    assert game.evaluate("fake.steered.length") == 2
    press(game, "Undo")
    expect(game.get_by_text("Faults: 1 left")).to_be_visible()


def test_going_on_as_usual_says_for_how_many_steps(game):
    press(game, "Go on to the next choice")
    expect(said(game)).to_have_text("Went on as usual, for 2 steps. 2 steps are possible.")
    assert moves(game) == ["the start", "as usual, for 2 steps"]


def test_acting_in_the_past_forks_and_the_line_left_behind_can_be_returned_to(game):
    for index in (0, 1, 0):
        choose(game, index)
    game.locator('[data-move="1"]').click()
    choose_other = game.locator('[data-choice="0"]')
    choose_other.click()
    expect(game.locator(".lab-steer-moves li")).to_have_count(3)
    line = game.locator("[data-line-left]")
    expect(line).to_have_text("Other line: 3 moves, not over, nothing fell yet")
    line.click()
    expect(game.locator(".lab-steer-moves li")).to_have_count(4)
    expect(current(game)).to_have_attribute("data-move", "3")
    expect(line).to_have_text("Other line: 2 moves, not over, nothing fell yet")


def test_the_timeline_leads_into_the_past_and_a_move_there_forks(game):
    press(game, "Let it run to its end")
    expect(said(game)).to_contain_text("no claim that a search judges has fallen")
    game.get_by_role("slider").press("Home")
    for _ in range(5):
        game.get_by_role("slider").press("ArrowRight")
    expect(game.get_by_text("You look at event 6 of 12, in the past of this game.")).to_be_visible()
    expect(game.locator(".lab-steer-choices")).to_be_hidden()
    press(game, "Choose from this moment")
    expect(current(game)).to_have_text("as usual, for 3 steps")
    assert moves(game) == ["the start", "as usual, for 3 steps", "as usual, for 3 steps"]
    assert game.evaluate("fake.steered.at(-1)") == {
        "experiment": "demo", "variant": "counter", "schedule": "ol1~demo~counter~0_0~limit.1", "steps": 3,
    }  # fmt: skip
    expect(game.locator("[data-line-left]")).to_have_count(0)
    game.locator('[data-choice="1"]').click()
    expect(game.locator("[data-line-left]")).to_have_text("Other line: 2 moves, to the end, nothing fell")


def test_looking_back_is_not_acting(game):
    choose(game, 0)
    choose(game, 0)
    game.get_by_role("slider").press("Home")
    press(game, "Back to where the game stands")
    expect(game.locator('[data-choice="0"]')).to_be_visible()
    expect(game.locator("lab-event")).to_have_attribute("data-position", "4")
    game.get_by_role("slider").press("Home")
    game.get_by_role("slider").press("End")
    expect(game.locator('[data-choice="0"]')).to_be_visible()
    assert len(moves(game)) == 3


def win(page: Page) -> None:
    page.locator(".lab-steer-fault").click()
    expect(page.locator(".lab-steer-fault .lab-chip")).to_have_text("set")
    press(page, "Let it run to its end")
    expect(page.locator(".lab-steer-fallen")).to_be_visible()


def test_a_fallen_claim_is_told_in_its_own_words(game):
    win(game)
    expect(game.locator(".lab-steer-fallen li")).to_have_text(["Capacity comes back."])
    expect(said(game)).to_contain_text("The run is over. A claim has fallen: Capacity comes back.")
    expect(game.locator(".lab-verdict")).to_have_attribute("data-outcome", "counterexample found")


def test_another_run_may_be_made_meanwhile_and_the_game_returned_to(game):
    choose(game, 0)
    game.get_by_role("button", name="Run", exact=True).click()
    expect(game.get_by_text("Another run is shown now. The game stands where it stood.")).to_be_visible()
    expect(game.locator(".lab-compare")).to_be_visible()
    press(game, "Back to the game")
    expect(game.locator("lab-share")).to_have_attribute("data-digest", "1" * 64)
    expect(game.get_by_text("Another run is shown now.")).to_be_hidden()


def test_the_status_line_always_tells_of_the_run_that_is_shown(game):
    status = game.locator(".lab-status-words")
    win(game)
    expect(status).to_contain_text("It has come to its end.")
    game.keyboard.press("u")
    expect(status).to_contain_text("this run stands still until you choose")
    game.get_by_role("button", name="Run", exact=True).click()
    expect(status).to_contain_text("This run was made here")
    press(game, "Back to the game")
    expect(status).to_contain_text("this run stands still until you choose")
    press(game, "Leave")
    expect(status).to_have_text("Shown is the game that you have left, as far as it was played.")
    begin(game)
    game.get_by_role("button", name="Run", exact=True).click()
    expect(status).to_contain_text("This run was made here")
    press(game, "Leave")
    expect(status).to_contain_text("This run was made here")


def test_a_game_goes_on_with_the_parameters_that_it_began_with_and_says_so(game):
    told = game.get_by_text("has changed since this game began. This game goes on with those that it began with")
    expect(told).to_be_hidden()
    game.get_by_role("button", name="Parameters").click()
    game.get_by_label("Limit").fill("7")
    expect(told).to_be_visible()
    choose(game, 0)
    expect(told).to_be_visible()
    press(game, "Leave")
    begin(game)
    expect(told).to_be_hidden()
    _, move, anew = game.evaluate("fake.steered")
    assert "~limit.1" in move["schedule"]
    assert anew["parameters"] == {"limit": 7}


def let_runs_end(game, outcome: str) -> None:
    """From now on every run ends so, and nobody was admitted in it."""
    game.evaluate(
        """async (outcome) => {
          const { lab } = await import("/assets/lab/runtime.js");
          const { steer } = lab();
          lab().steer = async (request) => {
            const answer = await steer.call(lab(), request);
            const claims = answer.report.claims.map((it) => (it.kind === "sometimes" ? { ...it, holds: false } : it));
            return { ...answer, report: { ...answer.report, outcome, claims } };
          };
        }""",
        outcome,
    )


def test_a_run_that_ends_otherwise_than_by_holding_is_called_what_it_is(game):
    let_runs_end(game, "livelock")
    press(game, "Let it run to its end")
    expect(said(game)).to_contain_text("The run is over: Livelock. No claim that a search judges has fallen.")


def test_what_a_run_did_not_show_is_named_at_its_end(game):
    let_runs_end(game, "never reached")
    press(game, "Let it run to its end")
    expect(said(game)).to_contain_text("has fallen. Not seen in this run: Somebody was admitted. Undo")


def test_whoever_leaves_sees_where_to_begin_again(game):
    game.set_viewport_size({"width": 360, "height": 500})
    game.get_by_role("button", name="Leave").press("Enter")
    expect(game.get_by_role("button", name="Be the scheduler")).to_be_focused()
    expect(game.get_by_role("button", name="Be the scheduler")).to_be_in_viewport()


def test_a_run_that_is_not_over_is_neither_compared_nor_given_an_outlook(game):
    for part in (".lab-compare", ".lab-predict", ".lab-outlook"):
        expect(game.locator(part)).to_be_hidden()
    win(game)
    expect(game.locator(".lab-compare")).to_be_visible()
    expect(game.locator(".lab-outlook")).to_be_visible()


FAILURES = [
    ({"kind": "input", "message": "it belongs to another program"}, "Nothing was run: it belongs to another program"),
    ({"kind": "program", "message": "lease.py, line 7: bad", "file": "lease.py", "line": 7}, "The program failed"),
    ({"kind": "internal", "message": "Oh."}, "The lab itself failed: Oh."),
]


@pytest.mark.parametrize(("fault", "words"), FAILURES, ids=["input", "program", "internal"])
def test_a_move_that_fails_says_why_once_and_the_game_is_kept(game, fault, words):
    choose(game, 1)
    game.evaluate("(fault) => (fake.fault = fault)", fault)
    game.locator('[data-choice="0"]').click()
    expect(game.locator(".lab-status-words")).to_contain_text(words)
    game.evaluate("fake.fault = null")
    assert len(moves(game)) == 2
    choose(game, 0)
    expect(current(game)).to_have_attribute("data-move", "2")


def test_stop_while_a_step_runs_keeps_the_game(game):
    stop = game.get_by_role("button", name="Stop the lab")
    choose(game, 1)
    expect(stop).to_be_hidden()
    game.evaluate("fake.hold = 'busy'")
    game.locator('[data-choice="0"]').click()
    expect(game.locator(".lab-status-words")).to_have_text("Running …")
    game.keyboard.press("1")
    stop.press("Enter")
    expect(game.locator(".lab-status-words")).to_contain_text("Stopped.")
    game.evaluate("fake.hold = null")
    assert len(moves(game)) == 2
    assert game.evaluate("fake.steered.length") == 3
    expect(stop).to_be_hidden()
    expect(game.locator('[data-choice="0"]')).to_be_focused()
    choose(game, 0)


def test_a_game_that_cannot_begin_says_why_and_offers_itself_again(panel):
    panel.evaluate("fake.fault = {kind: 'program', message: 'lease.py, line 7: bad', file: 'lease.py', line: 7}")
    panel.get_by_role("button", name="Be the scheduler").press("Enter")
    expect(panel.locator(".lab-status-words")).to_contain_text("The program failed")
    expect(panel.locator(".lab-steer-box")).to_be_hidden()
    expect(panel.get_by_role("button", name="Be the scheduler")).to_be_enabled()


def test_a_wrong_parameter_is_told_before_a_game_begins(panel):
    panel.get_by_role("button", name="Parameters").click()
    panel.get_by_label("Limit").fill("many")
    panel.get_by_role("button", name="Be the scheduler").click()
    expect(panel.get_by_text("Nothing was run: mend the marked parameter first.")).to_be_visible()
    assert panel.evaluate("fake.steered.length") == 0


def test_starting_again_keeps_the_moves_and_leaving_ends_the_game(game):
    choose(game, 0)
    press(game, "Start again")
    expect(current(game)).to_have_attribute("data-move", "0")
    assert len(moves(game)) == 2
    press(game, "Leave")
    expect(game.locator(".lab-steer-box")).to_be_hidden()
    expect(game.get_by_role("button", name="Be the scheduler")).to_be_focused()
    expect(said(game)).to_contain_text("You have left the game.")


def test_another_variant_ends_the_game(game):
    game.get_by_role("button", name="Lease", exact=True).click()
    expect(game.locator(".lab-steer-box")).to_be_hidden()
    begin(game)
    assert game.evaluate("fake.steered.at(-1).variant") == "lease"


def test_a_state_long_gone_is_run_again(game):
    start = game.evaluate("fake.steered.length")
    for path in ("00000", "10000", "01000", "11000", "00100", "10100"):  # 24 states besides the start
        press(game, "Start again")
        expect(current(game)).to_have_attribute("data-move", "0")
        for index in path:
            choose(game, int(index))
    assert game.evaluate("fake.steered.length") == start + 30
    press(game, "Start again")
    expect(said(game)).to_have_text("Back at move 0. 2 steps are possible.")
    assert game.evaluate("fake.steered.length") == start + 31


def test_the_moment_of_a_game_can_be_linked_to(game):
    choose(game, 1)
    link = game.evaluate("""async () => {
      const { writeLink } = await import("/assets/lab/panel/link.js");
      return writeLink({ page: location.href, schedule: "ol1~demo~counter~0_0.1~limit.1", position: 1 });
    }""")
    game.context.grant_permissions(["clipboard-read", "clipboard-write"])
    game.get_by_role("button", name="Copy link to this moment").click()
    expect(game.locator(".lab-share").get_by_role("status")).to_have_text("Copied.")
    assert game.evaluate("navigator.clipboard.readText()") == link
