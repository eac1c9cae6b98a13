"""The panel on a page of its own: its real modules and styles, hand-made reports, and a runtime that runs no Python.

Nothing is built and no server runs: every request is answered from here, under an origin that browsers trust.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.page.panel import data
from tools.bundle import EDITOR, bundle_editor
from tools.paths import ROOT
from tools.record import index

LAB = ROOT / "docs" / "assets" / "lab"
HERE = Path(__file__).parent
ORIGIN = "http://localhost"
TYPES = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
FALLBACK = "<figure class='lab-still'><figcaption>The recorded run as a picture</figcaption></figure>"


def page_html(element: str, scheme: str = "default", embed: bool = False) -> str:
    """A page around an element; the attribute on the body is the one by which the theme says light or dark."""
    marks = ' class="lab-embed"' if embed else ""
    return f"""<!doctype html><html lang="en"{marks}><head><meta charset="utf-8"><title>Page</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
      <link rel="stylesheet" href="/assets/lab/lab.css"><script type="module" src="/assets/lab/main.js"></script>
      </head><body data-md-color-scheme="{scheme}"{marks}><main><h1>Page</h1>{element}</main></body></html>"""


def element(slug: str = "demo", attributes: str = 'variant="counter"') -> str:
    return f'<ownership-lab experiment="{slug}" {attributes}>{FALLBACK}</ownership-lab>'


@cache
def editor_module() -> str:
    """The editor as the site serves it: the only module that has to be built."""
    with TemporaryDirectory() as folder:
        bundle_editor(LAB, Path(folder))
        return Path(folder, EDITOR).read_text(encoding="utf-8")


class Site:
    """What the page is answered with. Tests may put other answers into `pages` and `data` before they open a page."""

    def __init__(self) -> None:
        self.pages: dict[str, str] = {"/": page_html(element())}
        self.data: dict[str, Any] = {
            "experiments.json": index(data.catalogue()),
            "experiments/demo.json": data.described("demo"),
            "experiments/long.json": data.described("long"),
            "recorded/demo/counter.json": data.report("counter"),
            "recorded/demo/lease.json": data.report("lease"),
            "recorded/long/lease.json": data.long_report(),
        }
        fakes = {"runtime.js": "fake_runtime.js", "fake_game.js": "fake_game.js"}
        self.modules = {name: (HERE / file).read_text(encoding="utf-8") for name, file in fakes.items()}
        self.requests: list[str] = []

    def answer(self, route: Route) -> None:
        path = route.request.url.split("?")[0].split("#")[0].split("/", 3)[3]
        self.requests.append(path)
        name = path.removeprefix("assets/lab/")
        if f"/{path}" in self.pages:
            route.fulfill(body=self.pages[f"/{path}"], content_type="text/html")
        elif name.startswith("data/") and name.removeprefix("data/") in self.data:
            route.fulfill(body=json.dumps(self.data[name.removeprefix("data/")]), content_type="application/json")
        elif name == EDITOR and EDITOR not in self.modules:
            route.fulfill(body=editor_module(), content_type="text/javascript")
        elif name in self.modules:
            route.fulfill(body=self.modules[name], content_type="text/javascript")
        elif (LAB / name).is_file():
            route.fulfill(path=LAB / name, content_type=TYPES[Path(name).suffix])
        else:
            route.fulfill(status=404, body="")


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def open_page(browser: Browser, site: Site) -> Iterator[Callable[..., Page]]:
    """Open a page of the site: `open_page("/", width=360)`. At the end no page may have logged an error.

    A test that expects some says so: `page.expected = ["part of the text"]`.
    """
    opened: list[tuple[Page, list[str]]] = []

    def open_at(
        path: str = "/", width: int = 1280, wait: str = ".lab:not([hidden])", origin: str = ORIGIN, **options: Any
    ) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        page = context.new_page()
        page.expected = []
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        context.route("**/*", site.answer)
        opened.append((page, errors))
        page.goto(origin + path)
        page.wait_for_selector(wait)
        return page

    yield open_at
    for page, _ in opened:
        page.context.close()
    unexpected = [
        error for page, errors in opened for error in errors if not any(part in error for part in page.expected)
    ]
    assert unexpected == []


@pytest.fixture
def panel(open_page: Callable[..., Page]) -> Page:
    """The demonstration, 1280 pixels wide, with its recorded run drawn."""
    return open_page()


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Callable[..., Any]]:
    """Call JavaScript with a module of the panel: `modules("log/axis.js", "(m, x) => m.nearest(x)", argument)`.

    One page for all tests of a file: the modules called here are pure, so that nothing is left over between calls.
    """
    site = Site()
    context = browser.new_context()
    context.route("**/*", site.answer)
    page = context.new_page()
    site.pages["/empty"] = "<!doctype html><html lang='en'><title>Empty</title>"
    page.goto(f"{ORIGIN}/empty")

    def call(path: str, function: str, *arguments: Any) -> Any:
        source = f"""async ([path, argument]) => ({function})(await import(path), ...argument)"""
        return page.evaluate(source, [f"/assets/lab/{path}", list(arguments)])

    yield call
    context.close()
