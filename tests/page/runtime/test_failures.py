"""Loads that fail: each ends in a sentence that names what is missing, and a retry that works once it is there."""

import pytest

from tests.page.runtime.conftest import until
from tools.serve import SiteServer

RUN = '{ experiment: "heartbeat-stall", variant: "in-loop" }'


def fails_and_recovers(page, pattern, named, how):
    page.route(pattern, how)
    outcome = page.evaluate(f"attempt(lab().run({RUN}))")
    assert outcome["error"]["kind"] == "load"
    assert page.evaluate("lab().state") == "failed"
    failure = page.evaluate("lab().failure")
    assert failure == outcome["error"]["message"]
    assert named in failure
    assert page.workers == []
    page.unroute(pattern)
    page.evaluate("lab().retry()")
    until(page, "lab().state === 'ready'")
    assert page.evaluate("lab().failure") is None
    assert page.evaluate(f"lab().run({RUN})")["readings"]["beats_actual"] == 30


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("**/runtime.json", "runtime.json"),
        ("**/pyodide.asm.wasm", "pyodide.asm.wasm"),
        ("**/python.tar.gz", "python.tar.gz"),
    ],
)
def test_a_file_that_cannot_be_fetched_is_named(lab_page, pattern, named):
    fails_and_recovers(lab_page, pattern, named, lambda route: route.abort())


@pytest.mark.parametrize("name", ["runtime.json", "pyodide.asm.wasm", "python.tar.gz"])
def test_a_file_that_is_not_there_is_named_with_the_servers_answer(lab_page, name):
    fails_and_recovers(lab_page, f"**/{name}", "404", lambda route: route.fulfill(status=404))


def test_a_manifest_of_another_shape_is_refused(lab_page):
    fails_and_recovers(
        lab_page,
        "**/runtime.json",
        "runtime.json",
        lambda route: route.fulfill(json={"version": 1, "folder": "../elsewhere"}),
    )


def test_a_truncated_module_is_refused(lab_page):
    fails_and_recovers(
        lab_page,
        "**/pyodide.asm.wasm",
        "compile",
        lambda route: route.fulfill(body=b"\0asm\1\0\0\0junk", content_type="application/wasm"),
    )


def test_a_run_after_a_failed_load_tries_again(lab_page):
    lab_page.route("**/python.tar.gz", lambda route: route.abort())
    assert lab_page.evaluate(f"attempt(lab().run({RUN}))")["error"]["kind"] == "load"
    lab_page.unroute("**/python.tar.gz")
    assert lab_page.evaluate(f"lab().run({RUN})")["readings"]["beats_actual"] == 30


def test_a_worker_that_the_policy_forbids_is_a_sentence(runtime_site, new_lab_page):
    policy = {"Content-Security-Policy": "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'"}
    with SiteServer(runtime_site, headers=policy) as server:
        page = new_lab_page(server.url)
        until(page, "window.ready")
        outcome = page.evaluate(f"attempt(lab().run({RUN}))")
    assert outcome["error"]["kind"] == "load"
    assert "worker" in outcome["error"]["message"]


HOST = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title>
<iframe title="Lab" sandbox="{sandbox}" src="{source}"></iframe></html>"""


def framed(new_lab_page, tmp_path, source, sandbox):
    """The lab in a sandboxed frame of a page of another origin."""
    (tmp_path / "index.html").write_text(HOST.format(source=source, sandbox=sandbox))
    host = SiteServer(tmp_path)
    host.__enter__()
    page = new_lab_page(host.url.replace("127.0.0.1", "localhost"))
    frame = page.frame(url=source)
    until(frame, "window.ready")
    return host, frame


def test_the_lab_runs_in_a_cross_origin_sandboxed_frame(new_lab_page, runtime_server, tmp_path):
    host, frame = framed(new_lab_page, tmp_path, runtime_server.url, "allow-scripts allow-same-origin")
    with host:
        assert frame.evaluate(f"lab().run({RUN})")["readings"]["beats_actual"] == 30


def test_a_frame_without_an_origin_of_its_own_says_what_it_lacks(new_lab_page, runtime_site, tmp_path):
    # As on GitHub Pages: any origin may read the files, so the lab's modules load even here.
    with SiteServer(runtime_site, headers={"Access-Control-Allow-Origin": "*"}) as open_server:
        host, frame = framed(new_lab_page, tmp_path, open_server.url, "allow-scripts")
        with host:
            outcome = frame.evaluate(f"attempt(lab().run({RUN}))")
            assert outcome["error"]["kind"] == "load"
            assert "allow-same-origin" in outcome["error"]["message"]
            live = frame.evaluate("attempt(runLive({ mode: 'in-loop', parameters: {} }))")
            assert "allow-same-origin" in live["error"]["message"]
