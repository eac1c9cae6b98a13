"""A page can be read before Python is there: the recorded run is drawn, few bytes have come, loading shows progress."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panel import CHALLENGE_PANELS, PANELS, RUN_MS_MAX, SAME_AS_RECORDED, Panel, hold
from tests.browser.reading import recorded
from tests.experiments.golden import GOLDEN

RUNTIME_FILES = "**/assets/runtime/**"
BYTES_MAX = 300_000
MEGABYTES = re.compile(r"[1-9]\d*\.\d MB of \d+\.\d MB")
POSITIVE = re.compile(r"^[1-9]\d*$")


@pytest.fixture
def wired(page) -> Page:
    """A tab that adds up, in `received`, the bytes that came over the wire for the page and its workers."""
    page.received = {}
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.responseReceived", lambda event: names.update({event["requestId"]: event["response"]["url"]}))
    session.on("Network.loadingFinished", lambda event: note(event["requestId"], event["encodedDataLength"]))
    names: dict[str, str] = {}

    def note(request: str, length: int) -> None:
        page.received[names.get(request, request)] = length

    return page


def idle(page: Page) -> None:
    """Let the page do what it does by itself when the reader does nothing."""
    page.wait_for_load_state("networkidle")
    page.evaluate("new Promise((done) => requestIdleCallback(() => setTimeout(done, 500)))")


def sent_size(site: Path, path: str) -> int:
    """Size of a file as the server sends it, by its path in the site; what is no file counts as nothing."""
    file = site / path / "index.html" if path.endswith("/") or not path else site / path
    return len(gzip.compress(file.read_bytes(), 6)) if file.is_file() else 0


@pytest.mark.parametrize("path", sorted({path for path, _, _ in PANELS + CHALLENGE_PANELS[:1]}))
def test_a_page_asks_for_fewer_than_300_kilobytes_before_it_is_used(wired, serve, site_folder, path):
    server = serve()  # of its own: the list of what was asked for must hold nothing of other tests
    wired.lab.origins.add(server.url.rstrip("/"))
    wired.goto(server.url + path)
    expect(wired.locator(".lab-run:enabled").first).to_be_visible()
    idle(wired)
    python = [url for url in wired.lab.requests if "/assets/runtime/" in url or "pyodide" in url]
    assert python == []
    seen = sum(wired.received.values())
    # The server's own list also knows what workers of the page have asked for.
    asked = sum(sent_size(site_folder, each.removeprefix("/")) for each in set(server.requests))
    assert 50_000 < seen < BYTES_MAX, wired.received
    assert asked < BYTES_MAX, sorted(set(server.requests))


@pytest.mark.parametrize(("path", "slug", "variant"), PANELS)
def test_the_recorded_run_is_drawn_without_python(page, server, site_folder, path, slug, variant):
    refused = []
    page.route(RUNTIME_FILES, lambda route: (refused.append(route.request.url), route.abort()))
    page.goto(server.url + path)
    panel = Panel(page, slug).wait_until_drawn()
    report = recorded(site_folder, slug, variant)
    assert panel.root.locator(".lab-share").get_attribute("data-digest") == report["digest"]
    expect(panel.root.get_by_role("slider")).to_have_attribute("aria-valuemax", str(report["events"]))
    expect(panel.root.locator("lab-timeline svg").first).to_be_visible()
    documented = next(r for s, v, parameters, r in GOLDEN if (s, v, parameters) == (slug, variant, {}))
    assert {name: report["readings"][name] for name in documented} == documented
    assert panel.readings().keys() == report["readings"].keys()
    panel.root.get_by_role("slider").press("Home")
    expect(panel.root.get_by_text("Event 1 of")).to_be_visible()
    assert refused == []
    assert page.lab.requests


@pytest.mark.parametrize("near", ["pointer", "keyboard"])
def test_python_is_fetched_when_the_reader_comes_near_run(page, server, near):
    page.goto(f"{server.url}embed/heartbeat-stall/")
    panel = Panel(page, "heartbeat-stall").wait_until_drawn()
    said = panel.status.inner_text()
    assert panel.runtime("lab => lab.state") == "idle"
    with page.expect_request(RUNTIME_FILES):
        panel.run_button.hover() if near == "pointer" else panel.run_button.focus()
    assert panel.status.inner_text() == said, "loading that nobody asked for is not announced"
    expect(panel.root).to_have_attribute("state", "recorded")
    expect(panel.run_button).to_be_enabled()


def test_no_control_is_there_before_it_works(page, server):
    releases = [hold(page, "**/data/experiments/*"), hold(page, "**/data/recorded/**")]
    page.goto(f"{server.url}quota/")
    root = page.locator("ownership-lab")
    still = root.locator("figure.lab-still")
    buttons = root.get_by_role("button").filter(visible=True)
    expect(root.locator(".lab")).to_have_count(0)
    expect(still).to_be_visible()
    expect(buttons).to_have_count(0)
    releases[0]()
    expect(root.locator(".lab")).to_have_count(1)
    expect(still).to_be_visible()
    expect(buttons).to_have_count(0)
    releases[1]()
    panel = Panel(page, "slot-recycling").wait_until_drawn()
    expect(still).to_be_hidden()
    assert panel.stop_button.is_disabled()


def test_loading_shows_stage_and_bytes_and_ends_in_the_recorded_digest(page, server):
    page.goto(f"{server.url}quota/")
    panel = Panel(page, "slot-recycling").wait_until_drawn()
    panel.root.evaluate(
        """(root) => {
          window.told = [];
          const look = () => {
            const words = root.querySelector(".lab-status-words").textContent;
            const bytes = root.querySelector(".lab-status-bytes");
            const bar = root.querySelector("progress");
            const next = [words, bytes.hidden ? "" : bytes.textContent, bar.hidden ? null : bar.position];
            if (JSON.stringify(next) !== JSON.stringify(window.told.at(-1))) window.told.push(next);
          };
          new MutationObserver(look).observe(root.querySelector("lab-status"), { subtree: true, childList: true,
            characterData: true, attributes: true });
        }"""
    )
    release = hold(page, "**/*.wasm")
    panel.run_button.click()
    # The archive is a third of all there is to fetch; the rest waits.
    expect(panel.root.locator(".lab-status-bytes")).to_have_text(MEGABYTES)
    bar = panel.root.get_by_role("progressbar", name="Loading Python")
    expect(bar).to_have_attribute("value", POSITIVE)
    assert 0 < bar.evaluate("bar => bar.position") < 1
    assert panel.run_button.is_disabled()
    assert panel.stop_button.is_enabled()
    release()
    expect(panel.status).to_have_text(SAME_AS_RECORDED, timeout=RUN_MS_MAX)
    told = page.evaluate("window.told")
    words = list(dict.fromkeys(sentence for sentence, _, _ in told))
    assert words == ["Fetching Python …", "Preparing Python …", "Starting Python …", "Running …", SAME_AS_RECORDED]
    parts = [position for sentence, _, position in told if sentence == "Fetching Python …" and position is not None]
    shown = [position for position in parts if position >= 0]
    assert len(shown) > 5
    assert shown == sorted(shown)
    assert max(shown) > 0.9
