"""The inputs of an experiment: their types, ranges and defaults, and reading them from text or JSON.

Decides what a legal value is and the sentence for an illegal one. Knows no experiment.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .errors import InputError, one_of

Values = Mapping[str, Any]

_DIGITS_MAX = 12  # longer numbers are out of every range; refusing them early keeps int() cheap


@dataclass(frozen=True)
class Integer:
    """A whole number from `minimum` to `maximum`, both included, in `unit`."""

    name: str
    default: int
    minimum: int
    maximum: int
    unit: str
    type = "integer"

    def read(self, given: Any) -> int:
        """The value of `given`, text or JSON; raises InputError naming the parameter and its range."""
        value = _whole_number(given)
        if value is None or not self.minimum <= value <= self.maximum:
            raise InputError(
                f"{self.name} must be a whole number from {self.minimum} to {self.maximum} ({self.unit}), "
                f"got {_quote(given)}"
            )
        return value

    def describe(self) -> dict[str, Any]:
        return {"default": self.default, "minimum": self.minimum, "maximum": self.maximum, "choices": None}


@dataclass(frozen=True)
class Choice:
    """One of a few words."""

    name: str
    default: str
    choices: tuple[str, ...]
    unit: str = ""
    type = "choice"

    def read(self, given: Any) -> str:
        """The word; raises InputError naming the parameter and the words allowed."""
        if given not in self.choices:
            raise InputError(f"{self.name} must be one of {', '.join(self.choices)}, got {_quote(given)}")
        return given

    def describe(self) -> dict[str, Any]:
        return {"default": self.default, "minimum": None, "maximum": None, "choices": list(self.choices)}


@dataclass(frozen=True)
class Integers:
    """Whole numbers separated by commas (a list in JSON); `length_max` bounds how many.

    `default_for(values)` gives the default where it depends on other parameters; `default` is what the page shows.
    """

    name: str
    default: tuple[int, ...]
    minimum: int
    maximum: int
    unit: str
    length_max: int
    default_for: Callable[[Values], list[int]] | None = None
    type = "integers"

    def read(self, given: Any) -> list[int]:
        """The numbers; raises InputError naming the parameter, the form and the range."""
        parts = given
        if isinstance(given, str):
            parts = given.split(",") if given.strip() else []
        values = [_whole_number(part) for part in parts] if isinstance(parts, (list, tuple)) else [None]
        if len(values) > self.length_max or any(v is None or not self.minimum <= v <= self.maximum for v in values):
            raise InputError(
                f"{self.name} must be at most {self.length_max} whole numbers from {self.minimum} to {self.maximum} "
                f"({self.unit}) separated by commas, got {_quote(given)}"
            )
        return values

    def describe(self) -> dict[str, Any]:
        return {"default": list(self.default), "minimum": self.minimum, "maximum": self.maximum, "choices": None}


Parameter = Integer | Choice | Integers


def read_parameters(declared: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """All parameters with their values: those given, else their defaults, in the order of declaration.

    Raises InputError for an unknown name or an illegal value.
    """
    names = [parameter.name for parameter in declared]
    for name in given:
        if name not in names:
            raise one_of("parameter", name, names)
    values: dict[str, Any] = {}
    for parameter in declared:
        if parameter.name in given:
            values[parameter.name] = parameter.read(given[parameter.name])
        else:
            values[parameter.name] = parameter.default
    for parameter in declared:
        if parameter.name not in given and isinstance(parameter, Integers):
            values[parameter.name] = parameter.default_for(values) if parameter.default_for else list(parameter.default)
    return values


def read_seed(given: Any) -> int:
    """A seed: a whole number from 0 to 4294967295."""
    value = _whole_number(given)
    if value is None or not 0 <= value < 1 << 32:
        raise InputError(f"seed must be a whole number from 0 to 4294967295, got {_quote(given)}")
    return value


def read_limit(name: str, given: Any, minimum: int, maximum: int) -> int:
    """A limit of an exploration: a whole number in a range."""
    value = _whole_number(given)
    if value is None or not minimum <= value <= maximum:
        raise InputError(f"{name} must be a whole number from {minimum} to {maximum}, got {_quote(given)}")
    return value


def _whole_number(given: Any) -> int | None:
    if isinstance(given, bool):
        return None
    if isinstance(given, int):
        return given
    if isinstance(given, str):
        text = given.strip()
        digits = text[1:] if text[:1] in ("-", "+") else text
        if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX:
            return int(text)
    return None


def _quote(given: Any) -> str:
    text = given if isinstance(given, str) else str(given)
    return repr(text if len(text) <= 60 else text[:57] + "...")
