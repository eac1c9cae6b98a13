"""Moving through a run: slider, keys, buttons, pointer, playing, zoom; and that every part follows the position."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_panel import button

COUNT = len(data.report()["trace"])


def slider(page: Page):
    return page.get_by_role("slider", name="Position in the run")


def at(page: Page, number: int) -> None:
    """The page shows event `number`, counted from 1."""
    expect(slider(page)).to_have_attribute("aria-valuenow", str(number))
    expect(page.locator(".lab-counter")).to_have_text(f"Event {number:,} of {COUNT:,}")


def test_the_slider_tells_number_instant_and_event(panel):
    slider(panel).press("Home")
    for _ in range(2):
        slider(panel).press("ArrowRight")
    expect(slider(panel)).to_have_attribute(
        "aria-valuetext", f"event 3 of {COUNT}, 10 ms: w1 sends INCR inflight to redis"
    )
    expect(slider(panel)).to_have_attribute("aria-valuemin", "1")
    expect(slider(panel)).to_have_attribute("aria-valuemax", str(COUNT))


@pytest.mark.parametrize(
    ("keys", "number"),
    [
        (["Home"], 1),
        (["Home", "ArrowLeft"], 1),
        (["Home", "ArrowRight", "ArrowUp"], 3),
        (["End", "ArrowLeft", "ArrowDown"], COUNT - 2),
        (["End", "ArrowRight"], COUNT),
        (["Home", "PageDown"], 6),
        (["End", "PageUp"], COUNT - 5),
        (["Home", "v"], data.report()["claims"][0]["position"] + 1),
    ],
)
def test_keys_move_the_position(panel, keys, number):
    for key in keys:
        slider(panel).press(key)
    at(panel, number)


def test_buttons_step_and_jump(panel):
    button(panel, "First event").click()
    at(panel, 1)
    button(panel, "One event forward").click()
    at(panel, 2)
    button(panel, "One event back").click()
    at(panel, 1)
    button(panel, "Last event").click()
    at(panel, COUNT)
    button(panel, "Go to the first violation").click()
    at(panel, data.report()["claims"][0]["position"] + 1)


def test_a_click_on_the_lanes_chooses_the_event_of_that_lane(panel):
    """Events 16 and 17 are one millisecond apart in two lanes: the lane decides."""
    panel.locator(".lab-plot").scroll_into_view_if_needed()
    box = panel.locator(".lab-plot").bounding_box()
    left = panel.evaluate("parseFloat(document.querySelector('lab-timeline').style.getPropertyValue('--lab-gutter'))")
    width = box["width"] - left - 9
    x = box["x"] + left + width * 60.5 / 100
    for lane, number in ((2, 16), (3, 17)):
        panel.mouse.click(x, box["y"] + 22 + 30 * (lane + 0.5))
        at(panel, number)
    expect(slider(panel)).to_be_focused()


def test_dragging_the_strip_scrubs_and_going_back_is_as_easy(panel):
    slider(panel).scroll_into_view_if_needed()
    box = slider(panel).bounding_box()
    y = box["y"] + box["height"] / 2
    panel.mouse.move(box["x"] + box["width"] - 2, y)
    panel.mouse.down()
    panel.mouse.move(box["x"] + box["width"] * 0.1, y, steps=5)
    at(panel, 3)
    panel.mouse.move(box["x"] + box["width"] * 0.2, y, steps=5)
    at(panel, 6)
    panel.mouse.move(box["x"] - 50, y, steps=3)
    at(panel, 2)  # two events at 0 ms: the last of them
    panel.mouse.up()


def test_playing_moves_forward_pauses_and_ends_by_itself(panel):
    panel.get_by_label("Speed").select_option("8")
    slider(panel).press("Home")
    slider(panel).press(" ")
    expect(button(panel, "Pause")).to_be_visible()
    panel.wait_for_function("document.querySelector('ownership-lab').position > 3")
    slider(panel).press(" ")
    paused = panel.evaluate("document.querySelector('ownership-lab').position")
    at(panel, paused + 1)
    panel.wait_for_timeout(300)
    at(panel, paused + 1)
    button(panel, "Play").click()
    expect(button(panel, "Play")).to_be_visible(timeout=10_000)
    at(panel, COUNT)


def test_playing_from_the_end_starts_over(panel):
    button(panel, "Play").click()
    panel.wait_for_function(f"document.querySelector('ownership-lab').position < {COUNT - 1}")
    button(panel, "Pause").click()


def test_while_playing_nothing_is_said_aloud(panel):
    slider(panel).press("Home")
    at(panel, 1)
    before = slider(panel).get_attribute("aria-valuetext")
    button(panel, "Play").click()
    panel.wait_for_function("document.querySelector('ownership-lab').position > 1")
    assert slider(panel).get_attribute("aria-valuetext") == before
    button(panel, "Pause").click()
    expect(slider(panel)).not_to_have_attribute("aria-valuetext", before)


def test_a_new_run_ends_playing(panel):
    slider(panel).press("Home")
    button(panel, "Play").click()
    button(panel, "Run").click()
    panel.wait_for_selector("ownership-lab[state=ran]")
    expect(button(panel, "Play")).to_be_visible()


def test_with_reduced_motion_playing_goes_in_few_steps(open_page):
    page = open_page(reduced_motion="reduce")
    slider(page).press("Home")
    page.evaluate("""() => { window.moves = 0; document.addEventListener("lab-move", () => (window.moves += 1)); }""")
    button(page, "Play").click()
    page.wait_for_timeout(1300)
    assert 1 <= page.evaluate("window.moves") <= 3


def test_zoom_shows_a_part_that_follows_the_position(panel):
    slider(panel).press("Home")
    expect(button(panel, "Show the whole run")).to_be_disabled()
    for _ in range(3):
        slider(panel).press("+")
    expect(panel.locator(".lab-window")).to_have_attribute("visibility", "visible")
    labels = panel.locator(".lab-plot .lab-grid-label").all_text_contents()
    assert float(labels[-1].split()[0]) <= 12.5
    slider(panel).press("End")
    expect(panel.locator(".lab-plot .lab-grid-label").last).to_have_text(re.compile(r"^(9[89]|100)"))
    slider(panel).press("0")
    expect(panel.locator(".lab-window")).to_have_attribute("visibility", "hidden")


def test_by_order_every_event_has_a_place_of_its_own(panel):
    button(panel, "Order").click()
    expect(button(panel, "Order")).to_have_attribute("aria-pressed", "true")
    at(panel, COUNT)
    slider(panel).press("Home")
    places = []
    for _ in range(4):
        places.append(panel.locator(".lab-overlay .lab-playhead").get_attribute("d"))
        slider(panel).press("ArrowRight")
        panel.wait_for_timeout(60)
    assert len(set(places)) == 4


def test_the_help_sheet_opens_and_gives_the_focus_back(panel):
    slider(panel).press("?")
    sheet = panel.get_by_role("dialog", name="Keys")
    expect(sheet).to_be_visible()
    expect(sheet).to_contain_text("one event back or forward")
    panel.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(slider(panel)).to_be_focused()


def test_keys_leave_the_rest_of_the_page_alone(panel):
    button(panel, "Parameters").click()
    slider(panel).press("Home")
    panel.get_by_label("Limit").press("ArrowRight")
    panel.get_by_label("Limit").press("?")
    expect(panel.get_by_role("dialog")).to_have_count(0)
    at(panel, 1)


def test_the_scene_follows_the_position(panel):
    cell = panel.locator('[data-view="slots"] .lab-cell')
    capacity = panel.locator('[data-line="usable"] b')
    slider(panel).press("Home")
    expect(cell.nth(0)).to_have_attribute("data-state", "free")
    expect(cell.nth(0)).to_have_text("1○1: free")
    expect(capacity).to_have_text("10 slots")
    expect(panel.locator('[data-row="ran"] b')).to_have_text("0")
    expect(panel.locator('[data-card="job"]')).to_contain_text("waits for a run")
    slider(panel).press("v")
    expect(cell.nth(0)).to_have_text("1●w11: held by a running task, w1")
    expect(cell.nth(1)).to_have_attribute("data-state", "held")
    expect(capacity).to_have_text("8 slots")
    expect(panel.locator('[data-row="ran"] b')).to_have_text("3")
    expect(panel.locator('[data-row="missed"] b')).to_have_text("2")
    expect(panel.locator('[data-card="job"]')).to_contain_text("claimed by W2")
    slider(panel).press("End")
    expect(cell.nth(1)).to_have_text("2✕w22: leaked, its holder crashed, w2")
    expect(panel.locator('[data-view="slots"] .lab-legend li').nth(2)).to_have_text("✕leaked, its holder crashed1")


def test_the_store_shows_keys_and_rows_with_what_the_event_changed(panel):
    store = panel.locator("lab-store")
    slider(panel).press("Home")
    expect(store).to_have_text("Nothing is stored at this position.")
    for _ in range(6):
        slider(panel).press("ArrowRight")
    row = store.locator('tr[data-key="inflight"]')
    expect(row).to_have_text("inflightstring2neverchanged was 1")
    expect(row).to_have_class("lab-touched")
    slider(panel).press("ArrowRight")
    expect(row).to_have_text("inflightstring2never")
    slider(panel).press("v")
    expect(store.locator('tr[data-key="jobs/42"]')).to_contain_text("42")
    expect(store.locator("caption")).to_have_text(["Keys in redis", "Rows of jobs"])
    expect(store.locator('tr[data-key="leases"] td').nth(2)).to_have_text("expired")


def test_the_program_marks_the_line_and_leads_to_its_events(panel):
    panel.get_by_role("tab", name="Program").click()
    slider(panel).press("Home")
    for _ in range(2):
        slider(panel).press("ArrowRight")
    current = panel.locator(".lab-code-line[aria-current]")
    expect(current).to_have_text('7    if await redis.incr("inflight") > LIMIT:')
    panel.get_by_role("button", name="Line 8, ran once: go there").click()
    expect(current).to_have_text('8        await redis.decr("inflight")')
    at(panel, 22)
    line = panel.get_by_role("button", name="Line 7, ran 2 times: go to the next")
    line.click()
    at(panel, 3)
    line.click()
    at(panel, 6)
    line.press("ArrowDown")
    expect(panel.get_by_role("button", name="Line 8, ran once: go there")).to_be_focused()
    expect(panel.locator("button[data-line][tabindex='0']")).to_have_count(1)
    panel.get_by_role("tab", name="helper.py").click()
    expect(panel.locator(".lab-code-line")).to_have_count(2)
    expect(current).to_have_count(0)


def test_the_table_holds_what_the_timeline_draws(panel):
    panel.get_by_role("tab", name="Table").click()
    rows = panel.locator("lab-events tbody tr")
    expect(rows).to_have_count(COUNT)
    expect(panel.locator("lab-events caption")).to_have_text(f"Events 1 to {COUNT} of {COUNT}")
    expect(rows.nth(2).locator("td")).to_have_text(
        ["10 ms", "w1", "request", "w1 sends INCR inflight to redis", "lease.py:7"]
    )
    for number in (3, 17, 28):
        panel.get_by_role("button", name=f"Go to event {number}", exact=True).click()
        at(panel, number)
        expect(panel.locator("lab-events tr[aria-current]")).to_have_attribute("data-position", str(number))
        told = rows.nth(number - 1).locator("td").nth(3).inner_text()
        assert slider(panel).get_attribute("aria-valuetext").endswith(f": {told}")


def test_tabs_follow_the_keyboard_pattern(panel):
    store = panel.get_by_role("tab", name="Store")
    store.press("ArrowRight")
    expect(panel.get_by_role("tab", name="Program")).to_be_focused()
    expect(panel.get_by_role("tab", name="Program")).to_have_attribute("aria-selected", "true")
    panel.keyboard.press("End")
    expect(panel.get_by_role("tab", name="Output")).to_be_focused()
    expect(panel.get_by_role("tabpanel", name="Output")).to_have_text("one line printed")
    panel.keyboard.press("ArrowRight")
    expect(store).to_be_focused()


def test_a_run_of_5000_events_draws_only_what_can_be_seen(open_page, site):
    """Smoothness is a matter of how much is drawn; how fast that is on some machine, `make bench` may say."""
    site.pages["/"] = page_html(element("long", 'variant="lease"'))
    page = open_page()
    page.get_by_role("tab", name="Table").click()
    expect(page.locator("lab-events tbody tr")).to_have_count(1 + (5001 - 1) % 50)
    slider(page).press("Home")
    expect(page.locator("lab-events tbody tr")).to_have_count(50)
    drawn = page.evaluate(
        """async () => {
          const element = document.querySelector("ownership-lab");
          const frame = () => new Promise((go) => requestAnimationFrame(go));
          let nodes = 0;
          for (let position = 0; position < 5000; position += 611) {
            element.position = position;
            await frame();
            await frame();
            nodes = Math.max(nodes, document.querySelectorAll(".lab-plot *").length);
          }
          return nodes;
        }"""
    )
    assert 10 < drawn < 400


def test_an_empty_run_is_said_to_be_empty(open_page, site):
    report = site.data["recorded/demo/counter.json"]
    report.update(trace=[], events=0, scene=[])
    for claim in report["claims"]:
        claim["position"] = None
    page = open_page()
    expect(page.locator(".lab-counter")).to_have_text("Nothing has happened in this run so far.")
    expect(button(page, "Play")).to_be_disabled()
    slider(page).press("ArrowRight")
    slider(page).press(" ")
    assert page.evaluate("document.querySelector('ownership-lab').position") == -1


def test_a_stream_shows_how_far_its_groups_are_and_what_is_pending(site, open_page):
    story, report = data.Story(), data.report()
    pending = [
        {"id": "1-0", "consumer": "c1", "delivered_at_ms": 5, "deliveries": 1, "deleted": False},
        {"id": "2-0", "consumer": "c2", "delivered_at_ms": 7, "deliveries": 3, "deleted": True},
    ]
    groups = [
        {"name": "jobs", "last_id": "2-0", "consumers": ["c1", "c2"], "pending": pending},
        {"name": "idle", "last_id": "0-0", "consumers": [], "pending": []},
    ]
    stream = data.change("s", [["1-0", {"job": "7"}]], "stream", groups=groups)
    story.call(8, "w1", "redis", "XREADGROUP GROUP jobs c1 STREAMS s >", None, [stream])
    report |= {"trace": story.trace, "scene": [], "claims": [], "events": len(story.trace)}
    site.data["recorded/demo/counter.json"] = report
    panel = open_page()
    slider(panel).press("End")
    group = panel.locator("lab-store .lab-group")
    expect(group.nth(0)).to_contain_text("group jobs: delivered up to 2-0; consumers: c1, c2")
    expect(group.nth(0).locator("li")).to_have_text(
        [
            "1-0 pending for c1 since 5 ms, delivered once",
            "2-0 pending for c2 since 7 ms, delivered 3 times; the entry is deleted",
        ]
    )
    expect(group.nth(1)).to_have_text("group idle: delivered up to 0-0; no consumers")
