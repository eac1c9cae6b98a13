"""Every safeguard taken out alone: the declared claims fall, with the simplest schedule that shows it, or none does.

Searched is each experiment's exploration, or the safeguard's own case. Where a removal stays safe, the bounds are those
of `BOUNDS`, which keep the whole table within some seconds; with nothing taken out, the same search holds too.
"""

import pytest

from experiments import EXPERIMENTS
from py_runtime.lab import InputError, Safeguard
from py_runtime.lab.explore import Search, read_options

from .golden import FLIGHT, HEARTBEAT, MERGING, OWNERSHIP, SLOTS
from .support import LESSONS, program, searched

TABLE = [(slug, each) for slug, experiment in EXPERIMENTS.items() for each in experiment.safeguards]

# What bounds a search that finds nothing: a fault at every moment in the usual order, or every order without faults.
BOUNDS = {
    HEARTBEAT: {},
    MERGING: {},
    OWNERSHIP: {"faults_max": 0},
    SLOTS: {"deviations_max": 0},
    FLIGHT: {"deviations_max": 0},
}

# (variant, safeguard) → the choices of the simplest schedule without it.
FALLS = {
    ("offloaded", "thread"): "0_0",
    ("global-claim", "claim-asks-for-no-owner"): "0_x1.1",  # the first claim arrives twice, and robs itself
    ("global-claim", "index-is-cleaned"): "0_0",
    ("preemption", "start-compares-claim"): "0_0",
    ("preemption", "epoch-grows"): "0_0",
    ("preemption", "epoch-survives-release"): "0_0",
    ("preemption", "release-clears-claimed-at"): "0_0",
    ("lease-repaired", "sweep-before-count"): "0_x5.1",
    ("lease-repaired", "count-below-limit"): "0_0",
    ("lease-repaired", "server-clock"): "0_x0.6",
    ("lease-repaired", "membership-check"): "0_0",
    ("repaired", "token-check-on-publish"): "0_x0.1",
    ("repaired", "expiry-recheck-at-takeover"): "0_x0.1",
    # The leader's publish must come between a look and the takeover after it, which takes all these deviations.
    ("repaired", "no-takeover-after-result"):
        "0_37.1-39.1-40.1-41.1-42.1-43.1-44.1-45.1-46.1-47.1-48.1-49.1-50.1-x14.1",
    ("repaired", "second-look"): "0_x0.2",
    ("repaired", "delay-before-takeover"): "0_x0.2",
    ("merged", "one-flight-per-key"): "0_0",
    ("merged", "cache"): "0_0",
}  # fmt: skip
NOT_MINIMAL = {("repaired", "no-takeover-after-result")}  # the shrinker reaches its own limit first


def result_of(slug: str, safeguard: Safeguard, out: bool = True, **bounds) -> dict:
    sources = {safeguard.file: safeguard.without(program(slug, safeguard.file))} if out else None
    return searched(slug, safeguard.variant, sources, case=safeguard.id, **bounds)


def names(rows):
    return [f"{each.variant}-{each.id}" for _, each in rows]


def test_the_table_lists_what_is_declared():
    assert set(FALLS) == {(each.variant, each.id) for _, each in TABLE if each.falls}
    for slug, experiment in LESSONS.items():
        mine = [(each.variant, each.id) for each in experiment.safeguards]
        assert mine and len(set(mine)) == len(mine), slug
        for each in experiment.safeguards:
            assert experiment.variant(each.variant).expected == "holds"
            assert each.file in experiment.variant(each.variant).programs


FALLING = [(slug, each) for slug, each in TABLE if each.falls]


@pytest.mark.parametrize(("slug", "safeguard"), FALLING, ids=names(FALLING))
def test_without_it_exactly_these_claims_fall(slug, safeguard):
    result = result_of(slug, safeguard)
    found, key = result["counterexample"], (safeguard.variant, safeguard.id)
    assert result["outcome"] == "counterexample found"
    assert (tuple(found["violated"]), found["schedule"].split("~")[3]) == (safeguard.falls, FALLS[key])
    assert result["minimal"] is (key not in NOT_MINIMAL)


STAYING = [(slug, each) for slug, each in TABLE if not each.falls]


@pytest.mark.parametrize(("slug", "safeguard"), STAYING, ids=names(STAYING))
def test_without_it_alone_everything_holds_within_the_bounds(slug, safeguard):
    assert result_of(slug, safeguard, **BOUNDS[slug])["outcome"] == "holds within bounds"


def cases():
    """One safeguard of every case: variant, parameters, and what is not judged."""
    seen: dict[tuple, tuple[str, Safeguard]] = {}
    for slug, each in TABLE:
        seen.setdefault((each.variant, str(each.parameters), each.not_judged), (slug, each))
    return list(seen.values())


@pytest.mark.parametrize(("slug", "safeguard"), cases(), ids=names(cases()))
def test_with_all_of_them_the_same_search_holds(slug, safeguard):
    assert result_of(slug, safeguard, out=False, **BOUNDS[slug])["outcome"] == "holds within bounds"


@pytest.mark.parametrize(("slug", "safeguard"), TABLE, ids=names(TABLE))
def test_what_is_taken_out_can_be_put_back(slug, safeguard):
    published = program(slug, safeguard.file)
    text = safeguard.without(published)
    assert text != published
    for old, new in safeguard.changes:
        text = text.replace(new, old)
    assert text == published


@pytest.mark.parametrize(
    ("changes", "published"),
    [
        ((("a", "b"),), "x"),
        ((("a", "b"),), "a a"),
        ((("a", "b"),), "a b"),
        ((("a", "aa"),), "a"),
        ((("x", "y"), ("a", "y")), "x a"),
    ],
)
def test_changes_that_do_not_fit_their_program_fail_loudly(changes, published):
    with pytest.raises(ValueError, match="safeguard guard: "):
        Safeguard("guard", "v", "p.py", changes).without(published)


def test_a_case_is_refused_where_there_is_no_such_safeguard():
    with pytest.raises(InputError, match="unknown case 'thread'; there are: one-flight-per-key, cache"):
        Search(EXPERIMENTS[MERGING], "merged", options=read_options({"case": "thread"}))
    with pytest.raises(InputError, match="case must name a safeguard"):
        read_options({"case": 3})
