"""What each published run answers to the question that a reader is asked before it: exact, beside the readings."""

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import Prediction, run_once
from py_runtime.sim import Bounds

from .support import LESSONS

ANSWERS = {
    ("heartbeat-stall", "in-loop"): ("first-missing", 220_000, "220 ms"),
    ("heartbeat-stall", "offloaded"): ("first-missing", None, "never"),
    ("task-ownership", "local-queue"): ("owner", "W1", "W1, which took the request"),
    ("task-ownership", "global-claim"): ("owner", "W2", "W2"),
    ("task-ownership", "preemption"): ("owner", "W3", "W3"),
    ("slot-recycling", "counter"): ("capacity-zero", 5_557_000, "5,557 ms"),
    ("slot-recycling", "lease"): ("capacity-zero", None, "never"),
    ("slot-recycling", "lease-repaired"): ("capacity-zero", None, "never"),
    ("single-flight-takeover", "repaired"): ("calls", "twice", "twice"),
    ("single-flight-takeover", "no-reread"): ("calls", "twice", "twice"),
    ("single-flight-takeover", "blind-takeover"): ("calls", "more", "more often"),
    ("single-flight-takeover", "unchecked-publish"): ("calls", "twice", "twice"),
    ("single-flight-takeover", "key-expiry-is-lease"): ("calls", "once", "once"),
    ("request-merging", "plain"): ("calls", "many", "one in ten or more"),
    ("request-merging", "merged"): ("calls", "one", "only one"),
    ("request-merging", "merged-without-cache"): ("calls", "few", "more, but fewer than one in ten"),
}
EVERY = [(slug, variant.id) for slug, experiment in LESSONS.items() for variant in experiment.variants]


@pytest.mark.parametrize(("slug", "variant"), EVERY)
def test_what_a_published_run_answers(slug, variant):
    answers = run_once(EXPERIMENTS[slug], variant).predictions
    assert [(answer["id"], answer["value"], answer["text"]) for answer in answers] == [ANSWERS[slug, variant]]


@pytest.mark.parametrize(
    ("slug", "variant", "parameters", "answer"),
    [
        ("heartbeat-stall", "in-loop", {"block_ms": 0}, None),
        # Busy from 210 ms to the end of the window: no beat is late, the one due at 220 ms never comes.
        ("heartbeat-stall", "in-loop", {"block_ms": 60_000}, 220_000),
        ("heartbeat-stall", "in-loop", {"interval_ms": 100, "timer": "phase-keeping"}, 300_000),
        # One slot: the first admission, at the first arrival, takes it.
        ("slot-recycling", "lease", {"limit": 1}, 7_000),
        ("request-merging", "plain", {"requests": 1}, "all"),
        ("single-flight-takeover", "repaired", {"fault": "none"}, "once"),
    ],
)
def test_other_parameters_have_other_answers(slug, variant, parameters, answer):
    [found] = run_once(EXPERIMENTS[slug], variant, parameters).predictions
    assert found["value"] == answer


def test_a_run_that_was_cut_short_answers_nothing():
    report = run_once(EXPERIMENTS["slot-recycling"], "counter", bounds=Bounds(steps_max=50))
    assert report.predictions == []


@pytest.mark.parametrize(("kind", "choices"), [("moment", ("a",)), ("choice", ()), ("number", ())])
def test_a_question_is_of_a_moment_or_has_choices(kind, choices):
    with pytest.raises(ValueError, match="prediction when: kind is 'moment', or 'choice' with its choices"):
        Prediction("when", kind, lambda log, setting, readings: None, choices)
