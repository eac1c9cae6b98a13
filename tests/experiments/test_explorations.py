"""Every variant, explored in its experiment's small case: what is broken is found, what is repaired holds.

Numbers of runs are asserted exactly: they are the size of the space that an answer speaks of.
"""

from dataclasses import replace

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import Offer, replay, run_once
from py_runtime.lab.explore import Search
from py_runtime.sim import Schedule

from .golden import FLIGHT, HEARTBEAT, MERGING, OWNERSHIP, SLOTS
from .support import LESSONS, searched

# variant → the run that finds it, what it violates, and the choices of its schedule.
BROKEN = {
    (HEARTBEAT, "in-loop"): (1, ["every-beat-ran", "beats-on-time"], "0_0"),
    (OWNERSHIP, "local-queue"): (1, ["idle-worker-runs-it"], "0_0"),
    # The first task is killed before it begins, then before it is told of its slot: nobody gives that one back.
    (SLOTS, "counter"): (3, ["capacity-returns", "nobody-refused-below-limit"], "0_x1.1"),
    # The second task's clock is 5 s ahead when it asks: it sweeps the first one's lease.
    (SLOTS, "lease"): (55, ["limit-respected", "renewal-never-adds"], "0_x0.6"),
    # The leader is paused at its first heartbeat.
    (FLIGHT, "no-reread"): (4, ["no-token-burnt"], "0_x0.1"),
    (FLIGHT, "blind-takeover"): (4, ["live-leader-kept"], "0_x0.1"),
    (FLIGHT, "unchecked-publish"): (4, ["one-result-for-all", "current-token-publishes"], "0_x0.1"),
    (FLIGHT, "key-expiry-is-lease"): (4, ["followers-answered", "no-token-burnt"], "0_x0.1"),
    (MERGING, "plain"): (1, ["one-call-in-flight", "one-call-in-all"], "0_0"),
    (MERGING, "merged-without-cache"): (1, ["one-call-in-all"], "0_0"),
}

# variant → all runs without faults; and all with as many faults as the experiment spends, where those are few.
HOLDING = {
    (HEARTBEAT, "offloaded"): (1, 1),
    (OWNERSHIP, "global-claim"): (24, None),
    (OWNERSHIP, "preemption"): (24, None),
    (SLOTS, "lease-repaired"): (2, 368),
    (FLIGHT, "repaired"): (6, 780),
    (MERGING, "merged"): (2, 2),
}
FEW = 100  # runs in which the others must not fall to their faults


def ids(cases):
    return [f"{slug}-{variant}" for slug, variant in cases]


def test_every_variant_is_explored_here():
    variants = {(slug, variant.id) for slug, each in LESSONS.items() for variant in each.variants}
    assert set(BROKEN) | set(HOLDING) == variants
    for slug, variant in variants:
        expected = EXPERIMENTS[slug].variant(variant).expected
        breaks = EXPERIMENTS[slug].exploration.breaks
        assert ((slug, variant) in BROKEN) == (expected == "breaks" or variant in breaks)


@pytest.mark.parametrize(("slug", "variant"), BROKEN, ids=ids(BROKEN))
def test_what_is_broken_is_found_and_replays(slug, variant):
    runs, violated, choices = BROKEN[slug, variant]
    experiment = EXPERIMENTS[slug]
    search = Search(experiment, variant)
    while search.best is None:
        search.advance(1)
    result = search.result()
    found = result["counterexample"]
    assert (result["outcome"], result["runs"], found["violated"]) == ("counterexample found", runs, violated)
    assert found["schedule"].split("~")[3] == choices
    assert (experiment.variant(variant).breaks or experiment.exploration.breaks[variant]) in violated
    report = replay(EXPERIMENTS, found["schedule"])
    assert (report.digest, report.outcome) == (found["digest"], "counterexample found")
    assert report.bounds["steps"] == found["steps"]
    assert set(violated) <= {claim.id for claim in report.claims if claim.holds is False}


@pytest.mark.parametrize(("slug", "variant"), HOLDING, ids=ids(HOLDING))
def test_what_is_repaired_holds_within_the_bounds(slug, variant):
    plain, every = HOLDING[slug, variant]
    for runs, options in ((plain, {"faults_max": 0}), (every, {"runs_max": FEW if every is None else None})):
        result = searched(slug, variant, **options)
        outcome = "bounds reached, not finished" if runs is None else "holds within bounds"
        assert (result["outcome"], result["counterexample"]) == (outcome, None)
        assert (result["runs"] + result["abandoned"], result["cut"]) == (runs or FEW, 0)


@pytest.mark.parametrize(("variant", "choices", "steps"), [("counter", "0_x1.1", 26), ("lease", "0_x0.6", 66)])
def test_the_counterexample_that_is_shown_is_the_simplest_there_is(variant, choices, steps):
    result = searched(SLOTS, variant)
    assert result["minimal"]
    assert (result["counterexample"]["schedule"].split("~")[3], result["counterexample"]["steps"]) == (choices, steps)


@pytest.mark.parametrize(("slug", "variant", "runs"), [(SLOTS, "lease-repaired", 2), (MERGING, "merged", 2)])
def test_without_pruning_there_are_more_runs_and_the_same_answer(slug, variant, runs):
    pruned, every = [searched(slug, variant, faults_max=0, runs_max=300, pruning=pruning) for pruning in (True, False)]
    assert (pruned["runs"], pruned["counterexample"], every["counterexample"]) == (runs, None, None)
    assert runs + pruned["saved"] <= every["runs"] or every["outcome"] == "bounds reached, not finished"
    assert every["runs"] > runs


# Ten slots; tasks arrive every 100 ms from 0 on and work for 2,450 ms: ten run at 1,000 ms, when the store fails.
FULL = {"arrival_first_ms": 0, "arrival_every_ms": 100, "crash_every": 0, "duration_ms": 2_400}
FAILOVER = Offer("failover", ("redis",), from_ms=1_000, writes=3)
RESTART = Offer("restart", ("redis",), from_ms=1_000)


@pytest.mark.parametrize(
    ("offer", "variant", "readings"),
    [
        # Seven are counted afterwards, so three more come in and 13 run. Beats without a check bring the lost ones back
        # and nobody stops; a beat that looks for its member ends the work of the three by 1,900 ms.
        (FAILOVER, "lease", {"running_max": 13, "running_at_end": 13, "lost": 0, "admitted": 13}),
        (FAILOVER, "lease-repaired", {"running_max": 13, "running_at_end": 10, "lost": 3, "admitted": 13}),
        # The counter forgets ten tasks, and ten more come in, one every 100 ms.
        (FAILOVER, "counter", {"running_max": 13, "running_at_end": 13, "lost": 0, "admitted": 13}),
        (RESTART, "counter", {"running_max": 20, "running_at_end": 20, "lost": 0, "admitted": 20}),
        # With every arrival one beat brings a lost member back: the set is full again after five of each.
        (RESTART, "lease", {"running_max": 15, "running_at_end": 15, "lost": 0, "admitted": 15}),
        # The limit is gone as well: nobody is admitted, and each beat tells its task that the slot is lost.
        (RESTART, "lease-repaired", {"running_max": 10, "running_at_end": 0, "lost": 10, "admitted": 10}),
    ],
)
def test_what_a_store_that_loses_writes_does_to_each_quota(offer, variant, readings):
    experiment = EXPERIMENTS[SLOTS]
    experiment = replace(experiment, exploration=replace(experiment.exploration, offers=(offer,)))
    report = run_once(experiment, variant, FULL, schedule=Schedule(strikes=((1, 0),)))
    assert {name: report.readings[name] for name in readings} == readings
