"""What a challenge is: an experiment whose published program is broken, and what a repair of it must pass.

Decides the shape only; `examine.py` examines a repair, `completion.py` writes down that one has passed. Beside
`programs/`, the experiment's folder holds `repairs/`: `reference.py`, which passes, and plausible repairs that do not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

REFERENCE = "reference"  # the name of the repair that passes


@dataclass(frozen=True)
class Check:
    """One thing that a repair must pass; readers see its label once it has been made.

    claims: ids of claims of the experiment that must hold, of any kind. Without any, a searched check judges what a
    search always judges.
    searched: in every order of simultaneous steps and with every fault that the bounds allow, on the experiment's small
    case; else in the usual run alone, first in, first out and without faults, on its default parameters.
    parameters: values that differ from those. faults_max: None for the experiment's own. runs_max: where a search ends
    without a verdict on the rest; what it made until then counts.
    """

    id: str
    claims: tuple[str, ...] = ()
    searched: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)
    faults_max: int | None = None
    runs_max: int = 2_000

    def __post_init__(self) -> None:
        if not self.claims and not self.searched:
            raise ValueError(f"check {self.id}: a check of the usual run names the claims that must hold")


@dataclass(frozen=True)
class Challenge:
    """A broken program to be repaired. file: the one that repairs replace, of the experiment's first variant.

    checks: the safety of a repair, and that it does not buy it by doing nothing, or one thing at a time.
    wrong: name of a plausible repair that is wrong → id of a check that it fails.
    """

    file: str
    checks: tuple[Check, ...]
    wrong: Mapping[str, str]

    def __post_init__(self) -> None:
        known = [check.id for check in self.checks]
        if len(set(known)) < len(known) or not set(self.wrong.values()) <= set(known) or REFERENCE in self.wrong:
            raise ValueError("a challenge's checks have different ids, and each wrong repair names one that it fails")

    def repair(self, name: str) -> str:
        """Path of a repair's program in the experiment's folder."""
        return f"repairs/{name.replace('-', '_')}.py"
