"""Judging the runs of a search: one run of a setting per attempt, and the claims that it violated.

Decides which claims count and that a run which met a limit of its own is not judged; who chooses the runs is the
attempt's affair (`py_runtime/sim/explorer.py`).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from py_runtime.sim import US_PER_MS, Bounds, Fault, World
from py_runtime.sim.explorer import Attempt, Judged

from .declare import ALWAYS, EVENTUALLY, Claim, Experiment, Setting
from .log import Log
from .run import CUT, NO_ERROR, READABLE, running
from .stage import Stage


def claims_judged(experiment: Experiment, variant: str, not_judged: Collection[str]) -> list[Claim]:
    """The claims that count in an exploration of the variant, but those of `not_judged`."""
    eventually = experiment.exploration.eventually
    return [
        claim
        for claim in experiment.claims
        if (not claim.variants or variant in claim.variants)
        and (claim.kind == ALWAYS or (claim.kind == EVENTUALLY and claim.id in eventually))
        and claim.id not in not_judged
    ]


def faults_offered(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    """The faults that a run may have, as a result lists them: those of one kind and size together."""
    together: dict[tuple[str, int, int], list[str]] = {}
    for fault in faults:
        together.setdefault((fault.kind, fault.amount_us // US_PER_MS, fault.writes), []).append(fault.target)
    return [
        {"kind": kind, "targets": targets, "amount_ms": ms, "writes": writes}
        for (kind, ms, writes), targets in together.items()
    ]


class Judge:
    """Called with an attempt, makes its run and says which of `claims` it violated, or that it was cut short.

    A task that ends with an error which nobody handles counts always. bounds: of each run. seed: of its world.
    """

    def __init__(
        self,
        experiment: Experiment,
        setting: Setting,
        claims: Sequence[Claim],
        sources: Mapping[str, str],
        bounds: Bounds,
        seed: int = 0,
    ) -> None:
        self._experiment = experiment
        self._setting = setting
        self._claims = claims
        self._sources = sources
        self.bounds = bounds
        self._seed = seed

    def __call__(self, attempt: Attempt) -> Judged:
        experiment, setting = self._experiment, self._setting
        world = World(seed=self._seed, bounds=self.bounds)
        stage = Stage(experiment, setting, world, self._sources)
        with running(world, self._sources):
            attempt.attach(world)
            experiment.scenario(stage)
            if not self._sources:
                world.program_files = {}  # which line did what is for the run that is shown
            end = world.run(experiment.until_us(setting))
            if attempt.given_up:
                return Judged()
            if end.reason in CUT:
                return Judged(cut=True)
            return Judged(tuple(self._violated(Log(world.events, end.at_us))))

    def _violated(self, log: Log) -> Iterator[str]:
        if next(log.of_kind("task.failed"), None) is not None:
            yield NO_ERROR
        try:
            readings = self._experiment.read(log, self._setting)
            for claim in self._claims:
                if claim.check(log, self._setting, readings).holds is False:
                    yield claim.id
        except Exception:
            if not self._sources:
                raise
            yield READABLE
