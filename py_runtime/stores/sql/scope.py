"""What an expression may name, and what its aggregates are; the notes that binding reads and writes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from py_runtime.stores.sql.bound import Evaluate


@dataclass(frozen=True, slots=True)
class Scope:
    """The columns an expression may name: those of `table` under `alias`, and of EXCLUDED inside ON CONFLICT."""

    columns: Mapping[str, str]
    table: str = ""
    alias: str = ""
    excluded: bool = False


@dataclass(slots=True)
class Aggregation:
    """One aggregate call of a SELECT: which values of the rows it looks at and how they become one."""

    argument: Evaluate
    fold: Callable[[list], object]
    distinct: bool

    def result(self, values: list[object]) -> object:
        """Return the aggregate of a group's values, of which those that are NULL are left out already."""
        return self.fold(list(dict.fromkeys(values)) if self.distinct else values)
