"""What can go wrong in a simulation, one class per kind of mistake, and any exception in one line.

Decides the names and the sentences; knows nothing of when they are raised.
"""

import re
from collections.abc import Mapping

Place = tuple[str | None, int | None]  # a program's file, as readers know it, and a line; None where unknown

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
DESCRIBED_MAX = 2_000  # characters of an exception; a program may raise one of millions


class SimulationError(Exception):
    """A simulation was used in a way that cannot work; the message says which and what to do instead."""


class EscapeError(SimulationError):
    """Code reached outside the simulation (threads, sockets, subprocesses, signals, real time).

    `call` is what was called, `instead` what to use. The simulation refuses rather than doing its best: a run that
    touches the real world cannot be replayed.
    """

    def __init__(self, call: str, instead: str) -> None:
        super().__init__(f"{call} reaches outside the simulation; {instead}.")
        self.call = call
        self.instead = instead


class ScheduleError(SimulationError):
    """The text of a schedule cannot be read; the message says where."""


class DivergenceError(SimulationError):
    """A replay met a choice point that the recorded schedule does not fit.

    Usual causes: the program or the parameters differ from those of the recording, or the run depends on something
    outside the simulation (hash order, real time).
    """


def describe_error(error: BaseException) -> str:
    """An exception in one line, as a reader sees it, without memory addresses, which differ from run to run.

    Notes that a stand-in has put on it follow in brackets. A group (as a TaskGroup raises) also names the first
    exception in it. Cut where it is longer than anyone would read.
    """
    try:
        text = _ADDRESS.sub("", str(error)[: 2 * DESCRIBED_MAX])
    except Exception:  # a program's own __str__ that fails
        text = ""
    words = f"{type(error).__name__}: {text}" if text else type(error).__name__
    words += "".join(f" ({note})" for note in notes_of(error))
    if isinstance(error, BaseExceptionGroup):
        words = f"{words}: {describe_error(error.exceptions[0])}"
    return words if len(words) <= DESCRIBED_MAX else f"{words[:DESCRIBED_MAX]} …"


def notes_of(error: BaseException) -> list[str]:
    """The notes on an exception, as `add_note` puts them there; texts only."""
    return [note for note in getattr(error, "__notes__", ()) if isinstance(note, str)]


def names_of(error: Exception) -> set[str]:
    """The name of an exception's class; of a group (as a TaskGroup raises), those of all that are in it."""
    if isinstance(error, ExceptionGroup):
        return set().union(*(names_of(each) for each in error.exceptions))
    return {type(error).__name__}


def place_of(error: BaseException, files: Mapping[str, str]) -> Place:
    """The program file and line that an exception passed through last; `files`: code file name → name for readers."""
    place: Place = (None, None)
    traceback = error.__traceback__
    while traceback is not None:
        file = files.get(traceback.tb_frame.f_code.co_filename)
        if file is not None:
            place = file, traceback.tb_lineno
        traceback = traceback.tb_next
    return place
