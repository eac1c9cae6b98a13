"""What the tests of experiments share: running or searching a variant by names, editing a program, finding a claim."""

from typing import Any

from experiments import EXPERIMENTS
from py_runtime.lab import Log, Report, run_once
from py_runtime.lab.explore import Options, Search

LESSONS = {slug: each for slug, each in EXPERIMENTS.items() if each.challenge is None}
CHALLENGES = {slug: each for slug, each in EXPERIMENTS.items() if each.challenge is not None}
VARIANTS = [(slug, variant.id) for slug, each in EXPERIMENTS.items() for variant in each.variants]


def run(slug: str, variant: str, seed: int = 0, sources: dict[str, str] | None = None, **parameters: Any) -> Report:
    """One run of a published variant, or of an edit of it."""
    return run_once(EXPERIMENTS[slug], variant, parameters, seed=seed, sources=sources)


def searched(
    slug: str,
    variant: str,
    sources: dict[str, str] | None = None,
    parameters: dict[str, Any] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The result of a whole search, with these `Options`. parameters: those that differ from the small case."""
    search = Search(EXPERIMENTS[slug], variant, parameters, Options(**options), sources)
    while not search.done:
        search.advance()
    return search.result()


def edit(slug: str, file: str, *changes: tuple[str, str]) -> dict[str, str]:
    """`sources` in which each old text, which must occur exactly once, is replaced by the new one."""
    return {file: replaced(program(slug, file), *changes)}


def replaced(text: str, *changes: tuple[str, str]) -> str:
    """The text in which each old part, which must stand there exactly once, is replaced by the new one."""
    for old, new in changes:
        assert text.count(old) == 1, f"stands there {text.count(old)} times: {old}"
        text = text.replace(old, new)
    return text


def program(slug: str, file: str) -> str:
    """A published program's text."""
    return EXPERIMENTS[slug].resource(f"programs/{file}")


def holds(report: Report) -> dict[str, bool | None]:
    """Claim id → whether it held."""
    return {claim.id: claim.holds for claim in report.claims}


def fallen(report: Report) -> set[str]:
    """The claims that do not hold."""
    return {claim.id for claim in report.claims if claim.holds is False}


def log_of(report: Report) -> Log:
    return Log(report.trace)


def answers(report: Report) -> dict[str, tuple[str, int]]:
    """Task → the first word it got, admitted or refused, and when, in ms."""
    found: dict[str, tuple[str, int]] = {}
    for event in log_of(report).marks("admitted", "refused"):
        found.setdefault(event.actor, (event.fields["name"], event.at_us // 1000))
    return found
