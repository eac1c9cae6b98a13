"""Everyone can use the panel: axe finds nothing in light and dark, nothing overflows from 360 to 1920 pixels, targets
can be hit, the focus can be seen, and no meaning rests on colour."""

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import element, page_html
from tests.page.panel.test_panel import button
from tools.paths import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SCHEMES = ("default", "slate")


def violations(page: Page) -> list[str]:
    """What axe has against the page, one line per finding."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{rule['id']}: {node['target']} {node['failureSummary']}"
        for rule in found["violations"]
        for node in rule["nodes"]
    ]


@pytest.fixture(params=SCHEMES)
def themed(request, open_page, site) -> Page:
    site.pages["/"] = page_html(element(), request.param)
    return open_page()


def test_axe_finds_nothing_at_first_sight(themed):
    assert violations(themed) == []


@pytest.mark.parametrize("tab", ["Program", "Table", "Output"])
def test_axe_finds_nothing_in_any_tab_at_a_violation(themed, tab):
    themed.get_by_role("slider").press("v")
    themed.get_by_role("tab", name=tab).click()
    assert violations(themed) == []


def test_axe_finds_nothing_in_forms_problems_sheets_and_loading(themed):
    button(themed, "Parameters").click()
    themed.get_by_label("Limit").fill("1000")
    button(themed, "What this does not show").click()
    themed.get_by_label("Live").check()
    themed.get_by_label("Live").uncheck()
    assert violations(themed) == []
    themed.get_by_label("Limit").fill("10")
    button(themed, "Copy embed code").click()
    expect(themed.get_by_role("dialog", name="Embed this experiment")).to_be_visible()
    assert violations(themed) == []
    themed.keyboard.press("Escape")
    button(themed, "Keyboard help").click()
    assert violations(themed) == []
    themed.keyboard.press("Escape")
    themed.evaluate("fake.hold = 'loading'")
    button(themed, "Run").click()
    themed.evaluate("fake.progress('download', 2_100_000, 5_400_000)")
    assert violations(themed) == []


def test_axe_finds_nothing_on_a_phone_and_in_compact_form(open_page, site):
    site.pages["/"] = page_html(element() + element("demo", 'variant="lease" compact'))
    assert violations(open_page(width=360)) == []


@pytest.mark.parametrize("width", [360, 480, 768, 1280, 1920])
def test_the_page_never_scrolls_sideways(open_page, width):
    page = open_page(width=width)
    button(page, "Parameters").click()
    for tab in ("Program", "Table", "Output", "Store"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, tab


@pytest.mark.parametrize("width", [360, 1280])
def test_everything_that_can_be_pressed_is_large_enough(open_page, width):
    page = open_page(width=width)
    button(page, "Parameters").click()
    small = []
    for tab in ("Store", "Program", "Table"):
        page.get_by_role("tab", name=tab).click()
        small += page.evaluate(
            """() => [...document.querySelectorAll(".lab :is(button, input, select, [role=slider], .lab-live-switch)")]
              .filter((target) => target.checkVisibility() && !target.matches("[type=checkbox]"))
              .map((target) => [target.className, target.getBoundingClientRect()])
              .filter(([, box]) => box.width < 24 || box.height < 24)
              .map(([name, box]) => `${name} ${box.width} x ${box.height}`)"""
        )
    assert small == []


def test_the_focus_can_be_seen_on_everything_that_takes_it(panel):
    panel.locator("h1").click()
    seen, last = 0, None
    for _ in range(60):
        panel.keyboard.press("Tab")
        here = panel.evaluate(
            """() => { const e = document.activeElement; const style = getComputedStyle(e);
              return e.closest(".lab") ? [e.outerHTML.slice(0, 80), style.outlineStyle, style.outlineWidth] : null; }"""
        )
        if here is None:
            break
        assert here[1] != "none" and here[2] != "0px", here[0]
        assert here[0] != last or "lab-" in here[0]
        last = here[0]
        seen += 1
    assert 20 <= seen < 60, "Tab comes through the whole panel and out of it again"


def test_no_meaning_rests_on_colour(panel):
    """Each state has a glyph and a word, each bar a pattern, each kind of arrow its dash, each tone of dot a shape."""
    panel.get_by_role("slider").press("End")
    glyphs = panel.locator('[data-view="slots"] .lab-legend .lab-glyph').all_inner_texts()
    assert len(set(glyphs)) == len(glyphs) == 3
    fills = panel.evaluate(
        "[...document.querySelectorAll('.lab-plot rect.lab-bar')].map((bar) => bar.getAttribute('fill'))"
    )
    assert len({fill.rsplit("-", 1)[1] for fill in fills}) == 4
    patterns = panel.evaluate("[...document.querySelectorAll('pattern path')].map((path) => path.getAttribute('d'))")
    assert len(set(patterns)) == len(patterns) == 4
    dashes = panel.evaluate(
        """["request", "reply"].map((kind) => document.querySelector(`.lab-arrow-${kind}`))
          .map((path) => getComputedStyle(path).strokeDasharray)"""
    )
    assert dashes[0] != dashes[1]
    shapes = panel.evaluate(
        """["good", "bad"].map((tone) => document.querySelector(`.lab-dot-${tone}:not(.lab-to-come)`))
          .map((path) => path.getAttribute("d"))"""
    )
    assert "a" in shapes[0] and "a" not in shapes[1]
    words = panel.locator(".lab-claim-word").all_inner_texts()
    assert words == ["violated", "holds", "does not apply here"]


def test_names_of_lanes_bars_and_marks_are_words_on_the_page(panel):
    assert panel.evaluate(
        "[...document.querySelectorAll('.lab-lane-label')].map((label) => label.firstChild.textContent)"
    ) == ["redis", "sql", "worker 1", "worker 2"]
    assert sorted(panel.locator(".lab-bar-word").all_text_contents()) == ["busy", "in a thread", "paused"]
    legend = panel.locator(".lab-legend-box li").all_inner_texts()
    assert legend == ["busy", "paused", "in a thread", "crashed", "request", "answer", "lost", "violation"]


@pytest.mark.parametrize(("scheme", "expected"), [("default", "rgb(255, 255, 255)"), ("slate", "rgb(27, 30, 39)")])
def test_the_panel_takes_the_themes_scheme(open_page, site, scheme, expected):
    site.pages["/"] = page_html(element(), scheme)
    page = open_page()
    assert page.evaluate("getComputedStyle(document.querySelector('.lab')).backgroundColor") == expected
    other = "slate" if scheme == "default" else "default"
    page.evaluate(f"document.body.dataset.mdColorScheme = '{other}'")
    assert page.evaluate("getComputedStyle(document.querySelector('.lab')).backgroundColor") != expected


def test_its_own_theme_attribute_wins(open_page, site):
    site.pages["/"] = page_html(element("demo", 'variant="counter" theme="dark"'), "default")
    page = open_page()
    assert page.evaluate("getComputedStyle(document.querySelector('.lab')).colorScheme") == "dark"


def test_lanes_that_are_not_all_in_sight_can_be_scrolled_by_keys(open_page, site):
    extra = [{"id": f"x{number}", "label": f"extra {number}", "actors": [f"x{number}"]} for number in range(12)]
    site.data["recorded/demo/counter.json"]["lanes"] += extra
    page = open_page(width=360)
    lanes = page.get_by_role("group", name="Lanes of the run")
    lanes.focus()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.lab-lanes').scrollTop > 20")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", str(len(data.report()["trace"])))
    assert violations(page) == []
    button(page, "Lease").click()
    expect(lanes).to_have_count(0)
