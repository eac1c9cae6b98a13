"""Leading a run down one branch of the tree of runs, and finding out which other branches are worth a run.

`Node` is a choice point that some run has come to; `TreeGuide` is the guide of one run (see schedulers.py). Decides
what is a branch where equivalent runs are pruned; `odometer.py` does where they are not, `explorer.py` decides in which
order branches are run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from .races import Names, Races, Step, conflict

if TYPE_CHECKING:
    from .engine import Engine
    from .lanes import Lane


class Node:
    """A choice point: how to come to it, and what is known about its branches.

    parent, index: the choice point before it, and the index taken there. deviations: choices so far that were not the
    first. enabled: the lanes, in order. before: the last step before it, if there was one at its instant. sleep: lanes
    that need not be tried, with what their step touches. branches: those that have been or will be run, with what their
    first step touched, once it is known.
    """

    __slots__ = ("before", "branches", "deviations", "enabled", "index", "parent", "sleep")

    def __init__(
        self,
        parent: Node | None,
        index: int,
        enabled: tuple[str, ...],
        before: Step | None,
        sleep: dict[str, Names],
    ) -> None:
        self.parent = parent
        self.index = index
        self.deviations = 0 if parent is None else parent.deviations + (index > 0)
        self.enabled = enabled
        self.before = before
        self.sleep = sleep
        self.branches: dict[str, Names | None] = {}

    def way(self, lane: str) -> list[int]:
        """The index to be taken at each choice point up to this one, and here to take `lane`; the last one first."""
        indices = [self.enabled.index(lane)]
        node = self
        while node.parent is not None:
            indices.append(node.index)
            node = node.parent
        return indices

    def asleep(self) -> dict[str, Names]:
        """The lanes that a further branch need not try: those that sleep, and those that have been tried."""
        tried = {lane: names for lane, names in self.branches.items() if names is not None}
        return {**self.sleep, **tried}


class _Way:
    """The scheduler up to the branch, where nothing is new: takes the indices, the last one first, then calls `arrived`
    with the one that is the branch."""

    def __init__(self, indices: list[int], arrived: Callable[[int], None]) -> None:
        self._indices = indices
        self._arrived = arrived

    def choose(self, bound: int) -> int:
        index = self._indices.pop()
        if not self._indices:
            self._arrived(index)
        return index


class TreeGuide:
    """Leads a run to `node`, takes `lane` there and goes on first in, first out, past lanes that sleep.

    node None: from the start. Looks for races and lets lanes sleep. branch(node, lane) is told of each branch found.
    saved: how many branches of its choice points this run left out, less those taken out again. given_up: whether the
    run was ended early.
    """

    def __init__(self, node: Node | None, lane: str, branch: Callable[[Node, str], None]) -> None:
        self._start = node
        self._lane = lane
        self._branch = branch
        self._engine: Engine | None = None
        self._last: Node | None = None  # the choice point that the run came to last
        self._index = 0  # taken there
        self._sleep: dict[str, Names] = {}
        self._races: Races | None = None  # of this instant
        self._step: Step | None = None  # the last one of this instant
        self._running: Lane | None = None  # whose step it is, until that is over
        self._item = 0  # the number of what it does
        self.saved = 0
        self.given_up = False

    def attach(self, engine: Engine) -> None:
        """Lead this engine's run."""
        self._engine = engine
        if self._start is None:
            engine.guide = self
        else:
            engine.scheduler = _Way(self._start.way(self._lane), self._arrived)

    def _arrived(self, index: int) -> None:
        """The lane at `index` takes the branch, with the step that comes now; from here on the run is new."""
        node, engine = self._start, self._engine
        engine.guide = self
        self._last, self._index = node, index
        self._step = node.before
        self._races = Races(node.before)
        self._sleep = node.asleep()
        self.saved -= 1
        if engine.strikes is not None:
            engine.strikes.known = engine.strikes.met.copy()
            for step in self._races.steps:
                self._note_silence(step)
        self._begin_step(engine.offered(index), node)

    def choose(self, enabled: Sequence[Lane]) -> int | None:
        if self._running is not None:
            self._end_step()
        else:
            self._races = Races()
        chosen, bound, node, sleep = 0, len(enabled), None, self._sleep
        if sleep:
            while chosen < bound and enabled[chosen].name in sleep:
                chosen += 1
        if chosen == bound:
            self.given_up = True
            self.saved += 1  # what would have followed
            return None
        lane = enabled[chosen]
        if bound > 1:
            node = Node(self._last, self._index, tuple([each.name for each in enabled]), self._step, sleep)
            node.branches[lane.name] = None
            self._last, self._index = node, chosen
            self.saved += bound - 1
        self._begin_step(lane, node)
        return chosen

    def time_moves(self) -> None:
        """No order within the instant that ends can matter to what follows: all of it comes before."""
        if self._running is not None:
            self._end_step()
        self._step = None
        self._sleep = {}

    def finish(self) -> None:
        """The run is over."""
        if self._running is not None:
            self._end_step()

    # Finding races

    def _begin_step(self, lane: Lane, node: Node | None) -> None:
        """Until its end what is touched is the step's; what timers do, or the end of the run, belongs to none."""
        engine = self._engine
        step = self._step = Step(lane.name, lane.owner, node, self._step, engine._sequence)
        engine.writes, engine.reads, engine.stopped = step.writes, step.reads, []
        self._running = lane
        self._item = lane.age

    def _end_step(self) -> None:
        lane, engine, step, races = self._running, self._engine, self._step, self._races
        stopped = engine.stopped
        self._running = engine.writes = engine.reads = engine.stopped = None
        served = engine.running  # a delivery hands over to its service, whose step it then is
        if served is not None and served is not lane:
            (step.reads if self._is_precise(served) else step.writes).append(served.name)
        if step.owner is not None:
            (step.reads if self._is_precise(lane) else step.writes).append(step.owner)
        racing = races.add(step, self._item)
        if engine.strikes is not None:
            self._note_silence(step)
        node = step.node
        for race in racing:
            if race.node is not None:
                self._swap(race.node, races.initials(race))
        if node is not None:
            node.branches[step.lane] = step.writes, step.reads
            for other in stopped:
                if other != step.lane:
                    self._swap(node, (other,))
        if self._sleep:
            own = step.writes, step.reads
            self._sleep = {name: theirs for name, theirs in self._sleep.items() if not conflict(own, theirs)}

    def _is_precise(self, lane: Lane) -> bool:
        """Whether the lane is that of a service which has itself said what its step touched, and is free again.

        A step of its own, such as a timer's, comes before whatever is delivered while it waits, in every order.
        """
        return lane.name in self._engine.precise and lane.blocked_until_us is None

    def _note_silence(self, step: Step) -> None:
        """Tell the faults whether the step's owner might as well have been struck before it."""
        if step.silent:
            self._engine.silent[step.owner] = self._engine.now_us
        else:
            self._engine.silent.pop(step.owner, None)

    def _swap(self, node: Node, lanes: Iterable[str]) -> None:
        """See to it that in some run one of these lanes goes at a choice point, if it could."""
        branches, enabled = node.branches, node.enabled
        if len(branches) == len(enabled):  # all of them do
            return
        first = None
        for lane in lanes:
            if lane in enabled:
                if lane in branches or lane in node.sleep:
                    return
                if first is None:
                    first = lane
        if first is not None:
            branches[first] = None
            self._branch(node, first)
