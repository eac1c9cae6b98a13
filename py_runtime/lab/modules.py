"""What programs may import, as it was before any of them ran.

A program shares these modules with the lab and with every later run, and an edited one may put something of its own
into them (`asyncio.sleep = faster`). Decides what is put back: the names in the modules, and in the classes that they
define. It is no defence against hostile programs, which the browser's sandbox provides.
"""

import importlib
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

_ABSENT = object()
_HEAP_TYPE = 1 << 9  # Python's flag for the classes that can be changed


class Modules:
    """`put_back()` undoes what programs changed since the first `remember()`; names: what programs may import."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names
        self._owners: list[tuple[Any, dict[str, Any]]] = []

    def remember(self) -> None:
        """Note what there is; only the first call does. Imports what was not imported yet, so that it is noted too."""
        if self._owners:
            return
        for name in sorted(self._names):
            importlib.import_module(name)
        for owner in self._all():
            self._owners.append((owner, dict(vars(owner))))

    def put_back(self) -> None:
        """Make every name mean what it meant. A name that Python itself adds to a class later (`__…__`) may stay."""
        for owner, before in self._owners:
            now = vars(owner)
            for name, value in before.items():
                if now.get(name, _ABSENT) is not value:
                    with suppress(AttributeError, TypeError):  # some of a class's own names are read-only
                        setattr(owner, name, value)
            if len(now) > len(before):
                self._remove_new(owner, now, before)

    def _all(self) -> Iterator[Any]:
        seen = set()
        for name, module in sorted(sys.modules.items()):
            if name.partition(".")[0] not in self._names or name == "__future__":
                continue
            yield module
            for value in list(vars(module).values()):
                mine = isinstance(value, type) and value.__module__.partition(".")[0] in self._names
                if mine and value not in seen and value.__flags__ & _HEAP_TYPE:
                    seen.add(value)
                    yield value

    def _remove_new(self, owner: Any, now: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        for name in [each for each in now if each not in before and not each.startswith("__")]:
            if isinstance(owner, type) or f"{owner.__name__}.{name}" not in sys.modules:
                delattr(owner, name)
