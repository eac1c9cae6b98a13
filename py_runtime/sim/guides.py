"""Leading a run down one branch of the tree of runs, and finding out which other branches are worth a run.

`Node` is a choice point that some run has come to; `TreeGuide` is the guide of one run (see schedulers.py). Decides
what is a branch, with and without pruning; `explorer.py` decides in which order branches are run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .races import Names, Races, conflict

if TYPE_CHECKING:
    from .engine import Engine
    from .lanes import Lane


class Node:
    """A choice point: how to come to it, and what is known about its branches.

    parent, index: the choice point before it, and the index taken there. deviations: choices so far that were not the
    first. enabled: the lanes, in order. sleep: lanes that need not be tried, with what their step touches. tried:
    branches that were run, likewise. branches: those that have been or will be run.
    """

    __slots__ = ("branches", "deviations", "enabled", "index", "parent", "sleep", "tried")

    def __init__(self, parent: Node | None, index: int, enabled: tuple[str, ...], sleep: dict[str, Names]) -> None:
        self.parent = parent
        self.index = index
        self.deviations = 0 if parent is None else parent.deviations + (index > 0)
        self.enabled = enabled
        self.sleep = sleep
        self.tried: dict[str, Names] = {}
        self.branches: dict[str, None] = {}

    def path(self) -> list[Node]:
        """The choice points from the first one to this."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not None:
            nodes.append(node)
            node = node.parent
        nodes.reverse()
        return nodes


class TreeGuide:
    """Leads a run to `node`, takes `lane` there and goes on first in, first out, past lanes that sleep.

    node None: from the start. prunes: look for races and let lanes sleep; else every lane of a new choice point is a
    branch. branch(node, lane) is told of each branch found. saved: how many branches of its choice points this run
    left out, less those taken out again. given_up: whether the run was ended early.
    """

    def __init__(self, node: Node | None, lane: str, prunes: bool, branch: Callable[[Node, str], None]) -> None:
        self._path = node.path() if node is not None else []
        self._last = node  # the choice point that the run came to last
        self._index = 0  # taken there
        self._lane = lane
        self._prunes = prunes
        self._branch = branch
        self._point = 0
        self._sleep: dict[str, Names] = {}
        self._engine: Engine | None = None
        self._races = Races() if prunes else None
        self._nodes: list[Node | None] = []  # per step of this instant: the choice point at which it was chosen
        self._running: Lane | None = None
        self._item = 0
        self._sequence = 0
        self._new = node is None  # whether the steps from here on have not been run before
        self.saved = 0
        self.given_up = False

    def attach(self, engine: Engine) -> None:
        """Lead this engine's run."""
        self._engine = engine
        if self._prunes:
            engine.reads, engine.writes, engine.stopped, engine.silent = [], [], [], {}

    def choose(self, enabled: Sequence[Lane]) -> int | None:
        if self._running is not None:
            self._end_step()
        elif self._prunes:  # what timers have done since the last instant belongs to no step
            self._forget()
        chosen, node = 0, None
        if len(enabled) > 1:
            if self._point < len(self._path):
                node = self._path[self._point]
                chosen = self._repeat(node)
            else:
                chosen, node = self._first_awake(enabled)
        elif self._sleep and enabled[0].name in self._sleep:
            chosen = None
        if chosen is None:
            self.given_up = True
            self.saved += 1  # what would have followed
            return None
        if self._prunes:
            self._begin_step(enabled[chosen], node)
        return chosen

    def time_moves(self) -> None:
        """No order within the instant that ends can matter to what follows: all of it comes before."""
        if self._running is not None:
            self._end_step()
        if self._prunes:
            self._races = Races()
            self._nodes.clear()
            self._sleep.clear()

    def finish(self) -> None:
        """The run is over."""
        if self._running is not None:
            self._end_step()

    def _forget(self) -> None:
        self._engine.reads.clear()
        self._engine.writes.clear()
        self._engine.stopped.clear()

    # Choosing

    def _repeat(self, node: Node) -> int:
        """The choice on the way to the branch, or the branch itself."""
        self._point += 1
        if self._point < len(self._path):
            return self._path[self._point].index
        self._new = True
        self._sleep = {**node.sleep, **node.tried}
        self._last, self._index = node, node.enabled.index(self._lane)
        self.saved -= self._prunes
        return self._index

    def _first_awake(self, enabled: Sequence[Lane]) -> tuple[int | None, Node | None]:
        names = tuple([lane.name for lane in enabled])
        node = Node(self._last, self._index, names, dict(self._sleep))
        chosen = next((index for index, name in enumerate(names) if name not in self._sleep), None)
        if chosen is None:
            return None, None
        self._last, self._index = node, chosen
        node.branches[names[chosen]] = None
        if self._prunes:
            self.saved += len(names) - 1
        else:
            for name in names[1:]:
                self._branch(node, name)
        return chosen, node

    # Finding races

    def _begin_step(self, lane: Lane, node: Node | None) -> None:
        self._running = lane
        self._item = lane.age
        self._sequence = self._engine._sequence
        self._nodes.append(node)

    def _end_step(self) -> None:
        lane, engine = self._running, self._engine
        self._running = None
        writes, engine.writes = engine.writes, []
        reads, engine.reads = engine.reads, []
        stopped = engine.stopped
        if stopped:
            stopped = [name for name in stopped if name != lane.name]
            engine.stopped.clear()
        served = engine.running  # a delivery hands over to its service, whose step it then is
        if served is not None and served is not lane:
            (reads if self._is_precise(served) else writes).append(served.name)
        owner = lane.owner
        if owner is not None:
            if not writes or writes.count(owner) == len(writes):
                engine.silent[owner] = engine.now_us
            else:
                engine.silent.pop(owner, None)
            (reads if self._is_precise(lane) else writes).append(owner)
        racing = self._races.add(lane.name, self._item, self._sequence, writes, reads)
        if not self._new:
            return
        step = len(self._nodes) - 1
        node = self._nodes[step]
        if node is not None:
            node.tried[lane.name] = writes, reads
        for race in racing:
            self._swap(race, list(self._races.initials(race, step)))
        for other in stopped:
            self._swap(step, [other])
        if self._sleep:
            self._sleep = {
                name: theirs for name, theirs in self._sleep.items() if not conflict((writes, reads), theirs)
            }

    def _is_precise(self, lane: Lane) -> bool:
        """Whether the lane is that of a service which has itself said what its step touched, and is free again.

        A step of its own, such as a timer's, comes before whatever is delivered while it waits, in every order.
        """
        return lane.name in self._engine.precise and lane.blocked_until_us is None

    def _swap(self, step: int, lanes: list[str]) -> None:
        """See to it that in some run one of these lanes goes where `step` was taken, if it could."""
        node = self._nodes[step]
        if node is None:  # nobody else could have gone
            return
        lanes = [lane for lane in lanes if lane in node.enabled]
        if lanes and not any(lane in node.branches or lane in node.sleep for lane in lanes):
            node.branches[lanes[0]] = None
            self._branch(node, lanes[0])
