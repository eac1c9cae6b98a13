"""The reader edits a program: what runs, what is marked, what is kept, and how everything is taken back."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.test_panel import button
from tools.bundle import EDITOR

KEY = "ownership-lab:edit:demo:counter:lease.py"
EDITED = data.LEASE_PROGRAM.replace("LIMIT = 2", "LIMIT = 3")


def content(page: Page):
    return page.locator(".cm-content:visible")


@pytest.fixture
def editor(panel: Page) -> Page:
    """The demonstration with its first program open in the editor."""
    open_editor(panel)
    return panel


def open_editor(page: Page) -> None:
    page.get_by_role("tab", name="Program").click()
    button(page, "Edit").click()
    expect(content(page)).to_be_focused()


def change_limit(page: Page) -> None:
    """LIMIT = 2 becomes LIMIT = 3, by keys."""
    for key in ("Control+Home", "ArrowDown", "ArrowDown", *["ArrowRight"] * 8, "Delete", "3"):
        page.keyboard.press(key)
    expect(content(page)).to_contain_text("LIMIT = 3")


def kept(page: Page) -> dict | None:
    return json.loads(page.evaluate("key => localStorage.getItem(key)", KEY) or "null")


def keep(page: Page, value: str) -> None:
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [KEY, value])
    page.reload()
    page.get_by_role("tab", name="Program").click()


def run(page: Page) -> dict:
    """Press Run; what the lab was asked for."""
    asked = page.evaluate("fake.requests.length")
    button(page, "Run").click()
    page.wait_for_function("count => fake.requests.length > count", arg=asked)
    page.wait_for_selector("ownership-lab[state=ran]")
    return page.evaluate("fake.requests.at(-1)")


def demo_with(site, program: str) -> None:
    site.data["experiments/demo.json"]["experiment"]["programs"]["counter"][0]["text"] = program


def test_the_editor_is_fetched_when_the_reader_first_edits(panel, site):
    assert f"assets/lab/{EDITOR}" not in site.requests
    open_editor(panel)
    assert site.requests.count(f"assets/lab/{EDITOR}") == 1
    expect(content(panel)).to_have_attribute("aria-label", "Text of lease.py")
    expect(panel.get_by_text("Esc, then Tab, leaves the editor.")).to_be_visible()


def test_an_edit_is_run_kept_and_told_of(editor):
    change_limit(editor)
    expect(editor.locator(".lab-edit-bar .lab-chip-changed")).to_be_visible()
    expect(editor.get_by_text("The program is not the published one any more.")).to_be_visible()
    assert kept(editor) == {"version": 1, "text": EDITED, "published": data.LEASE_PROGRAM}
    assert run(editor)["sources"] == {"lease.py": EDITED}
    expect(editor.get_by_text("This run was made here, with your version of lease.py.")).to_be_visible()


def test_an_edit_is_there_again_after_a_reload_and_only_for_its_variant(editor):
    change_limit(editor)
    editor.reload()
    expect(editor.get_by_text("You have edited it: press Run to run your version.")).to_be_visible()
    editor.get_by_role("tab", name="Program").click()
    expect(editor.locator(".lab-code")).to_contain_text("LIMIT = 3")
    assert run(editor)["sources"] == {"lease.py": EDITED}
    button(editor, "Lease").click()
    expect(editor.locator(".lab-code")).to_contain_text("LIMIT = 2")
    assert "sources" not in run(editor)


@pytest.mark.parametrize("reading", [False, True], ids=["in the editor", "while reading"])
def test_reset_takes_the_edit_away_and_can_be_taken_back(editor, reading):
    change_limit(editor)
    if reading:
        button(editor, "Close the editor").click()
    text = editor.locator(".lab-code" if reading else ".cm-content")
    button(editor, "Reset to published").click()
    expect(text).to_contain_text("LIMIT = 2")
    assert kept(editor) is None
    button(editor, "Bring my edit back").click()
    expect(text).to_contain_text("LIMIT = 3")
    assert kept(editor)["text"] == EDITED


def test_undo_reaches_through_a_reset(editor):
    change_limit(editor)
    button(editor, "Reset to published").click()
    content(editor).focus()
    editor.keyboard.press("Control+z")
    expect(content(editor)).to_contain_text("LIMIT = 3")
    for _ in range(3):
        editor.keyboard.press("Control+z")
    expect(content(editor)).to_contain_text("LIMIT = 2")
    assert kept(editor) is None
    for _ in range(3):
        editor.keyboard.press("Control+y")
    expect(content(editor)).to_contain_text("LIMIT = ")


def test_each_file_keeps_its_own_text_and_history(editor):
    change_limit(editor)
    editor.get_by_role("tab", name="helper.py").click()
    expect(content(editor)).to_contain_text("def helper")
    content(editor).focus()
    editor.keyboard.press("Control+End")
    editor.keyboard.type("x = 1")
    editor.get_by_role("tab", name="lease.py").click()
    expect(content(editor)).to_contain_text("LIMIT = 3")
    content(editor).focus()
    for _ in range(3):
        editor.keyboard.press("Control+z")
    expect(content(editor)).to_contain_text("LIMIT = 2")
    assert list(run(editor)["sources"]) == ["helper.py"]


def test_a_kept_edit_of_an_older_program_is_shown_with_a_notice(panel):
    older = {"version": 1, "text": "LIMIT = 9\n", "published": "LIMIT = 1\n"}
    keep(panel, json.dumps(older))
    expect(panel.locator(".lab-code")).to_contain_text("LIMIT = 9")
    expect(panel.get_by_text("The published lease.py has changed since you edited it.")).to_be_visible()
    button(panel, "Keep my edit").click()
    expect(button(panel, "Keep my edit")).to_be_hidden()
    expect(panel.get_by_text("The published lease.py has changed since you edited it.")).to_be_hidden()
    assert kept(panel) == {**older, "published": data.LEASE_PROGRAM}


NOT_UNDERSTOOD = ["{", '"text"', '{"version": 2, "text": "x", "published": "y"}', '{"version": 1, "text": 3}']


@pytest.mark.parametrize("value", NOT_UNDERSTOOD)
def test_what_is_kept_and_not_understood_changes_nothing(panel, value):
    keep(panel, value)
    expect(panel.locator(".lab-code")).to_contain_text("LIMIT = 2")
    assert "sources" not in run(panel)


def test_a_browser_that_keeps_nothing_says_so_and_still_runs_the_edit(editor):
    editor.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') } }")
    change_limit(editor)
    expect(editor.get_by_text("This browser keeps nothing for this page")).to_be_visible()
    button(editor, "Lease").click()
    button(editor, "Counter").click()
    assert run(editor)["sources"] == {"lease.py": EDITED}


def test_the_current_line_is_marked_and_moves_with_its_text(editor):
    now = editor.locator(".cm-lab-now")
    editor.evaluate("document.querySelector('ownership-lab').position = 3")
    expect(now).to_have_text('    if await redis.incr("inflight") > LIMIT:')
    content(editor).focus()
    editor.keyboard.press("Control+Home")
    editor.keyboard.type("# first\n")
    expect(now).to_have_text('    if await redis.incr("inflight") > LIMIT:')
    expect(now).to_have_attribute("aria-current", "true")


@pytest.mark.parametrize("by_key", [False, True], ids=["a mark", "a key"])
def test_an_event_of_a_line_is_reached_by(editor, by_key):
    slider = editor.get_by_role("slider")
    editor.evaluate("document.querySelector('ownership-lab').position = 0")
    expect(slider).to_have_attribute("aria-valuenow", "1")
    if by_key:
        content(editor).focus()
        for key in ("Control+Home", *["ArrowDown"] * 9, "Alt+Enter"):
            editor.keyboard.press(key)
    else:
        editor.locator(".cm-lab-ran span[title^='Line 10,']").click()
    expected = next(event["sequence"] for event in data.report()["trace"] if event.get("line", {}).get("line") == 10)
    expect(slider).to_have_attribute("aria-valuenow", str(expected + 1))


def test_lines_are_not_marked_by_a_run_of_another_text(editor):
    change_limit(editor)
    button(editor, "Close the editor").click()
    expect(editor.locator(".lab-code button")).to_have_count(0)
    expect(editor.get_by_text("Press Run to see which of these lines run.")).to_be_visible()
    run(editor)
    expect(editor.locator(".lab-code button").first).to_be_visible()


def test_an_error_is_underlined_at_its_line_and_the_text_is_not_lost(editor):
    change_limit(editor)
    editor.get_by_role("tab", name="Table").click()
    fault = {"kind": "program", "message": "lease.py, line 7: invalid syntax", "file": "lease.py", "line": 7}
    editor.evaluate("fault => { fake.fault = fault }", fault)
    button(editor, "Run").click()
    editor.wait_for_selector("ownership-lab[state=failed]")
    expect(editor.locator(".cm-lintRange-error").first).to_be_visible()
    underlined = "".join(editor.locator(".cm-lintRange-error").all_inner_texts())
    assert underlined == 'if await redis.incr("inflight") > LIMIT:'
    expect(editor.get_by_text("lease.py, line 7: invalid syntax")).to_be_visible()
    editor.evaluate("fake.fault = null")
    assert run(editor)["sources"] == {"lease.py": EDITED}
    expect(editor.locator(".cm-lintRange-error")).to_have_count(0)


def test_an_exception_in_a_run_is_marked_too(editor):
    change_limit(editor)
    button(editor, "Close the editor").click()
    fields = {"task": "w1", "error": "KeyError: 'x'", "file": "lease.py", "line": 8}
    failed = {"sequence": 0, "at_us": 0, "actor": "w1", "kind": "task.failed", "fields": fields}
    editor.evaluate("failed => { fake.change = {trace: [failed], claims: [], scene: []} }", failed)
    run(editor)
    expect(editor.locator(".lab-problem-line .lab-code-text")).to_have_text('        await redis.decr("inflight")')


def test_escape_and_tab_leave_the_editor_and_tab_alone_indents(editor):
    for key in ("Control+Home", "Tab"):
        editor.keyboard.press(key)
    expect(content(editor)).to_contain_text('    """Take a slot')
    expect(content(editor)).to_be_focused()
    for key in ("Escape", "Tab"):
        editor.keyboard.press(key)
    expect(content(editor)).not_to_be_focused()


def test_control_enter_runs(editor):
    editor.keyboard.press("Control+Enter")
    editor.wait_for_selector("ownership-lab[state=ran]")
    assert editor.evaluate("fake.requests.length") == 1


def test_an_editor_that_cannot_be_fetched_leaves_the_program_readable(panel, site):
    site.modules[EDITOR] = "throw new Error('gone')"
    panel.get_by_role("tab", name="Program").click()
    button(panel, "Edit").click()
    expect(panel.get_by_text("The editor could not be loaded from this site.")).to_be_visible()
    expect(panel.locator(".lab-code")).to_contain_text("LIMIT = 2")


def test_markup_in_a_program_stays_text(open_page, site):
    demo_with(site, 'X = "<img src=x onerror=fake.hit=1>"\n')
    page = open_page()
    open_editor(page)
    expect(content(page)).to_contain_text("<img src=x onerror=fake.hit=1>")
    assert page.evaluate("fake.hit === undefined")


LUA = "S = '''\nlocal n = redis.call('GET', KEYS[1])\nreturn tonumber(n)\n'''\n"
SQL = 'Q = "UPDATE jobs SET owner = :worker WHERE id = :id"\n'
COLOUR = """text => {
  const root = document.querySelector(".lab-editor > div").shadowRoot;
  const found = [...root.querySelectorAll(".cm-line span")].find((span) => span.textContent === text);
  return getComputedStyle(found).color;
}"""


@pytest.mark.parametrize(("source", "word"), [(LUA, "local"), (SQL, "UPDATE"), (SQL, "WHERE")])
def test_keywords_inside_strings_have_the_colour_of_keywords(open_page, site, source, word):
    demo_with(site, source + "def plain():\n    pass\n")
    page = open_page()
    open_editor(page)
    assert page.evaluate(COLOUR, word) == page.evaluate(COLOUR, "def")


LANGUAGES = [
    ("return redis.call('GET', KEYS[1])", "lua"),
    ("\n-- first\nSELECT 1", "sql"),
    ("INSERT INTO jobs (id) VALUES (:id)", "sql"),
    ("Select a seat", None),
    ("update", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "language"), LANGUAGES)
def test_which_language_a_string_holds(modules, text, language):
    assert modules("editing/languages.js", "(m, text) => m.languageOf(text)", text) == language


LITERALS = [('"ab"', (1, 3)), ("rb'ab'", (3, 5)), ('"""ab"""', (3, 5)), ('""', None), ('"ab', None), ("ab", None)]


@pytest.mark.parametrize(("literal", "inside"), LITERALS)
def test_where_the_text_of_a_literal_is(modules, literal, inside):
    found = modules("editing/languages.js", "(m, literal) => m.insideOf(literal)", literal)
    assert found == (None if inside is None else {"from": inside[0], "to": inside[1]})
