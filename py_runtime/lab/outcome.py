"""The words for how a run or an exploration ended. There is no "correct" and no "proved" among them."""

from enum import StrEnum


class Outcome(StrEnum):
    """One run can show a counterexample; else it shows no more than that this schedule, within its bounds, had none."""

    COUNTEREXAMPLE = "counterexample found"
    HOLDS = "holds within bounds"
    UNFINISHED = "bounds reached, not finished"
    NEVER_REACHED = "never reached"
    DEADLOCK = "deadlock"
    LIVELOCK = "livelock"
    ESCAPED = "escaped"
