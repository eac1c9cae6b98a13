"""Without JavaScript, and on paper, a page shows the recorded run: a picture of its lanes and tables of the numbers."""

import pytest
from playwright.sync_api import expect

from tests.browser.panel import CHALLENGE_PANELS, PANELS, Panel, pages_with_panels

# By hand: what the tables must say for the variants that the site's pages show first.
ROWS = {
    ("heartbeat-stall", "in-loop"): ["Beats that ran 30 beats", "Beats due 50 beats", "Longest delay 390 ms"],
    ("task-ownership", "preemption"): [
        "Wait until start –",
        "Owner at the end W3",
        "Rows hit by the late start 0 rows",
    ],
    ("slot-recycling", "counter"): ["Admitted 30", "Refused 52", "First refusal 6,667 ms", "10, 1, 0, 0, 0, 0, 0"],
    ("single-flight-takeover", "unchecked-publish"): ["Upstream calls 2 calls", "(1, 7,500); (2, 9,020)"],
    ("request-merging", "plain"): ["Upstream calls 41 calls", "Last answer at 48,510 µs", "Mean wait 8,200 µs"],
}


def test_the_table_of_panels_is_the_sites(site_folder):
    assert sorted(pages_with_panels(site_folder)) == sorted(PANELS + CHALLENGE_PANELS)
    assert {(slug, variant) for _, slug, variant in PANELS} == set(ROWS)


@pytest.mark.parametrize(("path", "slug", "variant"), PANELS)
def test_a_page_without_javascript_shows_picture_and_numbers(new_page, server, path, slug, variant):
    page = new_page(java_script_enabled=False)
    page.goto(server.url + path)
    expect_still(page.locator(f'ownership-lab[experiment="{slug}"] figure.lab-still'), slug, variant)
    expect(page.locator("ownership-lab").get_by_role("button")).to_have_count(0)


@pytest.mark.parametrize(("path", "slug", "variant"), PANELS)
def test_print_shows_the_recorded_run_instead_of_the_panel(page, server, path, slug, variant):
    page.goto(server.url + path)
    panel = Panel(page, slug).wait_until_drawn()
    still = panel.root.locator("figure.lab-still")
    expect(still).to_be_hidden()
    page.emulate_media(media="print")
    expect_still(still, slug, variant)
    expect(panel.run_button).to_be_hidden()
    expect(panel.root.get_by_role("slider")).to_be_hidden()


def expect_still(still, slug: str, variant: str) -> None:
    """The figure's picture has lanes of some size and a name, and its tables hold the documented numbers."""
    picture = still.locator("svg.lab-still-lanes")
    expect(picture).to_be_visible()
    assert picture.get_attribute("role") == "img"
    box = picture.bounding_box()
    assert box["width"] > 300 and box["height"] > 60
    assert picture.locator("text").count() >= 3
    for row in ROWS[slug, variant]:
        expect(still.get_by_role("table", name="Readings").get_by_role("row", name=row)).to_be_visible()
