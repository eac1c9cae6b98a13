"""An experiment on somebody else's page: the copied code, pasted as it is, on another origin.

The host page holds exactly what the *Copy embed code* button puts on the clipboard, and nothing of the lab's otherwise.
"""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.browser.panel import RUN_MS_MAX, Panel
from tests.browser.reading import DRAWN_MS_MAX, embed_url, experiments, recorded, slider, wait_drawn
from tools.serve import SiteServer

SLOTS = "slot-recycling"
HEARTBEAT = "heartbeat-stall"
SUB_PATH = "/some/repo/"

# Everything that comes to the host page, as the documented check would read it.
RECEIVE = """<script>window.received = [];
addEventListener("message", event => received.push({ origin: event.origin, data: event.data,
  from: [...document.querySelectorAll("iframe")].findIndex(frame => frame.contentWindow === event.source) }));
window.ended = [];
addEventListener("ownership-lab:run-ended", event => ended.push([event.target.title, event.detail.variant]), true);
</script>"""


def origin_of(url: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


@pytest.fixture(scope="module")
def lab(serve) -> SiteServer:
    """The lab under a sub-path, as a project's GitHub Pages would be."""
    return serve(prefix=SUB_PATH)


@pytest.fixture(scope="module")
def copied(module_page, lab) -> Callable[..., str]:
    """The code that a panel's *Copy embed code* copies, read from the clipboard."""
    page = module_page(origins=[lab.url], permissions=["clipboard-read", "clipboard-write"])

    def copy(slug: str, variant: str, parameters: dict | None = None) -> str:
        page.goto(embed_url(lab, slug))
        panel = Panel(page, slug).wait_until_drawn()
        panel.choose(variant)
        if parameters:
            panel.type_parameters(parameters)
        panel.root.get_by_role("button", name="Copy embed code").click()
        sheet = page.get_by_role("dialog", name="Embed this experiment")
        sheet.get_by_role("button", name="Copy", exact=True).click()
        expect(sheet.get_by_role("status")).to_have_text("Copied.")
        code = page.evaluate("navigator.clipboard.readText()")
        assert code == sheet.get_by_role("textbox").input_value()
        return code

    return copy


@pytest.fixture
def host(new_page, serve, lab, tmp_path: Path) -> Callable[..., Page]:
    """Open a page of another origin that holds some markup."""

    def open_host(markup: str, width: int = 1000) -> Page:
        head = f'<meta charset="utf-8"><title>Onboarding</title><link rel="icon" href="data:,">{RECEIVE}'
        text = f'<!doctype html><html lang="en"><head>{head}</head><body>{markup}</body></html>'
        (tmp_path / "index.html").write_text(text, encoding="utf-8")
        server = serve(folder=tmp_path)
        assert origin_of(server.url) != origin_of(lab.url)
        page = new_page(origins=[server.url, lab.url], viewport={"width": width, "height": 900})
        page.goto(server.url)
        return page

    return open_host


def framed(page: Page, index: int = 0) -> FrameLocator:
    """The lab's page in a frame, once it has drawn its run."""
    frame = page.frame_locator("iframe").nth(index)
    wait_drawn(frame.locator("ownership-lab"))
    return frame


def wait_height(page: Page, index: int = 0) -> int:
    """Wait until a frame is as high as its page, and return that."""
    frame = page.frames[index + 1]
    body = "Math.ceil(document.body.getBoundingClientRect().height)"
    for _ in range(600):
        height = page.locator("iframe").nth(index).evaluate("it => it.clientHeight")
        if abs(frame.evaluate(body) - height) <= 1:
            return height
        page.wait_for_timeout(100)
    pytest.fail(f"the frame is {height} px high and its page {frame.evaluate(body)}")


def run(frame: FrameLocator) -> None:
    frame.get_by_role("button", name="Run", exact=True).click()
    expect(frame.locator("ownership-lab")).to_have_attribute("state", "ran", timeout=RUN_MS_MAX)


def messages(page: Page, kind: str) -> list[dict]:
    return [one for one in page.evaluate("received") if one["data"].get("type") == f"ownership-lab:{kind}"]


def test_the_copied_code_shows_what_was_seen_and_grows_with_its_content(host, copied, lab):
    code = copied(SLOTS, "lease", {"limit": 5})
    title, address = re.search(r'<iframe title="([^"]+)" src="([^"]+)"', code).groups()
    assert title == "Ten slots and a crash rule"
    assert address.startswith(f"{lab.url}embed/{SLOTS}/?variant=lease&amp;parameters=")
    page = host(code)
    assert page.locator("iframe").get_attribute("title") == title
    frame = framed(page)
    expect(frame.locator('button[data-variant="lease"]')).to_have_attribute("aria-pressed", "true")
    expect(frame.locator('[data-parameter="limit"]')).to_have_value("5")
    expect(frame.locator(".lab-status-words")).to_contain_text("Press Run to use yours")
    before = wait_height(page)
    assert before > 900  # what the copied code says until the page has told its height
    frame.get_by_role("tab", name="Table").click()
    assert wait_height(page) > before + 100
    frame.get_by_role("tab", name="Store").click()
    page.set_viewport_size({"width": 400, "height": 800})
    assert wait_height(page) > before
    assert frame.locator("body").evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_host_hears_how_a_run_ended_in_the_documented_shape(host, copied, lab, site_folder):
    page = host(copied(HEARTBEAT, "offloaded"))
    run(framed(page))
    page.wait_for_function("received.some(one => one.data.type === 'ownership-lab:run-ended')")
    [ended] = messages(page, "run-ended")
    report = recorded(site_folder, HEARTBEAT, "offloaded")
    assert ended["origin"] == origin_of(lab.url)
    assert ended["data"] == {
        "type": "ownership-lab:run-ended",
        "version": 1,
        "experiment": HEARTBEAT,
        **{name: report[name] for name in ("variant", "parameters", "outcome", "digest", "schedule", "readings")},
    }
    assert page.evaluate("ended") == [["Heartbeats on a shared loop", "offloaded"]]


def test_two_frames_on_a_page_do_not_mix(host, copied):
    first, second = copied(HEARTBEAT, "in-loop"), copied(SLOTS, "counter")
    page = host(first + "\n" + second)
    frames = [framed(page, 0), framed(page, 1)]
    heights = [wait_height(page, 0), wait_height(page, 1)]
    assert heights[0] != heights[1]
    run(frames[0])
    page.wait_for_function("received.some(one => one.data.type === 'ownership-lab:run-ended')")
    assert [one["from"] for one in messages(page, "run-ended")] == [0]
    # The code holds the script twice, once per frame; the host must hear of one run once.
    assert page.evaluate("ended") == [["Heartbeats on a shared loop", "in-loop"]]
    frames[1].get_by_role("tab", name="Table").click()
    assert wait_height(page, 1) > heights[1]
    expect(frames[1].locator("ownership-lab")).to_have_attribute("state", "recorded")


def test_a_frame_below_the_screen_is_as_high_as_its_page_before_anybody_scrolls_to_it(host, copied):
    # Browsers load a lazy frame before it is in view, and draw nothing in it until then: no ResizeObserver speaks.
    page = host('<div style="height: 1500px"></div>' + copied(SLOTS, "counter"))
    framed(page)
    assert page.evaluate("scrollY") == 0
    assert wait_height(page) > 900


def test_without_the_script_the_frame_keeps_its_height_and_scrolls(host, copied):
    code = re.sub(r"<script.*</script>", "", copied(HEARTBEAT, "in-loop")).replace('height="900"', 'height="400"')
    page = host(code)
    frame = framed(page)
    frame.get_by_role("tab", name="Table").click()
    assert page.locator("iframe").evaluate("it => it.clientHeight") == 400
    body = frame.locator("body")
    assert body.evaluate("() => document.documentElement.scrollHeight > innerHeight")
    assert body.evaluate("() => { scrollTo(0, 300); return scrollY; }") == 300
    run(frame)
    page.wait_for_function("received.some(one => one.data.type === 'ownership-lab:run-ended')")


def test_what_the_address_says_is_applied(page, server):
    page.emulate_media(color_scheme="light")
    page.goto(embed_url(server, SLOTS, "?variant=counter&theme=dark&position=30&parameters=%7B%22limit%22%3A7%7D"))
    root = wait_drawn(page.locator("ownership-lab"))
    expect(slider(root)).to_have_attribute("aria-valuenow", "31")
    expect(root.locator('[data-parameter="limit"]')).to_have_value("7")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.goto(embed_url(server, SLOTS, "?variant=counter&theme=light"))
    wait_drawn(page.locator("ownership-lab"))
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert light == "rgb(255, 255, 255)" and dark != light
    expect(slider(root)).to_have_attribute("aria-valuenow", "728")


def test_embed_pages_have_no_chrome_and_fit_into_320_pixels(page, server, site_folder):
    page.set_viewport_size({"width": 320, "height": 700})
    for experiment in experiments(site_folder):
        page.goto(embed_url(server, experiment["slug"]))
        root = wait_drawn(page.locator("ownership-lab"))
        assert page.locator("header, nav, .md-header, .md-sidebar, .md-footer").count() == 0
        assert page.locator("h1").inner_text() == experiment["title"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, experiment["slug"]
        for name in ("Program", "Table"):
            root.get_by_role("tab", name=name).click()
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, (experiment["slug"], name)


FORGED = [
    {"type": "ownership-lab:height", "version": 1, "height": "5000"},
    {"type": "ownership-lab:height", "version": 1, "height": -1},
    {"type": "ownership-lab:height", "version": 1, "height": None},
    {"type": "ownership-lab:height", "version": 2, "height": 5000},
    {"type": "somebody:height", "version": 1, "height": 5000},
    {"type": "ownership-lab:run-ended", "version": 1, "variant": "forged"},
    {"type": ["ownership-lab:run-ended"], "version": 1, "variant": "forged"},
    "ownership-lab:height",
    None,
    17,
]
TRUE_SHAPED = [
    {"type": "ownership-lab:height", "version": 1, "height": 5000},
    {
        "type": "ownership-lab:run-ended",
        "version": 1,
        "experiment": HEARTBEAT,
        "variant": "forged",
        "outcome": "holds within bounds",
        "digest": "0" * 64,
        "readings": {},
    },
]


def test_the_host_script_believes_only_the_labs_frames_and_only_their_shapes(host, copied):
    page = host(copied(HEARTBEAT, "in-loop") + '<iframe id="stranger" src="about:blank"></iframe>')
    framed(page)
    height = wait_height(page)
    # Wrong shapes from the right frame; right shapes from the page itself and from another frame in it.
    page.frames[1].evaluate("all => all.forEach(one => parent.postMessage(one, '*'))", FORGED)
    page.evaluate("all => all.forEach(one => postMessage(one, '*'))", TRUE_SHAPED)
    page.locator("#stranger").evaluate(
        """(it, all) => { const script = it.contentDocument.createElement("script");
             script.textContent = `for (const one of ${JSON.stringify(all)}) parent.postMessage(one, "*")`;
             it.contentDocument.body.append(script); }""",
        TRUE_SHAPED,
    )
    page.wait_for_function(f"received.length >= {len(FORGED) + 2 * len(TRUE_SHAPED)}")
    assert page.locator("iframe").first.evaluate("it => it.clientHeight") == height
    assert page.locator("#stranger").get_attribute("height") is None
    assert page.evaluate("ended") == []


def test_a_frame_that_left_the_lab_is_not_believed(host, copied, serve, tmp_path):
    code = copied(HEARTBEAT, "in-loop")
    page = host(code)
    framed(page)
    height = wait_height(page)
    elsewhere = page.url  # the host's own origin, in the lab's frame
    page.frames[1].goto(elsewhere + "?framed")
    page.frames[1].evaluate("all => all.forEach(one => parent.postMessage(one, '*'))", TRUE_SHAPED)
    page.wait_for_function("received.some(one => one.data.digest === '0'.repeat(64))")
    assert page.locator("iframe").first.evaluate("it => it.clientHeight") == height
    assert page.evaluate("ended") == []


def test_the_framed_page_answers_only_its_hosts_hello(host, copied, lab):
    code = re.sub(r"<script.*</script>", "", copied(HEARTBEAT, "in-loop"))
    page = host(code.replace("<iframe ", '<iframe referrerpolicy="no-referrer" '))
    frame = framed(page)
    hello = {"type": "ownership-lab:hello", "version": 1}
    # Without a referrer and before a hello, the page knows no origin to speak to, and is silent.
    for wrong in [{**hello, "version": 2}, {"type": "hello", "version": 1}, "ownership-lab:hello", None, [hello]]:
        page.evaluate("it => document.querySelector('iframe').contentWindow.postMessage(it, '*')", wrong)
    page.frames[1].evaluate("it => postMessage(it, '*')", hello)  # a hello, but from the page itself
    frame.get_by_role("tab", name="Table").click()
    page.wait_for_timeout(500)
    assert page.evaluate("received") == []
    page.evaluate("it => document.querySelector('iframe').contentWindow.postMessage(it, '*')", hello)
    page.wait_for_function("received.length > 0")
    [first, *_] = page.evaluate("received")
    assert first["origin"] == origin_of(lab.url)
    assert first["data"].keys() == {"type", "version", "height"}
    # Commands do not exist: a host cannot run, stop or change anything.
    for type_ in ("run", "stop", "variant"):
        message = {"type": f"ownership-lab:{type_}", "version": 1, "variant": "offloaded"}
        page.evaluate("it => document.querySelector('iframe').contentWindow.postMessage(it, '*')", message)
    expect(frame.locator("ownership-lab")).to_have_attribute("state", "recorded", timeout=DRAWN_MS_MAX)
    expect(frame.locator('button[data-variant="in-loop"]')).to_have_attribute("aria-pressed", "true")
