"""Every challenge: what is published fails its checks, the reference repair passes all, each wrong repair is caught.

What one challenge must show beside that, with its numbers, is in `challenges/`.
"""

import json

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import Integer, run_once
from py_runtime.lab.challenge import REFERENCE
from py_runtime.lab.completion import read_completion
from py_runtime.lab.errors import InputError
from py_runtime.lab.examine import Examination
from tools.paths import ROOT

from .scene_shapes import breaches
from .support import CHALLENGES, replaced

WRONG = [(slug, name) for slug, each in CHALLENGES.items() for name in each.challenge.wrong]
SLOW_RUNS = 2_500  # of a whole examination: some ten seconds in a browser


def examined(slug, sources):
    examination = Examination(EXPERIMENTS[slug], sources)
    while not examination.done:
        examination.advance()
    return examination.result()


def repair(slug, name, *changes):
    """`sources` of a repair, in which each old text is replaced by the new one."""
    experiment = EXPERIMENTS[slug]
    return {experiment.challenge.file: replaced(experiment.resource(experiment.challenge.repair(name)), *changes)}


def passed(result):
    return {check["id"]: check["status"] == "passed" for check in result["checks"]}


@pytest.mark.parametrize("slug", CHALLENGES)
def test_the_published_program_breaks_its_claim_and_fails(slug):
    experiment = EXPERIMENTS[slug]
    [variant] = experiment.variants
    assert (variant.id, variant.expected) == ("broken", "breaks")
    held = {claim.id: claim.holds for claim in run_once(experiment, "broken").claims}
    assert held[variant.breaks] is False
    result = examined(slug, {})
    assert not result["solved"] and result["token"] is None


@pytest.mark.parametrize("slug", CHALLENGES)
def test_the_reference_repair_passes_every_check(slug):
    result = examined(slug, repair(slug, REFERENCE))
    assert result["solved"], [(check["id"], check["violated"]) for check in result["checks"]]
    assert result["runs"] <= SLOW_RUNS
    experiment, sources = read_completion(result["token"], EXPERIMENTS)
    assert (experiment.slug, sources) == (slug, repair(slug, REFERENCE))


@pytest.mark.parametrize(("slug", "name"), WRONG)
def test_a_wrong_repair_is_caught_by_the_check_that_it_is_declared_to_fail(slug, name):
    result = examined(slug, repair(slug, name))
    assert not passed(result)[EXPERIMENTS[slug].challenge.wrong[name]]


@pytest.mark.parametrize("slug", CHALLENGES)
def test_some_repair_is_unsafe_and_some_does_too_little(slug):
    """Each kind of check catches somebody: those of every order, and those of what must still be possible."""
    challenge = EXPERIMENTS[slug].challenge
    kinds = {check.id: check.searched for check in challenge.checks}
    assert len(challenge.wrong) >= 2
    assert {kinds[check] for check in challenge.wrong.values()} == {True, False}


@pytest.mark.parametrize("slug", CHALLENGES)
def test_every_repair_is_declared_and_says_what_it_is(slug):
    experiment = EXPERIMENTS[slug]
    challenge = experiment.challenge
    names = [REFERENCE, *challenge.wrong]
    folder = ROOT / "experiments" / "challenges" / slug.replace("-", "_")
    assert {f"repairs/{file.name}" for file in (folder / "repairs").iterdir()} == {challenge.repair(n) for n in names}
    for name in names:
        text = experiment.resource(challenge.repair(name))
        assert text.startswith('"""Wrong: ') == (name != REFERENCE)
        assert text != experiment.resource(f"programs/{challenge.file}")


@pytest.mark.parametrize("slug", CHALLENGES)
def test_texts_are_there(slug):
    experiment = EXPERIMENTS[slug]
    told = experiment.texts()["challenge"]
    assert set(told) == {"goal", "hints", "explained", "checks", "wrong"}
    assert len(told["hints"]) >= 3
    assert list(told["checks"]) == [check.id for check in experiment.challenge.checks]
    assert all(set(each) == {"label", "failed"} for each in told["checks"].values())
    assert set(told["wrong"]) == set(experiment.challenge.wrong)


@pytest.mark.parametrize("slug", CHALLENGES)
def test_other_parameters_can_be_run_and_drawn(slug):
    """Each number at its least, at one more, and at three times its default."""
    experiment = EXPERIMENTS[slug]
    ran = 0
    for parameter in experiment.parameters:
        if not isinstance(parameter, Integer):
            continue
        for value in (parameter.minimum, parameter.minimum + 1, 3 * parameter.default):
            try:
                report = run_once(experiment, "broken", {parameter.name: min(value, parameter.maximum)})
            except InputError:
                continue  # values that do not fit together
            assert breaches(json.loads(json.dumps(report.as_json()))) == [], (parameter.name, value)
            ran += 1
    assert ran > 2


GROUP = """    try:
        async with asyncio.TaskGroup() as group:
            heartbeat = group.create_task(quota.heartbeat(task_id))
            await work()
            heartbeat.cancel()
    finally:
        await quota.release(task_id)
    return True
"""


@pytest.mark.parametrize("slug", ["renew-without-resurrecting", "whose-clock-whose-timeout"])
def test_a_group_of_tasks_may_stop_the_work(slug):
    """It hands LeaseLost on in a group of exceptions, which is no fault of the program."""
    before, rest = repair(slug, REFERENCE)["lease.py"].split("    working = asyncio.create_task(work())\n")
    assert rest.endswith("    return True\n")
    assert examined(slug, {"lease.py": before + GROUP})["solved"]
