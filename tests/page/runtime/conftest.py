"""What the runtime's tests stand on: the lab's own modules and the packed Python, served with a page of nothing else.

No theme and no panel: `lab_page` is a page that imports `runtime.js` and puts `lab`, `runLive` and `messages` where a
test's script finds them. At the end of a test no page may have logged an uncaught error.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page

from tools.paths import DATA, DOCS, RUNTIME
from tools.serve import SiteServer

CSP = {"Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"}

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Runtime</title><link rel="icon" href="icon.svg">
<script type="module" src="page.js"></script></html>"""
SCRIPT = """
import { lab } from "./assets/lab/runtime.js";
import { runLive } from "./assets/lab/live.js";
import * as messages from "./assets/lab/messages.js";
const states = [], progress = [];
lab().addEventListener("lab-state", () => states.push(lab().state));
lab().addEventListener("lab-progress", () => progress.push(lab().progress));
const told = (error) => ({ kind: error.kind, message: error.message, file: error.file, line: error.line });
const attempt = (promise) => promise.then((report) => ({ report }), (error) => ({ error: told(error) }));
Object.assign(window, { lab, runLive, messages, states, progress, attempt, ready: true });
"""


def expect_workers(page: Page, count: int) -> None:
    """Demand that the page has so many workers, once news of those that were told to end has come (at most 5 s)."""
    for _ in range(100):
        if len(page.workers) == count:
            break
        page.wait_for_timeout(50)
    assert len(page.workers) == count


def until(page: Page | Frame, condition: str) -> None:
    """Wait in the page until the condition holds; Playwright's own waiting needs `eval`, which the policy forbids."""
    page.evaluate(
        f"new Promise((done) => {{ const look = () => ({condition}) ? done() : setTimeout(look, 10); look(); }})"
    )


@pytest.fixture(scope="session")
def runtime_site(tmp_path_factory) -> Path:
    """A folder laid out as the site: `assets/lab`, its data, `assets/runtime`, and the bare page."""
    if not (RUNTIME / "runtime.json").is_file() or not (DATA / "experiments.json").is_file():
        pytest.fail("The runtime has not been packed: run 'make build' first (make test does).")
    folder = tmp_path_factory.mktemp("runtime") / "site"
    shutil.copytree(DOCS / "assets" / "lab", folder / "assets" / "lab")
    shutil.copytree(DATA, folder / "assets" / "lab" / "data")
    shutil.copy(RUNTIME / "runtime.json", folder / "assets" / "lab" / "data")
    shutil.copytree(RUNTIME, folder / "assets" / "runtime", ignore=shutil.ignore_patterns("runtime.json"))
    (folder / "index.html").write_text(PAGE)
    (folder / "page.js").write_text(SCRIPT)
    (folder / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    return folder


@pytest.fixture(scope="session")
def runtime_server(runtime_site) -> Iterator[SiteServer]:
    """Under a path and the strict policy, as the hardest ordinary host would serve it."""
    with SiteServer(runtime_site, prefix="/some/repo/", headers=CSP) as server:
        yield server


@pytest.fixture
def new_lab_page(browser: Browser, runtime_server) -> Iterator[Callable[..., Page]]:
    """Open a page in a fresh profile: `new_lab_page(url=…, before=function of the page)`; waits for its script."""
    contexts: list[BrowserContext] = []
    uncaught: list[str] = []

    def open_page(url: str | None = None, before: Callable[[Page], object] = lambda page: None) -> Page:
        context = browser.new_context()
        contexts.append(context)
        context.on("weberror", lambda error: uncaught.append(str(error.error)))
        page = context.new_page()
        before(page)
        page.goto(url or runtime_server.url)
        if url is None:
            until(page, "window.ready")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not uncaught, f"uncaught errors: {uncaught}"


@pytest.fixture
def lab_page(new_lab_page) -> Page:
    """One such page."""
    return new_lab_page()


@pytest.fixture(scope="module")
def warm_page(browser: Browser, runtime_server) -> Iterator[Page]:
    """One page for a whole module, for tests that leave its lab as they found it."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(runtime_server.url)
    until(page, "window.ready")
    yield page
    context.close()
