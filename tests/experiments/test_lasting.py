"""Claims that are declared lasting are: where one has fallen in the beginning of a run, nothing that follows mends it.

Of every run all beginnings are read, and some drawn, as those of a run that is not over are.
"""

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import InputError, Log, Setting, run_once
from py_runtime.lab.parameters import read_parameters
from py_runtime.sim import Schedule
from tests.experiments.support import VARIANTS

OPPORTUNITIES = 6  # of each fault: those at which it could strike first
SEEDS = 3  # other than 0: other orders of simultaneous steps
SCENE_EVERY = 5  # beginnings; a scene takes longer to draw than a claim to check


def runs(experiment, variant, setting):
    """Runs of the small case: in other orders, and with each fault at its first opportunities."""
    for seed in range(SEEDS + 1):
        yield run_once(experiment, variant, setting.values, seed=seed)
    for number in range(1, len(experiment.exploration.faults(setting)) + 1):
        for opportunity in range(OPPORTUNITIES):
            try:
                yield run_once(experiment, variant, setting.values, schedule=Schedule(strikes=((number, opportunity),)))
            except InputError:  # the run never came to so many
                break


@pytest.mark.parametrize(("slug", "variant"), VARIANTS)
def test_what_is_lasting_never_holds_again_and_beginnings_can_be_drawn(slug, variant):
    experiment = EXPERIMENTS[slug]
    setting = Setting(variant, read_parameters(experiment.parameters, experiment.exploration.parameters))
    lasting = [each for each in experiment.claims if each.lasting and (not each.variants or variant in each.variants)]
    for report in runs(experiment, variant, setting):
        fallen: dict[str, int] = {}
        for length in range(len(report.trace) + 1):
            log = Log(report.trace[:length])
            if length % SCENE_EVERY == 0:
                experiment.scene(log, setting)
            readings = experiment.read(log, setting)
            for claim in lasting:
                holds = claim.check(log, setting, readings).holds
                if holds is False:
                    fallen.setdefault(claim.id, length)
                assert (claim.id in fallen) == (holds is False), (report.schedule, claim.id, fallen, length)


def test_some_claim_falls_before_its_run_is_over():
    experiment = EXPERIMENTS["slot-recycling"]
    assert {each.id for each in experiment.claims if each.lasting} == {"limit-respected", "renewal-never-adds"}
    report = run_once(experiment, "lease", {**experiment.exploration.parameters, "lease_ms": 500})
    [claim] = [each for each in experiment.claims if each.id == "limit-respected"]
    setting = Setting("lease", report.parameters)
    lengths = [
        length
        for length in range(len(report.trace))
        if claim.check(log := Log(report.trace[:length]), setting, experiment.read(log, setting)).holds is False
    ]
    assert lengths
    assert lengths == list(range(lengths[0], len(report.trace)))
