"""From where on a failing run could not be saved, as the panel tells and draws it. No Python runs here."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_everyone import SCHEMES, violations
from tests.page.panel.test_panel import button, press_run

TRACE = data.report()["trace"]
LAST = len(TRACE) - 1
REFUSED = next(event["sequence"] for event in TRACE if event["kind"] == "mark")
BOUNDS = {"runs": 20, "moments_max": 32, "steps_max": 250, "seed": 0}


def point(position: int, until: int, fails: int, runs: int = 20, cut: int = 0, open: bool = True) -> dict:
    at_us = TRACE[position]["at_us"] if position >= 0 else 0
    return {"position": position, "until": until, "at_us": at_us, "step": 3, "open": open,
            "fails": fails, "runs": runs, "cut": cut}  # fmt: skip


def no_return(position: int, before: int | None, open: bool = True) -> dict:
    return {"position": position, "at_us": 0, "step": 3, "open": open, "before": before}


def state(points: list[dict], lost: dict | None = None, runs: int = 142, done: bool = False, **more) -> dict:
    return {"violated": ["capacity-returns"], "runs": runs, "moments": 9, "points": points, "no_return": lost,
            "done": done, **more}  # fmt: skip


def ended(points: list[dict], lost: dict | None, strikes: int = 0, faults: list[dict] | None = None) -> dict:
    result = {"bounds": BOUNDS, "strikes": strikes, "faults": faults or []}
    return state(points, lost, done=True, result=result)


# From the start 4 of 20 fail, up to event 2; then nothing is known up to the event before the refusal, which decides.
USUAL = [
    point(-1, -1, 4), point(0, 1, 5), point(REFUSED - 1, REFUSED - 1, 14, 18, 2), point(REFUSED, REFUSED + 1, 20),
    point(REFUSED + 2, LAST, 1, 1, open=False),
]  # fmt: skip
DECIDED = no_return(REFUSED, REFUSED - 1)
FAULTS = [{"kind": "crash", "targets": ["w1", "w2"], "amount_ms": 0, "writes": 0}]


@pytest.fixture
def ask():
    """Press the button where the lab goes through these states; with `hold` it stays at the last."""

    def begin(page: Page, *states: dict, hold: bool = False) -> Page:
        page.evaluate("([states, hold]) => { fake.states = states; fake.hold = hold && 'busy' }", [states, hold])
        button(page, "When was it lost?").click()
        return page

    return begin


def said(page: Page):
    return page.locator(".lab-outlook-said")


def now(page: Page):
    return page.locator(".lab-outlook-now")


def bars(page: Page) -> list[tuple[str, int, int, int]]:
    """Tone, left end, right end and height of each part of the strip, in pixels."""
    found = page.locator(".lab-outlook-strip rect").evaluate_all(
        "rects => rects.map(r => [r.getAttribute('class').split('-').pop(),"
        " ...['x', 'width', 'height'].map(name => Number(r.getAttribute(name)))])"
    )
    return [(tone, round(x), round(x + width), round(height)) for tone, x, width, height in found]


def test_it_is_offered_for_a_run_that_violates_a_claim_and_for_no_other(panel):
    expect(button(panel, "When was it lost?")).to_be_visible()
    panel.get_by_role("button", name="Lease", exact=True).click()
    expect(button(panel, "When was it lost?")).to_be_hidden()


def test_the_point_of_no_return_is_told_drawn_and_gone_to(panel, ask):
    ask(panel, state(USUAL[:1]), ended(USUAL, DECIDED, 1, FAULTS))
    expect(said(panel)).to_contain_text(f"Point of no return: event {REFUSED + 1}, at 96 ms.")
    expect(said(panel)).to_contain_text("All 20 continuations drawn from here on failed, at each moment drawn.")
    expect(said(panel)).to_contain_text(
        "From just before it: 14 of 18 continuations fail; 2 more met a limit and are not counted."
    )
    answer = panel.locator(".lab-outlook-answer")
    expect(answer).to_contain_text("A continuation fails where it violates what this run does: Capacity comes back.")
    expect(answer).to_contain_text("20 continuations from each moment that was drawn from, 5 of the run's 9")
    expect(answer).to_contain_text("142 runs in all.")
    expect(answer).to_contain_text("and the lot which and when: a crash of w1 or w2.")
    expect(answer).to_contain_text("not probabilities of production")
    mark = panel.locator("[data-no-return].lab-outlook-mark")
    expect(mark).to_have_count(1)
    button(panel, "Go there").click()
    expect(panel.locator("lab-event")).to_have_attribute("data-position", str(REFUSED + 1))
    thumb, strip = panel.locator(".lab-thumb").bounding_box(), mark.bounding_box()
    assert abs(thumb["x"] + thumb["width"] / 2 - strip["x"] - strip["width"] / 2) <= 1
    expect(panel.locator("lab-outlook")).to_have_attribute("data-no-return", str(REFUSED + 1))
    assert panel.evaluate("fake.works") == [
        {"version": 1, "type": "outlook", "schedule": "ol1~demo~counter~0_0", "runs": 1}
    ]


def test_the_strip_has_the_shares_as_heights_where_they_hold(panel, ask):
    """The axis goes to 100 ms, so that the width in hundredths is the instant. 26 of 34 pixels are for the share."""
    ask(panel, ended(USUAL, DECIDED))
    expect(said(panel)).to_contain_text("Point of no return")
    width = panel.locator("lab-slider").evaluate("slider => slider.clientWidth")
    at = [round(width * share) for share in (0, 0.1, 0.95, 0.96, 0.98, 1)]
    drawn = bars(panel)
    assert [(tone, height) for tone, _, _, height in drawn] == [
        ("some", 5), ("some", 6), ("some", 20), ("all", 26), ("all", 26)
    ]  # fmt: skip
    edges = [(left, right) for _, left, right, _ in drawn]
    expected = [(0, 2), (0, at[1]), (at[2], at[3]), (at[3], at[4]), (at[4], at[5])]
    assert all(abs(one - other) <= 1 for pair, want in zip(edges, expected, strict=True)
               for one, other in zip(pair, want, strict=True))  # fmt: skip
    expect(panel.locator(".lab-outlook-gap")).to_have_count(1)
    # By order every event has a place of its own.
    panel.get_by_role("button", name="Order").click()
    order = bars(panel)
    assert abs(order[3][1] - width * REFUSED / LAST) <= 1 and abs(order[2][1] - width * (REFUSED - 1) / LAST) <= 1


def test_what_is_said_follows_the_position_on_the_page_and_in_the_slider(panel, ask):
    ask(panel, ended(USUAL, DECIDED))
    slider = panel.locator("lab-slider")
    slider.press("Home")
    expect(now(panel)).to_have_text("From here, 5 of 20 continuations fail.")
    slider.press("End")
    expect(now(panel)).to_have_text("From here, nothing is left to chance, and the run fails.")
    slider.press("v")
    expect(now(panel)).to_have_text("From here, 20 of 20 continuations fail.")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(r"\. From here, 20 of 20 continuations fail\.$"))
    slider.press("ArrowLeft")
    expect(now(panel)).to_contain_text("From here, 14 of 18 continuations fail; 2 more met a limit")
    slider.press("ArrowLeft")
    expect(now(panel)).to_have_text(
        "Not drawn from here. Before: 5 of 20 continuations fail. "
        "After: 14 of 18 continuations fail; 2 more met a limit and are not counted."
    )


def test_the_table_says_what_the_strip_draws(panel, ask):
    ask(panel, ended(USUAL, DECIDED))
    panel.get_by_text("Show as a table").click()
    rows = panel.locator(".lab-outlook-table tbody tr")
    assert rows.locator("th").all_inner_texts() == [
        "the start", "event 1", f"event 3 to {REFUSED - 1}", f"event {REFUSED}", f"event {REFUSED + 1}",
        f"event {REFUSED + 3}",
    ]  # fmt: skip
    read = "r => [r.dataset.from, r.dataset.until, r.dataset.fails, r.dataset.runs, r.dataset.cut].map(Number)"
    assert panel.locator(".lab-outlook-table tr[data-from]").evaluate_all(f"rows => rows.map({read})") == [
        [p["position"] + 1, p["until"] + 1, p["fails"], p["runs"], p["cut"]] for p in USUAL
    ]
    shares = panel.locator(".lab-outlook-table tr[data-from] td:last-child").all_inner_texts()
    assert shares == ["◐ 20 %", "◐ 25 %", "◐ 78 %", "● 100 %", "● 100 %"]
    expect(rows.nth(2)).to_contain_text("not drawn")
    expect(rows.nth(4)).to_contain_text("point of no return")
    rows.nth(3).get_by_role("button").click()
    expect(panel.locator("lab-event")).to_have_attribute("data-position", str(REFUSED))


LOST = [point(-1, 5, 20), point(6, LAST, 1, 1, open=False)]
OPEN = [point(-1, 5, 3), point(6, LAST, 1, 1, open=False)]
WORDS = {
    "scenario": (
        LOST,
        no_return(-1, None),
        "Lost from the start. All 20 continuations drawn failed, from whatever moment.",
    ),
    "no chance": (
        [point(-1, LAST, 1, 1, open=False)],
        no_return(-1, None, False),
        "Nothing in this run is left to chance.",
    ),
    "settled": (OPEN, no_return(6, 5, False), "only the run itself is possible. From just before it: 3 of 20"),
    "gap": (
        [point(-1, 3, 3), point(9, LAST, 20)],
        no_return(9, 3),
        "From event 4: 3 of 20 continuations fail. Nothing was",
    ),
    "none": ([point(-1, 3, 3), point(9, LAST, 18, 18, 2)], None, "No point of no return was seen"),
}


@pytest.mark.parametrize(("points", "lost", "words"), WORDS.values(), ids=list(WORDS))
def test_every_answer_has_its_words(panel, ask, points, lost, words):
    ask(panel, ended(points, lost))
    expect(said(panel)).to_contain_text(words)
    shown = lost is not None and lost["before"] is not None
    expect(button(panel, "Go there")).to_have_count(int(shown))
    nothing = "There was nothing to draw: the run itself is the only way on."
    expect(panel.get_by_text(nothing)).to_have_count(int(not any(each["open"] for each in points)))


def test_stop_keeps_what_was_drawn_and_says_so(panel, ask):
    ask(panel, state(USUAL[:1]), state([*USUAL[:2], *USUAL[3:]], no_return(REFUSED, 1), runs=70), hold=True)
    progress = panel.locator(".lab-outlook-progress")
    expect(progress).to_have_text("70 runs so far, from 4 of 9 moments.")
    assert progress.get_attribute("role") is None
    assert len(bars(panel)) == 4  # shown as they come
    expect(button(panel, "When was it lost?")).to_be_disabled()
    panel.evaluate("fake.hold = null")
    panel.get_by_role("button", name="Stop", exact=True).click()
    expect(said(panel)).to_contain_text("Stopped. What was drawn until then is shown.")
    expect(said(panel)).to_contain_text(f"Point of no return: event {REFUSED + 1}")
    assert len(bars(panel)) == 4
    expect(progress).to_be_hidden()


def test_stop_before_anything_was_drawn_says_so_and_the_focus_stays_near(panel, ask):
    stop = button(panel, "Stop drawing")
    expect(stop).to_be_hidden()
    button(panel, "When was it lost?").focus()
    ask(panel, state([], runs=3), hold=True)  # of the first moment, but not all of it
    expect(stop).to_be_focused()
    panel.keyboard.press("Enter")
    expect(said(panel)).to_have_text("Stopped before anything was drawn.")
    expect(button(panel, "When was it lost?")).to_be_focused()
    expect(stop).to_be_hidden()
    expect(panel.locator(".lab-outlook-table")).to_be_hidden()


def test_another_run_takes_it_away(panel, ask):
    ask(panel, ended(USUAL, DECIDED))
    expect(said(panel)).to_contain_text("Point of no return")
    panel.evaluate("fake.change = {seed: 5}")
    press_run(panel)
    expect(said(panel)).to_be_empty()
    expect(now(panel)).to_be_hidden()
    assert bars(panel) == []
    ask(panel, ended(USUAL, DECIDED))
    expect(said(panel)).to_contain_text("Point of no return")
    panel.get_by_role("button", name="Lease", exact=True).click()
    expect(panel.locator("lab-outlook")).to_be_hidden()
    assert bars(panel) == []


def test_a_refusal_is_told_and_nothing_is_drawn(panel, ask):
    panel.evaluate("fake.fault = {kind: 'input', message: 'the run violates no claim', file: null, line: null}")
    ask(panel)
    expect(panel.locator(".lab-status")).to_contain_text("the run violates no claim")
    expect(said(panel)).to_be_empty()
    assert bars(panel) == []


def test_by_keyboard_alone(panel, ask):
    panel.evaluate("states => { fake.states = states }", [ended(USUAL, DECIDED)])
    button(panel, "When was it lost?").focus()
    panel.keyboard.press("Enter")
    expect(said(panel)).to_contain_text("Point of no return")
    panel.keyboard.press("Tab")
    expect(button(panel, "Go there")).to_be_focused()
    panel.keyboard.press("Enter")
    expect(panel.locator("lab-event")).to_have_attribute("data-position", str(REFUSED + 1))
    panel.keyboard.press("Tab")
    panel.keyboard.press("Enter")
    expect(panel.locator(".lab-outlook-table table")).to_be_visible()


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_nothing_and_nothing_overflows(open_page, site, ask, scheme, width):
    site.pages["/"] = page_html(element(), scheme)
    page = ask(open_page(width=width), ended(USUAL, DECIDED, 1, FAULTS))
    page.get_by_text("Show as a table").click()
    expect(page.locator(".lab-outlook-table table")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_in_forced_colours_the_strip_and_its_mark_can_be_told_from_the_ground(open_page, ask):
    page = ask(open_page(forced_colors="active"), ended(USUAL, DECIDED))
    expect(said(page)).to_contain_text("Point of no return")
    painted = {".lab-outlook-bar": "fill", ".lab-outlook-mark": "stroke", ".lab-outlook-gap": "stroke"}
    colours = [
        page.locator(part).first.evaluate("(part, what) => getComputedStyle(part)[what]", what)
        for part, what in painted.items()
    ]
    ground = page.evaluate("getComputedStyle(document.querySelector('lab-slider')).backgroundColor")
    assert ground not in colours
    assert len(set(colours)) == 2
