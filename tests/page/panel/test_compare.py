"""Two runs beside each other: what is offered, where the other run comes from, marks, positions, readings."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_editing import change_limit, open_editor, run
from tests.page.panel.test_everyone import SCHEMES, violations
from tests.page.panel.test_panel import button, press_run

COUNT = len(data.report()["trace"])
MARK = next(event["sequence"] for event in data.report()["trace"] if event["kind"] == "mark")


def lease() -> dict:
    """The run of `lease`, in which w2 is admitted where `counter` refuses it; then it goes on for longer."""
    story = data.Story()
    for event in data.report("lease")["trace"][:MARK]:
        story.event(event["at_us"] / 1000, event["actor"], event["kind"], 99, **event["fields"])
    story.event(96, "w2", "mark", name="admitted", text="a slot was free", waited_us=1500)
    story.event(97, "w1", "output", text="one line printed")
    story.event(150, "w2", "output", text="another")
    return {**data.report("lease"), "trace": story.trace, "events": len(story.trace)}


@pytest.fixture
def compared(open_page, site):
    """Open the demonstration and choose the run to compare with."""

    def begin(width: int = 1280, scheme: str = "default") -> Page:
        site.data["recorded/demo/lease.json"] = lease()
        site.pages["/"] = page_html(element(), scheme)
        page = open_page(width=width)
        choice(page).select_option(label="Lease")
        expect(page.locator(".lab-compare-table")).to_be_visible()
        return page

    return begin


def choice(page: Page):
    return page.get_by_label("Compare with")


def parting(page: Page, kind: str):
    return page.locator(f'.lab-parting-box[data-parting="{kind}"]')


def said(page: Page):
    return page.locator(".lab-compare-said")


def place(page: Page) -> tuple[int, int]:
    """Positions of both runs, from 1."""
    here = page.locator("lab-event").get_attribute("data-position")
    return int(here), int(page.locator(".lab-compare-now").get_attribute("data-position"))


def expect_place(page: Page, here: int, there: int) -> None:
    """Wait until both runs stand there: a move is drawn at the next frame."""
    expect(page.locator("lab-event")).to_have_attribute("data-position", str(here))
    expect(page.locator(".lab-compare-now")).to_have_attribute("data-position", str(there))


def offered(page: Page) -> list[str]:
    return choice(page).locator("option").all_inner_texts()


def test_the_other_variants_are_offered_and_the_recorded_run_needs_no_python(compared):
    page = compared()
    assert offered(page) == ["nothing", "Lease"]
    expect(said(page)).to_have_text("Lease: the recorded run, which has the same schedule.")
    assert page.evaluate("fake.requests.length + fake.warmed") == 0


def test_an_experiment_with_one_variant_offers_nothing(open_page, site):
    site.pages["/"] = page_html(element("long", ""))
    page = open_page()
    expect(page.locator("lab-compare")).to_be_hidden()


def test_both_partings_are_told_with_what_each_run_did(compared):
    page = compared()
    for kind in ("first", "story"):
        box = parting(page, kind)
        expect(box).to_contain_text("at 96 ms")
        assert box.locator("li").all_inner_texts() == [
            "Counter: w2: refused (no slot free, waited: 1.5 ms)",
            "Lease: w2: admitted (a slot was free, waited: 1.5 ms)",
        ]


def test_a_button_goes_to_where_they_part_in_both(compared):
    page = compared()
    page.get_by_role("slider").press("Home")
    expect_place(page, 1, 1)
    parting(page, "story").get_by_role("button", name="Go there").click()
    expect(page.locator(".lab-event-text")).to_contain_text("w2: refused")
    expect_place(page, MARK + 1, MARK + 1)
    expect(page.locator(".lab-compare-now")).to_contain_text("Lease at this position: event")
    expect(page.locator(".lab-compare-now")).to_contain_text("w2: admitted")
    expect(said(page)).to_have_text("Both runs are shown at 96 ms.")


def test_one_position_moves_both_by_time(compared):
    page = compared()
    slider = page.get_by_role("slider")
    slider.press("End")
    expect_place(page, COUNT, MARK + 2)  # at 100 ms the other run has not printed its second line
    slider.press("Home")
    slider.press("ArrowRight")
    expect(page.locator("lab-event")).to_have_attribute("data-position", "2")
    expect_place(page, 2, 2)


def test_the_lanes_of_both_share_one_axis_on_which_both_are_whole(compared):
    page = compared()
    plots = page.locator(".lab-plot")
    expect(plots).to_have_count(2)
    labels = [plots.nth(run).locator(".lab-grid-label").all_text_contents() for run in (0, 1)]
    assert labels[0] == labels[1] and labels[0][0] == "0 ms"
    assert max(float(label.split()[0]) for label in labels[0]) > 100, "the axis reaches the longer run's end"
    lines = [plots.nth(run).locator('[data-parting="story"] .lab-parting-line').bounding_box()["x"] for run in (0, 1)]
    assert lines[0] == lines[1]
    assert page.locator(".lab-compared-name").all_inner_texts() == ["Shown: Counter", "Compared with: Lease"]
    expect(page.get_by_role("button", name="Order")).to_be_disabled()


def test_the_two_marks_differ_by_shape_and_dash_and_are_explained(compared):
    page = compared()
    shapes, dashes = page.evaluate(
        """() => { const kinds = ["first", "story"];
          const of = (part) => kinds.map((kind) => document.querySelector(`.lab-plot .lab-parting-${kind} .${part}`));
          return [of("lab-parting-head").map((path) => path.getAttribute("d").replace(/^M\\S+ \\S+?(?=[a-z])/, "")),
                  of("lab-parting-line").map((path) => getComputedStyle(path).strokeDasharray)]; }"""
    )
    assert shapes[0] != shapes[1] and dashes[0] != dashes[1]
    legend = page.locator(".lab-legend-box").inner_text()
    assert "first event that differs" in legend and "first difference in the story" in legend


def test_pointing_into_the_other_runs_lanes_moves_both(compared):
    page = compared()
    page.locator(".lab-compared-lanes").scroll_into_view_if_needed()
    box = page.locator(".lab-compared-lanes .lab-plot").bounding_box()
    page.mouse.click(box["x"] + 180, box["y"] + 40)
    expect(page.locator("lab-event")).not_to_have_attribute("data-position", str(COUNT))
    here, there = place(page)
    assert here == there < MARK


def test_readings_stand_side_by_side_and_differences_are_marked_in_words(compared):
    page = compared()
    assert page.locator(".lab-compare-table thead th").all_inner_texts() == [
        "Reading",
        "Counter",
        "Lease",
        "Difference",
    ]
    rows = {
        row.get_attribute("data-compared"): row.locator("th, td").all_inner_texts()
        for row in page.locator("[data-compared]").all()
    }
    assert rows["outcome"] == ["Outcome", "Counterexample found", "Holds within bounds", "≠ differs"]
    assert rows["admitted"] == ["Admitted", "6,667 tasks", "82 tasks", "≠ differs"]
    assert rows["first_refusal_ms"] == ["First refusal", "96 ms", "—", "≠ differs"]
    assert rows["rows"] == ["Rows", "w1: 1, w2: 0 rows", "w1: 1, w2: 0 rows", ""]
    assert rows["capacity-returns"] == ["Capacity comes back.", "violated", "holds", "≠ differs"]
    assert "somebody-worked" not in rows


def test_runs_that_are_the_same_say_so(open_page, site):
    site.data["recorded/demo/lease.json"] = data.report("lease")
    page = open_page()
    choice(page).select_option(label="Lease")
    expect(parting(page, "first")).to_contain_text("The two runs are the same, event for event.")
    expect(parting(page, "story")).to_contain_text("The story is the same")
    expect(page.locator(".lab-partings button")).to_have_count(0)


@pytest.fixture
def scheduled(panel: Page):
    """Run the demonstration so that its report has this schedule, and compare it with Lease."""

    def begin(schedule: str, refused: list[str]) -> Page:
        panel.evaluate(
            "([schedule, refused]) => { fake.change = { schedule }; fake.refused = refused; }", [schedule, refused]
        )
        press_run(panel)
        choice(panel).select_option(label="Lease")
        return panel

    return begin


def asked(page: Page) -> list[str]:
    return page.evaluate("fake.requests.slice(1).map(({ schedule }) => schedule)")


def test_another_schedule_is_run_with_the_other_program(scheduled):
    page = scheduled("ol1~demo~counter~0_3.1-x2.1~limit.3", [])
    expect(said(page)).to_have_text("Lease: run under the same schedule.")
    assert asked(page) == ["ol1~demo~lease~0_3.1-x2.1~limit.3"]
    expect(page.locator(".lab-status-words")).to_have_text("The run to compare with was made here, in your browser.")
    expect(page.locator("ownership-lab")).to_have_attribute("state", "ran")


@pytest.mark.parametrize(
    ("refused", "sentence", "used"),
    [
        (["ol1~demo~lease~0_3.1-x2.1"], "Lease: run with the same faults, but in the usual order.", "x2.1"),
        (["ol1~demo~lease~0_3.1-x2.1", "ol1~demo~lease~0_x2.1"],
         "Lease: run in the usual order and without faults, with the same seed and parameters.", "0"),
    ],
)  # fmt: skip
def test_what_does_not_fit_the_other_program_is_left_out_and_told(scheduled, refused, sentence, used):
    page = scheduled("ol1~demo~counter~0_3.1-x2.1", refused)
    expect(said(page)).to_contain_text(sentence)
    expect(said(page)).to_contain_text("does not fit this program: it belongs to another program")
    assert asked(page)[-1] == f"ol1~demo~lease~0_{used}"
    expect(page.locator(".lab-compare-table")).to_be_visible()


def test_a_failure_is_told_and_nothing_is_compared(scheduled, panel):
    panel.evaluate("fake.change = { schedule: 'ol1~demo~counter~0_3.1' }")
    press_run(panel)
    panel.evaluate("fake.fault = { kind: 'internal', message: 'it broke.' }")
    choice(panel).select_option(label="Lease")
    expect(panel.get_by_text("The lab itself failed: it broke.")).to_be_visible()
    expect(said(panel)).to_have_text("There is no run to compare with.")
    expect(choice(panel)).to_have_value("")
    expect(panel.locator(".lab-plot")).to_have_count(1)


def test_an_edited_run_is_compared_with_the_published_one_too(panel):
    open_editor(panel)
    change_limit(panel)
    run(panel)
    assert offered(panel) == ["nothing", "Counter, as published", "Lease"]
    choice(panel).select_option(label="Counter, as published")
    expect(said(panel)).to_have_text("Counter, as published: the recorded run, which has the same schedule.")
    expect(panel.locator(".lab-compared-name").first).to_have_text("Shown: Counter, edited")


@pytest.mark.parametrize("same", [True, False])
def test_a_recorded_run_that_comes_when_another_was_chosen_leaves_that_ones_run_alone(panel, site, same):
    site.data["recorded/demo/lease.json"] = lease() | ({"schedule": "ol1~demo~lease~0_3.1~limit.3"} if same else {})
    open_editor(panel)
    change_limit(panel)
    panel.evaluate("fake.change = { schedule: 'ol1~demo~counter~0_3.1~limit.3' }")
    run(panel)
    fetched = []
    panel.route("**/recorded/demo/lease.json", lambda route: fetched.append(route))
    with panel.expect_request("**/recorded/demo/lease.json"):
        choice(panel).select_option(label="Lease")
    panel.evaluate("fake.hold = 'busy'")
    choice(panel).select_option(label="Counter, as published")
    expect(button(panel, "Stop the other run")).to_be_visible()
    with panel.expect_response("**/recorded/demo/lease.json") as response:
        site.answer(fetched[0])
    response.value.finished()
    panel.wait_for_timeout(100)  # what must not happen would have happened by then
    expect(button(panel, "Stop the other run")).to_be_visible()
    panel.evaluate("fake.hold = null; fake.release()")
    expect(said(panel)).to_have_text("Counter, as published: run under the same schedule.")
    expect(button(panel, "Stop the other run")).to_be_hidden()
    assert panel.evaluate("fake.requests.map(({ variant }) => variant)") == ["counter", "counter"]


def test_going_to_the_compared_variant_changes_places_and_reset_ends_it(compared):
    page = compared()
    button(page, "Lease").click()
    expect(page.locator(".lab-compared-name").first).to_have_text("Shown: Lease")
    expect(page.locator(".lab-compared-name").last).to_have_text("Compared with: Counter")
    assert offered(page) == ["nothing", "Counter"]
    button(page, "Reset").click()
    expect(page.locator("ownership-lab")).to_have_attribute("state", "recorded")
    expect(choice(page)).to_have_value("")
    expect(page.locator(".lab-plot")).to_have_count(1)
    expect(page.locator(".lab-compare-more")).to_be_hidden()
    expect(page.get_by_role("button", name="Order")).to_be_enabled()


def test_a_run_of_the_readers_own_goes_on_being_compared(compared):
    page = compared()
    press_run(page)
    expect(choice(page)).to_have_value("lease")
    expect(page.locator(".lab-compare-table")).to_be_visible()
    assert len(page.evaluate("fake.requests")) == 1


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_while_two_runs_are_compared(compared, scheme):
    page = compared(scheme=scheme)
    parting(page, "first").get_by_role("button", name="Go there").click()
    assert violations(page) == []


def test_it_fits_a_phone(compared):
    page = compared(width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.evaluate(
        """() => [...document.querySelectorAll(".lab-compare :is(button, select)")]
          .filter((one) => one.checkVisibility())
          .map((one) => one.getBoundingClientRect()).filter(({ width, height }) => width < 24 || height < 24)"""
    )
    assert small == []
    assert violations(page) == []
