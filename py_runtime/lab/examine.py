"""Examining a repair: a challenge's checks, one after another, on a reader's program.

Decides when a check is passed and what its result holds; what the checks are, the challenge declares. A search that
came to its bound on runs is passed if none of its runs violated anything, and its result says so; a run that could not
be judged, since it met a limit of its own, is not passed.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .challenge import Check
from .completion import write_completion
from .declare import SOMETIMES, Experiment
from .errors import InputError
from .explore import Options, Search
from .outcome import Outcome
from .report import WIRE_VERSION, CheckedClaim
from .run import always_claimed, run_once
from .stage import check_sources

WAITING, RUNNING, PASSED, FAILED = "waiting", "running", "passed", "failed"


class Examination:
    """The checks of one repair under way: `advance()` makes some runs, `state()` says how far it is.

    sources: program file → text, as a reader has edited them. Raises InputError where the experiment is no challenge or
    a file is none of its programs, and `advance` raises ProgramError for a program that cannot be used.
    """

    def __init__(self, experiment: Experiment, sources: Mapping[str, str]) -> None:
        if experiment.challenge is None:
            raise InputError(f"{experiment.slug} is no challenge: there is nothing to check")
        self._experiment = experiment
        self._variant = experiment.variants[0].id
        self._sources = dict(sources)
        check_sources(experiment, self._variant, self._sources)
        self._checks = experiment.challenge.checks
        self._results: list[dict[str, Any]] = []
        self._search: Search | None = None
        self._runs = 0
        self.done = False

    def advance(self, runs: int = 50) -> None:
        """Make up to so many runs."""
        while runs > 0 and not self.done:
            check = self._checks[len(self._results)]
            if not check.searched:
                self._take(check, self._run(check), 1)
                runs -= 1
                continue
            if self._search is None:
                self._search = self._begin(check)
            before = self._made(self._search)
            self._search.advance(runs)
            runs -= max(self._made(self._search) - before, 1)
            if self._search.done:
                search, self._search = self._search, None
                self._take(check, self._searched(search), self._made(search))

    def state(self) -> dict[str, Any]:
        """How far the examination is; the checks before the one under way have their results."""
        done = len(self._results)
        status = [result["status"] for result in self._results]
        status += [RUNNING if index == done and not self.done else WAITING for index in range(done, len(self._checks))]
        return {
            "runs": self._runs + (0 if self._search is None else self._made(self._search)),
            "checks": [
                {"id": check.id, "label": self._texts(check)["label"], "status": status[index]}
                for index, check in enumerate(self._checks)
            ],
            "done": self.done,
        }

    def result(self) -> dict[str, Any]:
        """What came of each check, and the token where all were passed.

        Of a check: searched, as declared; outcome, the word for how its runs ended; runs, without those given up since
        an equivalent one was known; cut, those that could not be judged; violated, the claims that fell, with what was
        seen; schedule, of the run in which they did.
        """
        solved = self.done and all(result["status"] == PASSED for result in self._results)
        return {
            "version": WIRE_VERSION,
            "experiment": self._experiment.slug,
            "title": self._experiment.texts()["title"],
            "solved": solved,
            "runs": self._runs,
            "checks": self._results,
            "token": write_completion(self._experiment, self._sources) if solved else None,
        }

    def _texts(self, check: Check) -> Mapping[str, str]:
        return self._experiment.texts()["challenge"]["checks"][check.id]

    def _take(self, check: Check, found: Mapping[str, Any], made: int) -> None:
        self._runs += made
        passed = not found["violated"] and not found["cut"]
        texts = self._texts(check)
        self._results.append(
            {
                "id": check.id,
                "label": texts["label"],
                "status": PASSED if passed else FAILED,
                "why": None if passed else texts["failed"],
                "searched": check.searched,
                **found,
            }
        )
        self.done = len(self._results) == len(self._checks)

    # The usual run

    def _run(self, check: Check) -> dict[str, Any]:
        report = run_once(self._experiment, self._variant, check.parameters, sources=self._sources)
        fallen = list(self._fallen(check, report.claims))
        cut = report.outcome in (Outcome.UNFINISHED, Outcome.LIVELOCK, Outcome.ESCAPED)
        # The run's own word may speak of claims that are not this check's.
        only_missed = all(claim.kind == SOMETIMES for claim in fallen)
        word = Outcome.HOLDS if not fallen else Outcome.NEVER_REACHED if only_missed else Outcome.COUNTEREXAMPLE
        return {
            "outcome": report.outcome if cut else word.value,
            "runs": 1,
            "cut": int(cut),
            "violated": [{"id": claim.id, "text": claim.text, "observed": claim.observed} for claim in fallen],
            "schedule": report.schedule,
        }

    def _fallen(self, check: Check, claims: list[CheckedClaim]) -> Iterator[CheckedClaim]:
        """Claims of the check that did not hold or say nothing of this run, and what is claimed of every run."""
        for claim in claims:
            if always_claimed(claim.id) or (claim.id in check.claims and claim.holds is not True):
                yield claim

    # Every order, every fault

    def _begin(self, check: Check) -> Search:
        options = Options(runs_max=check.runs_max, faults_max=check.faults_max)
        return Search(self._experiment, self._variant, check.parameters, options, self._sources, check.claims)

    @staticmethod
    def _made(search: Search) -> int:
        state = search.state()
        return state["runs"] + state["abandoned"] + state["shrink_runs"]

    def _searched(self, search: Search) -> dict[str, Any]:
        result = search.result()
        found = result["counterexample"]
        return {
            "outcome": result["outcome"],
            "runs": result["runs"] + result["shrink_runs"],
            "cut": result["cut"],
            "violated": [] if found is None else [self._claim(name) for name in found["violated"]],
            "schedule": None if found is None else found["schedule"],
        }

    def _claim(self, name: str) -> dict[str, Any]:
        text = always_claimed(name) or self._experiment.texts()["claims"][name]
        return {"id": name, "text": text, "observed": None}
