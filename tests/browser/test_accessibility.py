"""Everyone can read the site: axe finds nothing on any page in light and dark, nothing overflows, all can be hit.

Whole pages, theme included, on a phone and on a desk, before and after a run. What keys do is tested beside this.
"""

from itertools import cycle

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel import CHALLENGE_PANELS, Panel
from tests.browser.reading import embed_url, slider, some_experiments, tab, wait_drawn, wait_number
from tests.browser.test_shell import page_paths
from tools.paths import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1440, "height": 900}
LOOKS = [("light", DESK), ("dark", PHONE), ("dark", DESK), ("light", PHONE)]
# The first challenge is looked at as any page is; the others differ from it by their texts: one look at each will do.
OTHERS = {place for path, slug, _ in CHALLENGE_PANELS[1:] for place in (path, f"embed/{slug}/")}

# Buttons, fields and tabs that are seen and too small to hit. Links in a sentence are exempt, as in WCAG 2.5.8.
SMALL = """() => [...document.querySelectorAll(
    "button, input, select, summary, [role=slider], [role=tab], label[title]")]
  .filter(it => it.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !it.disabled)
  .filter(it => !it.closest(".lab-hidden, [aria-hidden=true]"))
  .map(it => [it, (it.type === "checkbox" && it.closest("label") || it).getBoundingClientRect()])
  .filter(([it, box]) => box.width > 1 && (box.width < 24 || box.height < 24))
  .map(([it, box]) => `${it.outerHTML.slice(0, 90)} ${Math.round(box.width)} x ${Math.round(box.height)}`)"""

# Text that its own box cuts off.
CUT = """() => [...document.querySelectorAll("ownership-lab :is(button, dt, dd, th, label, p, li)")]
  .filter(it => it.checkVisibility() && !it.closest(".lab-hidden, .lab-scroll") && it.clientWidth > 1)
  .filter(it => it.scrollWidth > it.clientWidth + 1 && getComputedStyle(it).overflowX !== "visible")
  .map(it => `${it.className} ${it.textContent.slice(0, 40)}`)"""


def open_drawn(page: Page, url: str) -> None:
    page.goto(url)
    for panel in page.locator("ownership-lab").all():
        wait_drawn(panel)


def look(page: Page, scheme: str, size: dict) -> None:
    """Show the page in a scheme and at a size, and wait until the drawings have followed."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(size)
    page.evaluate("new Promise(go => requestAnimationFrame(() => requestAnimationFrame(go)))")


def violations(page: Page) -> list[str]:
    """What axe has against the page, one line per finding."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [f"{rule['id']}: {node['target']}" for rule in found["violations"] for node in rule["nodes"]]


def test_axe_finds_nothing_on_any_page(page, server, site_folder):
    page.lab.allow("404")
    found = []
    for path in [*page_paths(site_folder), "404.html"]:
        open_drawn(page, server.url + path)
        # Every page in both schemes and both sizes, but each pair of them once: light and phone are the other two.
        for scheme, size in LOOKS[1:2] if path in OTHERS else LOOKS[:2]:
            look(page, scheme, size)
            found += [f"{path} {scheme} {size['width']} {line}" for line in violations(page)]
    assert found == []


def test_axe_finds_nothing_after_a_run_with_everything_open(page, server, site_folder):
    found, looks = [], cycle(LOOKS)
    for experiment in some_experiments(site_folder):
        slug = experiment["slug"]
        broken = next((v["id"] for v in experiment["variants"] if v["expected"] == "breaks"), None)
        page.goto(embed_url(server, slug, f"?variant={broken}" if broken else ""))
        panel = Panel(page, slug).wait_until_drawn()
        panel.run_here()
        panel.root.get_by_role("button", name="Parameters").click()
        panel.root.get_by_role("button", name="What this does not show").click()
        for name in ("Table", "Program", "Store"):
            scheme, size = next(looks)
            look(page, scheme, size)
            tab(panel.root, name)
            found += [f"{slug} {scheme} {size['width']} {name} {line}" for line in violations(page)]
    assert found == []


def test_axe_finds_nothing_in_the_sheets_and_beside_a_refused_value(page, server):
    page.goto(embed_url(server, "heartbeat-stall", "?variant=in-loop&theme=pink"))
    panel = Panel(page, "heartbeat-stall").wait_until_drawn()
    panel.type_parameters({"interval_ms": "many"})
    panel.root.get_by_label("Live").check()
    found = violations(page)
    for name in ("Copy embed code", "Keyboard help"):
        panel.root.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        for scheme, size in LOOKS[:2]:
            look(page, scheme, size)
            found += [f"{name} {scheme} {line}" for line in violations(page)]
        page.keyboard.press("Escape")
    assert found == []


def test_no_page_scrolls_sideways_and_every_target_can_be_hit(page, server, site_folder):
    found = []
    for path in page_paths(site_folder):
        open_drawn(page, server.url + path)
        for width in (360,) if path in OTHERS else (360, 768, 1440, 1920):
            look(page, "light", {"width": width, "height": 900})
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                found.append(f"{path} is {wide} px wide at {width}")
            if width == 360:
                found += [f"{path} {line}" for line in page.evaluate(SMALL)]
                if page.evaluate("(scrollTo(50, 0), scrollX)"):
                    found.append(f"{path} can be scrolled sideways")
    assert found == []


def test_open_forms_and_tabs_do_not_widen_a_phones_page(page, server, site_folder):
    look(page, "light", PHONE)
    found = []
    for experiment in some_experiments(site_folder):
        open_drawn(page, embed_url(server, experiment["slug"]))
        root = page.locator("ownership-lab")
        root.get_by_role("button", name="Parameters").click()
        root.get_by_role("button", name="What this does not show").click()
        for name in ("Program", "Table", "Store"):
            tab(root, name)
            found += [f"{experiment['slug']} {name} {line}" for line in page.evaluate(SMALL)]
            if page.evaluate("document.documentElement.scrollWidth") > PHONE["width"]:
                found.append(f"{experiment['slug']} {name} is too wide")
    assert found == []


@pytest.mark.parametrize("path", ["quota/", "embed/slot-recycling/", "embed/single-flight-takeover/"])
def test_text_of_twice_the_size_stays_whole(page, server, path):
    open_drawn(page, server.url + path)
    before = page.locator(".lab-question").first.evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
    page.evaluate(
        """() => { const root = document.documentElement;
                   root.style.fontSize = 2 * parseFloat(getComputedStyle(root).fontSize) + "px"; }"""
    )
    look(page, "light", {"width": 1280, "height": 900})
    after = page.locator(".lab-question").first.evaluate("it => parseFloat(getComputedStyle(it).fontSize)")
    assert after == pytest.approx(2 * before, rel=0.01)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert page.evaluate(CUT) == []
    slider(page.locator("ownership-lab").first).press("Home")
    wait_number(page.locator("ownership-lab").first, 1)


def test_reduced_motion_leaves_nothing_moving_by_itself(new_page, server):
    page = new_page(reduced_motion="reduce", viewport=DESK)
    open_drawn(page, embed_url(server, "slot-recycling"))
    slow = page.evaluate(
        """() => [...document.querySelectorAll("ownership-lab, ownership-lab *")].filter(it => {
             const style = getComputedStyle(it);
             const seconds = text => Math.max(...text.split(",").map(parseFloat));
             return seconds(style.transitionDuration) > 0.01 || style.animationName !== "none"
               || style.scrollBehavior === "smooth"; }).map(it => it.className)"""
    )
    assert slow == []
    root = page.locator("ownership-lab")
    slider(root).press("Home")
    wait_number(root, 1)
    page.evaluate(
        """() => { window.drawn = new Set();
                   const root = document.querySelector("ownership-lab");
                   const look = () => { drawn.add(root.position); requestAnimationFrame(look); };
                   look(); }"""
    )
    root.get_by_label("Speed").select_option("8×")
    slider(root).press("Space")
    wait_number(root, 728)
    assert page.evaluate("drawn.size") <= 12  # a run of three seconds, redrawn twice a second


def test_with_forced_colours_drawings_and_states_can_still_be_told_apart(new_page, server):
    page = new_page(forced_colors="active", viewport=DESK)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, forced_colors="active")
        open_drawn(page, embed_url(server, "slot-recycling"))
        seen = page.evaluate(
            """() => { const style = (what, name) => getComputedStyle(document.querySelector(what))[name];
              const button = pressed => ["borderColor", "backgroundColor"].map(name => style(pressed, name)).join();
              const lines = [".lab-lane-line", ".lab-playhead", ".lab-mark-bad", ".lab-line"];
              return { ground: style(".lab", "backgroundColor"),
                strokes: lines.map(one => style(one, "stroke")),
                texts: [".lab-lane-label", ".lab-grid-label"].map(one => style(one, "fill")),
                tabs: [true, false].map(one => style(`[role=tab][aria-selected=${one}]`, "borderBottomWidth")),
                chosen: [button("[aria-pressed=true]"), button("[aria-pressed=false]")] }; }"""
        )
        assert seen["ground"] not in seen["strokes"] + seen["texts"], seen
        assert seen["chosen"][0] != seen["chosen"][1], seen
        assert seen["tabs"] == ["3px", "0px"]
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")


def test_the_verdict_is_heard_once_after_a_run_on_a_chapters_page(page, server):
    page.goto(server.url + "ownership/")
    panel = Panel(page, "task-ownership").wait_until_drawn()
    panel.choose("local-queue")
    live = panel.root.locator(".lab-hidden[aria-live=polite]")
    assert live.inner_text() == ""
    page.evaluate(
        """() => { window.verdicts = [];
             const live = document.querySelector("ownership-lab .lab-hidden[aria-live=polite]");
             new MutationObserver(() => verdicts.push(live.textContent)).observe(live, { childList: true }); }"""
    )
    panel.run_here()
    expect(live).to_have_text("Queue at the entry: Counterexample found. 0 of 1 claims hold.")
    panel.root.get_by_label("Speed").select_option("8×")
    panel.root.get_by_role("button", name="Play", exact=True).click()
    wait_number(panel.root, int(slider(panel.root).get_attribute("aria-valuemax")))
    assert page.evaluate("verdicts.length") == 1
