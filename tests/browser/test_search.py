"""A reader lets the lab search, on the built site: CPython's answer, shown, replayable, and stopped at will."""

import re

import pytest
from playwright.sync_api import expect

from experiments import EXPERIMENTS
from py_runtime.lab import replay
from py_runtime.lab.explore import Search
from tests.browser.panel import RUN_MS_MAX, SAME_AS_RECORDED, Panel
from tests.browser.reading import embed_url
from tests.browser.test_editing import SLOTS, content, open_editor, type_over


def searched(slug: str, variant: str) -> dict:
    """The result in this Python."""
    search = Search(EXPERIMENTS[slug], variant)
    while not search.done:
        search.advance()
    return search.result()


def press(panel: Panel) -> None:
    panel.root.get_by_role("button", name="Try to break it").click()


def said(panel: Panel):
    return panel.root.locator(".lab-search-said")


def wait_for_result(panel: Panel) -> str:
    expect(panel.root.locator("lab-search")).to_have_attribute("data-outcome", re.compile("."), timeout=RUN_MS_MAX)
    return said(panel).inner_text()


@pytest.mark.parametrize(("slug", "variant"), [(SLOTS, "counter"), ("single-flight-takeover", "unchecked-publish")])
def test_the_counterexample_is_cpythons_and_is_shown(page, server, slug, variant):
    expected = searched(slug, variant)
    found = expected["counterexample"]
    page.goto(embed_url(server, slug, f"?variant={variant}"))
    panel = Panel(page, slug).wait_until_drawn()
    press(panel)
    assert f"Counterexample found after {expected['runs']:,} runs." in wait_for_result(panel)
    expect(panel.root.locator(".lab-replay")).to_contain_text(found["schedule"])
    assert panel.root.locator("lab-share").get_attribute("data-digest") == found["digest"]
    assert replay(EXPERIMENTS, found["schedule"]).digest == found["digest"]
    for claim in found["violated"]:
        expect(panel.root.locator(f'[data-claim="{claim}"]')).to_have_attribute("data-holds", "false")
    panel.reset()
    assert panel.run() == SAME_AS_RECORDED


def test_what_holds_says_after_how_many_runs(page, server):
    expected = searched(SLOTS, "lease-repaired")
    assert expected["outcome"] == "holds within bounds"
    page.goto(embed_url(server, SLOTS, "?variant=lease-repaired"))
    panel = Panel(page, SLOTS).wait_until_drawn()
    press(panel)
    assert f"Holds within bounds (all {expected['runs']:,} runs)" in wait_for_result(panel)


def test_stop_ends_a_search_whose_program_never_returns(page, server):
    panel = open_editor(page, embed_url(server, SLOTS, "?variant=counter"))
    type_over(
        panel,
        "class Quota:\n    def __init__(self, *given):\n        while True:\n            pass\n\n\n"
        "async def run_task(quota, task_id, work):\n    pass\n",
    )
    press(panel)
    expect(panel.status).to_have_text("Running …", timeout=RUN_MS_MAX)
    expect(panel.stop_button).to_be_enabled()
    panel.stop_button.click()
    expect(said(panel)).to_contain_text("Stopped after 0 runs.")
    expect(content(panel)).to_contain_text("while True:")
    panel.root.get_by_role("button", name="Reset to published").click()
    assert panel.run() == SAME_AS_RECORDED
    panel.expect_workers(1)


def test_an_edit_is_what_is_searched(page, server):
    panel = open_editor(page, embed_url(server, SLOTS, "?variant=counter"))
    type_over(panel, "class Quota:\n    def __init__(self, redis, limit, settings):\n        self._redis = redis\n\n\n"
                     "async def run_task(quota, task_id, work):\n    await quota._redis.get(missing)\n")  # fmt: skip
    panel.root.get_by_label("Faults in one run").select_option("0")
    press(panel)
    assert "Counterexample found after 1 run." in wait_for_result(panel)
    expect(panel.root.locator(".lab-search-more")).to_contain_text("No task ends with an error")
