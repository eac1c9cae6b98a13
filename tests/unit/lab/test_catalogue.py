"""The catalogue is complete: whatever is declared has its texts, whatever is written is used, and numbers agree."""

import json
import re
import subprocess
import sys

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import Integer
from py_runtime.lab.catalogue import catalogue
from tools.paths import ROOT

ALL = list(EXPERIMENTS.values())
SLUGS = list(EXPERIMENTS)
TOP = {
    "title", "kicker", "question", "summary", "status", "variants", "parameters", "readings", "not_shown", "claims",
    "predictions", "safeguards",
}  # fmt: skip
CHALLENGE_TOP = TOP - {"predictions", "safeguards"} | {"challenge"}


def sentences(texts, path=""):
    """Every text of a language file with its place."""
    if isinstance(texts, str):
        yield path, texts
    elif isinstance(texts, dict):
        for key, value in texts.items():
            yield from sentences(value, f"{path}/{key}")
    else:
        for index, value in enumerate(texts):
            yield from sentences(value, f"{path}/{index}")


def test_the_table_is_in_the_documented_order():
    assert SLUGS == [
        "heartbeat-stall", "task-ownership", "slot-recycling", "single-flight-takeover", "request-merging",
        "renew-without-resurrecting", "retry-that-is-refused", "takeover-compare-with-what",
        "lease-that-deletes-itself", "whose-clock-whose-timeout", "one-condition-less", "one-node-two-nodes",
        "replay-or-subscribe-first", "percentile-that-saw-nothing", "missed-wake-up", "forty-one-or-three",
        "cancel-that-expires", "counter-autopsy", "herd-and-poison",
    ]  # fmt: skip
    assert [each.slug for each in ALL] == SLUGS, "a slug is its folder's name"
    assert [slug for slug, each in EXPERIMENTS.items() if each.live] == ["heartbeat-stall"]


def test_an_experiment_is_imported_when_it_is_asked_for_and_only_with_the_stores_it_needs():
    ask = (
        "import sys; from experiments import EXPERIMENTS; assert 'slot-recycling' in EXPERIMENTS and len(EXPERIMENTS);"
        "print(sorted(name for name in sys.modules if name.count('.') == 1 and name.startswith('experiments')));"
        "EXPERIMENTS['slot-recycling'];"
        "print(sorted(name for name in sys.modules if name in"
        " ('py_runtime.stores.redis', 'py_runtime.stores.sql', 'experiments.slot_recycling')))"
    )
    done = subprocess.run([sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["[]", "['experiments.slot_recycling', 'py_runtime.stores.redis']"]


@pytest.mark.parametrize("experiment", ALL, ids=SLUGS)
def test_what_is_declared_has_texts_and_what_is_written_is_declared(experiment):
    texts = experiment.texts()
    assert set(texts) == (TOP if experiment.challenge is None else CHALLENGE_TOP)
    assert list(texts["variants"]) == [variant.id for variant in experiment.variants]
    assert list(texts["parameters"]) == [parameter.name for parameter in experiment.parameters]
    assert list(texts["readings"]) == [reading.name for reading in experiment.readings]
    assert set(texts["claims"]) == {claim.id for claim in experiment.claims}
    assert list(texts.get("predictions", {})) == [prediction.id for prediction in experiment.predictions]
    for prediction in experiment.predictions:
        assert list(texts["predictions"][prediction.id].get("choices", {})) == list(prediction.choices)
    assert set(texts.get("safeguards", {})) == {safeguard.id for safeguard in experiment.safeguards}
    assert all(set(each) == {"label", "protects", "without"} for each in texts.get("safeguards", {}).values())
    assert all(set(each) == {"label", "summary"} for each in texts["variants"].values())
    assert all(set(each) == {"label", "help"} for each in texts["parameters"].values())
    assert all(set(each) == {"label", "caption"} for each in texts["readings"].values())
    assert len(texts["not_shown"]) >= 3


@pytest.mark.parametrize("experiment", ALL, ids=SLUGS)
def test_what_is_declared_fits_together(experiment):
    claims = {claim.id for claim in experiment.claims}
    variants = {variant.id for variant in experiment.variants}
    assert len(claims) == len(experiment.claims)
    assert len(variants) == len(experiment.variants)
    for variant in experiment.variants:
        assert variant.breaks is None or variant.breaks in claims
        for file in variant.programs:
            assert experiment.resource(f"programs/{file}").startswith('"""')
    for claim in experiment.claims:
        assert set(claim.variants) <= variants
        assert claim.kind in ("always", "sometimes", "eventually")
    for parameter in experiment.parameters:
        assert parameter.read(parameter.default) == (
            parameter.default if not isinstance(parameter.default, tuple) else list(parameter.default)
        )


@pytest.mark.parametrize("experiment", ALL, ids=SLUGS)
def test_texts_are_whole_sentences(experiment):
    for path, text in sentences(experiment.texts()):
        assert text == text.strip() and "  " not in text, path
        assert not re.search(r"\b(\w+) \1\b", text), f"{path}: a word twice"
        assert not re.search(r"correct|proved|TODO|simply", text), path
        if not re.search(r"/(label|title|kicker)$|/choices/", path):
            assert text[-1] in ".?", path
            assert text[0].isupper() or text.split()[0].rstrip(":.") in {
                "sleep-loop", "phase-keeping", "pause", "1", "0"
            }, path  # fmt: skip


@pytest.mark.parametrize("experiment", ALL, ids=SLUGS)
def test_numbers_in_a_summary_are_defaults(experiment):
    """1,250 ms, 30 s, 490 µs: each is some parameter's default in one unit or another."""
    defaults = set()
    for parameter in experiment.parameters:
        if isinstance(parameter, Integer):
            defaults |= {parameter.default, parameter.default / 1_000}
    texts = experiment.texts()
    for text in (texts["summary"], texts["status"]):
        found = [float(number.replace(",", "")) for number in re.findall(r"\b\d[\d,]*(?= (?:ms|s|µs)\b)", text)]
        assert [number for number in found if number not in defaults] == [], text


def test_the_catalogue_is_json_with_every_program_text():
    described = catalogue(EXPERIMENTS)
    assert json.loads(json.dumps(described)) == described
    assert described["version"] == 1
    for entry, experiment in zip(described["experiments"], ALL, strict=True):
        assert set(entry) == {
            "slug", "title", "kicker", "question", "summary", "status", "live", "variants", "parameters", "readings",
            "not_shown", "programs", "predictions", "safeguards", "challenge",
        }  # fmt: skip
        assert [each["id"] for each in entry["variants"]] == list(entry["programs"])
        for variant in entry["variants"]:
            assert set(variant) == {"id", "label", "summary", "expected", "breaks"}
            assert all(program["text"].strip() for program in entry["programs"][variant["id"]])
        for parameter in entry["parameters"]:
            assert set(parameter) == {
                "name", "label", "unit", "type", "default", "minimum", "maximum", "choices", "help",
            }  # fmt: skip
            assert parameter["type"] in ("integer", "choice", "integers")
        for reading in entry["readings"]:
            assert set(reading) == {"name", "label", "unit", "caption"}
        assert experiment.slug == entry["slug"]


def test_an_unknown_language_has_no_texts():
    with pytest.raises(OSError):
        ALL[0].texts("xx")
