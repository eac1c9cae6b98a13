"""A schedule: the seed and the choices, which together are the whole cause of a run, as short printable text.

Decides the format; knows no experiment (the lab puts its name and parameters in front, see `lab/address.py`).

    seed, then the choices that differ from first-in-first-out as POINT.INDEX pairs joined by "-", or "0" for none:
    "0_0"         seed 0, first in first out throughout
    "0_12.1-40.2" seed 0; at choice point 12 the second option, at point 40 the third

Only characters that stand in a URL unescaped are used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import ScheduleError

NUMBER_DIGITS_MAX = 15  # of a seed, a point or an index: exact in every language that may read the text
DEVIATIONS_MAX = 100_000  # more than a run has events, by default; keeps hostile text from costing memory


@dataclass(frozen=True)
class Schedule:
    """`seed` feeds the streams of chance; `deviations` maps choice point → index where it is not first-in-first-out."""

    seed: int = 0
    deviations: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 10**NUMBER_DIGITS_MAX:
            raise ScheduleError(f"a seed is a number from 0 of at most {NUMBER_DIGITS_MAX} digits, got {self.seed}")
        for point, choice in self.deviations.items():
            if point < 0 or choice < 1:
                raise ScheduleError(f"a schedule lists choices from 1 at points from 0, got {choice} at {point}")

    def __str__(self) -> str:
        pairs = "-".join(f"{point}.{choice}" for point, choice in sorted(self.deviations.items()))
        return f"{self.seed}_{pairs or 0}"


def parse_schedule(text: str) -> Schedule:
    """Read what `str(schedule)` wrote; raises `ScheduleError` naming the part that cannot be read."""
    seed_text, separator, pairs_text = text.partition("_")
    if not separator or not _is_number(seed_text):
        raise ScheduleError(f"a schedule starts with its seed and an underscore, as in 0_0; got {text[:40]!r}")
    deviations: dict[int, int] = {}
    if pairs_text != "0":
        for pair in pairs_text.split("-"):
            point, dot, choice = pair.partition(".")
            if not dot or not _is_number(point) or not _is_number(choice) or int(choice) == 0:
                raise ScheduleError(f"a schedule lists its choices as POINT.INDEX, as in 12.1; got {pair[:40]!r}")
            if int(point) in deviations:
                raise ScheduleError(f"the schedule names choice point {int(point)} twice")
            deviations[int(point)] = int(choice)
            if len(deviations) > DEVIATIONS_MAX:
                raise ScheduleError(f"the schedule lists more than {DEVIATIONS_MAX} choices")
    return Schedule(int(seed_text), deviations)


def _is_number(text: str) -> bool:
    return 0 < len(text) <= NUMBER_DIGITS_MAX and text.isascii() and text.isdigit()
