"""What a random comparison of stand-in and real server found: how much was compared, and what differed.

A module joins the long run (soak.py) by `run(count, seed) -> Compared`: it starts the servers it needs, makes at least
`count` commands, scripts or statements from `random.Random(seed)` alone, and compares each. Knows no store.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

Found = TypeVar("Found")


@dataclass(frozen=True)
class Difference:
    """`lines`: the shortest sequence found whose last line is answered differently; `ours`, `theirs`: the answers."""

    lines: tuple[str, ...]
    ours: str
    theirs: str

    def __str__(self) -> str:
        steps = [f"  {line}" for line in self.lines]
        return "\n".join([*steps, f"    stand-in: {self.ours}", f"    server:   {self.theirs}"])


@dataclass
class Compared:
    """`counts`: how many commands (scripts, statements) were compared, by family; and all that differed."""

    counts: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def __str__(self) -> str:
        width = max(map(len, self.counts), default=0)
        table = [f"{family:{width}} {count:9,}" for family, count in sorted(self.counts.items())]
        ending = f"{self.counts.total():,} compared, {len(self.differences)} different"
        return "\n".join([*table, *map(str, self.differences), ending])


def shortest(steps: list, found: Found, again: Callable[[list], Found | None]) -> tuple[list, Found]:
    """Leave out steps, one at a time and from the end, as long as the last one still differs.

    again(steps): what is found where the last of these steps, and none before it, differs; else None.
    """
    for place in reversed(range(len(steps) - 1)):
        shorter = steps[:place] + steps[place + 1 :]
        found_again = again(shorter)
        if found_again is not None:
            steps, found = shorter, found_again
    return steps, found
