"""The site around the experiments: every page loads, anywhere, under a strict policy, with and without JavaScript.

What the experiments do is tested elsewhere. That no page logs an error or asks another origin for anything is asserted
by the `page` fixture at the end of each test.
"""

import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tools import csp
from tools.serve import SiteServer

SUB_PATH = "/some/repo/"


def page_paths(site: Path) -> list[str]:
    """Paths of the site's pages and embed pages, relative to its root."""
    space = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
    places = [place.text for place in ElementTree.parse(site / "sitemap.xml").iter(f"{space}loc")]
    base = min(places, key=len)
    embeds = [f"embed/{folder.name}/" for folder in sorted((site / "embed").iterdir())]
    return [place.removeprefix(base) for place in places] + embeds


def visit(page: Page, server: SiteServer, path: str) -> None:
    """Load a page and demand that it came."""
    response = page.goto(server.url + path)
    assert response.status == 200, path


@pytest.fixture(scope="module")
def strict_server(serve, site_folder) -> SiteServer:
    """The site under a sub-path and under the policy that it computes for itself."""
    return serve(prefix=SUB_PATH, headers={"Content-Security-Policy": csp.policy(site_folder)})


def test_every_page_loads_under_a_sub_path_and_the_strict_policy(new_page, strict_server, site_folder):
    paths = page_paths(site_folder)
    assert len(paths) >= 13
    page = new_page(origins=[strict_server.url])
    for path in paths:
        visit(page, strict_server, path)
        assert page.locator("h1").count() == 1, path
    outside = [url for url in page.lab.requests if url.startswith("http") and not url.startswith(strict_server.url)]
    assert outside == []


def test_the_policy_is_really_in_force(new_page, strict_server):
    page = new_page(origins=[strict_server.url])
    visit(page, strict_server, "")
    page.lab.allow("Content Security Policy")
    ran = page.evaluate(
        """() => { const script = document.createElement("script"); script.textContent = "window.ran = true";
                   document.body.append(script); return window.ran === true; }"""
    )
    assert not ran


def test_no_addition_to_the_policy_is_idle(new_page, serve, site_folder):
    sources = {"img-src": "data:", **{"script-src " + source: source for source in csp.inline_scripts(site_folder)}}
    for source in sources.values():
        weaker = serve(headers={"Content-Security-Policy": csp.policy(site_folder).replace(f" {source}", "")})
        page = new_page(origins=[weaker.url])
        page.lab.allow("Content Security Policy")
        page.lab.allow("__md_get")  # what the theme's other scripts miss when one of them is refused
        pages = csp.inline_scripts(site_folder).get(source, ["index.html"])
        page.goto(weaker.url + pages[-1].removesuffix("index.html"))
        assert [error for error in page.lab.errors if "Content Security Policy" in error], source


def test_links_between_pages_load_no_new_document(new_page, strict_server):
    page = new_page(origins=[strict_server.url])
    visit(page, strict_server, "")
    page.evaluate("window.sameDocument = true")
    page.get_by_role("link", name="Glossary").first.click()
    page.wait_for_url("**/glossary/")
    page.wait_for_function("document.querySelector('h1').textContent.includes('Glossary')")
    assert page.evaluate("window.sameDocument")
    assert urlsplit(page.url).path == f"{SUB_PATH}glossary/"


def test_search_finds_a_chapter_and_not_the_recorded_events(new_page, strict_server):
    page = new_page(origins=[strict_server.url])
    visit(page, strict_server, "")
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("fencing token")
    page.locator(".md-search-result__item").first.wait_for()
    index = page.evaluate("fetch('search/search_index.json').then(reply => reply.text())")
    assert "call.applied" not in index


def test_the_theme_can_be_light_dark_or_the_systems(page, server):
    page.emulate_media(color_scheme="dark")
    visit(page, server, "")
    scheme = "document.body.getAttribute('data-md-color-scheme')"
    assert page.evaluate(scheme) == "slate"
    seen = []
    for name in ("Use the light theme", "Use the dark theme", "Use the system's theme"):
        page.locator(f'label[title="{name}"]').click()
        seen.append(page.evaluate(scheme))
    assert seen == ["default", "slate", "slate"]


@pytest.mark.parametrize("prefix", ["/", SUB_PATH])
def test_without_javascript_a_page_shows_the_recorded_run(new_page, serve, prefix):
    server = serve(prefix=prefix)
    page = new_page(origins=[server.url], java_script_enabled=False, viewport={"width": 360, "height": 740})
    for path in ("", "embed/slot-recycling/"):
        visit(page, server, path)
        still = page.locator("ownership-lab figure.lab-still").first
        assert still.locator("svg.lab-still-lanes").is_visible()
        assert still.get_by_role("table", name="Readings").get_by_text("Admitted").is_visible()
        assert still.locator("svg.lab-still-lanes").get_attribute("role") == "img"


def test_a_missing_page_says_so_within_the_site(page, server):
    page.lab.allow("404")
    response = page.goto(server.url + "no/such/page/")
    assert response.status == 404
    assert page.locator("h1").inner_text() == "404 - Not found"
