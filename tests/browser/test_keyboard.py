"""A reader without a pointer: everything can be reached, pressed and left again by keyboard alone, and is heard."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.panel import RUN_MS_MAX
from tests.browser.reading import embed_url, experiments, go_to, recorded, slider, value_text, wait_drawn, wait_number

SLOTS = "slot-recycling"

# What the focus is on, told apart from everything else on the page.
NAME_OF = """it => (it.getAttribute("aria-label") || it.innerText || it.id || it.localName).split("\\n")[0]"""
FOCUSED = f"""() => {{ const nameOf = {NAME_OF};
  const it = document.activeElement;
  window.order ??= new Map();
  if (!window.order.has(it)) window.order.set(it, window.order.size);
  return [window.order.get(it), nameOf(it)]; }}"""

# Everything in the panel that can be seen and pressed now, in the order of the document. Buttons with tabindex -1
# belong to a group with one stop of its own, and arrow keys move in it.
REACHABLE = f"""root => [...root.querySelectorAll("button, input, select, textarea, a[href], [tabindex]")]
  .filter(it => it.tabIndex >= 0 && !it.disabled && it.checkVisibility({{ visibilityProperty: true }}))
  .map({NAME_OF})"""

# Counts what a screen reader would say by itself: changes of text in live regions.
LISTEN = """() => { window.heard = [];
  for (const region of document.querySelectorAll("ownership-lab :is([role=status], [aria-live])")) {
    const hear = () => window.heard.push(region.textContent);
    new MutationObserver(hear).observe(region, { childList: true, subtree: true, characterData: true });
  } }"""


def open_panel(page: Page, server, slug: str = SLOTS, query: str = "?variant=counter") -> Locator:
    page.goto(embed_url(server, slug, query))
    return wait_drawn(page.locator("ownership-lab"))


@pytest.fixture(scope="module")
def tab_of_module(module_page) -> Page:
    return module_page(viewport={"width": 1280, "height": 900})


@pytest.fixture
def root(tab_of_module, server) -> Locator:
    """The counter's recorded run, loaded afresh in one tab."""
    return open_panel(tab_of_module, server)


def tab_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press Tab until the focus is on what has this name."""
    for _ in range(150):
        page.keyboard.press(key)
        if page.evaluate(FOCUSED)[1] == name:
            return
    pytest.fail(f"{key} never came to {name!r}")


def walk(page: Page, key: str) -> list[str]:
    """Names of all stops of the page, until the focus leaves it or comes round."""
    seen: list[int] = []
    names: list[str] = []
    for _ in range(150):
        page.keyboard.press(key)
        number, name = page.evaluate(FOCUSED)
        if number in seen or page.evaluate("document.activeElement === document.body"):
            return names
        seen.append(number)
        names.append(name)
    pytest.fail("Tab goes on for ever")


@pytest.mark.parametrize("opened", ["Store", "Program", "Table"])
def test_tab_reaches_everything_in_order_and_is_never_trapped(root, opened):
    page = root.page
    root.get_by_role("button", name="Parameters").click()
    root.get_by_role("button", name="What this does not show").click()
    root.get_by_role("tab", name=opened).click()
    go_to(root, 31)
    expected = root.evaluate(REACHABLE)
    for part in ("Run", "Counter", "Parameters", "Show the moment", "Play", "Position in the run", opened):
        assert part in expected
    page.evaluate("document.activeElement.blur(); getSelection().removeAllRanges()")
    page.locator("h1").click()
    there = walk(page, "Tab")
    assert there == [*expected, "From the Ownership Lab"]
    tab_to(page, "From the Ownership Lab")
    back = walk(page, "Shift+Tab")
    assert back[: len(expected)] == expected[::-1]


def test_a_whole_experiment_is_run_by_keyboard(page, server):
    root = open_panel(page, server)
    tab_to(page, "Lease")
    page.keyboard.press("Space")
    expect(root.locator('button[data-variant="lease"]')).to_have_attribute("aria-pressed", "true")
    expect(root.locator(".lab-status-words")).to_contain_text("Shown is the recorded run")
    tab_to(page, "Parameters")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("6")
    tab_to(page, "Run", "Shift+Tab")
    page.evaluate(LISTEN)
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("state", "ran", timeout=RUN_MS_MAX)
    # While it ran the focus was on Stop, the only button that worked; then it came back.
    expect(root.get_by_role("button", name="Run", exact=True)).to_be_focused()
    expect(root.locator('[data-view="slots"] .lab-cell')).to_have_count(6)
    heard = page.evaluate("heard")
    verdicts = [said for said in heard if re.fullmatch(r"Lease: .+\. \d+ of \d+ claims hold\.", said)]
    assert len(verdicts) == 1, heard
    assert "Running …" in heard
    assert len(heard) < 12, heard


def test_the_focus_is_on_stop_while_a_program_runs_and_enter_stops_it(page, server, site_folder):
    root = open_panel(page, server)
    program = next(e for e in experiments(site_folder) if e["slug"] == SLOTS)["programs"]["counter"][0]
    page.evaluate(
        """async (sources) => {
          const { lab } = await import("../../assets/lab/runtime.js");
          const run = lab().run.bind(lab());
          lab().run = (request) => run({ ...request, sources });
        }""",
        {program["file"]: program["text"] + "\n\nwhile True:\n    pass\n"},
    )
    tab_to(page, "Run")
    page.keyboard.press("Enter")
    stop = root.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_focused()
    expect(root.locator(".lab-status-words")).to_have_text("Running …", timeout=RUN_MS_MAX)
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("state", "stopped", timeout=RUN_MS_MAX)
    expect(root.get_by_role("button", name="Run", exact=True)).to_be_focused()


def test_the_keyboard_map_of_the_timeline(root):
    place = slider(root)
    place.press("Home")
    wait_number(root, 1)
    for key, number in [
        ("ArrowRight", 2),
        ("ArrowUp", 3),
        ("ArrowLeft", 2),
        ("PageDown", 38),
        ("PageUp", 2),
        ("PageUp", 1),
        ("End", 728),
        ("ArrowRight", 728),
        ("v", 31),
    ]:
        place.press(key)
        wait_number(root, number)
    place.press("Home")
    place.press("Space")
    expect(root.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    place.press("Space")
    expect(root.get_by_role("button", name="Play", exact=True)).to_be_visible()
    place.press("+")
    expect(root.get_by_role("button", name="Show the whole run")).to_be_enabled()
    place.press("0")
    expect(root.get_by_role("button", name="Show the whole run")).to_be_disabled()


def test_keys_of_the_timeline_do_not_scroll_the_page(root):
    page = root.page
    slider(root).focus()
    page.evaluate("scrollTo(0, 300)")
    for key in ("Space", "PageDown", "End", "Home", "ArrowDown", "Space"):
        page.keyboard.press(key)
    assert page.evaluate("scrollY") == 300


def test_keys_of_the_timeline_are_ordinary_letters_in_a_field(root):
    page = root.page
    root.get_by_role("button", name="Parameters").click()
    root.locator('[data-parameter="limit"]').focus()
    page.keyboard.press("End")
    page.keyboard.type("0? v")
    assert root.locator('[data-parameter="limit"]').input_value() == "100? v"
    expect(page.get_by_role("dialog")).to_have_count(0)
    wait_number(root, 728)


def test_the_help_sheet_opens_closes_and_gives_the_focus_back(root):
    page = root.page
    slider(root).focus()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet).to_be_visible()
    words = sheet.inner_text()
    for key in ("←", "→", "Page Up", "Page Down", "Home", "End", "Space", "?", "Esc"):
        assert key in words
    for _ in range(3):  # the focus stays in the sheet
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(slider(root)).to_be_focused()
    wait_number(root, 728)
    root.get_by_role("button", name="Keyboard help").focus()
    page.keyboard.press("Enter")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Close").press("Enter")
    expect(root.get_by_role("button", name="Keyboard help")).to_be_focused()


def test_the_embed_sheet_is_left_with_escape(root):
    page = root.page
    opener = root.get_by_role("button", name="Copy embed code")
    opener.press("Enter")
    sheet = page.get_by_role("dialog", name="Embed this experiment")
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(opener).to_be_focused()


@pytest.mark.parametrize("variant", ["global-claim", "preemption", "local-queue"])
def test_the_slider_says_number_time_and_what_happens_at_every_event(page, server, site_folder, variant):
    trace = recorded(site_folder, "task-ownership", variant)["trace"][:60]
    root = open_panel(page, server, "task-ownership", f"?variant={variant}")
    count = slider(root).get_attribute("aria-valuemax")
    slider(root).press("Home")
    for event in trace:
        number = event["sequence"] + 1
        wait_number(root, number)
        said = value_text(root)
        start = f"event {number} of {count}, {event['at_us'] // 1000:,} ms: "
        assert said.startswith(start)
        sentence = said.removeprefix(start)
        assert (event["actor"] or "the world") in sentence
        assert not re.search(r"undefined|null\b|\[object|NaN|_us\b|_ms\b|unknown", sentence), said
        slider(root).press("ArrowRight")


def test_while_playing_nothing_is_said_and_at_the_end_the_place_is(root):
    page = root.page
    slider(root).press("Home")
    wait_number(root, 1)
    page.evaluate(LISTEN)
    root.get_by_label("Speed").select_option("8×")
    slider(root).press("Space")
    page.wait_for_function("document.querySelector('ownership-lab').position > 300")
    assert slider(root).get_attribute("aria-valuenow") == "1"
    wait_number(root, 728)  # played to the end, and now told
    assert value_text(root).startswith("event 728 of 728, ")
    assert page.evaluate("heard") == []


def test_lines_of_the_program_are_one_stop_with_arrows_inside(root):
    page = root.page
    root.get_by_role("tab", name="Program").press("Enter")
    slider(root).press("Home")
    wait_number(root, 1)
    lines = root.locator("button[data-line]")
    assert lines.evaluate_all("all => all.filter(one => one.tabIndex === 0).length") == 1
    lines.first.focus()
    page.keyboard.press("ArrowDown")
    expect(lines.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    wait_number(root, 2)
    expect(root.locator('.lab-code-line[aria-current="true"] button')).to_be_focused()


def test_tabs_follow_arrows(root):
    page = root.page
    root.get_by_role("tab", name="Store").focus()
    for key, name in [("ArrowRight", "Program"), ("End", "Table"), ("ArrowRight", "Store"), ("ArrowLeft", "Table")]:
        page.keyboard.press(key)
        tab = root.get_by_role("tab", name=name)
        expect(tab).to_be_focused()
        expect(tab).to_have_attribute("aria-selected", "true")
        expect(root.get_by_role("tabpanel", name=name)).to_be_visible()
