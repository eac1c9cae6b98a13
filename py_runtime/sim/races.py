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
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator

LOG = "the order of marks and crashes"
OBSERVED = frozenset(("mark", "actor.crashed"))

Names = tuple[list, list]  # what a step has written, and what it has read; a few names each, some more than once


def conflict(one: Names, other: Names) -> bool:
    """Whether the order of two steps matters."""
    writes, reads = one
    others_writes, others_reads = other
    return any(name in writes or name in reads for name in others_writes) or any(n in writes for n in others_reads)


class Races:
    """The steps of one instant, in the order in which they were taken."""

    def __init__(self) -> None:
        self.lanes: list[str] = []
        self._before: list[int] = []  # per step: a bit for itself and for each step that is forced to come before
        self._sequences: list[int] = []  # per step: the engine's last sequence number before it
        self._last_of: dict[str, int] = {}
        self._writer: dict[object, int] = {}
        self._readers: dict[object, list[int]] = {}

    def add(self, lane: str, item: int, sequence: int, writes: list, reads: list) -> list[int]:
        """Take note of a step; returns the earlier steps that it races with, latest first.

        item: the sequence number of what the lane did. sequence: the last number given before the step. writes, reads:
        the names that it touched.
        """
        step = len(self.lanes)
        pusher = bisect_left(self._sequences, item) - 1
        found = {self._last_of.get(lane, -1), pusher}
        writer, readers = self._writer, self._readers
        for name in reads:
            found.add(writer.get(name, -1))
            readers.setdefault(name, []).append(step)
        for name in dict.fromkeys(writes):  # a step often says the same twice
            found.add(writer.get(name, -1))
            found.update(readers.pop(name, ()))
            writer[name] = step
        found.discard(-1)
        found.discard(step)
        before, racing = 0, []
        for earlier in sorted(found, reverse=True):
            if not before >> earlier & 1:
                before |= self._before[earlier]
                if self.lanes[earlier] != lane and earlier != pusher:
                    racing.append(earlier)
        self.lanes.append(lane)
        self._before.append(before | 1 << step)
        self._sequences.append(sequence)
        self._last_of[lane] = step
        return racing

    def initials(self, race: int, step: int) -> Iterator[str]:
        """The lanes that could go first at `race` so that `step` comes before it, in the order of their steps.

        What is left between the two when all that `race` forces behind it is taken away, and then `step` itself, is a
        beginning of an order in which they are swapped; a lane can start it whose first step there needs no other.
        """
        before, between, seen = self._before, 0, set()
        for each in self._between(race, step):
            lane = self.lanes[each]
            if lane not in seen:
                seen.add(lane)
                if not before[each] & between:
                    yield lane
            between |= 1 << each

    def _between(self, race: int, step: int) -> Iterable[int]:
        for each in range(race + 1, step):
            if not self._before[each] >> race & 1:
                yield each
        yield step
