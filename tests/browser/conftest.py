"""What browser tests stand on: the built site, a server for it, and a page that keeps its own complaints.

`server` serves the site as GitHub Pages would; `serve` starts further servers (under a path prefix, with headers).
`page` is a fresh tab in a fresh profile; at the end of the test it must have logged no error and asked no other origin
for anything. A test that expects errors says so: `page.lab.errors.clear()`, or marks which ones with
`page.lab.allow("text")`.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tools.paths import SITE
from tools.serve import SiteServer

_LOCAL_SCHEMES = ("data", "blob", "about")

# What is waited for comes at once on an idle machine. No test measures time, so a busy one may take as long as this.
expect.set_options(timeout=60_000)


class Complaints:
    """What a browser context's pages and workers said and asked that they should not have."""

    def __init__(self, context: BrowserContext, origins: set[str]) -> None:
        self.errors: list[str] = []
        self.off_origin: list[str] = []
        self.requests: list[str] = []
        self.origins = origins
        self._allowed: list[str] = []
        context.on("request", self._on_request)
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self.errors.append(f"uncaught: {error.error}"))

    def allow(self, text: str) -> None:
        """Errors that contain this text are expected by the test."""
        self._allowed.append(text)

    def unexpected_errors(self) -> list[str]:
        """Console errors and uncaught exceptions that no `allow` covers."""
        return [error for error in self.errors if not any(text in error for text in self._allowed)]

    def _on_request(self, request) -> None:
        self.requests.append(request.url)
        parts = urlsplit(request.url)
        if parts.scheme not in _LOCAL_SCHEMES and f"{parts.scheme}://{parts.netloc}" not in self.origins:
            self.off_origin.append(request.url)

    def _on_console(self, message) -> None:
        if message.type == "error":
            place = message.location.get("url", "")
            self.errors.append(f"console: {message.text} ({place})")


@pytest.fixture(scope="session")
def site_folder() -> Path:
    """The built site; fails with the command to run where it was not built."""
    if not (SITE / "index.html").is_file():
        pytest.fail("There is no built site: run 'make build' first (make test does).")
    return SITE


@pytest.fixture(scope="session")
def _session_stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="session")
def serve(site_folder: Path, _session_stack: ExitStack) -> Callable[..., SiteServer]:
    """Start a server that lives until the tests end: `serve(prefix="/some/repo/", headers={...})`, as SiteServer."""

    def start(folder: Path = site_folder, **options) -> SiteServer:
        return _session_stack.enter_context(SiteServer(folder, **options))

    return start


@pytest.fixture(scope="session")
def server(serve) -> SiteServer:
    """The site at the root of an origin, without any extra header; `server.url` ends in a slash."""
    return serve()


@contextmanager
def _tabs(browser: Browser, server: SiteServer) -> Iterator[Callable[..., Page]]:
    """A function that opens tabs; at the end it closes them and demands that none complained."""
    contexts: list[tuple[BrowserContext, Complaints]] = []

    def open_page(origins: list[str] = (), **options) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(60_000)
        allowed = {"{0.scheme}://{0.netloc}".format(urlsplit(url)) for url in (server.url, *origins)}
        page = context.new_page()
        page.lab = Complaints(context, allowed)
        contexts.append((context, page.lab))
        return page

    yield open_page
    for context, _ in contexts:
        context.close()
    off_origin = [url for _, complaints in contexts for url in complaints.off_origin]
    errors = [error for _, complaints in contexts for error in complaints.unexpected_errors()]
    assert not off_origin, f"the page asked other sites: {off_origin}"
    assert not errors, "the page logged errors:\n" + "\n".join(errors)


@pytest.fixture
def new_page(browser: Browser, server: SiteServer) -> Iterator[Callable[..., Page]]:
    """Open tabs in profiles of their own: `new_page(origins=[other.url], viewport=…)`; any option of `new_context`.

    Each page has `page.lab`, its `Complaints`; `origins` are further origins that the test itself serves.
    """
    with _tabs(browser, server) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def module_page(browser: Browser, server: SiteServer) -> Iterator[Callable[..., Page]]:
    """The same for tabs that all tests of a file share, since each new tab would start Python anew."""
    with _tabs(browser, server) as open_page:
        yield open_page


@pytest.fixture
def page(new_page) -> Page:
    """One fresh tab, 1280 × 900."""
    return new_page(viewport={"width": 1280, "height": 900})
