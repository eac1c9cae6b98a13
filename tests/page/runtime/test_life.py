"""The worker's life: started when asked, stopped whatever Python does, replaced when lost, one per page."""

from tests.page.runtime.conftest import expect_workers, until

LOOP = "async def handle_upload(store, key, payload):\n    while True: pass\n"
FLOOD = "async def handle_upload(store, key, payload):\n    while True: print('x' * 1000)\n"

RUN = '{ experiment: "heartbeat-stall", variant: "in-loop" }'


def edited(source):
    return {"experiment": "heartbeat-stall", "variant": "in-loop", "sources": {"in_loop.py": source}}


def start_and_get_busy(page, source):
    """Begin a run that does not end; `window.result` is the promise of its outcome."""

    page.evaluate("(request) => { window.result = attempt(lab().run(request)); }", edited(source))
    until(page, "lab().state === 'busy'")
    page.wait_for_timeout(200)


def runs_normally(page):
    report = page.evaluate(f"lab().run({RUN})")
    return report["readings"]["beats_actual"] == 30


def test_nothing_is_fetched_before_python_is_asked_for(new_lab_page):
    asked = []
    page = new_lab_page(before=lambda page: page.on("request", lambda request: asked.append(request.url)))
    page.wait_for_timeout(300)
    assert page.evaluate("lab().state") == "idle"
    assert not [url for url in asked if "runtime.json" in url or "/assets/runtime/" in url or "worker" in url]
    page.evaluate("lab().warm()")
    until(page, "lab().state === 'ready'")
    assert [url for url in asked if url.endswith("pyodide.asm.wasm")]


def test_loading_tells_bytes_that_only_grow_and_end_at_the_total(lab_page):
    lab_page.evaluate(f"lab().run({RUN})")
    progress = lab_page.evaluate("progress")
    loaded = [step["loaded"] for step in progress if step["stage"] == "download"]
    assert len(loaded) > 5
    assert loaded == sorted(loaded)
    assert loaded[0] == 0
    assert progress[-1]["loaded"] == progress[-1]["total"] > 4_000_000
    assert lab_page.evaluate("states") == ["loading", "ready", "busy", "ready"]


def test_warm_may_be_called_often_and_starts_one_worker(lab_page):
    lab_page.evaluate("for (let n = 0; n < 20; n += 1) lab().warm()")
    until(lab_page, "lab().state === 'ready'")
    lab_page.evaluate("lab().warm(); lab().retry()")
    assert lab_page.evaluate("states") == ["loading", "ready"]
    expect_workers(lab_page, 1)


def test_a_lab_that_is_left_alone_prepares_other_runs_and_stays_ready(lab_page):
    lab_page.evaluate("lab().warm()")
    until(lab_page, "lab().state === 'ready'")
    lab_page.wait_for_timeout(1_500)
    assert lab_page.evaluate("states") == ["loading", "ready"]
    assert runs_normally(lab_page)


def test_stop_ends_an_endless_loop_and_the_page_never_freezes(lab_page):
    start_and_get_busy(lab_page, LOOP)
    frames = lab_page.evaluate(
        "new Promise((done) => { let n = 0; const count = () => { n += 1; requestAnimationFrame(count); }; count();"
        " setTimeout(() => done(n), 500); })"
    )
    assert frames > 5
    lab_page.evaluate("lab().stop()")
    assert lab_page.evaluate("window.result")["error"]["kind"] == "stopped"
    assert runs_normally(lab_page)
    expect_workers(lab_page, 1)


def test_stop_ends_an_endless_flood_of_output(lab_page):
    start_and_get_busy(lab_page, FLOOD)
    lab_page.evaluate("lab().stop()")
    assert lab_page.evaluate("window.result")["error"]["kind"] == "stopped"
    assert runs_normally(lab_page)


def test_a_second_run_beside_one_that_goes_on_is_refused(lab_page):
    start_and_get_busy(lab_page, LOOP)
    refused = lab_page.evaluate(f"attempt(lab().run({RUN}))")
    assert refused["error"]["kind"] == "busy"
    assert lab_page.evaluate("lab().state") == "busy"
    lab_page.evaluate("lab().stop()")
    assert runs_normally(lab_page)


def test_stop_while_loading_gives_up_the_run_and_keeps_loading(lab_page):
    outcome = lab_page.evaluate(
        f"(() => {{ const result = attempt(lab().run({RUN})); lab().stop(); return result; }})()"
    )
    assert outcome["error"]["kind"] == "stopped"
    until(lab_page, "lab().state === 'ready'")
    assert lab_page.evaluate("states") == ["loading", "ready"]
    assert runs_normally(lab_page)


def test_stop_with_nothing_to_stop_does_nothing(lab_page):
    lab_page.evaluate("lab().stop()")
    assert lab_page.evaluate("lab().state") == "idle"
    assert runs_normally(lab_page)
    lab_page.evaluate("lab().stop()")
    assert lab_page.evaluate("lab().state") == "ready"


def test_stopping_again_and_again_leaves_one_worker_and_a_sound_lab(lab_page):
    for _ in range(3):
        start_and_get_busy(lab_page, LOOP)
        lab_page.evaluate("lab().stop()")
    assert runs_normally(lab_page)
    expect_workers(lab_page, 1)


def test_a_worker_that_dies_is_replaced_and_the_run_says_so(lab_page):
    start_and_get_busy(lab_page, LOOP)
    # What a browser sends when a worker's script fails: nothing of ours can be made to do that from outside.
    lab_page.evaluate(
        "() => { const send = Worker.prototype.postMessage; Worker.prototype.postMessage = function (...all) {"
        " window.worker = this; return send.apply(this, all); }; }"
    )
    lab_page.evaluate("lab().stop()")
    until(lab_page, "lab().state === 'ready'")
    lab_page.evaluate("(request) => { window.result = attempt(lab().run(request)); }", edited(LOOP))
    lab_page.evaluate("window.worker.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
    error = lab_page.evaluate("window.result")["error"]
    assert error["kind"] == "internal"
    assert "out of memory" in error["message"]
    assert runs_normally(lab_page)
    expect_workers(lab_page, 1)
