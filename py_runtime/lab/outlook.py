"""The outlook of a run that violates a claim: from each of its positions on, how many continuations do so too.

Decides what counts as failing and what the answer holds; `py_runtime/sim/continuations.py` decides from where and how
continuations are drawn. Works in slices, as a search does: what was drawn is kept.

**What counts.** The claims that the run itself violates: those that a search judges or, where it violates none of
these, any invariant and anything due by an instant. A continuation that meets a limit of its own is counted apart.

**What it means.** A share of what was drawn, not a probability of production: simultaneous steps go by lot, faults come
evenly, and time is not varied. *All 20 failed* says that of these 20.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from py_runtime.sim import Bounds
from py_runtime.sim.continuations import Continuations, Drawing, Moment
from py_runtime.sim.explorer import Attempt, Judged

from .address import parse_address, write_address
from .declare import ALWAYS, EVENTUALLY, Experiment
from .errors import InputError, one_of
from .judging import Judge, claims_judged, faults_offered
from .parameters import read_limit, read_seed
from .report import WIRE_VERSION
from .run import find_experiment, read_setting
from .stage import check_sources

RUNS = 20  # from each moment: a share that is truly a half comes out between 6 and 14 in 19 of 20 drawings
MOMENTS_MAX = 32
STEPS_FACTOR = 5  # a continuation may take so many times the steps of the run, unless it is told otherwise


@dataclass(frozen=True)
class OutlookOptions:
    """The bounds. runs: continuations from each moment. moments_max: how many moments get some. seed: of what is drawn.
    steps_max: of one continuation; None: STEPS_FACTOR times the run's own."""

    runs: int = RUNS
    moments_max: int = MOMENTS_MAX
    steps_max: int | None = None
    seed: int = 0


def read_outlook_options(given: Mapping[str, Any]) -> OutlookOptions:
    """Options from text or JSON; raises InputError naming the one that is wrong and what is allowed."""
    maxima = {"runs": 10_000, "moments_max": 10_000, "steps_max": 2_000_000}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name == "seed":
            values[name] = read_seed(value)
        elif name in maxima:
            values[name] = read_limit(name, value, 1, maxima[name])
        else:
            raise one_of("option", name, [*maxima, "seed"])
    return OutlookOptions(**values)


class Outlook:
    """One outlook under way: `advance()` makes some runs, `state()` says how far it is, `result()` what was drawn.

    text: the schedule, as a report gives it. sources: edited programs that its run was made from. Raises InputError
    where the text cannot be read, and from `advance` where it does not fit or its run violates nothing.
    """

    def __init__(
        self,
        experiments: Mapping[str, Experiment],
        text: str,
        sources: Mapping[str, str] | None = None,
        options: OutlookOptions | None = None,
    ) -> None:
        address = parse_address(text, experiments)
        experiment = self._experiment = find_experiment(experiments, address.experiment)
        setting = self._setting = read_setting(experiment, address.variant, address.parameters)
        edited = dict(sources or {})
        check_sources(experiment, setting.variant, edited)
        self._options = options or OutlookOptions()
        self._schedule = address.schedule
        self._faults = experiment.exploration.faults(setting) if address.schedule.strikes else []
        applicable = [claim for claim in experiment.claims if not claim.variants or setting.variant in claim.variants]
        claims = [claim for claim in applicable if claim.kind in (ALWAYS, EVENTUALLY)]
        self._judge = Judge(experiment, setting, claims, edited, Bounds(), address.schedule.seed)
        drawing = Drawing(self._options.runs, self._options.moments_max, self._options.seed)
        self._continuations = Continuations(self._run, address.schedule, self._faults, drawing)
        self._watched: tuple[str, ...] = ()
        self.done = False

    def advance(self, runs: int = 50) -> None:
        """Make up to so many runs."""
        for _ in range(runs):
            self._continuations.step()
            self.done = self._continuations.finished
            if self.done:
                return

    def state(self) -> dict[str, Any]:
        """What has been drawn so far: the moments that have their continuations, or some of them, in order."""
        drawn = self._continuations
        no_return = drawn.no_return
        return {
            "violated": list(self._watched),
            "runs": drawn.runs,
            "moments": len(drawn.moments),
            "points": [_described(moment) for moment in drawn.moments if moment.drawn],
            "no_return": None if no_return is None else _no_return(*no_return),
            "done": self.done,
        }

    def result(self) -> dict[str, Any]:
        """The answer so far. points: see `Moment`; moments: how many there are. no_return: the position from which on
        every continuation failed, and the last position drawn at which not all did."""
        setting = self._setting
        state = self.state()
        del state["done"]
        return {
            "version": WIRE_VERSION,
            "experiment": self._experiment.slug,
            "variant": setting.variant,
            "parameters": dict(setting.values),
            "schedule": write_address(self._experiment, setting, self._schedule),
            "bounds": {
                "runs": self._options.runs,
                "moments_max": self._options.moments_max,
                "steps_max": self._judge.bounds.steps_max,
                "seed": self._options.seed,
            },
            "strikes": len(self._schedule.strikes),
            "faults": faults_offered(self._faults),
            **state,
        }

    def _run(self, attempt: Attempt) -> Judged:
        judged = self._judge(attempt)
        if not self._watched:
            self._begin(attempt, judged)
        return Judged(tuple(name for name in judged.violated if name in self._watched), judged.cut)

    def _begin(self, attempt: Attempt, judged: Judged) -> None:
        """The run itself has been made: what it violates is what its continuations are watched for."""
        if judged.cut:
            raise InputError("the run met a limit of its own, so that nothing is known of its end")
        made = attempt.found(judged.violated)
        if made.schedule != self._schedule:
            raise InputError(
                "the schedule lists choices or faults that this run never came to; it belongs to another program"
            )
        if not judged.violated:
            raise InputError("the run violates no claim: there is nothing that it could have lost")
        searched = claims_judged(self._experiment, self._setting.variant, self._experiment.exploration.not_judged)
        declared = {claim.id for claim in self._experiment.claims}
        counted = {claim.id for claim in searched}
        kept = tuple(name for name in judged.violated if name in counted or name not in declared)
        self._watched = kept or judged.violated
        limit = self._options.steps_max or STEPS_FACTOR * made.steps
        self._judge.bounds = Bounds(steps_max=min(limit, self._judge.bounds.steps_max))


def _described(moment: Moment) -> dict[str, Any]:
    return {
        "position": moment.position,
        "until": moment.until,
        "at_us": moment.at_us,
        "step": moment.step,
        "open": moment.open,
        "fails": moment.fails,
        "runs": moment.runs,
        "cut": moment.cut,
    }


def _no_return(moment: Moment, before: Moment | None) -> dict[str, Any]:
    return {
        "position": moment.position,
        "at_us": moment.at_us,
        "step": moment.step,
        "open": moment.open,
        "before": None if before is None else before.until,
    }
