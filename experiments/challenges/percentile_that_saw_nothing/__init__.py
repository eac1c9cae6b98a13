"""percentile-that-saw-nothing: ten seconds of silence are one sample, and one sample in a thousand moves no percentile.

Intended invariant: a worker that stands still is named, soon; nobody else is; and measuring costs next to nothing.
Shortest violation: one of ten workers stands still for 10 s. Of 1,171 samples one is late, and the 99th percentile is
within the first bucket.
"""

from py_runtime.lab import Challenge, Check, Experiment, Exploration, Integer, Offer, Reading, Variant

from .invariants import CLAIMS
from .readings import read
from .scenario import scenario, until_us
from .scene import scene

EXPERIMENT = Experiment(
    slug="percentile-that-saw-nothing",
    package=__name__,
    variants=(Variant("broken", ("lag.py",), expected="breaks", breaks="freezes-told"),),
    parameters=(
        Integer("workers", 10, 1, 20, "workers"),
        Integer("window_ms", 60_000, 1, 120_000, "ms"),
        Integer("freeze_at_ms", 10_200, 0, 120_000, "ms"),
        Integer("freeze_ms", 10_000, 0, 120_000, "ms"),
        Integer("positions", 1, 1, 200, "positions"),
        Integer("request_every_ms", 1_000, 100, 60_000, "ms"),
        Integer("request_ms", 30, 0, 10_000, "ms"),
        Integer("seen_ms", 200, 2, 60_000, "ms"),
        Integer("tell_ms", 2_000, 1, 60_000, "ms"),
        Integer("price_us", 50, 1, 10_000, "µs"),
    ),
    readings=(
        Reading("alarms", "alarms"),
        Reading("named"),
        Reading("told_after_ms", "ms"),
        Reading("uses", "uses"),
    ),
    claims=CLAIMS,
    scenario=scenario,
    until_us=until_us,
    read=read,
    scene=scene,
    exploration=Exploration(
        # A worker may stand still from any of its turns on: from a sample, or from a request between two of them.
        parameters={
            "workers": 2,
            "window_ms": 3_500,
            "freeze_ms": 0,
            "request_every_ms": 250,
        },
        offers=(Offer("pause", ("worker-1", "worker-2"), amount_ms="seen_ms", from_ms=100),),
        eventually=("freezes-told",),
    ),
    challenge=Challenge(
        file="lag.py",
        checks=(
            Check("every-moment", searched=True, runs_max=500),
            Check(
                "long-freeze",
                claims=("freezes-told", "alarms-have-reasons"),
                parameters={"workers": 4, "window_ms": 25_000},
            ),
            # The positions, 1 ms apart, are those between two beats that are up to 140 ms apart.
            Check(
                "between-two-beats",
                claims=("freezes-told", "alarms-have-reasons"),
                parameters={
                    "workers": 7,
                    "window_ms": 54_000,
                    "freeze_at_ms": 2_300,
                    "freeze_ms": 200,
                    "positions": 140,
                    "request_ms": 0,
                },
            ),
            Check(
                "ordinary-work",
                claims=("alarms-have-reasons",),
                parameters={
                    "workers": 7,
                    "window_ms": 11_000,
                    "freeze_at_ms": 400,
                    "freeze_ms": 60,
                    "positions": 140,
                    "request_ms": 0,
                },
            ),
            Check(
                "price", claims=("measuring-is-cheap",), parameters={"workers": 2, "window_ms": 10_000, "freeze_ms": 0}
            ),
        ),
        wrong={
            "largest-per-worker": "every-moment",
            "filled-in": "every-moment",
            "after-the-fact": "long-freeze",
            "mean-of-gauges": "long-freeze",
            "cries-at-anything": "ordinary-work",
            "every-two-milliseconds": "price",
            "too-far-apart": "between-two-beats",
        },
    ),
)
