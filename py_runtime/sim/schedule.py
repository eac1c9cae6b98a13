"""A schedule: the seed, the choices and the faults, which together are the whole cause of a run, as short text.

Decides the format; knows no experiment (the lab puts its name and parameters in front, see `lab/address.py`).

    seed, then the choices that differ from first-in-first-out as POINT.INDEX pairs joined by "-", or "0" for none:
    "0_0"         seed 0, first in first out throughout
    "0_12.1-40.2" seed 0; at choice point 12 the second option, at point 40 the third
    "0_12.1-x3.2" the second option at point 12, and the second fault (from 1) at its opportunity 3 (from 0)

A fault is named by its place in the list of faults that the run is offered, and its opportunity by the target's own
steps or messages (see strikes.py), so that it stays where it was when a choice before it goes.

Only characters that stand in a URL unescaped are used.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .errors import ScheduleError

NUMBER_DIGITS_MAX = 15  # of a seed, a point or an index: exact in every language that may read the text
DEVIATIONS_MAX = 100_000  # more than a run has events, by default; keeps hostile text from costing memory
STRIKES_MAX = 1_000  # more faults than any exploration spends on one run
_SEED_MAX = 10**NUMBER_DIGITS_MAX - 1


@dataclass(frozen=True)
class Schedule:
    """`seed` feeds the streams of chance; `deviations` maps choice point → index where it is not first-in-first-out.

    strikes: (fault, opportunity) pairs, faults counted from 1, in ascending order.
    """

    seed: int = 0
    deviations: Mapping[int, int] = field(default_factory=dict)
    strikes: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        require_seed(self.seed)
        for point, choice in self.deviations.items():
            if point < 0 or choice < 1:
                raise ScheduleError(f"a schedule lists choices from 1 at points from 0, got {choice} at {point}")
        strikes = self.strikes
        if strikes and (list(strikes) != sorted(set(strikes)) or any(f < 1 or at < 0 for f, at in strikes)):
            raise ScheduleError(
                f"a schedule lists faults from 1 at opportunities from 0, in order, each once; got {self.strikes}"
            )

    def __str__(self) -> str:
        choices = [f"{point}.{choice}" for point, choice in sorted(self.deviations.items())]
        faults = [f"x{opportunity}.{fault}" for fault, opportunity in self.strikes]
        return f"{self.seed}_{'-'.join(choices + faults) or 0}"


def require_seed(seed: int) -> int:
    """`seed` as it is; raises `ScheduleError` where no text of a schedule can hold it."""
    if not 0 <= seed <= _SEED_MAX:
        raise ScheduleError(f"a seed is a number from 0 of at most {NUMBER_DIGITS_MAX} digits, got {seed}")
    return seed


def parse_schedule(text: str) -> Schedule:
    """Read what `str(schedule)` wrote; raises `ScheduleError` naming the part that cannot be read."""
    seed_text, separator, pairs_text = text.partition("_")
    if not separator or not _is_number(seed_text):
        raise ScheduleError(f"a schedule starts with its seed and an underscore, as in 0_0; got {text[:40]!r}")
    deviations: dict[int, int] = {}
    strikes: dict[tuple[int, int], None] = {}
    if pairs_text != "0":
        for pair in pairs_text.split("-"):
            if pair.startswith("x"):
                _read_strike(pair, strikes)
                continue
            point, dot, choice = pair.partition(".")
            if not dot or not _is_number(point) or not _is_number(choice) or int(choice) == 0:
                raise ScheduleError(f"a schedule lists its choices as POINT.INDEX, as in 12.1; got {pair[:40]!r}")
            if int(point) in deviations:
                raise ScheduleError(f"the schedule names choice point {int(point)} twice")
            deviations[int(point)] = int(choice)
            if len(deviations) > DEVIATIONS_MAX:
                raise ScheduleError(f"the schedule lists more than {DEVIATIONS_MAX} choices")
    return Schedule(int(seed_text), deviations, tuple(sorted(strikes)))


def _read_strike(pair: str, strikes: dict[tuple[int, int], None]) -> None:
    opportunity, dot, fault = pair[1:].partition(".")
    if not dot or not _is_number(opportunity) or not _is_number(fault) or int(fault) == 0:
        raise ScheduleError(f"a schedule lists its faults as xOPPORTUNITY.FAULT, as in x3.1; got {pair[:40]!r}")
    strike = (int(fault), int(opportunity))
    if strike in strikes:
        raise ScheduleError(f"the schedule names fault {strike[0]} at opportunity {strike[1]} twice")
    strikes[strike] = None
    if len(strikes) > STRIKES_MAX:
        raise ScheduleError(f"the schedule lists more than {STRIKES_MAX} faults")


def _is_number(text: str) -> bool:
    return 0 < len(text) <= NUMBER_DIGITS_MAX and text.isascii() and text.isdigit()
