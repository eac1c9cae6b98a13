"""The live mode in a browser. Its numbers are the machine's: these tests ask for what holds on any machine."""

import pytest

from tests.page.runtime.conftest import expect_workers

PARAMETERS = {"interval_ms": 20, "window_ms": 1000, "block_at_ms": 210, "block_ms": 400, "timer": "sleep-loop"}


def measured(page, mode, **changes):
    return page.evaluate(
        "(request) => { let told = 0; const count = () => { told += 1; };"
        " return runLive(request, count).then((result) => ({ ...result, told })); }",
        {"mode": mode, "parameters": {**PARAMETERS, **changes}},
    )


def gap_ms_max(result):
    beats = result["beats_ms"]
    return max(later - earlier for earlier, later in zip(beats, beats[1:], strict=False))


def test_work_on_the_loop_stalls_the_heartbeat_for_as_long_as_it_takes(warm_page):
    result = measured(warm_page, "in-loop")
    assert result["beats_theoretical"] == 50
    assert result["beats_actual"] == len(result["beats_ms"]) == result["told"] < 32
    assert result["delay_ms_max"] >= 350
    assert gap_ms_max(result) >= 390
    assert result["work_ended_ms"] - result["work_started_ms"] >= 400
    assert not [at for at in result["beats_ms"] if result["work_started_ms"] < at < result["work_ended_ms"]]


def test_work_in_a_second_worker_leaves_the_heartbeat_going(warm_page):
    result = measured(warm_page, "offloaded")
    during = [at for at in result["beats_ms"] if result["work_started_ms"] < at < result["work_ended_ms"]]
    assert result["work_ended_ms"] - result["work_started_ms"] >= 400
    assert len(during) >= 5, "a quarter of the beats would do even on a busy machine"


def test_a_measurement_leaves_no_worker_behind_and_the_lab_alone(lab_page):
    measured(lab_page, "offloaded", window_ms=100, block_at_ms=20, block_ms=30)
    expect_workers(lab_page, 0)
    assert lab_page.evaluate("lab().state") == "idle"


def test_a_parameter_that_cannot_be_measured_is_a_sentence(warm_page):
    outcome = warm_page.evaluate(
        "(request) => attempt(runLive(request))", {"mode": "in-loop", "parameters": {**PARAMETERS, "timer": "sundial"}}
    )
    assert outcome["error"]["kind"] == "internal"
    assert "sundial" in outcome["error"]["message"]


HIDE = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });"


@pytest.mark.parametrize("when", ["before", "during"])
def test_a_hidden_page_is_not_measured(lab_page, when):
    start = "window.result = attempt(runLive(request));"
    hide = f"{HIDE} document.dispatchEvent(new Event('visibilitychange'));"
    script = hide + start if when == "before" else start + hide
    lab_page.evaluate(f"(request) => {{ {script} }}", {"mode": "in-loop", "parameters": PARAMETERS})
    assert lab_page.evaluate("window.result")["error"]["kind"] == "hidden"
    expect_workers(lab_page, 0)


def test_a_measurement_can_be_stopped(lab_page):
    outcome = lab_page.evaluate(
        """(request) => {
          const stop = new AbortController();
          const result = attempt(runLive(request, () => {}, { signal: stop.signal }));
          setTimeout(() => stop.abort(), 300);
          return result;
        }""",
        {"mode": "in-loop", "parameters": {**PARAMETERS, "window_ms": 60_000}},
    )
    assert outcome["error"]["kind"] == "stopped"
    expect_workers(lab_page, 0)
