"""A reader predicts on the built site before Python: the recorded run is hidden, then held against the mark."""

import pytest
from playwright.sync_api import expect

from experiments import EXPERIMENTS
from py_runtime.lab import run_once
from tests.browser.panel import Panel
from tests.browser.reading import embed_url


@pytest.mark.parametrize(
    ("slug", "variant", "sentence"),
    [
        ("slot-recycling", "counter", "You marked 0 ms. In this run it is at 5,557 ms: 5,557 ms later"),
        ("heartbeat-stall", "in-loop", "You marked 0 ms. In this run it is at 220 ms: 220 ms later, which is 22%"),
    ],
)
def test_a_moment_is_marked_and_held_against_the_recorded_run(page, server, slug, variant, sentence):
    page.goto(embed_url(server, slug, f"?variant={variant}"))
    panel = Panel(page, slug).wait_until_drawn()
    panel.root.get_by_role("button", name="Predict first").click()
    expect(panel.root.locator("lab-timeline")).to_be_hidden()
    panel.root.get_by_role("slider", name="Your mark").press("Home")
    panel.root.get_by_role("button", name="Show the run").click()
    expect(panel.root.locator("[data-prediction]")).to_contain_text(sentence)
    expect(panel.root.locator(".lab-plot [data-pin]")).to_have_count(2)
    assert panel.root.get_attribute("state") == "recorded"


def test_a_choice_is_held_against_the_recorded_run(page, server):
    slug, variant = "task-ownership", "preemption"
    [answer] = run_once(EXPERIMENTS[slug], variant).predictions
    page.goto(embed_url(server, slug, f"?variant={variant}"))
    panel = Panel(page, slug).wait_until_drawn()
    panel.root.get_by_role("button", name="Predict first").click()
    panel.root.get_by_role("radio", name="W2").check()
    panel.root.get_by_role("button", name="Show the run").click()
    expect(panel.root.locator("[data-prediction]")).to_contain_text(
        f"You said: W2. In this run it is: {answer['text']}."
    )
