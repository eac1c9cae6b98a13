"""What can go wrong in a simulation, one class per kind of mistake.

Decides the names and the sentences; knows nothing of when they are raised.
"""


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


class RunOver(BaseException):
    """Raised in code that is disposed of after its run: nothing it does may have an effect any more.

    Derives from `BaseException` so that a program's `except Exception` does not catch it.
    """
