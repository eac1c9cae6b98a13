"""An address goes round: what a run prints names that run again, for every experiment and any legal parameters."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments import EXPERIMENTS
from py_runtime.lab import Choice, InputError, Integer, Setting, replay, run_once
from py_runtime.lab.address import ADDRESS_MAX, parse_address, write_address
from py_runtime.lab.parameters import read_parameters
from py_runtime.sim import Schedule
from py_runtime.sim.schedule import DEVIATIONS_MAX

from .toy import TABLE, TOY


@st.composite
def runs(draw):
    """An experiment, a legal setting (before any check of how parameters fit together), and a schedule."""
    experiment = draw(st.sampled_from(list(EXPERIMENTS.values())))
    chosen = {}
    for parameter in experiment.parameters:
        if draw(st.booleans()):
            continue
        if isinstance(parameter, Integer):
            chosen[parameter.name] = draw(st.integers(parameter.minimum, parameter.maximum))
        elif isinstance(parameter, Choice):
            chosen[parameter.name] = draw(st.sampled_from(parameter.choices))
        else:
            number = st.integers(parameter.minimum, parameter.maximum)
            chosen[parameter.name] = draw(st.lists(number, max_size=parameter.length_max))
    variant = draw(st.sampled_from(experiment.variants)).id
    deviations = draw(st.dictionaries(st.integers(0, 9_999), st.integers(1, 99), max_size=5))
    seed = draw(st.integers(0, 2**32 - 1))
    return experiment, Setting(variant, read_parameters(experiment.parameters, chosen)), Schedule(seed, deviations)


@settings(max_examples=200, deadline=None)
@given(runs())
def test_what_is_written_is_read_back(drawn):
    experiment, setting, schedule = drawn
    text = write_address(experiment, setting, schedule)
    address = parse_address(text, EXPERIMENTS)
    assert (address.experiment, address.variant) == (experiment.slug, setting.variant)
    assert (address.schedule.seed, dict(address.schedule.deviations)) == (schedule.seed, dict(schedule.deviations))
    assert read_parameters(experiment.parameters, address.parameters) == setting.values
    assert text.isascii()
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_.~"), "nothing that a URL would escape"


def test_only_what_differs_from_the_defaults_is_written():
    assert run_once(TOY, "plain").schedule == "ol1~toy~plain~0_0"
    assert run_once(TOY, "plain", {"count": 4, "mood": "noisy"}).schedule.startswith("ol1~toy~plain~0_")
    assert run_once(TOY, "other", {"sizes": [1, 2]}).schedule == "ol1~toy~other~0_0~sizes.1.2"


def test_an_empty_list_has_an_address_too():
    report = run_once(TOY, "plain", {"sizes": []})
    assert replay(TABLE, report.schedule).parameters["sizes"] == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a schedule reads ol1~EXPERIMENT~VARIANT~SEED_CHOICES, as `run` prints it; got ''"),
        ("not-a-schedule", "a schedule reads ol1~"),
        ("ol2~toy~plain~0_0", "a schedule reads ol1~"),
        ("ol1~toy~plain", "a schedule reads ol1~"),
        ("ol1~nothing~plain~0_0", "unknown experiment 'nothing'; there are: toy"),
        ("ol1~toy~nothing~0_0", "unknown variant 'nothing'; there are: plain, other"),
        ("ol1~toy~plain~", "a schedule starts with its seed and an underscore, as in 0_0; got ''"),
        ("ol1~toy~plain~x_0", "a schedule starts with its seed"),
        ("ol1~toy~plain~0_", "a schedule lists its choices as POINT.INDEX"),
        ("ol1~toy~plain~0_5", "a schedule lists its choices as POINT.INDEX, as in 12.1; got '5'"),
        ("ol1~toy~plain~0_5.1-5.1", "names choice point 5 twice"),
        ("ol1~toy~plain~4294967296_0", "seed must be a whole number from 0 to 4294967295"),
        ("ol1~toy~plain~0_999.1", "the schedule lists 1 choice that this run never came to"),
        ("ol1~toy~plain~0_0~count", "the schedule lists parameters as NAME.VALUE, each once; got 'count'"),
        ("ol1~toy~plain~0_0~count.3~count.4", "the schedule lists parameters as NAME.VALUE, each once"),
        ("ol1~toy~plain~0_0~", "the schedule lists parameters as NAME.VALUE"),
        ("ol1~toy~plain~0_0~count.x", "count must be a whole number"),
        ("ol1~toy~plain~0_0~count.99", "count must not be 99 here"),
        ("ol1~toy~plain~0_0~other.1", "unknown parameter 'other'"),
        ("ol1~toy~plain~0_0~sizes.1.2.3.4", "sizes must be at most 3 whole numbers"),
        ("ol1~" + "x" * ADDRESS_MAX, f"longer than {ADDRESS_MAX:,} characters"),
        ("ol1~toy~plain~0_" + "-".join(f"{n}.1" for n in range(DEVIATIONS_MAX + 1)), f"more than {DEVIATIONS_MAX}"),
        ("ol1~toy~plain~٣_0", "a schedule starts with its seed"),
    ],
)
def test_a_hostile_address_is_refused_with_the_part_that_cannot_be_read(text, words):
    with pytest.raises(InputError) as caught:
        replay(TABLE, text)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


@given(st.text(max_size=80))
def test_any_text_is_an_address_or_an_input_error(text):
    for each in (text, f"ol1~toy~plain~{text}", f"ol1~toy~plain~0_0~{text}"):
        try:
            replay(TABLE, each)
        except InputError:
            continue


def test_even_a_run_that_filled_its_trace_under_a_seed_can_be_replayed():
    """The longest schedule a reader can get from the published experiments is still one that is read."""
    flight = EXPERIMENTS["single-flight-takeover"]
    chosen = {"until_ms": 600_000, "fault": "hang", "followers": 20, "heartbeat_ms": 50}
    report = run_once(flight, "repaired", chosen, seed=1)
    assert report.outcome == "bounds reached, not finished"
    assert replay(EXPERIMENTS, report.schedule).digest == report.digest


def test_a_schedule_of_another_program_diverges_and_says_so():
    experiment = EXPERIMENTS["task-ownership"]
    report = next(
        each for seed in range(1, 50) if "." in (each := run_once(experiment, "global-claim", seed=seed)).schedule
    )
    with pytest.raises(InputError, match=r"another program|choice point"):
        replay(EXPERIMENTS, report.schedule.replace("global-claim", "local-queue"))
