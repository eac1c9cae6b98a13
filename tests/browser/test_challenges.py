"""A reader repairs a program on the built site and proves it: checks by real Python, a token, and who takes it.

Each challenge's reference and its published program are examined in the browser, too: it must say what CPython says.
"""

import json
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from experiments import EXPERIMENTS
from py_runtime.lab.challenge import REFERENCE
from py_runtime.lab.completion import write_completion
from py_runtime.lab.examine import Examination
from tests.browser.panel import CHALLENGE_PANELS, RUN_MS_MAX, Panel
from tests.browser.reading import embed_url
from tests.browser.test_accessibility import LOOKS, look, violations
from tests.browser.test_editing import content, type_over
from tests.browser.test_outcomes import PINNED_DIGESTS
from tools.paths import ROOT

SLUGS = [slug for _, slug, _ in CHALLENGE_PANELS]
FIRST = SLUGS[0]
HANG = "async def run_task(*given):\n    while True:\n        pass\n"


def repair(slug: str, name: str = REFERENCE) -> str:
    experiment = EXPERIMENTS[slug]
    return experiment.resource(experiment.challenge.repair(name))


def examined(slug: str, sources: dict[str, str]) -> dict:
    """The result in this Python, as JSON has it."""
    examination = Examination(EXPERIMENTS[slug], sources)
    while not examination.done:
        examination.advance()
    return json.loads(json.dumps(examination.result()))


@pytest.fixture
def page(new_page):
    return new_page(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])


def open_challenge(page: Page, url: str, slug: str = FIRST) -> Panel:
    page.goto(url)
    return Panel(page, slug).wait_until_drawn()


def part(panel: Panel):
    return panel.root.locator("lab-challenge")


def put(panel: Panel, text: str) -> None:
    """Open the editor by the challenge's own button and type a text over what is in it."""
    part(panel).get_by_role("button", name=f"Edit {EXPERIMENTS[FIRST].challenge.file}").click()
    expect(content(panel)).to_be_focused()
    type_over(panel, text)


def check(panel: Panel, result: str) -> None:
    part(panel).get_by_role("button", name="Check my repair").click()
    expect(part(panel)).to_have_attribute("data-result", result, timeout=RUN_MS_MAX)


def statuses(place) -> dict[str, str]:
    rows = place.locator("[data-check]")
    return dict(rows.evaluate_all("rows => rows.map(row => [row.dataset.check, row.dataset.status])"))


def verify(page: Page, token: str) -> None:
    page.get_by_label("Token", exact=True).fill(token)
    page.get_by_role("button", name="Check the token").click()


def test_a_reader_repairs_a_program_and_others_verify_it(page, server):
    panel = open_challenge(page, f"{server.url}challenges/{FIRST}/")
    put(panel, repair(FIRST))
    check(panel, "solved")
    expected = examined(FIRST, {EXPERIMENTS[FIRST].challenge.file: repair(FIRST)})
    expect(part(panel).locator(".lab-check-said")).to_contain_text(f"with {expected['runs']:,} runs.")
    assert statuses(part(panel)) == {each["id"]: "passed" for each in expected["checks"]}
    part(panel).get_by_role("button", name="Copy the token").click()
    expect(part(panel).get_by_text("Copied.")).to_be_visible()
    token = page.evaluate("navigator.clipboard.readText()")
    assert token == expected["token"]

    part(panel).get_by_role("link", name="the page of all challenges").click()
    page.wait_for_url("**/challenges/")
    expect(page.get_by_text(f"1 of {len(SLUGS)} solved.")).to_be_visible()
    expect(page.locator(f'li[data-challenge="{FIRST}"]')).to_contain_text("✓ solved")
    verify(page, f" {token[:40]}\n{token[40:]} ")
    expect(page.locator("lab-verify")).to_have_attribute("data-result", "solved", timeout=RUN_MS_MAX)
    assert statuses(page.locator("lab-verify")) == {each["id"]: "passed" for each in expected["checks"]}
    expect(page.locator("lab-verify .lab-check-of")).to_have_text(f"A token for {expected['title']}")

    command = [sys.executable, "-m", "experiments", "verify", token, "--json"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=120, check=True)
    assert json.loads(told.stdout) == expected

    page.get_by_role("link", name=expected["title"]).first.click()
    page.wait_for_url(f"**/challenges/{FIRST}/")
    expect(page.get_by_label("Completion token")).to_have_value(token)
    page.go_back()
    page.get_by_role("button", name="Forget my progress").click()
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_text(f"0 of {len(SLUGS)} solved.")).to_be_visible()


def test_a_wrong_repair_is_caught_and_its_run_is_shown(page, server):
    experiment = EXPERIMENTS[FIRST]
    name, caught_by = next(iter(experiment.challenge.wrong.items()))
    expected = examined(FIRST, {experiment.challenge.file: repair(FIRST, name)})
    panel = open_challenge(page, embed_url(server, FIRST))
    put(panel, repair(FIRST, name))
    check(panel, "failed")
    assert statuses(part(panel)) == {each["id"]: each["status"] for each in expected["checks"]}
    [failed] = [each for each in expected["checks"] if each["id"] == caught_by]
    row = part(panel).locator(f'[data-check="{caught_by}"]')
    expect(row).to_contain_text(failed["why"])
    row.get_by_role("button", name="Show the run").click()
    expect(panel.root).to_have_attribute("state", "ran", timeout=RUN_MS_MAX)
    expect(panel.root.get_by_role("slider")).to_be_focused()
    expect(panel.root.locator(".lab-schedule")).to_have_text(failed["schedule"])
    for claim in failed["violated"]:
        expect(panel.root.locator(f'[data-claim="{claim["id"]}"]')).to_have_attribute("data-holds", "false")
    expect(panel.root.locator(".lab-stage")).to_be_in_viewport()


def test_a_program_that_never_ends_is_stopped_and_the_next_checks_are_normal(page, server):
    panel = open_challenge(page, embed_url(server, FIRST))
    put(panel, EXPERIMENTS[FIRST].resource(f"programs/{EXPERIMENTS[FIRST].challenge.file}") + HANG)
    part(panel).get_by_role("button", name="Check my repair").click()
    stop = part(panel).get_by_role("button", name="Stop the checks")
    expect(panel.status).to_have_text("Running …", timeout=RUN_MS_MAX)
    stop.click()
    expect(part(panel).locator(".lab-check-said")).to_contain_text("Stopped")
    panel.root.get_by_role("button", name="Reset to published").click()
    check(panel, "failed")
    expect(part(panel).get_by_text("What was checked is the published program")).to_be_visible()


def test_a_program_that_cannot_be_read_is_told_with_its_line(page, server):
    panel = open_challenge(page, embed_url(server, FIRST))
    put(panel, "x = 1\ndef broken(:\n")
    part(panel).get_by_role("button", name="Check my repair").click()
    expect(panel.status).to_contain_text("lease.py, line 2", timeout=RUN_MS_MAX)
    expect(part(panel).locator(".lab-check-said")).to_contain_text("Nothing was checked.")
    assert "".join(panel.root.locator(".cm-lintRange-error").all_inner_texts()) == "def broken(:"


def test_tokens_that_are_none_or_of_no_repair_are_told_in_a_sentence(page, server):
    experiment = EXPERIMENTS[FIRST]
    page.goto(f"{server.url}challenges/")
    said = page.locator("lab-verify .lab-check-said")
    for token, words in (
        ("<b>hello</b>", "Nothing was checked: a token reads olc1~CHALLENGE~PROGRAM"),
        ("olc1~slot-recycling~AAAA", "slot-recycling is no challenge"),
        (write_completion(experiment, {experiment.challenge.file: repair(FIRST)})[:-9], "the token is damaged"),
        (write_completion(experiment, {experiment.challenge.file: "def x(:\n"}), "The program in the token failed"),
    ):
        verify(page, token)
        expect(said).to_contain_text(words, timeout=RUN_MS_MAX)
        expect(page.locator("lab-verify [data-check]")).to_have_count(0)
    verify(page, write_completion(experiment, {}))
    expect(page.locator("lab-verify")).to_have_attribute("data-result", "failed", timeout=RUN_MS_MAX)


@pytest.fixture(scope="module")
def lab(module_page, server):
    """A page whose worker examines one challenge after another."""
    page = module_page()
    page.goto(f"{server.url}challenges/")
    return Panel(page, FIRST)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_browser_says_of_each_challenge_what_cpython_says(lab, slug):
    report = lab.runtime("(lab, slug) => lab.run({ experiment: slug, variant: 'broken' })", slug)
    assert report["digest"] == PINNED_DIGESTS[slug]["broken"]
    file = EXPERIMENTS[slug].challenge.file
    for sources in ({file: repair(slug)}, {}):
        request = {"version": 1, "type": "examine", "experiment": slug, "sources": sources, "runs": 1}
        state = lab.runtime("(lab, text) => lab.work(text, (state) => true, () => {})", json.dumps(request))
        assert state["result"] == examined(slug, sources)
        assert state["result"]["solved"] is (sources != {})


def test_the_list_reads_without_javascript_and_leads_to_every_challenge_in_order(new_page, server):
    page = new_page(java_script_enabled=False)
    page.goto(f"{server.url}challenges/")
    items = page.locator("lab-challenges > ol > li")
    texts = [EXPERIMENTS[slug].texts() for slug in SLUGS]
    assert items.locator("a").all_inner_texts() == [each["title"] for each in texts]
    for item, each in zip(items.all(), texts, strict=True):
        assert each["challenge"]["goal"] in item.inner_text()
    assert items.locator("a").evaluate_all("all => all.map(one => one.href)") == [
        f"{server.url}challenges/{slug}/" for slug in SLUGS
    ]
    for path, slug, _ in CHALLENGE_PANELS:
        assert page.goto(server.url + path).status == 200
        expect(page.get_by_text(f"Challenge: {EXPERIMENTS[slug].texts()['challenge']['goal']}")).to_be_visible()
        expect(page.locator(f'ownership-lab[experiment="{slug}"] svg.lab-still-lanes')).to_be_visible()


def test_every_place_of_a_challenges_page_leads_on(page, server):
    page.goto(f"{server.url}quota/")
    page.locator("article").get_by_role("link", name="challenges", exact=True).click()
    page.wait_for_url("**/challenges/")
    page.locator("lab-challenges a").nth(len(SLUGS) - 1).click()
    page.wait_for_url(f"**/challenges/{SLUGS[-1]}/")
    Panel(page, SLUGS[-1]).wait_until_drawn()


def test_axe_finds_nothing_on_a_solved_challenge_and_on_the_list(page, server):
    panel = open_challenge(page, f"{server.url}challenges/{FIRST}/")
    hints = len(EXPERIMENTS[FIRST].texts()["challenge"]["hints"])
    for _ in range(hints):
        part(panel).locator(".lab-hint-next").click()
    part(panel).locator(".lab-reference-toggle").click()
    check(panel, "failed")
    found = violations(page)
    put(panel, repair(FIRST))
    check(panel, "solved")
    for scheme, size in LOOKS:
        look(page, scheme, size)
        found += [f"solved {scheme} {size['width']} {line}" for line in violations(page)]
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.goto(f"{server.url}challenges/")
    page.get_by_role("button", name="Forget my progress").click()
    for scheme, size in LOOKS:
        look(page, scheme, size)
        found += [f"list {scheme} {size['width']} {line}" for line in violations(page)]
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert found == []


def test_with_forced_colours_a_check_that_failed_differs_from_one_that_passed_in_glyph_and_word(new_page, server):
    page = new_page(forced_colors="active", viewport={"width": 1280, "height": 900})
    panel = open_challenge(page, embed_url(server, FIRST))
    check(panel, "failed")
    for status, glyph in (("failed", "✗"), ("passed", "✓")):
        row = part(panel).locator(f'[data-status="{status}"]').first
        expect(row.locator(".lab-glyph")).to_have_text(glyph)
        expect(row.locator("strong")).to_have_text(status)
        expect(row.locator(".lab-glyph")).to_be_visible()
