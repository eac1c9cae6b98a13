"""Drawing runs at random where there are too many for all of them: PCT's orders, and faults at drawn opportunities.

Has the face of an `Explorer`, but is never finished: it shows counterexamples, and of their absence only how many runs
had none. Deterministic: one seed, one sequence of runs.
"""

from collections.abc import Sequence

from .chance import Stream
from .explorer import Attempt, Chosen, Found, Limits, Progress, Run
from .schedulers import PriorityGuide
from .strikes import Fault

DEPTH = 3  # ordered steps that a bug may need; most that were studied need one to three (the paper on PCT, section 5)


class Sampler:
    """Draws `limits.runs_max` runs. The first is plain, and shows how many steps and opportunities there are."""

    def __init__(
        self, run: Run, limits: Limits, faults: Sequence[Fault] = (), seed: int = 0, depth: int = DEPTH
    ) -> None:
        self._run = run
        self._limits = limits
        self._faults = tuple(faults)
        self._stream = Stream(seed, "sampling")
        self._depth = depth
        self._steps = 0
        self._met: list[int] = []
        self.progress = Progress()

    def step(self) -> Found | None:
        """Make one run; returns it if it violated something."""
        if self.exhausted:
            return None
        progress = self.progress
        guide = PriorityGuide(self._stream, self._steps, self._depth) if progress.runs else None
        attempt = Attempt(self._faults, self._drawn() if progress.runs else (), guide)
        judged = self._run(attempt)
        progress.runs += 1
        progress.cut += judged.cut
        self._steps = max(self._steps, attempt.world.loop.steps)
        if attempt.world.strikes is not None:
            met = attempt.world.strikes.met
            self._met = [max(pair) for pair in zip(met, self._met or met, strict=True)]
        if not judged.violated:
            return None
        found = attempt.found(judged.violated)
        progress.found.append(found)
        return found

    @property
    def exhausted(self) -> bool:
        """The limit on runs is reached."""
        return self.progress.runs >= self._limits.runs_max

    def _drawn(self) -> Chosen:
        """As many faults as are drawn, from none to all that may be spent, each at an opportunity that was met."""
        chosen: dict[tuple[int, int], None] = {}
        possible = [index for index, met in enumerate(self._met) if met]
        if possible:
            for _ in range(self._stream.below(self._limits.faults_max + 1)):
                index = possible[self._stream.below(len(possible))]
                chosen[index + 1, self._stream.below(self._met[index])] = None
        return tuple(sorted(chosen))
