"""The panel in a frame of another site: what the address asks for, height, messages, and whom it does not talk to."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.page.panel.conftest import ORIGIN, element, page_html
from tests.page.panel.test_panel import button

HOST = "http://host.localhost"


@pytest.fixture
def framed(open_page, site):
    """Open a page of another origin that frames the experiment: `framed(query, script=True)`."""
    site.pages["/embed/demo/"] = page_html(element("demo", 'variant="counter" embed'), embed=True)

    def open_framed(query: str = "", script: bool = True, sandbox: str = "allow-scripts allow-same-origin") -> Page:
        tag = f'<script async src="{ORIGIN}/assets/lab/embed-host.js"></script>' if script else ""
        site.pages["/host"] = f"""<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,">
          <script>window.heard = []; addEventListener("message", (e) => heard.push([e.origin, e.data]));
            addEventListener("ownership-lab:run-ended", (e) => (window.ended = e.detail));</script>
          <iframe title="Experiment" sandbox="{sandbox}" width="700" height="300"
            src="{ORIGIN}/embed/demo/{query}"></iframe>{tag}"""
        page = open_page("/host", wait="iframe", origin=HOST)
        page.frame_locator("iframe").locator(".lab:not([hidden])").wait_for()
        return page

    return open_framed


def test_the_address_chooses_variant_parameters_theme_and_position(open_page, site):
    site.pages["/embed/demo/"] = page_html(element("demo", 'variant="counter" embed'), embed=True)
    page = open_page("/embed/demo/?variant=lease&theme=dark&position=3&parameters=%7B%22limit%22%3A9%7D")
    expect(button(page, "Lease")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "4")
    assert page.get_by_label("Limit", exact=True).input_value() == "9"
    assert page.evaluate("getComputedStyle(document.querySelector('.lab')).colorScheme") == "dark"
    expect(page.locator(".lab-title")).to_be_hidden()


def test_without_a_theme_the_system_decides(open_page, site):
    site.pages["/embed/demo/"] = page_html(element("demo", 'variant="counter" embed'), embed=True)
    for scheme, colour in (("dark", "rgb(27, 30, 39)"), ("light", "rgb(255, 255, 255)")):
        page = open_page("/embed/demo/?theme=nonsense", color_scheme=scheme)
        assert page.evaluate("getComputedStyle(document.querySelector('.lab')).backgroundColor") == colour


def test_what_the_address_asks_and_nobody_knows_is_named(open_page, site):
    site.pages["/embed/demo/"] = page_html(element("demo", 'variant="counter" embed'), embed=True)
    page = open_page("/embed/demo/?variant=nope&parameters=%5B1%5D&position=far")
    expect(page.locator(".lab-remarks > .lab-remark").nth(0)).to_contain_text("There is no variant “nope”")
    expect(page.locator(".lab-remarks > .lab-remark").nth(1)).to_contain_text("not a JSON object")


def test_the_frame_takes_the_height_it_needs_and_follows_changes(framed):
    page = framed()
    page.wait_for_function("Number(document.querySelector('iframe').height) > 800")
    inside = page.frame_locator("iframe")
    overflow = "document.documentElement.scrollHeight - innerHeight"
    page.wait_for_timeout(200)
    assert page.frames[1].evaluate(overflow) <= 1
    before = int(page.locator("iframe").get_attribute("height"))
    inside.get_by_role("button", name="Parameters").click()
    page.wait_for_function(f"Number(document.querySelector('iframe').height) > {before + 50}")
    inside.get_by_role("button", name="Parameters").click()
    page.wait_for_function(f"Number(document.querySelector('iframe').height) === {before}")


def test_the_host_hears_how_a_run_ended(framed):
    page = framed()
    page.frame_locator("iframe").get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function("window.ended")
    message = page.evaluate("ended")
    assert message == {
        "type": "ownership-lab:run-ended",
        "version": 1,
        "experiment": "demo",
        "variant": "counter",
        "parameters": {"limit": 2, "mode": "calm", "pauses_ms": [5, 10]},
        "outcome": "counterexample found",
        "digest": "ab" * 32,
        "schedule": "ol1~demo~counter~0_0",
        "readings": message["readings"],
    }
    assert message["readings"]["admitted"] == 6667
    assert {origin for origin, _ in page.evaluate("heard")} == {ORIGIN}


def test_a_host_without_the_script_hears_it_too(framed):
    page = framed(script=False)
    page.frame_locator("iframe").get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function("heard.some(([, data]) => data.type === 'ownership-lab:run-ended')")
    assert page.locator("iframe").get_attribute("height") == "300"


def test_the_host_script_ignores_messages_that_are_not_the_labs(framed, site):
    page = framed()
    page.wait_for_function("Number(document.querySelector('iframe').height) > 800")
    height = page.locator("iframe").get_attribute("height")
    site.pages["/liar"] = "<!doctype html><html lang='en'><title>Liar</title>"
    page.evaluate(
        """async (liar) => {
          const bad = [{ type: "ownership-lab:height", version: 1, height: 5000 },
                       { type: "ownership-lab:height", version: 2, height: 5000 },
                       { type: "ownership-lab:height", version: 1, height: "5000" }, null, "text",
                       { type: "ownership-lab:run-ended", version: 1, experiment: 3 }];
          for (const message of bad) window.postMessage(message, "*");
          const frame = document.createElement("iframe");
          frame.src = liar;
          document.body.append(frame);
          await new Promise((go) => (frame.onload = go));
        }""",
        f"{ORIGIN}/liar",
    )
    page.frames[-1].evaluate("parent.postMessage({ type: 'ownership-lab:height', version: 1, height: 5000 }, '*')")
    page.frames[1].evaluate("parent.postMessage({ type: 'ownership-lab:height', version: 1, height: -5 }, '*')")
    page.frames[1].evaluate("parent.postMessage({ type: 'ownership-lab:run-ended', version: 1, readings: null }, '*')")
    page.wait_for_timeout(200)
    assert page.locator("iframe").nth(0).get_attribute("height") == height
    assert page.evaluate("window.ended") is None


def test_the_framed_page_ignores_messages_that_are_not_its_hosts(framed):
    page = framed(script=False)
    inside = page.frames[1]
    inside.evaluate("window.postMessage({ type: 'ownership-lab:hello', version: 1 }, '*')")
    page.evaluate(
        """() => {
          const hello = { type: "ownership-lab:hello" };
          for (const message of [null, 7, hello, { type: "ownership-lab:stop", version: 1 }]) {
            document.querySelector("iframe").contentWindow.postMessage(message, "*"); } }"""
    )
    page.wait_for_timeout(100)
    assert inside.evaluate("document.querySelector('ownership-lab').getAttribute('state')") == "recorded"


def test_copy_embed_code_gives_a_frame_and_a_script_and_copies_them(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    button(page, "Copy embed code").click()
    code = page.get_by_label("Embed this experiment").get_by_role("textbox").input_value()
    assert code.startswith("<iframe title=")
    assert f'src="{ORIGIN}/embed/demo/?variant=counter"' in code
    assert f'<script async src="{ORIGIN}/assets/lab/embed-host.js"></script>' in code
    button(page, "Copy").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == code
    button(page, "Close").click()
    expect(button(page, "Copy embed code")).to_be_focused()


def test_where_copying_is_refused_the_text_is_selected(panel):
    panel.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    button(panel, "Copy the whole digest").click()
    expect(panel.locator(".lab-digest")).to_have_text("ab" * 32)
    assert panel.evaluate("getSelection().toString()") == "ab" * 32
    expect(panel.get_by_text("The browser did not allow copying.")).to_be_visible()


def test_the_digest_is_short_on_the_page_and_whole_when_copied(open_page):
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    expect(page.locator(".lab-digest")).to_have_text("ab" * 6)
    button(page, "Copy the whole digest").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "ab" * 32
    assert json.dumps(page.locator("lab-share").get_attribute("data-digest")) == json.dumps("ab" * 32)
