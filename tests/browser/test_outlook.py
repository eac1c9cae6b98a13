"""A reader asks when a run was lost, on the built site: Python in Chromium draws what the command line draws."""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.reading import embed_url
from tests.browser.test_editing import SLOTS
from tests.browser.test_search import press, searched, wait_for_result
from tests.page.panel.test_everyone import violations
from tools.paths import ROOT

READ = "r => [r.dataset.from - 1, r.dataset.until - 1, ...[r.dataset.fails, r.dataset.runs, r.dataset.cut].map(Number)]"


def outlook(schedule: str) -> dict:
    """What the command line prints."""
    command = [sys.executable, "-m", "experiments", "outlook", schedule, "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(ran.stdout)


def ask(panel: Panel) -> None:
    panel.root.get_by_role("button", name="When was it lost?").click()


def said(panel: Panel):
    return panel.root.locator(".lab-outlook-said")


def drawn(panel: Panel) -> list[list[int]]:
    return panel.root.locator(".lab-outlook-table tr[data-from]").evaluate_all(f"rows => rows.map({READ})")


@pytest.mark.parametrize("variant", ["lease", "counter"])
def test_what_is_drawn_is_what_the_command_line_draws(page, server, variant):
    found = searched(SLOTS, variant)["counterexample"]
    expected = outlook(found["schedule"])
    page.goto(embed_url(server, SLOTS, f"?variant={variant}"))
    panel = Panel(page, SLOTS).wait_until_drawn()
    press(panel)
    wait_for_result(panel)
    ask(panel)
    event = expected["no_return"]["position"] + 1
    expect(said(panel)).to_contain_text(f"Point of no return: event {event}", timeout=RUN_MS_MAX)
    assert drawn(panel) == [
        [point[name] for name in ("position", "until", "fails", "runs", "cut")] for point in expected["points"]
    ]
    expect(panel.root.locator(".lab-outlook-answer")).to_contain_text(f"{expected['runs']:,} runs in all")
    panel.root.locator("lab-outlook").get_by_role("button", name="Go there").click()
    expect(panel.root.locator("lab-event")).to_have_attribute("data-position", str(event))
    expect(panel.root.locator("[data-no-return].lab-outlook-mark")).to_have_count(1)
    panel.root.get_by_role("slider", name="Position in the run").press("ArrowLeft")
    before = next(point for point in expected["points"] if point["until"] == event - 2)
    told = f"From here, {before['fails']} of {before['runs']} continuations fail."
    expect(panel.root.locator(".lab-outlook-now")).to_have_text(told)
    panel.root.get_by_text("Show as a table").click()
    box = "box => [getComputedStyle(box).borderTopWidth, getComputedStyle(box.firstChild, '::before').display]"
    assert panel.root.locator(".lab-outlook-table").evaluate(box) == ["0px", "none"], "the theme draws notes otherwise"
    assert violations(page) == []
    panel.reset()
    assert drawn(panel) == []


def test_a_recorded_run_that_its_scenario_breaks_was_lost_from_the_start(page, server):
    page.goto(embed_url(server, SLOTS, "?variant=counter"))
    panel = Panel(page, SLOTS).wait_until_drawn()
    ask(panel)
    expect(said(panel)).to_contain_text("Lost from the start.", timeout=RUN_MS_MAX)
    expect(said(panel)).to_contain_text("Program and scenario bring it about by themselves.")


def test_stop_keeps_what_was_drawn_and_the_lab_is_usable_again(page, server):
    page.goto(embed_url(server, "single-flight-takeover", "?variant=key-expiry-is-lease"))
    panel = Panel(page, "single-flight-takeover").wait_until_drawn()
    ask(panel)
    expect(panel.root.locator(".lab-outlook-table tr[data-from]").nth(1)).to_be_attached(timeout=RUN_MS_MAX)
    panel.stop_button.click()
    expect(said(panel)).to_contain_text("Stopped. What was drawn until then is shown.")
    assert len(drawn(panel)) >= 2
    assert panel.root.locator(".lab-outlook-strip rect").count() == len(drawn(panel))
    panel.run()
    assert drawn(panel) == []
