"""forty-one-or-three: a cache that helps nobody before its first answer, and afterwards anybody, for ever.

Intended invariant: nobody calls the upstream while a call for the same is in flight or its answer is fresh.
Shortest violation: the second request arrives 490 µs after the first, finds the cache still empty, and calls too.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="forty-one-or-three",
    package=__name__,
    variants=(Variant("broken", ("answers.py",), expected="breaks", breaks="calls-shared"),),
    parameters=(
        Integer("requests", 100, 1, 2_000, "requests"),
        Integer("gap_us", 490, 0, 10_000_000, "µs"),
        Integer("upstream_us", 20_000, 1, 60_000_000, "µs"),
        Integer("fresh_us", 1_000_000, 0, 60_000_000, "µs"),
        Integer("tenants", 1, 1, 10, "tenants"),
        Integer("questions", 1, 1, 2, "questions"),
        Integer("failing_calls", 0, 0, 2_000, "calls"),
        Integer("leaves_us", 0, 0, 60_000_000, "µs"),
    ),
    readings=(
        Reading("upstream_calls", "calls"),
        Reading("answered", "requests"),
        Reading("failed", "requests"),
        Reading("end_us", "µs"),
        Reading("wait_us_mean", "µs"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # Two tenants in turn. Requests come during a call, as it ends, while its answer is fresh, and one after that;
        # the first leaves as another joins its call.
        parameters={
            "requests": 19,
            "gap_us": 10_000,
            "upstream_us": 40_000,
            "fresh_us": 105_000,
            "tenants": 2,
            "leaves_us": 20_000,
        },
        offers=(Offer("outage", ("upstream",), amount_ms=1),),
        eventually=("told-in-time",),
    ),
    challenge=Challenge(
        file="answers.py",
        checks=(
            Check("every-order", searched=True),
            Check("hundred", claims=("calls-shared", "own-answers", "told-in-time")),
            Check("two-tenants", claims=("tenants-apart", "own-answers"), parameters={"tenants": 2}),
            Check("two-questions", claims=("own-answers", "told-in-time"), parameters={"questions": 2}),
            Check(
                "upstream-down",
                claims=("told-in-time", "fails-with-its-call"),
                parameters={"failing_calls": 2_000, "requests": 10},
            ),
        ),
        wrong={
            "merged-without-cache": "hundred",
            "question-alone": "every-order",
            "tenant-alone": "two-questions",
            "half-as-long": "every-order",
            "flights-kept": "every-order",
            "kept-for-ever": "every-order",
            "first-caller-leads": "every-order",
            "one-lock": "two-tenants",
        },
    ),
)
