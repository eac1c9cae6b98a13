"""The lab runs wherever its files are put: under a sub-path, under a strict policy, in a frame of another site.

What may be added to the policy is asserted to be short and documented. That no page asks another origin for anything
is asserted by the fixtures at the end of each test.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.browser.panel import RUN_MS_MAX, SAME_AS_RECORDED, Panel, pages_with_panels
from tools import csp
from tools.paths import DOCS
from tools.serve import SiteServer

SUB_PATH = "/some/repo/"
STRICT = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'"
COLLECT_VIOLATIONS = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  window.violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""


@pytest.fixture(scope="module")
def strict_server(serve, site_folder) -> SiteServer:
    """The site under a sub-path and under its own policy."""
    return serve(prefix=SUB_PATH, headers={"Content-Security-Policy": csp.policy(site_folder)})


@pytest.fixture(scope="module")
def strict_page(module_page, strict_server) -> Page:
    """A tab that notes every violation of the policy."""
    page = module_page(origins=[strict_server.url], viewport={"width": 1280, "height": 900})
    page.add_init_script(COLLECT_VIOLATIONS)
    return page


def test_every_experiment_runs_under_a_sub_path_and_the_strict_policy(strict_page, strict_server, site_folder):
    slugs_of = {}
    for path, slug, _ in pages_with_panels(site_folder):
        slugs_of.setdefault(path, []).append(slug)
    assert len(slugs_of) >= 5
    for path, slugs in slugs_of.items():
        strict_page.goto(strict_server.url + path)
        for panel in [Panel(strict_page, slug).wait_until_drawn() for slug in slugs]:
            assert panel.run() == SAME_AS_RECORDED, path
        assert strict_page.evaluate("window.violations") == [], path
        assert not strict_page.evaluate("crossOriginIsolated"), "a header has been set that static hosts do not send"
    asked = [url for url in strict_page.lab.requests if url.startswith("http")]
    assert [url for url in asked if not url.startswith(strict_server.url)] == []
    assert any("/assets/runtime/" in url for url in asked)


def test_the_live_mode_works_under_the_strict_policy(strict_page, strict_server):
    strict_page.goto(f"{strict_server.url}scheduler/")
    panel = Panel(strict_page, "heartbeat-stall").wait_until_drawn()
    panel.choose("offloaded")
    panel.root.get_by_label("Live").check()
    panel.run_button.click()
    expect(panel.root.locator(".lab-live-status")).to_have_text("Measured on this machine.", timeout=RUN_MS_MAX)
    assert strict_page.evaluate("window.violations") == []


def test_a_violation_would_have_been_seen(strict_page, strict_server):
    strict_page.goto(strict_server.url)
    strict_page.lab.allow("Content Security Policy")
    strict_page.evaluate("document.body.append(Object.assign(document.createElement('script'), { text: '1' }))")
    assert [each.split()[0] for each in strict_page.evaluate("window.violations")] == ["script-src-elem"]


def test_embed_pages_need_no_addition_to_the_strict_policy(new_page, serve, site_folder):
    bare = serve(prefix=SUB_PATH, headers={"Content-Security-Policy": STRICT})
    page = new_page(origins=[bare.url])
    page.add_init_script(COLLECT_VIOLATIONS)
    slugs = sorted(folder.name for folder in (site_folder / "embed").iterdir())
    assert len(slugs) >= 5
    for slug in slugs:
        page.goto(f"{bare.url}embed/{slug}/")
        Panel(page, slug).wait_until_drawn()
    assert Panel(page, slugs[-1]).run() == SAME_AS_RECORDED
    assert page.evaluate("window.violations") == []


def test_the_additions_are_few_and_documented(site_folder):
    base = "; ".join(f"{name} {' '.join(sources)}" for name, sources in csp.BASE.items())
    assert base == STRICT
    assert {name: sources for name, (sources, _) in csp.THEME.items()} == {"img-src": ["'self'", "data:"]}
    scripts = csp.inline_scripts(site_folder)
    assert len(scripts) <= 6
    assert not [page for pages in scripts.values() for page in pages if page.startswith("embed/")]
    documented = (DOCS / "how-it-works.md").read_text(encoding="utf-8")
    for said in (STRICT, "img-src 'self' data:", "python -m tools.csp", "scripts' hashes"):
        assert said in documented, said


def framed(page: Page, folder: Path, serve, source: str, sandbox: str) -> Frame:
    """Open a page of another origin that frames `source`; returns the frame."""
    html = f'<iframe title="Lab" sandbox="{sandbox}" width="900" height="900" src="{source}"></iframe>'
    (folder / "index.html").write_text(f"<!doctype html><title>Host</title>{html}", encoding="utf-8")
    (folder / "favicon.ico").write_bytes(b"")
    host = serve(folder)
    page.lab.origins.add(host.url.rstrip("/"))
    page.goto(host.url)
    frame = page.frame_locator("iframe").owner.element_handle().content_frame()
    assert frame.url == source
    return frame


@pytest.mark.parametrize("path", ["embed/slot-recycling/?variant=counter", "quota/"], ids=["embed page", "chapter"])
def test_the_lab_runs_in_a_sandboxed_frame_of_another_origin(new_page, server, serve, tmp_path, path):
    page = new_page()
    frame = framed(page, tmp_path, serve, server.url + path, "allow-scripts allow-same-origin")
    assert frame.evaluate("origin") != page.evaluate("origin")
    panel = Panel(frame, "slot-recycling").wait_until_drawn()
    assert panel.run() == SAME_AS_RECORDED
    assert panel.readings()["first_refusal_ms"] == "6,667 ms"


def test_without_an_origin_of_its_own_the_frame_still_shows_the_recorded_run(new_page, server, serve, tmp_path):
    page = new_page()
    page.lab.allow("CORS policy")  # a module is fetched with the frame's origin, which here is "null"
    page.lab.allow("ERR_FAILED")
    frame = framed(page, tmp_path, serve, f"{server.url}embed/slot-recycling/", "allow-scripts")
    still = frame.locator("ownership-lab figure.lab-still")
    expect(still.locator("svg.lab-still-lanes")).to_be_visible()
    expect(still.get_by_role("row", name="First refusal 6,667 ms")).to_be_visible()
    expect(frame.get_by_role("button")).to_have_count(0)


def test_without_an_origin_but_with_readable_files_run_says_what_the_frame_lacks(new_page, serve, tmp_path):
    # GitHub Pages lets every origin read its files; then the panel is drawn, and only the worker cannot be had.
    open_server = serve(headers={"Access-Control-Allow-Origin": "*"})
    page = new_page(origins=[open_server.url])
    source = f"{open_server.url}embed/slot-recycling/?variant=counter"
    panel = Panel(framed(page, tmp_path, serve, source, "allow-scripts"), "slot-recycling").wait_until_drawn()
    assert panel.readings()["first_refusal_ms"] == "6,667 ms"
    said = panel.run()
    assert "framed without permission to start workers" in said
    assert "allow-same-origin" in said
    expect(panel.run_button).to_be_enabled()
    assert panel.readings()["first_refusal_ms"] == "6,667 ms"
