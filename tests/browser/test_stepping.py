"""Stepping: every view is a function of the log and the position, so that back is as exact as forward.

Expected states are computed here from the recorded trace, by a fold of its own, or written down from the scenario.
"""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.panel import MADE_HERE, Panel
from tests.browser.reading import (
    embed_url,
    go_to,
    ms,
    recorded,
    slider,
    tab,
    value_text,
    wait_drawn,
    wait_number,
)

SLOTS = "slot-recycling"

# Everything in a panel that depends on the position, in one piece.
SNAPSHOT = """root => ["lab-scene", "lab-store", "lab-event", ".lab-plot", ".lab-counter"]
  .map(part => root.querySelector(part).innerHTML)
  .concat(root.querySelector("lab-slider").getAttribute("aria-valuetext"))"""


@pytest.fixture(scope="module")
def tab_of_module(module_page) -> Page:
    return module_page(viewport={"width": 1280, "height": 900})


@pytest.fixture
def counter(tab_of_module, server) -> Locator:
    """The counter's recorded run on its embed page, loaded afresh in one tab."""
    page = tab_of_module
    page.goto(embed_url(server, SLOTS, "?variant=counter"))
    return wait_drawn(page.locator("ownership-lab"))


def open_variant(page, server, slug: str, variant: str) -> Locator:
    page.goto(embed_url(server, slug, f"?variant={variant}"))
    return wait_drawn(page.locator("ownership-lab"))


def fold(trace: list[dict], position: int) -> dict[str, str]:
    """What is stored after the event at `position`: key → value as the store's table writes it, blanks aside."""
    stored: dict[str, dict] = {}
    for event in trace[: position + 1]:
        for change in event["fields"].get("changes", []):
            stored[change["key"]] = change
    now_us = trace[position]["at_us"]
    return {
        key: written(change["value"], change["type"])
        for key, change in stored.items()
        if change["value"] is not None and now_us <= change.get("expires_at_ms", now_us) * 1000
    }


def written(value: object, kind: str) -> str:
    """A stored value as text: fields with their names, rows as one value per column, members beside their scores."""
    match value:
        case dict() if kind == "row":
            return " ".join("—" if item is None else plain(item) for item in value.values())
        case dict():
            return " ".join(f"{name}: {plain(item)}" for name, item in value.items())
        case list():
            return " ".join(plain(one) for item in value for one in (item if isinstance(item, list) else [item]))
    return plain(value)


def plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def store_shown(root: Locator) -> dict[str, str]:
    """The store's table: key → value as read there; removed and expired keys left out.

    Rows are found and read in one go: one that was drawn anew in between would have no lines any more.
    """
    rows = root.locator("lab-store").evaluate(
        """store => [...store.querySelectorAll("tbody tr")].map(row => {
          const values = [...row.querySelectorAll(".lab-value")].map(cell => cell.innerText);
          return [row.dataset.key, values, row.innerText];
        })"""
    )
    gone = ("removed", "expired")
    return {key: " ".join(" ".join(values).split()) for key, values, text in rows if not any(w in text for w in gone)}


def test_at_the_third_tasks_crash_every_view_shows_that_moment(counter, site_folder):
    trace = recorded(site_folder, SLOTS, "counter")["trace"]
    crash = next(e["sequence"] for e in trace if e["kind"] == "actor.crashed" and e["actor"] == "task-3")
    go_to(counter, crash + 1)
    # Arrivals every 370 ms from 7 ms: six are in at 1,997 ms, the third of them crashes 1,250 ms after its arrival.
    text = f"event {crash + 1} of {len(trace)}, 1,997 ms: task-3 crashes; nothing of it runs any more"
    assert value_text(counter) == text
    expect(counter.locator(".lab-event-text")).to_have_text("task-3 crashes; nothing of it runs any more")
    cells = counter.locator('[data-view="slots"] .lab-cell')
    states = cells.evaluate_all("cells => cells.map(cell => cell.dataset.state)")
    assert states == ["held", "held", "leaked", "held", "held", "held", "free", "free", "free", "free"]
    assert "leaked" in cells.nth(2).inner_text() and "task-3" in cells.nth(2).inner_text()
    capacity = counter.locator('[data-view="capacity"]')
    expect(capacity.locator('[data-line="running"] b')).to_have_text("5 slots")
    expect(capacity.locator(".lab-instant")).to_have_text("at 1,997 ms")
    assert store_shown(counter) == {"llm:inflight": "6"}
    slider(counter).press("ArrowLeft")
    wait_number(counter, crash)
    expect(cells.nth(2)).to_have_attribute("data-state", "held")


@pytest.mark.parametrize(
    "slug, variant",
    [(SLOTS, "counter"), (SLOTS, "lease"), ("task-ownership", "preemption"), ("single-flight-takeover", "repaired")],
)
def test_the_store_shows_at_every_position_what_the_trace_says(page, server, site_folder, slug, variant):
    trace = recorded(site_folder, slug, variant)["trace"]
    root = open_variant(page, server, slug, variant)
    changing = [e["sequence"] for e in trace if e["fields"].get("changes")]
    positions = [0, *changing[:: max(1, len(changing) // 12)], changing[-1], len(trace) - 1]
    for position in positions:
        root.evaluate("(lab, position) => { lab.position = position }", position)
        wait_number(root, position + 1)
        assert store_shown(root) == fold(trace, position), position
    assert fold(trace, changing[0]) != fold(trace, changing[-1])


def test_stepping_back_is_as_exact_as_stepping_forward(counter):
    slider(counter).press("Home")
    wait_number(counter, 1)
    forward = [counter.evaluate(SNAPSHOT)]
    for number in range(2, 46):
        slider(counter).press("ArrowRight")
        wait_number(counter, number)
        forward.append(counter.evaluate(SNAPSHOT))
    assert len({snapshot[-1] for snapshot in forward}) == 45
    slider(counter).press("End")
    go_to(counter, 45)
    for number in range(45, 0, -1):
        wait_number(counter, number)
        assert counter.evaluate(SNAPSHOT) == forward[number - 1], number
        slider(counter).press("ArrowLeft")
    wait_number(counter, 1)
    assert counter.evaluate(SNAPSHOT) == forward[0]


def test_at_position_0_nothing_has_happened_but_the_first_event(counter):
    slider(counter).press("Home")
    wait_number(counter, 1)
    assert value_text(counter) == "event 1 of 728, 7 ms: task-1 starts"
    states = counter.locator('[data-view="slots"] .lab-cell').evaluate_all("cells => cells.map(c => c.dataset.state)")
    assert states == ["free"] * 10
    expect(counter.locator("lab-store")).to_have_text("Nothing is stored at this position.")
    for name in ("One event back", "First event"):
        counter.get_by_role("button", name=name).click()
    wait_number(counter, 1)
    slider(counter).press("ArrowLeft")
    slider(counter).press("ArrowRight")
    wait_number(counter, 2)


def test_the_marked_source_line_is_the_events(counter, site_folder):
    trace = recorded(site_folder, SLOTS, "counter")["trace"]
    started = {e["fields"]["call"]: e["line"] for e in trace if e["kind"] == "call.started"}
    program = tab(counter, "Program")
    checked = 0
    for number in (2, 3, 4, 5, 38, 39, 40, len(trace) // 2, len(trace) - 1):
        event = trace[number - 1]
        line = event.get("line") or started.get(event["fields"].get("call"))
        go_to(counter, number)
        if line is None:
            continue
        current = program.locator('.lab-code-line[aria-current="true"]')
        expect(current).to_have_count(1)
        assert current.locator(".lab-line-number").inner_text() == str(line["line"])
        expect(program).to_contain_text(f"Now in {line['file']}, line {line['line']}.")
        checked += 1
    assert checked >= 7


def test_the_marked_line_really_sends_what_the_event_says(counter):
    program = tab(counter, "Program")
    go_to(counter, 2)
    assert "INCR llm:inflight" in value_text(counter)
    assert "incr(" in program.locator('.lab-code-line[aria-current="true"]').inner_text()


def test_a_click_on_a_line_goes_from_event_to_event_of_that_line(counter, site_folder):
    trace = recorded(site_folder, SLOTS, "counter")["trace"]
    sends = [e for e in trace if e["kind"] == "call.started" and e["fields"]["text"].startswith("DECR")]
    line = sends[0]["line"]["line"]
    numbers = [e["sequence"] + 1 for e in trace if e.get("line", {}).get("line") == line]
    program = tab(counter, "Program")
    slider(counter).press("Home")
    wait_number(counter, 1)
    button = program.locator(f'button[data-line="{line}"]')
    assert f"Line {line}, ran {len(numbers)} times" in button.get_attribute("aria-label")
    for number in numbers[:3]:
        button.click()
        wait_number(counter, number)
    slider(counter).press("End")
    wait_number(counter, len(trace))
    button.click()
    wait_number(counter, numbers[0])


def test_the_table_holds_the_same_events_with_the_same_words(page, server, site_folder):
    trace = recorded(site_folder, "task-ownership", "preemption")["trace"]
    root = open_variant(page, server, "task-ownership", "preemption")
    table = tab(root, "Table")
    slider(root).press("Home")
    wait_number(root, 1)
    rows: list[list[str]] = []
    while True:
        rows += table.locator("tbody tr").evaluate_all("rows => rows.map(r => [...r.cells].map(c => c.innerText))")
        later = table.get_by_role("button", name="Later events")
        if later.is_disabled():
            break
        later.click()
        wait_number(root, len(rows) + 1)
    assert len(rows) == len(trace) == int(slider(root).get_attribute("aria-valuemax"))
    assert [row[:2] for row in rows] == [[f"{e['sequence'] + 1:,}", ms(e["at_us"])] for e in trace]
    slider(root).press("Home")
    for number, (_, at, _, _, what, _) in enumerate(rows, 1):
        wait_number(root, number)
        assert value_text(root) == f"event {number} of {len(trace)}, {at}: {what}"
        slider(root).press("ArrowRight")


def test_the_table_follows_the_timeline_and_leads_back(counter):
    table = tab(counter, "Table")
    go_to(counter, 120)
    current = table.locator('tr[aria-current="true"]')
    expect(current).to_have_count(1)
    assert current.locator("th").inner_text() == "120"
    table.get_by_role("button", name="Go to event 123", exact=True).click()
    wait_number(counter, 123)
    assert current.locator("th").inner_text() == "123"


def test_play_moves_and_pause_keeps_the_place(counter):
    slider(counter).press("Home")
    wait_number(counter, 1)
    counter.get_by_label("Speed").select_option("8×")
    counter.get_by_role("button", name="Play", exact=True).click()
    counter.page.wait_for_function("document.querySelector('ownership-lab').position > 20")
    counter.get_by_role("button", name="Pause", exact=True).click()
    expect(counter.get_by_role("button", name="Play", exact=True)).to_be_visible()
    shown = counter.evaluate("lab => new Promise(go => setTimeout(() => go(lab.position), 200))")
    wait_number(counter, shown + 1)
    assert counter.evaluate("lab => new Promise(go => setTimeout(() => go(lab.position), 500))") == shown
    expect(counter.locator(".lab-counter")).to_have_text(f"Event {shown + 1} of 728")


def test_reset_brings_back_the_recorded_run_after_one_of_the_readers_own(page, server):
    page.goto(embed_url(server, SLOTS, "?variant=counter"))
    panel = Panel(page, SLOTS).wait_until_drawn()
    before, end = panel.readings(), value_text(panel.root)
    panel.choose("lease")
    panel.type_parameters({"limit": 5, "duration_ms": 9000})
    assert panel.run().startswith(MADE_HERE)
    assert panel.readings() != before
    expect(panel.root.locator('[data-view="slots"] .lab-cell')).to_have_count(5)
    assert int(slider(panel.root).get_attribute("aria-valuemax")) < 728
    panel.reset()
    expect(panel.root.locator('button[data-variant="counter"]')).to_have_attribute("aria-pressed", "true")
    assert panel.root.locator('[data-parameter="limit"]').input_value() == "10"
    assert panel.readings() == before
    assert value_text(panel.root) == end
