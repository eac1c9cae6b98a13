"""What could still have become of a run: from each of its positions, continuations drawn at random.

Decides where a run could still have gone another way, how continuations are drawn, and which positions get theirs
first. Knows nothing of claims (it is told which of them a run violated) nor of experiments.

**Moments.** The future is open at a choice point and, while the run has faults still to come, at every opportunity of a
fault that it is offered. In between nothing is decided, so all positions up to such a moment share one value. After the
last one only the run itself is left.

**Continuations.** Up to its moment a continuation makes the run's own choices and meets the run's own faults. From
there on each lane that may run is equally likely at every choice point. Of the faults that the run had still to come,
each comes or not, evenly; which of those offered, and at which of the opportunities ahead, is drawn evenly too. A
moment has a stream of its own, so its numbers depend on nothing but the seed.

**Order.** The ends first, then what lies before and after each fault, then the middle of the gap across which the share
of failures changes most: what was drawn before a stop shows the whole run coarsely, and its steepest part finely. Where
a gap has equal shares at both ends it is left as it is, once it is narrow: from where a run cannot be saved, it cannot
be saved later either.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .chance import Stream
from .explorer import Attempt, Chosen, Run
from .lanes import Lane
from .schedule import Schedule
from .schedulers import ScriptedScheduler
from .strikes import Fault
from .world import World

FLAT_PARTS = 8  # a gap with equal shares at both ends is not divided below this part of the run's moments


@dataclass
class Moment:
    """A moment of a run, and what became of the continuations from it.

    position … until: the events (from 0) just after which the value holds; a first position of -1 is the run's start.
    at_us: instant of that first event. step: steps taken so far. choices, struck, met: choice points so far, faults
    that have struck, opportunities of each fault so far. open: something could still go another way.
    runs: continuations that were judged; fails: those of them that violated something; cut: further ones that met a
    limit of their own. Of the moment that is not open the only run is the run itself.
    """

    position: int
    until: int
    at_us: int
    step: int
    choices: int
    struck: Chosen
    met: tuple[int, ...]
    open: bool
    fails: int = 0
    runs: int = 0
    cut: int = 0

    @property
    def drawn(self) -> bool:
        return self.runs + self.cut > 0

    @property
    def lost(self) -> bool:
        """Whether every continuation that was drawn violated something."""
        return self.drawn and self.fails == self.runs and not self.cut

    @property
    def permille(self) -> int:
        """The share of failures, for comparing only; 0 where nothing could be judged."""
        return 1000 * self.fails // self.runs if self.runs else 0


@dataclass(frozen=True)
class Drawing:
    """The bounds of a drawing; each is named in its result. runs: continuations from each moment. moments_max: moments
    that get some. seed: of all that is drawn."""

    runs: int = 20
    moments_max: int = 40
    seed: int = 0


class ContinuingScheduler:
    """At its first `choices` choice points the run's own choices, then the stream's; without it first in, first out."""

    def __init__(self, deviations: Mapping[int, int], choices: int, stream: Stream | None) -> None:
        self._deviations = deviations
        self._choices = choices
        self._stream = stream
        self._point = -1

    def choose(self, bound: int) -> int:
        self._point += 1
        if self._point < self._choices:
            return self._deviations.get(self._point, 0)
        return 0 if self._stream is None else self._stream.below(bound)


@dataclass(frozen=True)
class _Note:
    """The state before a step, or before time moves. choice: the step is one of several. due: faults still to come."""

    events: int
    step: int
    choices: int
    struck: Chosen
    met: tuple[int, ...]
    choice: bool
    due: int


class _Noting(Attempt):
    """The run itself, as the guide of which this notes the moments at which something was open."""

    def __init__(self, faults: Sequence[Fault], schedule: Schedule) -> None:
        super().__init__(faults, schedule.strikes, guide=self)
        self._scripted = ScriptedScheduler(schedule.deviations)
        self._previous: _Note | None = None
        self._kept: list[_Note] = []
        self._closing: _Note | None = None

    def attach(self, world: World) -> None:
        super().attach(world)
        self._world = world

    def choose(self, enabled: Sequence[Lane]) -> int:
        several = len(enabled) > 1
        self._note(several)
        return self._scripted.choose(len(enabled)) if several else 0

    def time_moves(self) -> None:
        self._note(False)

    def _note(self, choice: bool) -> None:
        world, loop, strikes = self._world, self._world.loop, self._world.strikes
        struck, met, due = ((), (), 0) if strikes is None else (strikes.struck, tuple(strikes.met), strikes.unused)
        note = _Note(len(world.events), loop.steps, loop.choice_points, struck, met, choice, due)
        before, self._previous = self._previous, note
        if before is None:
            self._closing = note
        elif before.choice or (before.due and before.met != met):
            self._closing = note
            if not self._kept or before.events > self._kept[-1].events:  # else no position shows the one from the other
                self._kept.append(before)

    def moments(self) -> list[Moment]:
        """The moments of the run, which has ended, in order; each begins after the events of the one before it."""
        self._note(False)
        events = self._world.events
        notes = [(note, note.events, True) for note in self._kept] + [(self._closing, len(events), False)]
        moments: list[Moment] = []
        position = -1
        for note, end, still_open in notes:
            if end > position or not moments:
                at_us = events[position].at_us if position >= 0 else 0
                moments.append(
                    Moment(position, end - 1, at_us, note.step, note.choices, note.struck, note.met, still_open)
                )
                position = end
        return moments


class Continuations:
    """Draws continuations of the run under `schedule`, whose run violates something; `run` is as an Explorer's.

    `step()` makes the next run: first the run itself, then continuations, until `finished`. moments: those of the run,
    in order; runs: made so far, also those that only show which opportunities lie ahead. Deterministic.
    """

    def __init__(
        self, run: Run, schedule: Schedule, faults: Sequence[Fault] = (), drawing: Drawing | None = None
    ) -> None:
        self._run = run
        self._schedule = schedule
        self._faults = tuple(faults)
        self._drawing = drawing or Drawing()
        self._ahead: dict[Chosen, tuple[int, ...]] = {}
        self.moments: list[Moment] = []
        self.runs = 0
        self.finished = False
        self._steps = self._stages()

    def step(self) -> None:
        """Make one run."""
        if next(self._steps, None) is None:
            self.finished = True

    @property
    def no_return(self) -> tuple[Moment, Moment | None] | None:
        """The first moment from which on every continuation drawn failed, and the last one drawn before it, if any.

        None where there is none, or the last moment of the run has not been looked at yet.
        """
        first, before = None, None
        if self.moments and self.moments[-1].drawn:
            for moment in reversed([moment for moment in self.moments if moment.drawn]):
                if not moment.lost:
                    before = moment
                    break
                first = moment
        return None if first is None else (first, before)

    def _stages(self) -> Iterator[bool]:
        noting = _Noting(self._faults, self._schedule)
        judged = self._run(noting)
        self.runs += 1
        self.moments = noting.moments()
        last = self.moments[-1]
        if not last.open:
            last.runs, last.fails, last.cut = int(not judged.cut), int(bool(judged.violated)), int(judged.cut)
        yield True
        for moment in self._ordered():
            yield from self._draw(moment)

    def _draw(self, moment: Moment) -> Iterator[bool]:
        due = len(self._schedule.strikes) - len(moment.struck)
        if due and moment.struck not in self._ahead:
            self._ahead[moment.struck] = self._look_ahead(moment)
            yield True
        stream = Stream(self._drawing.seed, f"continuations from {moment.step}")
        for _ in range(self._drawing.runs):
            chosen = self._drawn(moment, due, stream)
            judged = self._run(self._attempt(moment, chosen, stream))
            self.runs += 1
            if judged.cut:
                moment.cut += 1
            else:
                moment.runs += 1
                moment.fails += bool(judged.violated)
            yield True

    def _attempt(self, moment: Moment, chosen: Chosen, stream: Stream | None) -> Attempt:
        scheduler = ContinuingScheduler(self._schedule.deviations, moment.choices, stream)
        return Attempt(self._faults, chosen, scheduler=scheduler)

    def _look_ahead(self, moment: Moment) -> tuple[int, ...]:
        """How many opportunities each fault has in all where no further one strikes, or in the run itself if more."""
        attempt = self._attempt(moment, moment.struck, None)
        self._run(attempt)
        self.runs += 1
        return tuple(max(pair) for pair in zip(attempt.world.strikes.met, self.moments[-1].met, strict=True))

    def _drawn(self, moment: Moment, due: int, stream: Stream) -> Chosen:
        """The faults of a continuation: those that have struck, and as many of those still due as are drawn."""
        chosen = dict.fromkeys(moment.struck)
        if due:
            ahead = self._ahead[moment.struck]
            possible = [index for index, met in enumerate(moment.met) if ahead[index] > met]
            for _ in range(due):
                if possible and stream.below(2):
                    index = possible[stream.below(len(possible))]
                    chosen[index + 1, stream.between(moment.met[index], ahead[index] - 1)] = None
        return tuple(sorted(chosen))

    def _ordered(self) -> Iterator[Moment]:
        """The open moments in the order in which they get their continuations."""
        moments = self.moments
        last = len(moments) - 1
        first = [0, last]
        for index in range(last):
            if moments[index].struck != moments[index + 1].struck:
                first += [index, index + 1]
        drawn = 0
        for index in dict.fromkeys(first):
            if moments[index].open and drawn < self._drawing.moments_max:
                drawn += 1
                yield moments[index]
        while drawn < self._drawing.moments_max:
            known = [index for index, moment in enumerate(moments) if moment.drawn]
            gaps = [gap for gap in pairwise(known) if self._worth_dividing(*gap)]
            if not gaps:
                return
            one, other = max(gaps, key=self._wants)  # of equals the first
            drawn += 1
            yield moments[(one + other) // 2]

    def _worth_dividing(self, one: int, other: int) -> bool:
        moments = self.moments
        flat = moments[one].permille == moments[other].permille
        return other - one > (max(1, len(moments) // FLAT_PARTS) if flat else 1)

    def _wants(self, gap: tuple[int, int]) -> tuple[int, int]:
        one, other = gap
        return abs(self.moments[one].permille - self.moments[other].permille), other - one
