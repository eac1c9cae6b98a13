"""One worker for the whole visit: shared by all panels, kept by instant navigation, and nothing piles up."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel import RUN_MS_MAX, SAME_AS_RECORDED, Panel

SINGLE_FLIGHT, QUOTA, SCHEDULER = "Single-flight and takeover", "From counter to lease", "The shared scheduler"
WALK = [(QUOTA, "quota/"), (SINGLE_FLIGHT, "single-flight/"), ("Glossary", "glossary/"), (SCHEDULER, "scheduler/")]
PANELS = {"quota/": 1, "single-flight/": 2, "glossary/": 0, "scheduler/": 1}


@pytest.fixture
def visit(page, server) -> Page:
    """A tab on the scheduler's page, drawn and with a mark that a new document would not have."""
    page.goto(f"{server.url}scheduler/")
    Panel(page, "heartbeat-stall").wait_until_drawn()
    page.evaluate("window.sameDocument = true")
    return page


def follow(page: Page, name: str, path: str) -> None:
    """Click a link of the navigation and wait until its page's panels are drawn."""
    page.get_by_role("navigation", name="Navigation", exact=True).get_by_role("link", name=name, exact=True).click()
    page.wait_for_url(re.compile(rf"/{path}(#.*)?$"))
    expect(page.locator("ownership-lab > .lab:visible")).to_have_count(PANELS[path])
    expect(page.locator(".lab-run:enabled")).to_have_count(PANELS[path])


def python_requests(page: Page) -> list[str]:
    return [url for url in page.lab.requests if "/assets/runtime/" in url or "pyodide-worker.js" in url]


@pytest.fixture(scope="module")
def neighbours(module_page, server) -> tuple[Panel, Panel]:
    """The two panels of one page."""
    page = module_page()
    page.goto(f"{server.url}single-flight/")
    return tuple(Panel(page, slug).wait_until_drawn() for slug in ("request-merging", "single-flight-takeover"))


def test_two_experiments_of_a_page_share_a_worker(neighbours):
    first, second = neighbours
    assert first.run() == SAME_AS_RECORDED
    fetched = python_requests(first.page)
    assert second.run() == SAME_AS_RECORDED
    first.expect_workers(1)
    assert python_requests(first.page) == fetched


def test_while_one_panel_runs_the_others_wait(neighbours):
    first, second = neighbours
    first.edit_next_run({"plain.py": "while True:\n    pass\n"})
    first.run_button.click()
    expect(first.status).to_have_text("Running …", timeout=RUN_MS_MAX)
    expect(second.run_button).to_be_disabled()
    first.stop_button.click()
    assert second.run() == SAME_AS_RECORDED
    second.expect_workers(1)


def test_the_second_pages_run_asks_for_nothing_of_python_again(visit, server):
    assert Panel(visit, "heartbeat-stall").run() == SAME_AS_RECORDED
    fetched = python_requests(visit)
    assert len(fetched) >= 5
    [worker] = [each for each in visit.workers if each.url.endswith("pyodide-worker.js")]
    asked = len(server.requests)
    follow(visit, QUOTA, "quota/")
    panel = Panel(visit, "slot-recycling")
    assert panel.runtime("lab => lab.state") == "ready"
    assert panel.run() == SAME_AS_RECORDED
    assert python_requests(visit) == fetched
    assert [path for path in server.requests[asked:] if "runtime" in path or "worker" in path] == []
    assert worker in visit.workers
    panel.expect_workers(1)
    assert visit.evaluate("window.sameDocument")


def test_twenty_navigations_leave_one_widget_and_one_worker(visit):
    assert Panel(visit, "heartbeat-stall").run() == SAME_AS_RECORDED
    for _ in range(5):
        for name, path in WALK:
            follow(visit, name, path)
    assert visit.evaluate("window.sameDocument")
    expect(visit.locator("ownership-lab")).to_have_count(1)
    expect(visit.locator("ownership-lab > .lab")).to_have_count(1)
    panel = Panel(visit, "heartbeat-stall")
    assert panel.run() == SAME_AS_RECORDED
    panel.expect_workers(1)


def test_a_panel_taken_out_of_the_page_leaves_no_element_and_no_listener(page, server):
    # On an embed page, since the theme keeps the elements of pages that instant navigation has left, panel or not.
    page.goto(f"{server.url}embed/heartbeat-stall/")
    panel = Panel(page, "heartbeat-stall").wait_until_drawn()
    sizes = []
    for _ in range(3):
        for _ in range(3):
            panel.root.evaluate("element => element.replaceWith(element.cloneNode(false))")
            panel.wait_until_drawn()
            expect(panel.root).to_have_attribute("state", "recorded")
        sizes.append(sizes_of(page))
    assert sizes[1] == sizes[2], sizes


def sizes_of(page: Page) -> dict[str, float]:
    """How many elements and listeners Chromium counts after a garbage collection."""
    session = page.context.new_cdp_session(page)
    for _ in range(2):  # what has finalizers is gone after the second
        session.send("HeapProfiler.collectGarbage")
    counters = session.send("Memory.getDOMCounters")
    session.detach()
    return counters


def test_panels_of_pages_left_behind_no_longer_follow_the_lab(visit):
    Panel(visit, "heartbeat-stall").runtime(
        """(lab) => {
          const counts = (window.followers = { "lab-state": 0, "lab-progress": 0 });
          const [add, remove] = [lab.addEventListener, lab.removeEventListener];
          lab.addEventListener = (type, ...rest) => { counts[type] += 1; add.call(lab, type, ...rest); };
          lab.removeEventListener = (type, ...rest) => { counts[type] -= 1; remove.call(lab, type, ...rest); };
        }"""
    )
    for _ in range(2):
        for name, path in WALK:
            follow(visit, name, path)
    # The one panel that was there before counting has gone, and one like it has come.
    assert visit.evaluate("window.followers") == {"lab-state": 0, "lab-progress": 0}


def test_going_back_and_forward_in_the_history_shows_panels_that_run(visit):
    assert Panel(visit, "heartbeat-stall").run() == SAME_AS_RECORDED
    follow(visit, QUOTA, "quota/")
    visit.go_back()
    panel = Panel(visit, "heartbeat-stall").wait_until_drawn()
    assert panel.run() == SAME_AS_RECORDED
    visit.go_forward()
    assert Panel(visit, "slot-recycling").wait_until_drawn().run() == SAME_AS_RECORDED
    panel.expect_workers(1)
    assert visit.evaluate("window.sameDocument")
