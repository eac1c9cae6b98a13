"""Nothing that a program does takes the page away from its reader: Stop or a bound ends it, and the next run is normal.

Programs are edited texts of a published one, handed over as an editor would; buttons, sentences and numbers are the
reader's own.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.panel import MADE_HERE, RUN_MS_MAX, SAME_AS_RECORDED, Panel, hold

HANDLER = "async def handle_upload(store, key, payload):\n"
LOOP = f"{HANDLER}    while True:\n        pass\n"
RUNTIME_FILES = "**/assets/runtime/**"
TWENTY_FRAMES = """new Promise((done) => {
  let left = 20;
  const next = () => (left-- > 0 ? requestAnimationFrame(next) : done());
  next();
})"""


def open_panel(tab, server) -> Panel:
    tab.goto(f"{server.url}scheduler/")
    return Panel(tab, "heartbeat-stall").wait_until_drawn()


@pytest.fixture(scope="module")
def warm(module_page, server) -> Panel:
    """A panel whose Python has run once."""
    panel = open_panel(module_page(viewport={"width": 1280, "height": 900}), server)
    assert panel.run() == SAME_AS_RECORDED
    return panel


@pytest.fixture
def panel(warm) -> Panel:
    """The same, put back to its first variant and parameters."""
    warm.reset()
    return warm


def start(panel: Panel, source: str) -> None:
    """Press Run with an edited program and wait until Python is at it."""
    panel.edit_next_run({"in_loop.py": source})
    panel.run_button.click()
    expect(panel.status).to_have_text("Running …", timeout=RUN_MS_MAX)


def stop(panel: Panel) -> None:
    panel.stop_button.click()
    expect(panel.status).to_have_text("Stopped. The last finished run is still shown.")


def runs_normally(panel: Panel) -> None:
    """The next run gives the documented numbers and the recorded trace, in the only worker."""
    assert panel.run() == SAME_AS_RECORDED
    assert panel.readings() == {"beats_actual": "30 beats", "beats_theoretical": "50 beats", "delay_ms_max": "390 ms"}
    panel.expect_workers(1)


def test_the_page_stays_responsive_while_a_program_never_ends_and_stop_ends_it(panel):
    start(panel, LOOP)
    panel.page.evaluate(TWENTY_FRAMES)
    panel.root.get_by_role("tab", name="Table").click()
    expect(panel.root.get_by_role("table").first).to_be_visible()
    panel.root.get_by_role("button", name="What this does not show").click()
    expect(panel.root.locator(".lab-not-shown li").first).to_be_visible()
    expect(panel.root).to_have_attribute("state", "running")
    assert panel.run_button.is_disabled()
    stop(panel)
    expect(panel.root).to_have_attribute("state", "stopped")
    runs_normally(panel)


def test_stopping_each_of_several_runs_leaves_one_worker(panel):
    for _ in range(3):
        start(panel, LOOP)
        stop(panel)
        assert panel.stop_button.is_disabled()
    runs_normally(panel)


def test_stop_twice_is_stop_once(panel):
    start(panel, LOOP)
    panel.root.evaluate("element => { element.stop(); element.stop(); }")
    expect(panel.status).to_have_text("Stopped. The last finished run is still shown.")
    panel.root.evaluate("element => element.stop()")
    expect(panel.root).to_have_attribute("state", "stopped")
    runs_normally(panel)


def test_stop_hands_the_keyboard_back_to_run(panel):
    start(panel, LOOP)
    expect(panel.stop_button).to_be_focused()
    panel.page.keyboard.press("Enter")
    expect(panel.root).to_have_attribute("state", "stopped")
    expect(panel.run_button).to_be_focused()


def test_stop_while_python_loads_gives_up_the_run_and_a_second_run_is_served(new_page, server):
    panel = open_panel(new_page(), server)
    release = hold(panel.page, RUNTIME_FILES)
    panel.run_button.click()
    expect(panel.status).to_have_text("Fetching Python …")
    stop(panel)
    panel.run_button.click()
    expect(panel.status).to_have_text("Fetching Python …")
    stop(panel)
    panel.run_button.click()
    release()
    expect(panel.root).to_have_attribute("state", "ran", timeout=RUN_MS_MAX)
    runs_normally(panel)


def test_a_run_on_another_page_is_stopped_by_leaving_it(panel):
    start(panel, LOOP)
    panel.page.get_by_role("link", name="From counter to lease").first.click()
    quota = Panel(panel.page, "slot-recycling").wait_until_drawn()
    assert quota.run() == SAME_AS_RECORDED
    quota.expect_workers(1)
    quota.page.get_by_role("link", name="The shared scheduler").first.click()
    runs_normally(Panel(panel.page, "heartbeat-stall").wait_until_drawn())


def test_steps_that_never_let_time_pass_end_with_a_partial_trace_and_a_sentence(panel):
    panel.edit_next_run({"in_loop.py": f"import asyncio\n{HANDLER}    while True:\n        await asyncio.sleep(0)\n"})
    said = panel.run()
    assert said.startswith(MADE_HERE)
    verdict = panel.root.locator("lab-verdict")
    expect(verdict.locator("strong").first).to_have_text("Livelock")
    expect(verdict.locator(".lab-ended")).to_have_text(
        "Stopped at 210 ms of virtual time: 200,000 steps went by and the time did not move."
    )
    assert set(panel.readings().values()) == {"—"}
    count = panel.root.get_by_text(re.compile(r"^Event \d+ of \d+")).first.inner_text()
    assert int(count.split()[-1]) >= 10, "the beats before the loop are still there"
    runs_normally(panel)


def test_a_flood_of_output_is_cut_and_says_so(panel):
    panel.edit_next_run({"in_loop.py": f"{HANDLER}    for n in range(10_000):\n        print('line', n)\n"})
    panel.run_here()
    panel.root.get_by_role("tab", name="Output").click()
    output = panel.root.locator(".lab-output")
    expect(output).to_contain_text("line 0\nline 1\n")
    expect(output).to_contain_text("… and 9,000 more lines")
    runs_normally(panel)


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (f"def dig(n):\n    return dig(n + 1)\n\n\n{HANDLER}    return dig(0)\n", "RecursionError"),
        (f"{HANDLER}    raise ValueError('no such bucket')\n", "ValueError: no such bucket"),
        (f"{HANDLER}    x = [0] * 10**9\n", "MemoryError"),
    ],
    ids=["endless recursion", "raises", "too much memory"],
)
def test_an_error_in_a_program_is_a_claim_that_names_it(panel, source, error):
    panel.edit_next_run({"in_loop.py": source})
    panel.run_here()
    claim = panel.root.locator('[data-claim="no-program-error"]')
    expect(claim).to_have_attribute("data-holds", "false")
    expect(claim).to_contain_text(error)
    runs_normally(panel)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            f"{HANDLER}    return store.put(key payload)\n",
            "The program failed: in_loop.py, line 2: invalid syntax. Perhaps you forgot a comma?",
        ),
        ("import math\n1 / 0\n", "The program failed in in_loop.py, line 2: in_loop.py failed while loading:"),
        ("import js\n", "js"),
    ],
    ids=["syntax", "top level", "banned import"],
)
def test_a_program_that_cannot_be_loaded_gives_a_message_that_names_file_and_line(panel, source, said):
    before = panel.readings()
    panel.edit_next_run({"in_loop.py": source})
    told = panel.run()
    assert said in told
    assert "in_loop.py" in told
    assert re.search(r"line \d", told)
    assert "Traceback" not in told
    expect(panel.root).to_have_attribute("state", "failed")
    assert panel.readings() == before, "what was shown before is lost"
    runs_normally(panel)
