"""Links to moments on the built site: those that the pages contain, and those that a reader copies."""

import re
from html import unescape

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.reading import embed_url, slider, wait_number
from tests.browser.test_editing import PROGRAMS, SLOTS, open_editor, type_over
from tools.paths import DOCS

# Written as HTML: MkDocs takes a Markdown link with such a fragment for one to a missing heading.
LINK = re.compile(r'<a href="([^"#]*)#run=([^"]+)">')


def links_of_the_pages() -> list[tuple[str, str]]:
    """(page, fragment) for every link to a moment in the written pages."""
    found = []
    for page in sorted(DOCS.rglob("*.md")):
        path = page.relative_to(DOCS).with_suffix("").as_posix().removesuffix("index")
        for other, fragment in LINK.findall(page.read_text(encoding="utf-8")):
            assert other == "", f"{page.name}: a link to a moment of another page is not opened here yet"
            found.append((f"{path}/" if path else "", f"#run={unescape(fragment)}"))
    return found


LINKS = links_of_the_pages()


def test_the_pages_contain_links_to_moments():
    assert LINKS


@pytest.mark.parametrize(("path", "fragment"), LINKS, ids=[fragment for _, fragment in LINKS])
def test_a_link_of_a_page_opens_the_moment_that_it_names(page, server, path, fragment):
    schedule, at = re.fullmatch(r"#run=([^&]+)&at=(\d+)", fragment).groups()
    page.goto(server.url + path)
    panel = Panel(page, schedule.split("~")[1]).wait_until_drawn()
    page.locator(f'a[href$="{fragment}"]').click()
    wait_number(panel.root, int(at) + 1)
    expect(panel.root.locator(".lab-remarks > .lab-remark")).to_have_count(0)


def copied_link(panel: Panel) -> str:
    panel.root.get_by_role("button", name="Copy link to this moment").click()
    expect(panel.root.locator(".lab-share")).to_contain_text("Copied.")
    return panel.page.evaluate("navigator.clipboard.readText()")


def digest_and_event(panel: Panel) -> tuple[str, str]:
    return panel.root.locator("lab-share").get_attribute("data-digest"), slider(panel.root).get_attribute(
        "aria-valuetext"
    )


@pytest.fixture
def copying_page(new_page) -> Page:
    return new_page(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])


def test_another_browser_lands_on_the_same_event_of_the_same_run(copying_page, new_page, server):
    copying_page.goto(embed_url(server, SLOTS, "?variant=lease"))
    panel = Panel(copying_page, SLOTS).wait_until_drawn()
    panel.type_parameters({"limit": 3, "task_ms": 2000})
    panel.run_here()
    copying_page.evaluate("document.querySelector('ownership-lab').position = 40")
    wait_number(panel.root, 41)
    link = copied_link(panel)
    assert len(link) < 200
    other = new_page(viewport={"width": 1280, "height": 900})
    other.goto(link)
    opened = Panel(other, SLOTS)
    expect(opened.root).to_have_attribute("state", "ran", timeout=RUN_MS_MAX)
    wait_number(opened.root, 41)
    assert digest_and_event(opened) == digest_and_event(panel)
    opened.root.get_by_role("button", name="Parameters").click()
    values = opened.root.locator("[data-parameter]").evaluate_all("all => all.map(it => [it.name, it.value])")
    assert {("limit", "3"), ("task_ms", "2000")} <= {tuple(each) for each in values}


def test_an_edited_run_travels_with_its_program(copying_page, new_page, server):
    panel = open_editor(copying_page, embed_url(server, SLOTS, "?variant=counter"))
    source = (PROGRAMS / "counter.py").read_text(encoding="utf-8").replace("count > self._limit", "count > 2")
    type_over(panel, source)
    panel.run()
    link = copied_link(panel)
    other = new_page(viewport={"width": 1280, "height": 900})
    other.goto(link)
    opened = Panel(other, SLOTS)
    expect(opened.status).to_contain_text("This link brings a program that somebody has edited.")
    expect(opened.root.locator(".lab-code")).to_contain_text("if count > 2:")
    opened.run()
    assert digest_and_event(opened) == digest_and_event(panel)
    assert other.evaluate("Object.keys(localStorage).filter(key => key.startsWith('ownership-lab:edit:'))") == []


@pytest.mark.parametrize("broken", ["ol1~slot-recycling~counter~0_9.9.9", "ol1~slot-recycling~counter~0_0~limit.0"])
def test_a_schedule_that_python_refuses_costs_a_sentence(page, server, broken):
    page.goto(embed_url(server, SLOTS, f"#run={broken}&at=1"))
    panel = Panel(page, SLOTS)
    expect(panel.root).to_have_attribute("state", "failed", timeout=RUN_MS_MAX)
    expect(panel.status).to_contain_text("Nothing was run:")
    assert panel.readings()["first_refusal_ms"] == "6,667 ms"
