"""The explorer: runs a program under one order of steps after another, and with one fault after another.

A run cannot be copied in the middle, so each one starts anew and repeats the choices that lead to its branch. All runs
together form a tree: a node is a choice point, a branch an enabled lane. Decides which branches are worth a run and in
which order they are run; knows nothing of claims (it is told which of them a run violated) nor of experiments.

**Order.** The cost of a run is the number of its faults plus the number of its deviations from first-in-first-out; the
cheapest branch is next, fewest faults first, then the oldest. So the plain run comes first, then all runs with one
deviation or one fault, and so on: iterative deepening that repeats nothing. A `level` is all runs of one cost.

**Without pruning** every enabled lane at every choice point is a branch (odometer.py). Those of one run cost the same
and come one after the other, so only the next of them is on the list.

**With pruning** (dynamic partial order reduction with source sets and sleep sets: Abdulla, Aronis, Jonsson, Sagonas,
"Optimal dynamic partial order reduction", 2014) the first run's own choices are the only branches at first. Each run is
looked through for races (races.py); a race adds, at the choice point before its first step, one branch that can lead to
the swapped order, unless one is there. A branch taken after its siblings need not repeat them: lanes that have been
tried sleep until a step conflicts with theirs, and a run in which all enabled lanes sleep is given up. When no branch
is left, every order has been run, or one that is equivalent to it (races.py says what is assumed).

A limit on deviations and pruning do not go together, since the one run of an equivalent many that is kept may need more
deviations than another: with a limit, nothing is pruned.

**Faults.** Which faults strike, and at which opportunities, is settled before a run; every such set has a tree of its
own. A run shows how many opportunities each fault has, and so which sets with one fault more there are.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from .guides import Node, TreeGuide
from .odometer import Digit, Odometer
from .schedule import Schedule
from .schedulers import Guide, Scheduler
from .strikes import Fault, Strikes
from .world import World

Chosen = tuple[tuple[int, int], ...]  # (fault from 1, opportunity from 0), ascending


@dataclass(frozen=True)
class Limits:
    """The bounds of an exploration; each is named in its result.

    runs_max: runs, those given up included. faults_max: faults in one run. deviations_max: choices of a run that are
    not first-in-first-out; None: no limit, and only then `pruning` has an effect.
    """

    runs_max: int = 100_000
    faults_max: int = 0
    deviations_max: int | None = None
    pruning: bool = True

    @property
    def prunes(self) -> bool:
        return self.pruning and self.deviations_max is None


class Found(NamedTuple):
    """A run that violated something: its schedule, the names of what it violated, its steps."""

    schedule: Schedule
    violated: tuple[str, ...]
    steps: int

    @property
    def size(self) -> tuple[int, int, int]:
        """What makes one counterexample simpler than another: faults, then deviations, then steps."""
        return len(self.schedule.strikes), len(self.schedule.deviations), self.steps


@dataclass
class Progress:
    """How far an exploration is.

    runs: complete ones. abandoned: runs given up, since one equivalent to them was known. saved: branches of complete
    runs that needed no run; at least so many runs were saved. cut: complete runs that met a limit of a single run.
    level: the highest cost of which every run is done, None before the first. finished: nothing is left to run.
    """

    runs: int = 0
    abandoned: int = 0
    saved: int = 0
    cut: int = 0
    level: int | None = None
    finished: bool = False
    found: list[Found] = field(default_factory=list)


class Judged(NamedTuple):
    """What a run's judge says: the names of what it violated; cut: the run met a limit of its own."""

    violated: tuple[str, ...] = ()
    cut: bool = False


class Attempt:
    """One run to be made: `attach(world)` before it starts, on a world that is new.

    faults: what the run is offered; chosen: which strike. guide or scheduler: who chooses, else first in, first out.
    """

    def __init__(
        self,
        faults: Sequence[Fault] = (),
        chosen: Chosen = (),
        guide: Guide | None = None,
        scheduler: Scheduler | None = None,
    ) -> None:
        self.world: World | None = None
        self._faults = faults
        self._chosen = chosen
        self._guide = guide
        self._scheduler = scheduler

    def attach(self, world: World) -> None:
        """Let this attempt decide the world's choices and faults."""
        self.world = world
        loop = world.loop
        if self._faults:
            Strikes(world, self._faults, self._chosen)
        if self._scheduler is not None:
            loop.scheduler = self._scheduler
        if isinstance(self._guide, TreeGuide):
            self._guide.attach(loop)
        else:
            loop.guide = self._guide

    @property
    def given_up(self) -> bool:
        """The run was not completed, since an equivalent one is known: there is nothing to judge."""
        return isinstance(self._guide, TreeGuide) and self._guide.given_up

    def found(self, violated: tuple[str, ...]) -> Found:
        """What the run has found, with the choices it made and the faults that did strike."""
        world = self.world
        struck = () if world.strikes is None else world.strikes.struck
        schedule = Schedule(world.streams.seed, dict(world.loop.deviations), struck)
        return Found(schedule, violated, world.loop.steps)


Run = Callable[[Attempt], Judged]

# A run to be made: cost, number of faults, place in the order; the faults; where it branches off, and the branch.
_Pending = tuple[int, int, int, Chosen, Node | Odometer | None, str | Digit]


class Explorer:
    """Explores what `run(attempt)` runs. `run` makes a world, attaches the attempt, runs it, judges it and closes it.

    After that the world is taken to pieces.
    `step()` makes the next run; `progress` says how far things are. Deterministic: equal input gives equal runs.
    """

    def __init__(self, run: Run, limits: Limits | None = None, faults: Sequence[Fault] = ()) -> None:
        self._run = run
        self._limits = limits or Limits()
        self._prunes = self._limits.prunes
        self._faults = tuple(faults)
        self.progress = Progress()
        self._order = count()
        self._pending: list[_Pending] = []
        self._known: dict[Chosen, None] = {}
        self._plan(())

    def step(self) -> Found | None:
        """Make one run; returns it if it violated something. Does nothing once finished or out of runs."""
        progress = self.progress
        if not self._pending or self.exhausted:
            return None
        pending = heappop(self._pending)
        cost, _, _, chosen, _, _ = pending
        judged, attempt = self._run_pruned(pending) if self._prunes else self._run_unpruned(pending)
        found = None
        if attempt.given_up:
            progress.abandoned += 1
        else:
            progress.runs += 1
            progress.cut += judged.cut
            if judged.violated:
                found = attempt.found(judged.violated)
                progress.found.append(found)
        if len(chosen) < self._limits.faults_max:
            self._plan_more(chosen, attempt.world)
        attempt.world.discard()
        progress.finished = not self._pending
        if progress.finished or self._pending[0][0] > cost:
            progress.level = cost
        return found

    @property
    def exhausted(self) -> bool:
        """The limit on runs is reached."""
        return self.progress.runs + self.progress.abandoned >= self._limits.runs_max

    def _run_pruned(self, pending: _Pending) -> tuple[Judged, Attempt]:
        """A run that is looked through for races; the branches that these ask for are put on the list."""
        _, _, _, chosen, start, first = pending

        def branch(node: Node, lane: str) -> None:
            deviations = node.deviations + (node.enabled[0] != lane)
            self._put(chosen, deviations, node, lane)

        guide = TreeGuide(start, first, branch)
        attempt = Attempt(self._faults, chosen, guide)
        judged = self._run(attempt)
        guide.finish()
        self.progress.saved += guide.saved
        return judged, attempt

    def _run_unpruned(self, pending: _Pending) -> tuple[Judged, Attempt]:
        """A run all of whose branches are put on the list, if the limit on deviations allows them."""
        *place, chosen, before, digit = pending
        if before is None:
            odometer = Odometer({})
        else:
            odometer = before.branch(digit)
            following = before.after(digit)
            if following is not None:  # in the same place, since it is next
                heappush(self._pending, (*place, chosen, before, following))
        attempt = Attempt(self._faults, chosen, scheduler=odometer)
        judged = self._run(attempt)
        deviations, limit = len(odometer.deviations) + 1, self._limits.deviations_max
        if odometer.bounds and (limit is None or deviations <= limit):
            self._put(chosen, deviations, odometer, (odometer.first, 1))
        return judged, attempt

    def _put(self, chosen: Chosen, deviations: int, origin: Node | Odometer | None, branch: str | Digit) -> None:
        """Put a run on the list."""
        entry = (len(chosen) + deviations, len(chosen), next(self._order), chosen, origin, branch)
        heappush(self._pending, entry)

    def _plan(self, chosen: Chosen) -> None:
        """Put the plain run with these faults on the list."""
        if chosen not in self._known:
            self._known[chosen] = None
            self._put(chosen, 0, None, "")

    def _plan_more(self, chosen: Chosen, world: World) -> None:
        """The sets with one fault more, at every opportunity that this run met."""
        strikes = world.strikes
        if strikes is None:
            return
        for index, met in enumerate(strikes.met):
            for opportunity in self._worthwhile(strikes, index, met):
                strike = (index + 1, opportunity)
                if strike not in chosen:
                    self._plan(tuple(sorted((*chosen, strike))))

    def _worthwhile(self, strikes: Strikes, index: int, met: int) -> Iterator[int]:
        """All new opportunities of a fault but those at which it does the same as at the one before.

        An actor that is killed between two turns of one instant, the first of which changed nothing that others could
        see, might as well have been killed before it.
        """
        silent = strikes.silent[index]
        for opportunity in range(strikes.known[index], met):
            if opportunity not in silent:
                yield opportunity


def explore(run: Run, limits: Limits | None = None, faults: Sequence[Fault] = ()) -> Progress:
    """Run until nothing is left or the limit on runs is reached."""
    explorer = Explorer(run, limits, faults)
    while not explorer.progress.finished and not explorer.exhausted:
        explorer.step()
    return explorer.progress
