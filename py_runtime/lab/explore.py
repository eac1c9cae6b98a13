"""Exploring an experiment: which schedules there are, whether one of them violates a claim, and the simplest that does.

Decides what counts as a violation, what the answer holds and in which words; `py_runtime/sim/explorer.py` decides which
runs are made. Works in slices, since a page must be able to show how far it is and to stop: what was found is kept.

**What counts.** Every *always* claim of the variant that does not hold, every *eventually* claim that the experiment
says so of, and a task that ends with an error nobody handles. A run that met a limit of its own (steps, events) is not
judged; it keeps the exploration from being finished.

**What it means.** *holds within bounds (all N runs)*: with so many faults and deviations as the bounds say, on these
parameters, every order of simultaneous steps was run, or one that is equivalent to it. Time is not explored: an actor
acts at the instants that the scenario's own lengths give, so two things meet only where these let them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from py_runtime.sim import Bounds
from py_runtime.sim.explorer import Explorer, Found, Limits, Progress
from py_runtime.sim.sampling import Sampler
from py_runtime.sim.shrink import Shrinker

from .address import write_address
from .declare import Experiment, Exploration, Safeguard
from .errors import InputError, one_of
from .judging import Judge, claims_judged, faults_offered
from .outcome import Outcome
from .parameters import read_limit, read_seed
from .report import WIRE_VERSION
from .run import read_setting, run_once
from .stage import check_sources

EXHAUSTIVE, RANDOM = "exhaustive", "random"
RUNS_MAX = 20_000  # by default: some tens of seconds in a browser
RANDOM_RUNS_MAX = 1_000
SHRINK_RUNS_MAX = 300  # runs of each stage of the shrinker
FAULTS_MAX = 10  # in one run; each one more multiplies the runs
STEPS_MAX = 20_000  # of one run; several times what the longest explored run takes
SLICE_RUNS = 50


@dataclass(frozen=True)
class Options:
    """What bounds an exploration; None: the experiment's own, or no limit (deviations). All but `pruning` and `case`:
    the command line's and the wire format's names. case: id of the safeguard in whose case the variant is explored."""

    runs_max: int | None = None
    faults_max: int | None = None
    deviations_max: int | None = None
    steps_max: int = STEPS_MAX
    mode: str = EXHAUSTIVE
    seed: int = 0
    pruning: bool = True
    case: str | None = None


def read_options(given: Mapping[str, Any]) -> Options:
    """Options from text or JSON; raises InputError naming the one that is wrong and what is allowed."""
    names = ["runs_max", "faults_max", "deviations_max", "steps_max", "mode", "seed", "pruning", "case"]
    for name in given:
        if name not in names:
            raise one_of("option", name, names)
    values: dict[str, Any] = {}
    for name, minimum, maximum in (
        ("runs_max", 1, 10_000_000),
        ("faults_max", 0, FAULTS_MAX),
        ("deviations_max", 0, 1_000),
        ("steps_max", 1, 2_000_000),
    ):
        if given.get(name) is not None:
            values[name] = read_limit(name, given[name], minimum, maximum)
    mode = given.get("mode", EXHAUSTIVE)
    if mode not in (EXHAUSTIVE, RANDOM):
        raise one_of("mode", mode, [EXHAUSTIVE, RANDOM])
    pruning = given.get("pruning", True)
    if not isinstance(pruning, bool):
        raise InputError(f"pruning must be true or false, got {str(pruning)[:60]!r}")
    case = given.get("case")
    if case is not None and not isinstance(case, str):
        raise InputError(f"case must name a safeguard, got {str(case)[:60]!r}")
    if mode == RANDOM and "deviations_max" in values:
        raise InputError("deviations_max does not go with mode random, which does not count deviations")
    if mode != RANDOM and given.get("seed"):
        raise InputError("a seed goes with mode random; an exhaustive exploration draws nothing")
    return Options(**values, mode=mode, seed=read_seed(given.get("seed", 0)), pruning=pruning, case=case)


def case_of(experiment: Experiment, variant: str, safeguard: str | None) -> Exploration | Safeguard:
    """What a safeguard's case adds to the experiment's exploration: parameters, and claims that are not judged."""
    if safeguard is None:
        return Exploration()
    found = experiment.safeguard(variant, safeguard)
    if found is None:
        raise one_of("case", safeguard, [each.id for each in experiment.safeguards if each.variant == variant])
    return found


class Search:
    """One exploration under way: `advance()` makes some runs, `state()` says how far it is, `result()` what it found.

    Searches until the first violation, then looks for a simpler one. `done`: nothing more will change.
    judged: ids of the claims that count, of any kind, in place of those that usually do.
    """

    def __init__(
        self,
        experiment: Experiment,
        variant: str,
        parameters: Mapping[str, Any] | None = None,
        options: Options | None = None,
        sources: Mapping[str, str] | None = None,
        judged: Collection[str] = (),
    ) -> None:
        options = options or Options()
        self._experiment = experiment
        self._sources = dict(sources or {})
        exploration = experiment.exploration
        case = case_of(experiment, variant, options.case)
        smaller = {**exploration.parameters, **case.parameters}
        self._setting = read_setting(experiment, variant, {**smaller, **(parameters or {})})
        check_sources(experiment, variant, self._sources)
        claims = claims_judged(experiment, variant, (*exploration.not_judged, *case.not_judged))
        if judged:
            claims = [claim for claim in experiment.claims if claim.id in judged]
        self._run = Judge(experiment, self._setting, claims, self._sources, Bounds(steps_max=options.steps_max))
        faults = exploration.faults(self._setting)
        faults_max = exploration.faults_max if options.faults_max is None else options.faults_max
        self._faults = faults if faults_max else []  # a run that may have none is offered none
        runs_default = RANDOM_RUNS_MAX if options.mode == RANDOM else RUNS_MAX
        self._limits = Limits(
            runs_max=options.runs_max or runs_default,
            faults_max=min(faults_max, FAULTS_MAX) if self._faults else 0,
            deviations_max=options.deviations_max,
            pruning=options.pruning and options.mode == EXHAUSTIVE,
        )
        self._options = options
        self._explorer: Explorer | Sampler
        if options.mode == RANDOM:
            self._explorer = Sampler(self._run, self._limits, self._faults, options.seed)
        else:
            self._explorer = Explorer(self._run, self._limits, self._faults)
        self._shrinker: Shrinker | None = None
        self.done = False

    @property
    def progress(self) -> Progress:
        return self._explorer.progress

    @property
    def best(self) -> Found | None:
        """The simplest violation so far."""
        return None if self._shrinker is None else self._shrinker.best

    def advance(self, runs: int = SLICE_RUNS) -> None:
        """Make up to so many runs."""
        for _ in range(runs):
            if self._shrinker is not None:
                self._shrinker.step()
                self.done = self._shrinker.finished
            else:
                found = self._explorer.step()
                if found is not None:
                    self._shrinker = Shrinker(self._run, found, self._faults, SHRINK_RUNS_MAX)
                else:
                    self.done = self.progress.finished or self._explorer.exhausted
            if self.done:
                return

    def state(self) -> dict[str, Any]:
        """How far the exploration is, for a page or a terminal; `best` is the simplest violation so far."""
        shrinker, progress = self._shrinker, self.progress
        return {
            "runs": progress.runs,
            "abandoned": progress.abandoned,
            "saved": progress.saved,
            "level": progress.level,
            "shrink_runs": 0 if shrinker is None else shrinker.runs,
            "best": None if shrinker is None else self._described(shrinker.best),
            "done": self.done,
        }

    def result(self) -> dict[str, Any]:
        """The answer so far; see the command line for its keys."""
        progress, found, shrinker = self.progress, self.best, self._shrinker
        if found is not None:
            outcome = Outcome.COUNTEREXAMPLE
        elif self.done and progress.finished and not progress.cut:
            outcome = Outcome.HOLDS
        else:
            outcome = Outcome.UNFINISHED
        counterexample = None
        if found is not None:
            counterexample = {**self._described(found), "digest": self._digest(found)}
        return {
            "version": WIRE_VERSION,
            "experiment": self._experiment.slug,
            "variant": self._setting.variant,
            "parameters": dict(self._setting.values),
            "case": self._options.case,
            "outcome": outcome.value,
            "runs": progress.runs,
            "bounds": {
                "mode": self._options.mode,
                "runs_max": self._limits.runs_max,
                "faults_max": self._limits.faults_max,
                "deviations_max": self._limits.deviations_max,
                "steps_max": self._options.steps_max,
                "pruning": self._limits.prunes,
                "seed": self._options.seed if self._options.mode == RANDOM else None,
            },
            "faults": faults_offered(self._faults),
            "abandoned": progress.abandoned,
            "saved": progress.saved,
            "cut": progress.cut,
            "level": progress.level,
            "shrink_runs": 0 if shrinker is None else shrinker.runs,
            "minimal": None if shrinker is None else shrinker.minimal,
            "counterexample": counterexample,
        }

    def _described(self, found: Found) -> dict[str, Any]:
        return {
            "schedule": write_address(self._experiment, self._setting, found.schedule),
            "violated": list(found.violated),
            "steps": found.steps,
        }

    def _digest(self, found: Found) -> str:
        """The digest of the run with all of its trace, which is that of its replay."""
        setting = self._setting
        return run_once(
            self._experiment, setting.variant, setting.values, schedule=found.schedule, sources=self._sources
        ).digest
