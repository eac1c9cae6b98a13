"""What can be taken out of the merged program, and what falls without it. Which words say so: `texts`."""

from py_runtime.lab import Safeguard


def _safeguard(name: str, *changes: tuple[str, str], falls: tuple[str, ...] = ()) -> Safeguard:
    return Safeguard(name, "merged", "merged.py", changes, falls)


SAFEGUARDS = (
    _safeguard(
        "one-flight-per-key",
        ("if key not in self._flights:", "if True:"),
        ("            del self._flights[key]", "            self._flights.pop(key, None)"),
        falls=("one-call-in-flight", "one-call-in-all"),
    ),
    _safeguard(
        "cache", ("            self._cache[key] = answer\n", "            # not kept\n"), falls=("one-call-in-all",)
    ),
    _safeguard("own-task", ("await asyncio.shield(self._flights[key])", "await self._flights[key]")),
    _safeguard(
        "flight-forgotten", ("            del self._flights[key]", "            pass  # the flight stays listed")
    ),
)
