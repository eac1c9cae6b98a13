"""A reader edits a program on the built site, and the edit is what runs: under a strict policy and in frames, too."""

import re

import pytest
from playwright.sync_api import Page, expect

from experiments import EXPERIMENTS
from py_runtime.lab import run_once
from tests.browser.panel import SAME_AS_RECORDED, Panel
from tests.browser.reading import embed_url, experiments
from tests.browser.test_accessibility import LOOKS, look, violations
from tests.browser.test_anywhere import COLLECT_VIOLATIONS, STRICT, SUB_PATH, framed
from tests.browser.test_outcomes import texts_of
from tools.paths import ROOT

SLOTS = "slot-recycling"
PROGRAMS = ROOT / "experiments" / "slot_recycling" / "programs"
REPAIRED = (PROGRAMS / "lease_repaired.py").read_text(encoding="utf-8")


def open_editor(page: Page, url: str) -> Panel:
    page.goto(url)
    panel = Panel(page, SLOTS).wait_until_drawn()
    panel.root.get_by_role("tab", name="Program").click()
    panel.root.get_by_role("button", name="Edit", exact=True).click()
    expect(content(panel)).to_be_focused()
    return panel


def content(panel: Panel):
    return panel.root.locator(".cm-content:visible")


def type_over(panel: Panel, text: str) -> None:
    """Put a text in place of all that is in the editor, as pasting it would."""
    content(panel).focus()
    panel.page.keyboard.press("Control+a")
    panel.page.keyboard.insert_text(text)


def test_the_repaired_program_typed_over_the_broken_one_gives_the_repaired_run(page, server, site_folder):
    panel = open_editor(page, embed_url(server, SLOTS, "?variant=counter"))
    type_over(panel, REPAIRED)
    assert panel.run() == "This run was made here, with your version of counter.py."
    report = run_once(EXPERIMENTS[SLOTS], "counter", sources={"counter.py": REPAIRED})
    repaired = run_once(EXPERIMENTS[SLOTS], "lease-repaired").readings
    same = ("admitted", "refused", "finished", "crashed", "first_refusal_ms")  # capacity is that of the counter's key
    assert {name: report.readings[name] for name in same} == {name: repaired[name] for name in same}
    [slots] = [each for each in experiments(site_folder) if each["slug"] == SLOTS]
    assert panel.readings() == texts_of(slots, report.readings)
    panel.root.get_by_role("button", name="Reset to published").click()
    assert panel.run() == SAME_AS_RECORDED


BROKEN = [
    ("x = 1\ndef broken(:\n", 2, "def broken(:", "invalid syntax"),
    ("import threading\n", 1, "import threading", "use asyncio.to_thread"),
    ("x = 1\n\n\ny = x / 0\n", 4, "y = x / 0", "division by zero"),
    ("x = 1\nclass Quote:\n    pass\n", 2, "class Quote:", "counter.py must define Quota"),
    ("x = 1\n", None, None, "counter.py must define Quota, run_task"),
]


@pytest.mark.parametrize(("text", "line", "underlined", "said"), BROKEN)
def test_what_cannot_run_is_told_with_its_line_and_the_next_run_is_normal(page, server, text, line, underlined, said):
    panel = open_editor(page, embed_url(server, SLOTS, "?variant=counter"))
    type_over(panel, text)
    sentence = panel.run()
    assert said in sentence and "counter.py" in sentence
    if line is not None:
        assert f"line {line}" in sentence
        assert "".join(panel.root.locator(".cm-lintRange-error").all_inner_texts()) == underlined
    expect(content(panel)).to_have_text(re.compile(re.escape(text.strip().splitlines()[0])))
    panel.root.get_by_role("button", name="Reset to published").click()
    assert panel.run() == SAME_AS_RECORDED


WRONG = [
    ("if count > self._limit:", "if count > self._limits:"),
    ("async def run_task(quota,", "async def run_task(more, quota,"),
]


@pytest.mark.parametrize(("published", "edited"), WRONG, ids=["a wrong name", "a wrong signature"])
def test_an_exception_while_running_is_underlined_and_leaves_a_trace(page, server, published, edited):
    panel = open_editor(page, embed_url(server, SLOTS, "?variant=counter"))
    source = (PROGRAMS / "counter.py").read_text(encoding="utf-8")
    assert source.count(published) == 1
    type_over(panel, source.replace(published, edited))
    panel.run()
    expect(panel.root.locator(".cm-lintRange-error").first).to_be_visible()
    assert "".join(panel.root.locator(".cm-lintRange-error").all_inner_texts()).startswith(edited)
    expect(panel.root.get_by_role("slider")).not_to_have_attribute("aria-valuemax", "1")


def test_the_editor_needs_nothing_that_the_strict_policy_forbids(new_page, serve):
    bare = serve(prefix=SUB_PATH, headers={"Content-Security-Policy": STRICT})
    page = new_page(origins=[bare.url])
    page.add_init_script(COLLECT_VIOLATIONS)
    panel = open_editor(page, f"{bare.url}embed/{SLOTS}/")
    type_over(panel, REPAIRED)
    panel.run()
    assert page.evaluate("window.violations") == []
    # Its own styles are in force, not only allowed: without them line numbers would stand above the text.
    gutter, text = (panel.root.locator(each).bounding_box() for each in (".cm-gutters", ".cm-content"))
    assert gutter["x"] + gutter["width"] <= text["x"] + 1
    assert abs(gutter["y"] - text["y"]) < 2


def test_a_frame_that_keeps_nothing_says_so_and_edits_all_the_same(new_page, serve, tmp_path):
    open_server = serve(headers={"Access-Control-Allow-Origin": "*"})
    page = new_page(origins=[open_server.url])
    source = embed_url(open_server, SLOTS, "?variant=counter")
    panel = Panel(framed(page, tmp_path, serve, source, "allow-scripts"), SLOTS).wait_until_drawn()
    panel.root.get_by_role("tab", name="Program").click()
    panel.root.get_by_role("button", name="Edit", exact=True).click()
    expect(content(panel)).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("x = 1")
    expect(panel.root.get_by_text("This browser keeps nothing for this page")).to_be_visible()
    expect(content(panel)).to_have_text("x = 1")


@pytest.mark.parametrize(("scheme", "size"), LOOKS[:2], ids=["light desk", "dark phone"])
def test_axe_finds_nothing_in_the_editor(page, server, scheme, size):
    look(page, scheme, size)
    panel = open_editor(page, embed_url(server, SLOTS, "?variant=lease-repaired"))
    type_over(panel, REPAIRED.replace("import asyncio", "import asyncio as"))
    panel.run()
    content(panel).evaluate("it => it.getRootNode().host.scrollIntoView({ block: 'center' })")
    expect(panel.root.locator(".cm-lintRange-error").first).to_be_visible()
    assert violations(page) == []
