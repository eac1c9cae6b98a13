"""A part of Python cannot be loaded: the panel says so and offers another try, which works once the part is there."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.panel import RUN_MS_MAX, SAME_AS_RECORDED, Panel

PARTS = {
    "WebAssembly": "**/pyodide.asm.wasm",
    "Python archive": "**/python.tar.gz",
    "worker script": "**/pyodide-worker.js",
    "list of files": "**/data/runtime.json",
    "Pyodide's loader": "**/pyodide.mjs",
    "Pyodide's glue": "**/pyodide.asm.mjs",
}
FETCHED_BY_PAGE = ("WebAssembly", "Python archive", "list of files")


def abort(route: Route) -> None:
    route.abort()


def missing(route: Route) -> None:
    route.fulfill(status=404, body="404: not found", content_type="text/plain")


def truncated(route: Route) -> None:
    body = route.fetch().body()
    route.fulfill(status=200, body=body[: len(body) // 2], content_type="application/octet-stream")


def a_page_of_the_host(route: Route) -> None:
    """What a captive portal or a host with a catch-all page answers."""
    route.fulfill(status=200, body="<!doctype html><title>Welcome</title>", content_type="text/html")


CASES = [("WebAssembly", missing), ("worker script", missing)]
CASES += [(part, truncated) for part in ("WebAssembly", "Python archive", "list of files")]
CASES += [(part, a_page_of_the_host) for part in ("WebAssembly", "Python archive", "worker script")]


@pytest.fixture(scope="module")
def tab(module_page) -> Page:
    page = module_page()
    for text in ("Failed to load resource", "net::ERR", "404", "MIME type", "pyodide", "Unexpected"):
        page.lab.allow(text)
    return page


def run_without(page: Page, server, part: str, failure) -> tuple[Panel, str]:
    """Press Run on a fresh page while requests for a part fail; returns the panel and what it then says."""
    page.goto(f"{server.url}embed/heartbeat-stall/")
    panel = Panel(page, "heartbeat-stall").wait_until_drawn()
    page.context.route(PARTS[part], failure)
    try:
        said = panel.run()
    finally:
        page.context.unroute(PARTS[part])
    return panel, said


def says_so_and_offers_another_try(panel: Panel, said: str) -> None:
    assert said.startswith("Python could not be loaded: "), said
    assert said.endswith("The recorded run stays usable.")
    assert not [word for word in ("undefined", "[object", "Traceback", "null") if word in said], said
    expect(panel.root).to_have_attribute("state", "failed")
    expect(panel.retry_button).to_be_visible()
    expect(panel.run_button).to_be_enabled()
    panel.expect_workers(0)
    assert panel.readings()["beats_actual"] == "30 beats"


@pytest.mark.parametrize(("part", "failure"), CASES, ids=[f"{part}-{failure.__name__}" for part, failure in CASES])
def test_what_comes_wrong_is_told_in_a_sentence(tab, server, part, failure):
    says_so_and_offers_another_try(*run_without(tab, server, part, failure))


@pytest.mark.parametrize("part", PARTS)
def test_what_does_not_come_is_told_and_the_next_try_works(tab, server, part):
    panel, said = run_without(tab, server, part, abort)
    says_so_and_offers_another_try(panel, said)
    panel.retry_button.click()
    expect(panel.status).to_have_text(SAME_AS_RECORDED, timeout=RUN_MS_MAX)
    expect(panel.retry_button).to_be_hidden()
    panel.expect_workers(1)
