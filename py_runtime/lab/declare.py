"""What an experiment is: a declaration that names its programs, scenario, inputs, readings, claims and views.

Adding an experiment means one folder with such a declaration and one row in `experiments/__init__.py`. Decides the
shape only; `run.py` runs it, `catalogue.py` describes it. Titles, explanations, labels and claims come from the
folder's `texts/<language>.json`; what a check saw, and what stands in a view, is worded beside the code that finds it.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from py_runtime.sim import US_PER_MS, Fault

from .challenge import Challenge
from .log import Log
from .parameters import Parameter, Values

if TYPE_CHECKING:
    from .stage import Stage


@dataclass(frozen=True)
class Setting:
    """What was chosen for a run: the variant's id and all parameters with their values."""

    variant: str
    values: Values

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


@dataclass(frozen=True)
class Variant:
    """One program of an experiment. expected: "breaks" or "holds"; breaks: the claim that falls, by id.

    programs: the file names, in the folder's `programs`, that a reader sees for this variant, most important first.
    """

    id: str
    programs: tuple[str, ...]
    expected: str
    breaks: str | None = None

    def __post_init__(self) -> None:
        if self.expected not in ("breaks", "holds") or (self.expected == "breaks") != (self.breaks is not None):
            raise ValueError(f"variant {self.id}: expected is 'breaks' with the id of a claim, or 'holds' without one")


@dataclass(frozen=True)
class Reading:
    """A named number (or list, or mapping) that the page shows; `unit` is for the page."""

    name: str
    unit: str = ""


@dataclass(frozen=True)
class Prediction:
    """A question about a run that a reader may answer before seeing it.

    kind: "moment" or "choice". answer(log, setting, readings): of a moment its instant in µs, or None where it never
    comes; of a choice the id of one of `choices`. It is asked only of runs that were not cut short.
    """

    id: str
    kind: str
    answer: Callable[[Log, Setting, Mapping[str, Any]], int | str | None]
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in ("moment", "choice") or (self.kind == "choice") != bool(self.choices):
            raise ValueError(f"prediction {self.id}: kind is 'moment', or 'choice' with its choices")


@dataclass(frozen=True)
class Finding:
    """What a claim's check saw. `holds` None: the claim says nothing about this run (its case did not arise).

    observed: the figures behind it, in words. position: where in the trace it shows, if anywhere.
    """

    holds: bool | None
    observed: str
    position: int | None = None


ALWAYS = "always"
SOMETIMES = "sometimes"
EVENTUALLY = "eventually"


@dataclass(frozen=True)
class Claim:
    """A documented outcome as a check on the log. kind: always (an invariant), sometimes (was reached), eventually.

    variants: those it is made for; empty means all. lasting: where it does not hold of the beginning of a run, it holds
    of no run that begins so, whatever follows; so a run that is not over can be told that it has fallen.
    """

    id: str
    kind: str
    check: Callable[[Log, Setting, Mapping[str, Any]], Finding]
    variants: tuple[str, ...] = ()
    lasting: bool = False


@dataclass(frozen=True)
class Offer:
    """A fault that an exploration may spend, on each of `targets` at each of its opportunities (sim/strikes.py).

    kind: crash, pause, clock-step (of an actor); lost-request, lost-reply, duplicate-request, outage, restart, failover
    (of a service). amount_ms: how long, or how far; a text names the parameter that says so. from_ms: not before.
    writes: how many of a service's last writes a failover loses.
    """

    kind: str
    targets: tuple[str, ...]
    amount_ms: int | str = 0
    from_ms: int = 0
    writes: int = 0

    def faults(self, setting: Setting) -> list[Fault]:
        """One fault per target."""
        amount_ms = setting[self.amount_ms] if isinstance(self.amount_ms, str) else self.amount_ms
        amount_us, from_us = amount_ms * US_PER_MS, self.from_ms * US_PER_MS
        return [Fault(self.kind, target, amount_us, from_us, writes=self.writes) for target in self.targets]


@dataclass(frozen=True)
class Exploration:
    """How an experiment is explored: the smaller case that still has all of the problem, and what may go wrong in it.

    parameters: values that differ from the defaults. offers: the faults. faults_max: how many of them in one run.
    eventually: claims of that kind which count as violated where they do not hold; invariants always do, except those
    in `not_judged`, which promise something only of runs without such faults. breaks: variant → a claim that falls, for
    variants whose published run holds and that an exploration breaks.
    """

    parameters: Mapping[str, Any] = field(default_factory=dict)
    offers: tuple[Offer, ...] = ()
    faults_max: int = 1
    eventually: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()
    breaks: Mapping[str, str] = field(default_factory=dict)

    def faults(self, setting: Setting) -> list[Fault]:
        """All faults in the order in which a schedule counts them."""
        return [fault for offer in self.offers for fault in offer.faults(setting)]


@dataclass(frozen=True)
class Safeguard:
    """A part of a variant's program that can be taken out alone, which shows what it was for.

    changes: (old, new) texts of `file`. Each old text stands there exactly once and leaves with the safeguard; each new
    one comes when it leaves, so that a page can tell whether the safeguard is in, out, or rewritten.
    falls: the claims that the simplest counterexample without it violates. Empty: its removal stays safe within the
    bounds of the search, and the texts say why.
    parameters, not_judged: the case in which it matters, where the experiment's exploration does not have it; as there.
    """

    id: str
    variant: str
    file: str
    changes: tuple[tuple[str, str], ...]
    falls: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    not_judged: tuple[str, ...] = ()

    def without(self, published: str) -> str:
        """The program's text with the safeguard taken out; raises ValueError where the changes do not fit it."""
        text = published
        for old, new in self.changes:
            if text.count(old) != 1 or new in text:
                raise ValueError(f"safeguard {self.id}: this must stand once in {self.file}, and {new!r} not: {old!r}")
            text = text.replace(old, new)
        if any(old in text or text.count(new) != 1 for old, new in self.changes):
            raise ValueError(f"safeguard {self.id}: its changes to {self.file} cannot be told from the published text")
        return text


@dataclass(frozen=True)
class Experiment:
    """The declaration of one teaching unit. `package` is the folder's import name.

    scenario(stage): makes the actors, hands them the programs and injects the faults.
    until_us(setting): when the run ends. read(log, setting) → readings. scene(log, setting) → views.
    check(setting): raises InputError where parameters do not fit together. exploration: how it is explored.
    predictions: what a reader may be asked before a run.
    safeguards: what can be taken out of its programs, each on its own.
    challenge: what a repair of the first variant must pass, where the experiment is a challenge.
    """

    slug: str
    package: str
    variants: tuple[Variant, ...]
    parameters: tuple[Parameter, ...]
    readings: tuple[Reading, ...]
    claims: tuple[Claim, ...]
    scenario: Callable[["Stage"], None]
    until_us: Callable[[Setting], int]
    read: Callable[[Log, Setting], dict[str, Any]]
    scene: Callable[[Log, Setting], list[dict[str, Any]]]
    check: Callable[[Setting], None] | None = None
    live: bool = False
    exploration: Exploration = field(default_factory=Exploration)
    predictions: tuple[Prediction, ...] = ()
    safeguards: tuple[Safeguard, ...] = ()
    challenge: Challenge | None = None
    _texts: dict[str, Mapping[str, Any]] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        known = {claim.id for claim in self.claims}
        for check in self.challenge.checks if self.challenge else ():
            if not known.issuperset(check.claims):
                raise ValueError(f"{self.slug}: check {check.id} names claims that there are not: {check.claims}")

    def variant(self, variant_id: str) -> Variant | None:
        """The variant of that id, or None."""
        return next((variant for variant in self.variants if variant.id == variant_id), None)

    def safeguard(self, variant_id: str, safeguard_id: str) -> Safeguard | None:
        """The safeguard of that id in a variant, or None."""
        named = (each for each in self.safeguards if (each.variant, each.id) == (variant_id, safeguard_id))
        return next(named, None)

    def texts(self, language: str = "en") -> Mapping[str, Any]:
        """The texts for readers, from `texts/<language>.json`; read once."""
        if language not in self._texts:
            self._texts[language] = json.loads(self.resource(f"texts/{language}.json"))
        return self._texts[language]

    def resource(self, path: str) -> str:
        """The text of a file in the experiment's folder; works from a folder and from a zip archive alike."""
        module = sys.modules[self.package]
        folder = module.__file__.rsplit("/", 1)[0] if "/" in module.__file__ else module.__file__.rsplit("\\", 1)[0]
        return module.__spec__.loader.get_data(f"{folder}/{path}").decode("utf-8")
