"""A reader compares two variants on the built site: the recorded runs without Python, and a found schedule with it."""

from playwright.sync_api import expect

from experiments import EXPERIMENTS
from py_runtime.lab import replay
from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.reading import embed_url
from tests.browser.test_search import press, wait_for_result

SLOTS = "slot-recycling"


def choose(panel: Panel, label: str) -> None:
    panel.root.get_by_label("Compare with").select_option(label=label)


def said(panel: Panel):
    return panel.root.locator(".lab-compare-said")


def test_recorded_runs_are_compared_before_python_is_asked_for(page, server):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(embed_url(server, SLOTS, "?variant=counter"))
    panel = Panel(page, SLOTS).wait_until_drawn()
    choose(panel, "Lease")
    story = panel.root.locator('.lab-parting-box[data-parting="story"]')
    expect(story).to_contain_text("First difference in the story, at 6,667 ms")
    expect(story).to_contain_text("Counter: task-19: refused")
    expect(story).to_contain_text("Lease: task-19: admitted")
    story.get_by_role("button", name="Go there").click()
    expect(panel.root.locator(".lab-event-text")).to_contain_text("task-19: refused")
    expect(panel.root.locator(".lab-compare-now")).to_contain_text("task-19: admitted")
    assert panel.root.locator('[data-compared="admitted"] td').all_inner_texts() == [
        "30 tasks",
        "82 tasks",
        "≠ differs",
    ]
    assert panel.root.get_attribute("state") == "recorded"
    assert any("recorded/slot-recycling/lease.json" in url for url in asked)


def test_a_found_schedule_is_run_with_the_other_program_by_python(page, server):
    page.goto(embed_url(server, SLOTS, "?variant=counter"))
    panel = Panel(page, SLOTS).wait_until_drawn()
    press(panel)
    wait_for_result(panel)
    schedule = panel.root.locator(".lab-schedule").inner_text()
    choose(panel, "Lease")
    expect(said(panel)).to_contain_text("Lease: run", timeout=RUN_MS_MAX)
    other = replay(EXPERIMENTS, schedule.replace("~counter~", "~lease~"))
    expect(said(panel)).to_have_text("Lease: run under the same schedule.")
    admitted = panel.root.locator('[data-compared="admitted"] td').nth(1)
    expect(admitted).to_have_text(f"{other.readings['admitted']} tasks")
