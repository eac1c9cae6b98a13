"""Running the toy experiment with a body of the reader's own."""

from typing import Any

from py_runtime.lab import Report, run_once

from .toy import TOY

HEAD = "import asyncio\n\n\nasync def main(mark, count):\n"


def run_toy(*lines: str, head: str = HEAD, bounds: Any = None, **parameters: Any) -> Report:
    """A run whose program's body is these lines; no lines: the published program."""
    sources = {"main.py": head + "".join(f"    {line}\n" for line in lines)} if lines else None
    return run_once(TOY, "plain", parameters, sources=sources, bounds=bounds)


def run_text(text: str, **parameters: Any) -> Report:
    """A run of a whole program text."""
    return run_once(TOY, "plain", parameters, sources={"main.py": text})


def claims(report: Report) -> dict[str, bool | None]:
    return {claim.id: claim.holds for claim in report.claims}


def observed(report: Report, claim_id: str) -> str:
    return next(claim.observed for claim in report.claims if claim.id == claim_id)
