"""What was built with the site: what a reader is told where some of it is missing or damaged."""

import pytest
from playwright.sync_api import expect

from tests.page.panel.conftest import element, page_html


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: data.pop("experiments/demo.json"), "experiments/demo.json could not be loaded"),
        (lambda data: data["experiments/demo.json"].update(version=2), "description version 2 is not 1"),
        (lambda data: data["experiments/demo.json"]["experiment"].update(variants=None), "could not be shown"),
    ],
)
def test_when_the_panel_cannot_be_shown_the_static_run_stays_with_a_sentence(open_page, site, change, sentence):
    change(site.data)
    page = open_page(wait=".lab-failure")
    page.expected = ["404"]
    expect(page.locator(".lab-failure")).to_contain_text(sentence)
    expect(page.get_by_text("The recorded run as a picture")).to_be_visible()
    expect(page.locator(".lab")).to_have_count(0)


def test_an_unknown_experiment_gets_a_sentence_with_those_there_are(open_page, site):
    site.pages["/"] = page_html(element("../demo"))
    page = open_page(wait=".lab-failure")
    page.expected = ["404"]
    expect(page.locator(".lab-failure")).to_contain_text("There is no experiment “../demo”. Known are: demo, long")
