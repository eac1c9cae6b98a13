"""Floor 4: the experiments. This table is all there is to register one: slug → declaration.

Each folder holds `programs/` (what a reader sees and edits), `scenario.py` (actors, arrivals, faults), `readings.py`,
`invariants.py` (the claims), `scene.py` (the views), `texts/` (what a reader reads) and the declaration naming them.
Those in `challenges` hold a broken program for readers to repair, and `repairs/`. Experiments never import each other.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module

from py_runtime.lab import Experiment

# The folders, in the order in which readers meet them; a slug is its folder's name with hyphens.
FOLDERS = (
    "heartbeat_stall",
    "task_ownership",
    "slot_recycling",
    "single_flight_takeover",
    "request_merging",
    "challenges.renew_without_resurrecting",
    "challenges.retry_that_is_refused",
    "challenges.takeover_compare_with_what",
    "challenges.lease_that_deletes_itself",
    "challenges.whose_clock_whose_timeout",
    "challenges.one_condition_less",
    "challenges.one_node_two_nodes",
    "challenges.replay_or_subscribe_first",
    "challenges.percentile_that_saw_nothing",
    "challenges.missed_wake_up",
    "challenges.forty_one_or_three",
    "challenges.cancel_that_expires",
    "challenges.counter_autopsy",
    "challenges.herd_and_poison",
)


class Table(Mapping[str, Experiment]):
    """Slug → declaration, imported when it is first asked for: a page that runs one need not wait for the others."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        self._folders = {folder.rpartition(".")[2].replace("_", "-"): folder for folder in folders}

    def __getitem__(self, slug: str) -> Experiment:
        return import_module(f".{self._folders[slug]}", __name__).EXPERIMENT

    def __contains__(self, slug: object) -> bool:
        return slug in self._folders

    def __iter__(self) -> Iterator[str]:
        return iter(self._folders)

    def __len__(self) -> int:
        return len(self._folders)


EXPERIMENTS = Table(FOLDERS)
