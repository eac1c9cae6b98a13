"""The address of a run: experiment, variant, parameters and schedule as one printable text, from which it is replayed.

ol1~slot-recycling~lease~0_0~limit.3~task_ms.2000
version, experiment, variant, schedule, then every parameter that differs from its default as NAME.VALUE
(a list's numbers joined by "."). Only characters that stand in a URL unescaped are used.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from py_runtime.sim import Schedule, ScheduleError, parse_schedule

from .declare import Experiment, Setting
from .errors import InputError
from .parameters import Integers

VERSION = "ol1"
ADDRESS_MAX = 1_200_000  # characters; as long as the longest schedule that is read


@dataclass(frozen=True)
class Address:
    """A parsed address: names and texts only; `parameters` holds the texts as given."""

    experiment: str
    variant: str
    schedule: Schedule
    parameters: Mapping[str, str]


def write_address(experiment: Experiment, setting: Setting, schedule: Schedule) -> str:
    """The address of a run."""
    parts = [VERSION, experiment.slug, setting.variant, str(schedule)]
    for parameter in experiment.parameters:
        value = setting[parameter.name]
        default = parameter.default
        if isinstance(parameter, Integers):
            default = parameter.default_for(setting.values) if parameter.default_for else list(default)
        if value != default:
            written = ".".join(map(str, value)) if isinstance(value, list) else str(value)
            parts.append(f"{parameter.name}.{written}")
    return "~".join(parts)


def parse_address(text: str, experiments: Mapping[str, Experiment]) -> Address:
    """Read what `write_address` wrote; raises InputError that says which part of the schedule cannot be read."""
    if len(text) > ADDRESS_MAX:
        raise InputError(f"the schedule is longer than {ADDRESS_MAX:,} characters")
    parts = text.strip().split("~")
    if parts[0] != VERSION or len(parts) < 4:
        raise InputError(
            f"a schedule reads {VERSION}~EXPERIMENT~VARIANT~SEED_CHOICES, as `run` prints it; got {text[:60]!r}"
        )
    try:
        schedule = parse_schedule(parts[3])
    except ScheduleError as error:
        raise InputError(str(error)) from error
    given: dict[str, str] = {}
    for part in parts[4:]:
        name, dot, value = part.partition(".")
        if not dot or name in given:
            raise InputError(f"the schedule lists parameters as NAME.VALUE, each once; got {part[:60]!r}")
        experiment = experiments.get(parts[1])
        listed = experiment and any(isinstance(p, Integers) and p.name == name for p in experiment.parameters)
        given[name] = value.replace(".", ",") if listed else value
    return Address(parts[1], parts[2], schedule, given)
