"""A reader takes one safeguard out on the built site, lets the lab search, and the named claim falls."""

import pytest
from playwright.sync_api import expect

from experiments import EXPERIMENTS
from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.reading import embed_url

# experiment, variant, safeguard: one of the usual case, and one of a case of its own.
TAKEN_OUT = [
    ("slot-recycling", "lease-repaired", "sweep-before-count"),
    ("single-flight-takeover", "repaired", "expiry-recheck-at-takeover"),
]


@pytest.mark.parametrize(("slug", "variant", "name"), TAKEN_OUT)
def test_without_it_the_named_claim_falls(page, server, slug, variant, name):
    experiment = EXPERIMENTS[slug]
    texts, safeguard = experiment.texts(), experiment.safeguard(variant, name)
    page.goto(embed_url(server, slug, f"?variant={variant}"))
    panel = Panel(page, slug).wait_until_drawn()
    panel.root.get_by_role("tab", name="Program").click()
    panel.root.get_by_text("Safeguards: take one out").click()
    row = panel.root.locator(f'[data-safeguard="{name}"]')
    row.get_by_role("checkbox", name=texts["safeguards"][name]["label"]).uncheck()
    claims = [texts["claims"][claim] for claim in safeguard.falls]
    for claim in claims:
        expect(row.get_by_text(f"Falls without it: {claim}")).to_be_hidden()
    panel.root.get_by_role("button", name="Try to break it").click()
    expect(panel.root.locator("lab-search")).to_have_attribute(
        "data-outcome", "counterexample found", timeout=RUN_MS_MAX
    )
    for claim in claims:
        expect(panel.root.locator(".lab-search-more")).to_contain_text(f"Falls: {claim}")
        expect(row.get_by_text(f"Falls without it: {claim}")).to_be_visible()
    for claim in safeguard.falls:
        expect(panel.root.locator(f'[data-claim="{claim}"]')).to_have_attribute("data-holds", "false")
