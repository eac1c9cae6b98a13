"""Work that takes many runs: what a page and a terminal ask of it while it is under way."""

from typing import Any, Protocol


class Work(Protocol):
    """`advance(runs)` makes some runs, `state()` says how far it is, and `result()`, once `done`, what came out."""

    done: bool

    def advance(self, runs: int) -> None: ...

    def state(self) -> dict[str, Any]: ...

    def result(self) -> dict[str, Any]: ...
