"""Every documented number, read from the page: choose a variant, press Run, read what stands there.

The numbers are those that tests of the experiments use too; here they must come out as text, from a run that this
browser made. Other parameters and digests are compared with the command line, which runs another Python.
"""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.browser import reading
from tests.browser.panel import SAME_AS_RECORDED, Panel, page_of, pages_with_panels
from tests.experiments.golden import FLIGHT, GOLDEN, HEARTBEAT, MERGING, OWNERSHIP, SLOTS
from tools.paths import ROOT

# Texts written down by hand, lest the numbers and the function that formats them here agree in the same mistake.
AS_SHOWN = {
    (HEARTBEAT, "in-loop"): {"beats_actual": "30 beats", "beats_theoretical": "50 beats", "delay_ms_max": "390 ms"},
    (HEARTBEAT, "offloaded"): {"beats_actual": "50 beats", "delay_ms_max": "0 ms"},
    (OWNERSHIP, "global-claim"): {"wait_ticks": "3 ticks", "owner": "W2", "claim_rows": "W2: 1, W3: 0 rows"},
    (OWNERSHIP, "preemption"): {"wait_ticks": "—", "owner": "W3", "epoch": "2", "late_started_rows": "0 rows"},
    (SLOTS, "counter"): {"first_refusal_ms": "6,667 ms", "capacity_every_5s": "10, 1, 0, 0, 0, 0, 0 slots"},
    (SLOTS, "lease"): {"admitted": "82 tasks", "refused": "0 tasks", "first_refusal_ms": "—"},
    (FLIGHT, "unchecked-publish"): {"publishes": "[1, 7500], [2, 9020] token, ms"},
    (FLIGHT, "key-expiry-is-lease"): {"publishes": "none"},
    (MERGING, "plain"): {"upstream_calls": "41 calls", "end_us": "48,510 µs", "wait_us_mean": "8,200 µs"},
}

OTHER_SETTINGS = [
    (HEARTBEAT, "in-loop", {"interval_ms": 30, "window_ms": 1500, "block_at_ms": 457, "block_ms": 250}),
    (HEARTBEAT, "in-loop", {"interval_ms": 7, "block_at_ms": 333, "block_ms": 90, "timer": "phase-keeping"}),
    (OWNERSHIP, "local-queue", {"long_ends_tick": 33, "short_enters_tick": 5}),
    (OWNERSHIP, "preemption", {"short_enters_tick": 4, "release_tick": 15, "late_started_tick": 9}),
    (SLOTS, "counter", {"limit": 5, "crash_every": 4, "arrival_every_ms": 290}),
    (SLOTS, "lease-repaired", {"limit": 4, "duration_ms": 45000, "lease_ms": 4100, "heartbeat_ms": 900}),
    (FLIGHT, "blind-takeover", {"followers": 3, "jitter_ms": [90, 210, 430], "until_ms": 30000}),
    (FLIGHT, "repaired", {"fault": "crash", "fault_at_ms": 1300, "upstream_ms": 2600}),
    (MERGING, "plain", {"requests": 37, "gap_us": 830}),
    (MERGING, "merged-without-cache", {"requests": 150, "gap_us": 310, "upstream_us": 17000}),
]


# What every Python that runs these tests must compute for the defaults; pinned with the tests of determinism.
PINNED_DIGESTS = json.loads((ROOT / "tests" / "determinism" / "digests.json").read_text(encoding="utf-8"))


def text_of(value: object) -> str:
    """A reading's value as the page writes it."""
    match value:
        case None:
            return "—"
        case list() | dict() if not value:
            return "none"
        case list():
            return ", ".join(json.dumps(item) if isinstance(item, list) else text_of(item) for item in value)
        case dict():
            return ", ".join(f"{key}: {text_of(item)}" for key, item in value.items())
        case int() | float():
            return f"{round(value, 3):,}"
    return str(value)


def texts_of(experiment: dict, readings: dict) -> dict[str, str]:
    """Readings by name → value with unit as shown; where there is no value there is no unit."""
    units = {reading["name"]: reading["unit"] for reading in experiment["readings"]}
    empty = (None, [], {})
    return {
        name: f"{text_of(value)} {units[name]}" if units[name] and value not in empty else text_of(value)
        for name, value in readings.items()
    }


def command_line(slug: str, variant: str, parameters: dict) -> dict:
    """The run as `python -m experiments run` tells it."""
    command = [sys.executable, "-m", "experiments", "run", slug, "--variant", variant, "--json"]
    for name, value in parameters.items():
        command += ["--set", f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"]
    return json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout)


@pytest.fixture(scope="module")
def experiments(site_folder) -> dict[str, dict]:
    """The site's catalogue, by slug."""
    return {each["slug"]: each for each in reading.experiments(site_folder)}


@pytest.fixture(scope="module")
def panel(request, module_page, server, site_folder) -> Iterator[Panel]:
    """The panel of an experiment on the page that explains it; all tests of that experiment share the page."""
    tab = module_page(viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"])
    tab.goto(server.url + page_of(site_folder, request.param))
    yield Panel(tab, request.param).wait_until_drawn()
    tab.close()


def cases(rows: list[tuple]) -> pytest.MarkDecorator:
    """Parametrize by experiment, variant and the rest; tests of one experiment then run one after another."""
    names = ("panel", "slug", "variant", "parameters", "readings")[: len(rows[0]) + 1]
    ids = ["-".join(map(str, [slug, variant, *parameters])) for slug, variant, parameters, *_ in rows]
    return pytest.mark.parametrize(names, [(row[0], *row) for row in rows], indirect=["panel"], ids=ids)


def test_every_experiment_has_a_page_and_every_variant_a_number(site_folder, experiments):
    assert {slug for _, slug, _ in pages_with_panels(site_folder)} == set(experiments)
    lessons = {slug: each for slug, each in experiments.items() if each["challenge"] is None}
    variants = {(slug, variant["id"]) for slug, each in lessons.items() for variant in each["variants"]}
    assert {(slug, variant) for slug, variant, parameters, _ in GOLDEN if not parameters} == variants
    assert {slug for slug, *_ in OTHER_SETTINGS} == set(lessons)


@cases([row for row in GOLDEN if not row[2]])
def test_a_reader_reads_the_documented_numbers_and_cpythons_digest(
    panel, experiments, slug, variant, parameters, readings
):
    panel.reset()
    panel.choose(variant)
    assert panel.run() == SAME_AS_RECORDED
    shown = panel.readings()
    assert shown.keys() == {reading["name"] for reading in experiments[slug]["readings"]}
    expected = {**texts_of(experiments[slug], readings), **AS_SHOWN.get((slug, variant), {})}
    assert {name: shown[name] for name in expected} == expected
    assert panel.digest() == PINNED_DIGESTS[slug][variant]


@cases([row for row in GOLDEN if row[2]])
def test_documented_numbers_of_other_parameters_come_out_too(panel, experiments, slug, variant, parameters, readings):
    panel.reset()
    panel.choose(variant)
    panel.type_parameters(parameters)
    panel.run_here()
    shown = panel.readings()
    expected = texts_of(experiments[slug], readings)
    assert {name: shown[name] for name in expected} == expected


@cases(OTHER_SETTINGS)
def test_parameters_typed_into_the_form_give_the_command_lines_run(panel, experiments, slug, variant, parameters):
    panel.reset()
    panel.choose(variant)
    usual = panel.readings()
    panel.type_parameters(parameters)
    panel.run_here()
    told = command_line(slug, variant, parameters)
    assert panel.readings() == texts_of(experiments[slug], told["readings"])
    assert panel.readings() != usual, "the settings change no reading, so they show nothing"
    assert panel.digest() == told["digest"]


@pytest.mark.parametrize("panel", [SLOTS], indirect=True)
def test_a_value_out_of_range_is_told_at_its_field_and_runs_nothing(panel):
    panel.reset()
    panel.type_parameters({"limit": 0})
    panel.run_button.click()
    assert panel.status.inner_text() == "Nothing was run: mend the marked parameter first."
    problem = panel.root.locator('[data-parameter="limit"]')
    assert problem.get_attribute("aria-invalid") == "true"
    assert panel.root.get_by_text("Limit must be a whole number from 1 to 100 slots; 0 is outside.").is_visible()
    panel.reset()
    assert panel.run() == SAME_AS_RECORDED
