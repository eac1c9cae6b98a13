"""The shrinker: from a run that violates something to the simplest that does.

Simpler means fewer faults, then fewer deviations from first-in-first-out, then fewer steps (`Found.size`). Three
stages, which can be stopped after any run and keep the simplest so far:

1. leave out faults, all but the last first; then deviations, in halves and then one by one (Zeller's delta debugging);
2. search among all runs with fewer faults, with pruning;
3. search among all runs with as many faults and no more deviations.

Where stages 2 and 3 come to their end, nothing simpler exists (`minimal`); else it is the simplest that was found, and
leaving out any one fault or deviation loses the violation. A simpler run must violate something that the first did.
"""

from collections.abc import Iterator, Mapping, Sequence

from .explorer import Attempt, Chosen, Explorer, Found, Limits, Run
from .strikes import Fault


class LenientScheduler:
    """Takes recorded choices where they exist: what is left of a schedule may come to fewer lanes."""

    def __init__(self, deviations: Mapping[int, int]) -> None:
        self._deviations = deviations
        self._point = -1

    def choose(self, bound: int) -> int:
        self._point += 1
        choice = self._deviations.get(self._point, 0)
        return choice if choice < bound else 0


class Shrinker:
    """Looks for something simpler than `found`, one run per `step()`, until `finished`.

    runs_max: of stages 2 and 3 each. runs: made so far. best: the simplest so far. minimal: nothing simpler exists.
    """

    def __init__(self, run: Run, found: Found, faults: Sequence[Fault] = (), runs_max: int = 1_000) -> None:
        self._run = run
        self._faults = tuple(faults)
        self._runs_max = runs_max
        self._wanted = frozenset(found.violated)
        self.best = found
        self.runs = 0
        self.minimal = False
        self.finished = False
        self._steps = self._stages()

    def step(self) -> None:
        """Make one run."""
        if next(self._steps, None) is None:
            self.finished = True

    def _stages(self) -> Iterator[bool]:
        searched: tuple[int, int] | None = None
        shown = True
        while shown and searched != self.best.size[:2]:  # what is simpler makes the next search smaller
            yield from self._leave_out_faults()
            yield from self._leave_out_deviations()
            searched = faults, deviations = self.best.size[:2]
            if faults:
                shown = yield from self._search(Limits(self._runs_max, faults - 1))
            if shown and searched == self.best.size[:2]:
                shown = yield from self._search(Limits(self._runs_max, faults, deviations, pruning=False))
        self.minimal = shown

    def _try(self, chosen: Chosen, deviations: Mapping[int, int]) -> bool:
        """Run what is left; whether it is simpler and still violates."""
        attempt = Attempt(self._faults, chosen, scheduler=LenientScheduler(deviations))
        judged = self._run(attempt)
        self.runs += 1
        return self._take(attempt.found(judged.violated) if judged.violated else None)

    def _take(self, found: Found | None) -> bool:
        if found is None or self._wanted.isdisjoint(found.violated) or found.size >= self.best.size:
            return False
        self.best = found
        return True

    def _leave_out_faults(self) -> Iterator[bool]:
        again = True
        while again:
            again = False
            chosen = self.best.schedule.strikes
            for index in range(len(chosen)):
                again = self._try(chosen[:index] + chosen[index + 1 :], self.best.schedule.deviations)
                yield True
                if again:
                    break

    def _leave_out_deviations(self) -> Iterator[bool]:
        size = len(self.best.schedule.deviations)
        while size:
            points = sorted(self.best.schedule.deviations)
            smaller = False
            for start in range(0, len(points), size):
                left_out = points[start : start + size]
                deviations = {p: c for p, c in self.best.schedule.deviations.items() if p not in left_out}
                smaller = self._try(self.best.schedule.strikes, deviations)
                yield True
                if smaller:
                    break
            size = min(size, len(self.best.schedule.deviations)) if smaller else size // 2

    def _search(self, limits: Limits) -> Iterator[bool]:
        """Explore until something simpler is found or nothing is left; returns whether one of these was the end."""
        explorer = Explorer(self._run, limits, self._faults)
        before = self.best.size[:2]
        while not explorer.progress.finished:
            if explorer.exhausted:
                return False
            found = explorer.step()
            self.runs += 1
            yield True
            if self._take(found) and self.best.size[:2] < before:
                return True
        return not explorer.progress.cut
