"""Every order in turn: how the runs of an exploration choose where nothing is pruned.

At each choice point every lane is a branch, so a run is an odometer's reading: an index per choice point, each below
the number of lanes that there are. Decides what branches a run has; `explorer.py` decides in which order they are run.
"""

from collections.abc import Mapping

Digit = tuple[int, int]  # a choice point of the run, and an index other than 0


class Odometer:
    """The scheduler of one run: makes the choices of `deviations`, then goes on first in, first out.

    bounds: how many lanes there were at each choice point after the last of them: what its branches depend on.
    """

    __slots__ = ("_point", "bounds", "deviations", "first")

    def __init__(self, deviations: Mapping[int, int]) -> None:
        self.deviations = deviations  # choice point → index; the last of them is its last key
        self.first = max(deviations, default=-1) + 1
        self.bounds: list[int] = []
        self._point = -1

    def choose(self, bound: int) -> int:
        self._point += 1
        if self._point < self.first:
            return self.deviations.get(self._point, 0)
        self.bounds.append(bound)
        return 0

    def after(self, digit: Digit) -> Digit | None:
        """The branch after this one, in the order of choice points, then of indices; None after the last."""
        point, index = digit
        if index + 1 < self.bounds[point - self.first]:
            return point, index + 1
        return (point + 1, 1) if point + 1 - self.first < len(self.bounds) else None

    def branch(self, digit: Digit) -> "Odometer":
        """The run that turns one more digit."""
        point, index = digit
        return Odometer({**self.deviations, point: index})
