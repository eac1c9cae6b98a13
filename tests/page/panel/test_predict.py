"""A reader predicts before seeing: what is hidden, how a mark is made by keys, and what is then said and drawn."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_everyone import SCHEMES, violations
from tests.page.panel.test_panel import button, press_run

WHEN = {"id": "full", "kind": "moment", "question": "When is nothing left?", "choices": []}
WHO = {
    "id": "owner", "kind": "choice", "question": "Who owns the job at the end?",
    "choices": [{"id": "w1", "label": "worker 1"}, {"id": "w2", "label": "worker 2"}],
}  # fmt: skip
HIDDEN = [
    "lab-scene",
    ".lab-side lab-readings",
    "lab-timeline",
    "lab-event",
    "lab-verdict",
    "lab-inspector",
    "lab-search",
]


@pytest.fixture
def asked(open_page, site):
    """Open the demonstration with questions and the run's answers, and press the button."""

    def begin(questions: list, answers: list, width: int = 1280, scheme: str = "default") -> Page:
        site.data["experiments/demo.json"]["experiment"]["predictions"] = questions
        for variant in ("counter", "lease"):
            site.data[f"recorded/demo/{variant}.json"] = {**data.report(variant), "predictions": answers}
        site.pages["/"] = page_html(element(), scheme)
        page = open_page(width=width)
        button(page, "Predict first").click()
        return page

    return begin


def full(value: int | None) -> list:
    return [{"id": "full", "value": value, "text": "never" if value is None else f"{value / 1000:g} ms"}]


def owner(value: str) -> list:
    return [{"id": "owner", "value": value, "text": {"w1": "worker 1", "w2": "worker 2"}[value]}]


def slider(page: Page):
    return page.get_by_role("slider", name="Your mark")


def told(page: Page):
    return page.locator("[data-prediction]")


def test_the_run_is_hidden_until_it_was_marked(asked):
    page = asked([WHEN], full(60_000))
    for tag in HIDDEN:
        expect(page.locator(tag)).to_be_hidden()
    expect(slider(page)).to_be_focused()
    expect(slider(page)).to_have_attribute("aria-valuetext", "not marked yet")
    expect(button(page, "Show the run")).to_be_disabled()
    slider(page).press("ArrowRight")
    button(page, "Show the run").click()
    for tag in HIDDEN:
        expect(page.locator(tag)).to_be_visible()
    expect(button(page, "Predict first")).to_be_focused()
    assert page.evaluate("fake.requests.length + fake.warmed") == 0


@pytest.mark.parametrize(
    ("keys", "answer", "sentence", "pins"),
    [
        (["Home", *["ArrowRight"] * 40], 60_000,
         "You marked 40 ms. In this run it is at 60 ms: 20 ms later, which is 20% of the run.", ["guess", "truth"]),
        (["End"], 99_500,
         "You marked 100 ms. In this run it is at 99.5 ms: 0.5 ms earlier, which is 0.5% of the run.",
         ["guess", "truth"]),
        (["End"], 100_000, "You marked 100 ms, and there it is.", ["guess", "truth"]),
        (["Home"], 0, "You marked 0 ms, and there it is.", ["guess", "truth"]),
        (["End"], None, "You marked 100 ms. In this run it never comes.", ["guess"]),
    ],
)  # fmt: skip
def test_a_mark_made_by_keys_is_judged_and_drawn(asked, keys, answer, sentence, pins):
    page = asked([WHEN], full(answer))
    for key in keys:
        slider(page).press(key)
    button(page, "Show the run").click()
    expect(told(page)).to_have_text(f"When is nothing left? {sentence}")
    drawn = page.evaluate("[...document.querySelectorAll('.lab-plot [data-pin]')].map((pin) => pin.dataset.pin)")
    assert drawn == pins
    legend = page.locator(".lab-legend-box").inner_text()
    assert ("your mark" in legend, "what the run did" in legend) == ("guess" in pins, "truth" in pins)


@pytest.mark.parametrize(
    ("answer", "sentence", "pins"),
    [
        (None, "You said never, and in this run it never comes.", []),
        (60_000, "You said never. In this run it is at 60 ms.", ["truth"]),
    ],
)
def test_never_is_an_answer_too(asked, answer, sentence, pins):
    page = asked([WHEN], full(answer))
    page.get_by_label("It never comes in this run").check()
    button(page, "Show the run").click()
    expect(told(page)).to_contain_text(sentence)
    drawn = page.evaluate("[...document.querySelectorAll('.lab-plot [data-pin]')].map((pin) => pin.dataset.pin)")
    assert drawn == pins


def test_never_is_taken_back_by_a_mark_and_by_itself(asked):
    page = asked([WHEN], full(None))
    never = page.get_by_label("It never comes in this run")
    never.check()
    expect(slider(page)).to_have_attribute("aria-valuetext", "It never comes in this run")
    slider(page).press("Home")
    expect(never).not_to_be_checked()
    expect(slider(page)).to_have_attribute("aria-valuetext", "0 ms")


def test_mark_and_truth_stand_at_their_instants_and_differ_by_shape_and_dash(asked):
    page = asked([WHEN], full(60_000))
    slider(page).press("Home")
    button(page, "Show the run").click()
    pins = page.locator(".lab-plot [data-pin]")
    places = [pins.nth(index).evaluate("pin => pin.transform.baseVal[0].matrix.e") for index in (0, 1)]
    assert places[0] == 0
    width = page.evaluate("document.querySelector('.lab-lane-line').getBBox().width")
    assert places[1] == pytest.approx(0.6 * width, abs=0.1)
    heads = [pins.nth(index).locator(".lab-pin-head").get_attribute("d") for index in (0, 1)]
    dashes = [
        pins.nth(index).locator(".lab-pin-line").evaluate("path => getComputedStyle(path).strokeDasharray")
        for index in (0, 1)
    ]
    assert heads[0] != heads[1] and dashes[0] != dashes[1]


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ("worker 1", "You said: worker 1. In this run it is: worker 2."),
        ("worker 2", "You said: worker 2. So it is."),
    ],
)
def test_a_choice_is_judged(asked, choice, sentence):
    page = asked([WHO], owner("w2"))
    expect(page.get_by_role("group", name="Who owns the job at the end?")).to_be_visible()
    page.get_by_label(choice, exact=True).check()
    button(page, "Show the run").click()
    expect(told(page)).to_have_text(f"Who owns the job at the end? {sentence}")


def test_every_question_has_to_be_answered(asked):
    page = asked([WHEN, WHO], full(60_000) + owner("w1"))
    page.get_by_label("worker 1").check()
    expect(button(page, "Show the run")).to_be_disabled()
    slider(page).press("Home")
    button(page, "Show the run").click()
    expect(told(page)).to_have_count(2)


def test_a_run_of_the_readers_own_is_drawn_over_the_mark(asked):
    page = asked([WHEN], full(60_000))
    slider(page).press("Home")
    press_run(page)
    expect(page.locator("lab-timeline")).to_be_visible()
    expect(told(page)).to_contain_text("You marked 0 ms. In this run it is at 60 ms")
    expect(page.locator('.lab-plot [data-pin="truth"]')).to_have_count(1)


def test_a_run_without_a_mark_stays_hidden(asked):
    page = asked([WHEN], full(60_000))
    press_run(page)
    expect(page.locator("lab-timeline")).to_be_hidden()


@pytest.mark.parametrize("way", ["Reset", "Lease", "Leave it"])
def test_reset_another_variant_and_leaving_end_it(asked, way):
    page = asked([WHEN], full(60_000))
    slider(page).press("Home")
    button(page, way).click()
    expect(page.locator("lab-timeline")).to_be_visible()
    expect(page.locator(".lab-predict-form")).to_be_hidden()
    expect(told(page)).to_have_count(0)
    expect(page.locator(".lab-plot [data-pin]")).to_have_count(0)


def test_another_variant_forgets_what_was_said(asked):
    page = asked([WHEN], full(60_000))
    slider(page).press("Home")
    button(page, "Show the run").click()
    expect(told(page)).to_have_count(1)
    button(page, "Lease").click()
    expect(told(page)).to_have_count(0)
    expect(page.locator(".lab-plot [data-pin]")).to_have_count(0)


def test_a_run_that_gives_no_answer_says_so(asked):
    page = asked([WHEN], [])
    slider(page).press("Home")
    button(page, "Show the run").click()
    expect(told(page)).to_contain_text("This run was cut short and gives no answer.")


def test_an_experiment_without_questions_asks_nothing(panel):
    expect(panel.locator("lab-predict")).to_be_hidden()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1280])
def test_everyone_can_predict(asked, scheme, width):
    page = asked([WHEN, WHO], full(60_000) + owner("w1"), width, scheme)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    slider(page).press("End")
    page.get_by_label("worker 1").check()
    button(page, "Show the run").click()
    expect(told(page)).to_have_count(2)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


STEP = "(m, ends) => ends.map(m.stepOf)"


def test_a_key_moves_a_mark_by_a_round_hundredth_of_the_run(modules):
    ends = [0, 50, 88_511, 1_000_000, 12_250_000, 30_000_000]
    assert modules("log/prediction.js", STEP, ends) == [1, 1, 500, 10_000, 100_000, 200_000]
