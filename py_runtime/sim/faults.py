"""Faults on messages: a rule looks at one message and gives a verdict.

Rules are asked in the order in which they were installed; the first verdict other than PASS holds. A rule has a scope
in time. A lost request and a lost reply are different faults, since after a lost reply the work *was* done: that is why
a message says its direction. Crashes and pauses are done to actors, by the world.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .errors import SimulationError
from .units import require_us

REQUEST = "request"
REPLY = "reply"
PUSH = "push"  # from a service, without a request


@dataclass(frozen=True)
class Verdict:
    """What becomes of a message: `name`, and for DELAY how much later it arrives."""

    name: str
    delay_us: int = 0


PASS = Verdict("pass")
DROP = Verdict("drop")
DUPLICATE = Verdict("duplicate")


def delay(delay_us: int) -> Verdict:
    """The message arrives `delay_us` later than it would have; later ones may overtake it."""
    return Verdict("delay", require_us("delay_us", delay_us))


@dataclass(frozen=True)
class Message:
    """What a rule sees: `direction` is REQUEST, REPLY or PUSH, `call` numbers the call, `text` is what was sent.

    The text of a REPLY is that of its request.
    """

    direction: str
    call: int
    sender: str
    receiver: str
    text: str
    at_us: int


@dataclass(frozen=True)
class Rule:
    """A function of a message, asked while from_us ≤ instant < until_us (None: to the end of the run)."""

    judge: Callable[[Message], Verdict]
    from_us: int = 0
    until_us: int | None = None

    def verdict(self, message: Message) -> Verdict:
        if message.at_us < self.from_us or (self.until_us is not None and message.at_us >= self.until_us):
            return PASS
        return self.judge(message)


def judge(rules: Iterable[Rule], message: Message) -> Verdict:
    """The verdict of the first rule that does not let the message pass."""
    for rule in rules:
        verdict = rule.verdict(message)
        if not isinstance(verdict, Verdict):
            raise SimulationError(f"a fault rule returns PASS, DROP, DUPLICATE or delay(…), got {verdict!r}")
        if verdict.name != PASS.name:
            return verdict
    return PASS
