"""Which steps of a run could have gone the other way round, and would that have made a difference?

Two steps *conflict* when both touch something shared under one name and one of them writes it. Runs that differ only
in the order of steps without conflict are equivalent: every step does the same in both. Steps of different instants
never swap, since time moves only when no lane may run; so all of this is within one instant.

What has a name: an actor's own queue and life (written by its every step, by whatever wakes it, and by a fault that
strikes it), a key or a row of a store, a store or a service as a whole, what the scenario says that its actors share
(`World.touch`), and the order of observed events (`OBSERVED`, under LOG). What has none, and is assumed not to matter:

- Python objects that actors share behind the lab's back, such as a global of the program's module: real processes share
  none. The scenario's own must be named by `World.touch`;
- the order, within one instant, of events that are not observed: two calls that begin or end at the same instant, in
  different actors, on different keys. Claims may go by their instants, by the history of any key or row, by the order
  of one actor's own events, and by the order of marks and crashes;
- chance drawn by two actors from one stream.

`Races` keeps the order that conflicts force, as one whole number per step whose bits are the steps that come before it.
A run that repeats the beginning of an earlier one need not find out again what the steps there have touched: a `Step`
never changes once it has been added, so both runs share it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .guides import Node

LOG = "the order of marks and crashes"
OBSERVED = frozenset(("mark", "actor.crashed"))

Names = tuple[list, list]  # what a step has written, and what it has read; a few names each, some more than once


class Step:
    """One step, and what it has touched.

    lane: who took it. owner: the actor whose own state it changed, if any. node: the choice point at which it was
    chosen, None where nobody else could have gone. previous: the step before it at its instant. sequence: the engine's
    last number before it. writes, reads: names, a few each, some more than once. before: a bit for itself and for each
    step of its instant (the first is bit 0) that is forced to come before it.
    """

    __slots__ = ("before", "lane", "node", "owner", "previous", "reads", "sequence", "writes")

    def __init__(self, lane: str, owner: str | None, node: Node | None, previous: Step | None, sequence: int) -> None:
        self.lane = lane
        self.owner = owner
        self.node = node
        self.previous = previous
        self.sequence = sequence
        self.writes: list[object] = []
        self.reads: list[object] = []
        self.before = 0

    @property
    def silent(self) -> bool:
        """Whether it has shared nothing with others: it has changed its owner at most."""
        return self.owner is not None and self.writes.count(self.owner) == len(self.writes)


def conflict(one: Names, other: Names) -> bool:
    """Whether the order of two steps matters."""
    writes, reads = one
    others_writes, others_reads = other
    for name in others_writes:
        if name in writes or name in reads:
            return True
    return any(name in writes for name in others_reads)


class Races:
    """The steps of one instant, in the order in which they were taken. last: the last of them that is known already."""

    def __init__(self, last: Step | None = None) -> None:
        self.steps: list[Step] = []
        self._sequences: list[int] = []
        # All three say which steps, as bits.
        self._last_of: dict[str, int] = {}
        self._writer: dict[object, int] = {}
        self._readers: dict[object, int] = {}
        known = []
        while last is not None:
            known.append(last)
            last = last.previous
        for step in reversed(known):
            self._append(step)

    def add(self, step: Step, item: int) -> list[Step]:
        """Take note of a step; returns the earlier steps that it races with, latest first.

        item: the sequence number of what the lane did, which tells the step that put it there.
        """
        steps, lane = self.steps, step.lane
        pusher = bisect_left(self._sequences, item) - 1
        before, racing = 1 << len(steps), []
        found = self._append(step)
        if pusher >= 0:
            found |= 1 << pusher
        while found:
            number = found.bit_length() - 1
            earlier = steps[number]
            before |= earlier.before
            found &= ~earlier.before
            if earlier.lane != lane and number != pusher:
                racing.append(earlier)
        step.before = before
        return racing

    def _append(self, step: Step) -> int:
        """Add to the list and to what is known by name; returns the last steps that must come before, as bits."""
        own = 1 << len(self.steps)
        self.steps.append(step)
        self._sequences.append(step.sequence)
        writer, readers = self._writer, self._readers
        found = self._last_of.get(step.lane, 0)
        self._last_of[step.lane] = own
        for name in step.reads:
            found |= writer.get(name, 0)
            readers[name] = readers.get(name, 0) | own
        for name in step.writes:
            found |= writer.get(name, 0) | readers.pop(name, 0)
            writer[name] = own
        return found & ~own

    def initials(self, race: Step) -> Iterator[str]:
        """The lanes that could go first at `race` so that the last step comes before it, in the order of their steps.

        What is left between the two when all that `race` forces behind it is taken away, and then the last step itself,
        is a beginning of an order in which they are swapped; a lane can start it whose first step there needs no other.
        """
        steps, between, seen = self.steps, 0, set()
        last = len(steps) - 1
        first = race.before.bit_length()  # the number of the step after it
        raced = 1 << first - 1
        for number in range(first, last + 1):
            step = steps[number]
            if number == last or not step.before & raced:
                if step.lane not in seen:
                    seen.add(step.lane)
                    if not step.before & between:
                        yield step.lane
                between |= 1 << number
