"""What a reader does with the panel: looks, chooses, runs, stops, mends a parameter, resets. No Python runs here."""

from playwright.sync_api import Page, expect

from tests.page.panel import data
from tests.page.panel.conftest import FALLBACK, LAB, element, page_html


def reading(page: Page, name: str):
    return page.locator(f'[data-reading="{name}"] .lab-reading-value')


def button(page: Page, name: str):
    return page.get_by_role("button", name=name, exact=True)


def press_run(page: Page) -> None:
    button(page, "Run").click()
    page.wait_for_selector("ownership-lab[state=ran]")


def test_the_recorded_run_is_drawn_at_once_and_nothing_of_python_is_asked_for(panel, site):
    expect(panel.locator("ownership-lab")).to_have_attribute("state", "recorded")
    expect(reading(panel, "admitted")).to_have_text("6,667 tasks")
    expect(panel.locator(".lab-outcome strong")).to_have_text("Counterexample found")
    expect(panel.get_by_text("The recorded run as a picture")).to_be_hidden()
    assert panel.evaluate("fake.requests.length + fake.warmed") == 0
    asked = [path for path in site.requests if "data/" in path]
    assert asked == ["assets/lab/data/experiments/demo.json", "assets/lab/data/recorded/demo/counter.json"]


def test_the_recorded_run_is_shown_at_its_end(panel):
    count = len(data.report()["trace"])
    expect(panel.get_by_role("slider")).to_have_attribute("aria-valuenow", str(count))
    assert panel.evaluate("document.querySelector('ownership-lab').position") == count - 1


def test_readings_show_units_captions_dashes_and_lists(panel):
    button(panel, "Lease").click()
    expect(reading(panel, "first_refusal_ms")).to_have_text("—")
    expect(panel.locator('[data-reading="first_refusal_ms"]')).to_have_attribute("data-value", "null")
    expect(panel.locator('[data-reading="first_refusal_ms"] .lab-reading-caption')).to_have_text("A dash: nobody was.")
    expect(reading(panel, "capacity")).to_have_text("10, 1, 0 slots")
    expect(reading(panel, "publishes")).to_have_text("[2, 9020]")
    terms = panel.locator(".lab-readings dl dt").all_inner_texts()
    assert terms == ["Admitted", "First refusal", "Capacity every 5 s", "Rows", "Publishes"]


def test_claims_say_in_words_whether_they_hold_and_what_was_observed(panel):
    claims = panel.locator(".lab-claim")
    expect(claims.nth(0)).to_contain_text("✗Capacity comes back. violatedObserved: 0 of 2 slots at the end")
    expect(claims.nth(1)).to_contain_text("✓Somebody was admitted. holdsObserved: 1 admitted")
    expect(claims.nth(2)).to_contain_text("A claim about another case. does not apply here")
    claims.nth(0).get_by_role("button", name="Show the moment").click()
    expect(panel.locator(".lab-event-text")).to_have_text("w2: refused (no slot free, waited: 1.5 ms)")


def test_choosing_a_variant_shows_its_recorded_run(panel):
    expect(button(panel, "Counter")).to_have_attribute("aria-pressed", "true")
    button(panel, "Lease").click()
    expect(button(panel, "Lease")).to_have_attribute("aria-pressed", "true")
    expect(button(panel, "Counter")).to_have_attribute("aria-pressed", "false")
    expect(panel.locator(".lab-outcome strong")).to_have_text("Holds within bounds")
    assert panel.evaluate("fake.requests.length") == 0


def test_run_asks_for_what_is_set_and_goes_to_the_first_violation(panel):
    button(panel, "Parameters").click()
    panel.get_by_label("Limit", exact=True).fill("7")
    panel.get_by_label("Mode").select_option("wild")
    press_run(panel)
    [request] = panel.evaluate("fake.requests")
    parameters = {"limit": 7, "mode": "wild", "pauses_ms": [5, 10]}
    assert request == {"experiment": "demo", "variant": "counter", "parameters": parameters, "seed": 0}
    violation = data.report()["claims"][0]["position"]
    expect(panel.get_by_role("slider")).to_have_attribute("aria-valuenow", str(violation + 1))


def test_a_run_without_violation_is_shown_at_its_end(panel):
    button(panel, "Lease").click()
    panel.get_by_role("slider").press("Home")
    press_run(panel)
    expect(panel.get_by_role("slider")).to_have_attribute("aria-valuenow", str(len(data.report()["trace"])))


def test_the_verdict_is_announced_once_per_run_and_scrubbing_announces_nothing(panel):
    live = panel.locator(".lab-hidden[aria-live=polite]")
    expect(live).to_have_text("")
    press_run(panel)
    expect(live).to_have_text("Counter: Counterexample found. 1 of 2 claims hold.")
    panel.evaluate(
        """() => { window.heard = 0;
          for (const node of document.querySelectorAll("[role=status], [aria-live]")) {
            const what = { childList: true, subtree: true, characterData: true };
            new MutationObserver(() => (window.heard += 1)).observe(node, what);
          } }"""
    )
    for key in ("Home", "ArrowRight", "PageDown", "End"):
        panel.get_by_role("slider").press(key)
    panel.wait_for_timeout(100)
    assert panel.evaluate("window.heard") == 0


def test_a_run_equal_to_the_recorded_one_says_so(panel):
    press_run(panel)
    expect(panel.locator(".lab-status-words")).to_contain_text("event for event")
    panel.evaluate("fake.change = { digest: 'f'.repeat(64) }")
    press_run(panel)
    expect(panel.locator(".lab-status-words")).to_have_text("This run was made here, in your browser.")


def test_controls_work_only_when_they_can(panel):
    expect(button(panel, "Stop")).to_be_disabled()
    panel.evaluate("fake.hold = 'busy'")
    button(panel, "Run").click()
    expect(button(panel, "Stop")).to_be_focused()
    for name in ("Run", "Reset", "Counter", "Lease"):
        expect(button(panel, name)).to_be_disabled()
    panel.evaluate("fake.release()")
    expect(button(panel, "Run")).to_be_focused()
    expect(button(panel, "Stop")).to_be_disabled()


def test_nothing_can_be_pressed_before_the_experiment_is_known(open_page, site):
    site.modules["site-data.js"] = (LAB / "site-data.js").read_text(encoding="utf-8") + (
        "const waiting = new Promise((go) => (globalThis.letGo = go));"
    )
    site.modules["site-data.js"] = site.modules["site-data.js"].replace("  try {", "  await waiting;\n  try {", 1)
    page = open_page(wait="ownership-lab figure")
    page.wait_for_function("typeof letGo === 'function'")
    expect(page.get_by_text("The recorded run as a picture")).to_be_visible()
    expect(page.locator(".lab button")).to_have_count(0)
    page.evaluate("letGo()")
    expect(button(page, "Run")).to_be_enabled()


def test_loading_shows_bytes_and_stages_and_can_be_stopped(panel):
    panel.evaluate("fake.hold = 'loading'")
    button(panel, "Run").click()
    panel.evaluate("fake.progress('download', 2_100_000, 5_400_000)")
    expect(panel.locator(".lab-status-bytes")).to_have_text("2.1 MB of 5.4 MB")
    bar = panel.get_by_role("progressbar")
    assert bar.evaluate("bar => [bar.value, bar.max]") == [2_100_000, 5_400_000]
    panel.evaluate("fake.progress('compile', 5_400_000, 5_400_000)")
    expect(panel.locator(".lab-status-words")).to_have_text("Preparing Python …")
    panel.evaluate("fake.progress('start', 5_400_000, 5_400_000)")
    expect(panel.locator(".lab-status-words")).to_have_text("Starting Python …")
    button(panel, "Stop").click()
    expect(panel.locator(".lab-status-words")).to_have_text("Stopped. The last finished run is still shown.")
    expect(panel.locator("ownership-lab")).to_have_attribute("state", "stopped")
    expect(reading(panel, "admitted")).to_have_text("6,667 tasks")
    panel.evaluate("fake.hold = null")
    press_run(panel)


def test_a_failed_load_says_so_and_offers_a_retry(panel):
    panel.evaluate("fake.fault = { kind: 'load', message: 'A part of the Python runtime could not be loaded.' }")
    button(panel, "Run").click()
    expect(panel.locator(".lab-status-words")).to_contain_text(
        "Python could not be loaded: A part of the Python runtime"
    )
    panel.evaluate("fake.fault = null")
    button(panel, "Try again").click()
    panel.wait_for_selector("ownership-lab[state=ran]")
    expect(button(panel, "Try again")).to_be_hidden()


def test_a_failing_program_is_named_with_its_place(panel):
    panel.evaluate("fake.fault = { kind: 'program', message: 'invalid syntax', file: 'lease.py', line: 7 }")
    button(panel, "Run").click()
    expect(panel.locator(".lab-status-words")).to_have_text("The program failed in lease.py, line 7: invalid syntax")
    expect(reading(panel, "admitted")).to_have_text("6,667 tasks")


def test_a_value_that_only_python_refuses_is_told_at_its_field(panel):
    panel.evaluate("fake.fault = { kind: 'input', message: 'limit must fit the other parameters' }")
    button(panel, "Run").click()
    field = panel.get_by_label("Limit", exact=True)
    expect(field).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(panel.locator(".lab-problem").nth(0)).to_have_text("limit must fit the other parameters")


def test_a_wrong_parameter_is_told_in_one_sentence_and_nothing_is_lost(panel):
    button(panel, "Parameters").click()
    panel.get_by_label("Pauses").fill("1, 2, 3")
    panel.get_by_label("Limit", exact=True).fill("1000")
    problem = panel.locator(".lab-problem").nth(0)
    expect(problem).to_have_text("Limit must be a whole number from 1 to 100 slots; 1,000 is outside.")
    button(panel, "Parameters 2 changed").click()
    expect(panel.get_by_label("Limit", exact=True)).to_be_hidden()
    button(panel, "Run").click()
    expect(panel.get_by_label("Limit", exact=True)).to_be_focused()
    assert panel.evaluate("fake.requests.length") == 0
    assert panel.get_by_label("Limit", exact=True).input_value() == "1000"
    assert panel.get_by_label("Pauses").input_value() == "1, 2, 3"
    expect(reading(panel, "admitted")).to_have_text("6,667 tasks")
    panel.get_by_label("Limit", exact=True).fill("10")
    expect(problem).to_have_text("")
    press_run(panel)


def test_reset_brings_back_variant_defaults_and_recorded_run(panel):
    button(panel, "Parameters").click()
    panel.get_by_label("Limit", exact=True).fill("50")
    expect(panel.get_by_text("1 changed")).to_be_visible()
    button(panel, "Lease").click()
    expect(panel.locator(".lab-status-words")).to_contain_text("default parameters")
    press_run(panel)
    button(panel, "Reset").click()
    panel.wait_for_selector("ownership-lab[state=recorded]")
    assert panel.get_by_label("Limit", exact=True).input_value() == "2"
    expect(button(panel, "Counter")).to_have_attribute("aria-pressed", "true")
    expect(panel.locator(".lab-outcome strong")).to_have_text("Counterexample found")


def test_coming_near_run_starts_python_early_and_nothing_else_does(panel):
    panel.mouse.move(5, 5)
    assert panel.evaluate("fake.warmed") == 0
    button(panel, "Run").hover()
    assert panel.evaluate("fake.warmed") == 1


def test_one_panel_waits_while_another_runs(open_page, site):
    site.pages["/"] = page_html(element() + element("long", 'variant="lease"'))
    page = open_page()
    expect(page.locator(".lab")).to_have_count(2)
    first, second = (page.locator("ownership-lab").nth(index) for index in (0, 1))
    expect(second.get_by_role("button", name="Run", exact=True)).to_be_enabled()
    page.evaluate("fake.hold = 'busy'")
    first.get_by_role("button", name="Run", exact=True).click()
    expect(second.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    expect(second.get_by_role("button", name="Stop", exact=True)).to_be_disabled()
    page.evaluate("fake.release()")
    expect(second.get_by_role("button", name="Run", exact=True)).to_be_enabled()


def test_a_report_that_cannot_be_drawn_leaves_the_static_run(open_page, site):
    site.data["recorded/demo/counter.json"]["scene"] = [{"view": "cells", "id": "broken"}]
    page = open_page(wait=".lab-failure")
    expect(page.get_by_text("The recorded run as a picture")).to_be_visible()


def test_a_missing_recorded_run_leaves_the_static_one_and_run_still_works(open_page, site):
    recorded = site.data.pop("recorded/demo/counter.json")
    page = open_page()
    page.expected = ["404"]
    expect(page.locator(".lab-status-words")).to_contain_text("The recorded run could not be fetched")
    expect(page.get_by_text("The recorded run as a picture")).to_be_visible()
    expect(reading(page, "admitted")).to_have_text("—")
    site.data["recorded/demo/counter.json"] = recorded
    press_run(page)
    expect(page.get_by_text("The recorded run as a picture")).to_be_hidden()


def test_a_report_of_a_newer_version_is_refused_by_name(open_page, site):
    site.data["recorded/demo/counter.json"]["version"] = 2
    page = open_page()
    expect(page.locator(".lab-status-words")).to_contain_text("report version 2 is not 1")


def test_a_view_of_an_unknown_kind_is_named_and_the_rest_is_drawn(open_page, site):
    site.data["recorded/demo/counter.json"]["scene"].insert(0, {"view": "sculpture", "id": "new", "label": "New"})
    page = open_page()
    expect(page.get_by_text("This page cannot draw a view of kind “sculpture” yet.")).to_be_visible()
    expect(page.locator('[data-view="slots"]')).to_be_visible()


def test_text_from_data_is_never_markup(open_page, site):
    evil = "<img src=x onerror='globalThis.owned = true'>"
    experiment = site.data["experiments/demo.json"]["experiment"]
    experiment.update(title=evil, question=evil, summary=evil, kicker=evil, status=evil, not_shown=[evil])
    experiment["readings"][0].update(label=evil, caption=evil)
    experiment["programs"]["counter"][0]["text"] = evil
    report = site.data["recorded/demo/counter.json"]
    report["claims"][0].update(text=evil, observed=evil)
    report["readings"]["admitted"] = evil
    report["lanes"][0]["label"] = evil
    for event in report["trace"]:
        if "text" in event["fields"]:
            event["fields"]["text"] = evil
        if "changes" in event["fields"]:
            event["fields"]["changes"][0]["value"] = evil
    page = open_page()
    for tab in ("Program", "Table", "Store"):
        page.get_by_role("tab", name=tab).click()
    page.get_by_role("slider").press("Home")
    page.wait_for_timeout(200)
    assert page.evaluate("globalThis.owned") is None
    expect(page.locator("ownership-lab img")).to_have_count(0)


def test_the_element_upgrades_once_and_cleans_up(panel):
    stopped = panel.evaluate(
        """async () => {
          const element = document.querySelector("ownership-lab");
          const parent = element.parentElement;
          fake.hold = "busy";
          const run = element.run();
          element.remove();
          await run;
          const stopped = element.getAttribute("state");
          parent.append(element);
          await import("/assets/lab/main.js?again");
          fake.hold = null;
          await element.run();
          return stopped;
        }"""
    )
    assert stopped == "stopped"
    expect(panel.locator("ownership-lab")).to_have_attribute("state", "ran")
    expect(panel.locator(".lab")).to_have_count(1)


def test_attributes_choose_variant_parameters_and_position(open_page, site):
    attributes = """variant="lease" position="3" parameters='{"limit": 9, "nonsense": 1}'"""
    site.pages["/"] = page_html(element("demo", attributes))
    page = open_page()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "4")
    assert page.get_by_label("Limit", exact=True).input_value() == "9"
    expect(page.locator(".lab-remarks > .lab-remark")).to_contain_text("nonsense")
    expect(page.locator(".lab-remarks > .lab-remark")).to_contain_text("Known are: limit, mode, pauses_ms")
    page.evaluate("document.querySelector('ownership-lab').setAttribute('position', '5')")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "6")
    page.evaluate("document.querySelector('ownership-lab').setAttribute('variant', 'counter')")
    expect(page.locator(".lab-outcome strong")).to_have_text("Counterexample found")


def test_an_unknown_variant_is_named_with_those_that_exist(open_page, site):
    site.pages["/"] = page_html(element("demo", 'variant="nope"'))
    page = open_page()
    expect(page.locator(".lab-remarks > .lab-remark")).to_have_text(
        "There is no variant “nope”; showing “counter”. Known are: counter, lease."
    )


def test_compact_shows_question_buttons_picture_and_numbers_and_can_be_opened(open_page, site):
    site.pages["/"] = page_html(element("demo", 'variant="counter" compact'))
    page = open_page()
    expect(page.locator('[data-view="slots"]')).to_be_visible()
    expect(reading(page, "admitted")).to_be_visible()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", str(len(data.report()["trace"])))
    expect(page.locator(".lab-lanes")).to_be_hidden()
    button(page, "Show timeline, store and program").click()
    expect(page.locator(".lab-plot")).to_be_visible()
    expect(page.locator(".lab-plot .lab-lane-label")).to_have_count(4)


def test_what_print_shows_is_the_static_run(panel):
    panel.emulate_media(media="print")
    expect(panel.get_by_text("The recorded run as a picture")).to_be_visible()
    expect(panel.locator(".lab")).to_be_hidden()
    assert FALLBACK.startswith("<figure")


def test_live_numbers_are_kept_apart_from_the_documented_ones(open_page, site):
    site.modules["live.js"] = """
      export async function runLive({ mode, parameters }, onBeat, { signal }) {
        globalThis.measured = [mode, parameters.limit];
        onBeat();
        if (globalThis.hang) await new Promise((_, no) => signal.addEventListener("abort", () => no(new Error("x"))));
        if (globalThis.refuse) throw new Error("the page is hidden");
        return { admitted: 31, beats_ms: [20, 40, 60] };
      }"""
    page = open_page()
    page.get_by_label("Live").check()
    expect(page.locator(".lab-live-notice")).to_contain_text("this machine, in real time")
    button(page, "Run").click()
    expect(page.locator(".lab-live .lab-reading-number").nth(0)).to_have_text("31")
    expect(page.locator(".lab-live [data-row=ran] b")).to_have_text("3")
    expect(page.locator(".lab-side [data-reading=admitted] .lab-reading-number")).to_have_text("6,667")
    assert page.evaluate("[measured, fake.requests.length]") == [["counter", 2], 0]
    page.evaluate("globalThis.refuse = true")
    button(page, "Run").click()
    expect(page.locator(".lab-live-status")).to_have_text("Nothing was measured: the page is hidden")
    page.evaluate("globalThis.hang = true")
    button(page, "Run").click()
    button(page, "Stop").click()
    expect(page.locator(".lab-live-status")).to_have_text("Stopped. Nothing was measured.")
    expect(button(page, "Run")).to_be_enabled()
