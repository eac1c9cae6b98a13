"""Where a run spends faults: each may strike at any opportunity of its target, and a run says at which ones it does.

An opportunity is a turn of an actor (for a crash, a pause, a step of its clock) or a message of a service (lost,
duplicated, or met by an outage, a restart or a failover), counted from 0 by the target's own turns or messages within
the fault's scope. So an opportunity is the same moment of the target's life under every order of the other actors.
Decides what a fault does to messages and actors; what befalls a service the service itself has registered with the
world. Knows neither who offers a fault nor who chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import DivergenceError, SimulationError
from .faults import DROP, DUPLICATE, PASS, REPLY, REQUEST, Message, Verdict

if TYPE_CHECKING:
    from .lanes import Lane
    from .world import World

CRASH = "crash"  # the actor never runs again; what it has sent may still arrive
PAUSE = "pause"  # the actor stands still for amount_us, then goes on with old beliefs
CLOCK_STEP = "clock-step"  # the actor's wall clock jumps by amount_us (negative: back)
LOST_REQUEST = "lost-request"  # a request to the service goes nowhere
LOST_REPLY = "lost-reply"  # the service has done the work, and its answer goes nowhere
DUPLICATE_REQUEST = "duplicate-request"  # a request arrives, and is carried out, twice
# Before a request is on its way, so that it and all that is on its way already meets what has become of the service:
OUTAGE = "outage"  # the service refuses all calls for amount_us and keeps its data
RESTART = "restart"  # the service loses what it keeps in memory only, and refuses all calls for amount_us
FAILOVER = "failover"  # a replica that lacks the service's last `writes` writes takes its place, under its name

AT_TURNS = (CRASH, PAUSE, CLOCK_STEP)
AT_MESSAGES = (LOST_REQUEST, LOST_REPLY, DUPLICATE_REQUEST, OUTAGE, RESTART, FAILOVER)
_AT_SERVICE = (OUTAGE, RESTART, FAILOVER)  # which befall the service itself, and not the message


@dataclass(frozen=True)
class Fault:
    """One fault that a run is offered. target: an actor, or for messages a service. amount_us, writes: see the kinds.

    from_us, until_us: it may strike while from_us ≤ instant < until_us (None: to the end of the run).
    """

    kind: str
    target: str
    amount_us: int = 0
    from_us: int = 0
    until_us: int | None = None
    writes: int = 0


class Strikes:
    """The faults of one run: `faults` are offered, `chosen` holds the (fault, opportunity) pairs that strike.

    Faults are counted from 1, opportunities from 0. `met` counts the opportunities of each fault so far. `silent` lists
    per fault the opportunities of a crash that others cannot tell from the one before: the actor's turn in between was
    at the same instant and touched nothing but itself; nobody fills it in unless the engine is asked for what steps
    touch. known: how many of `met` an earlier run has met in the same way, which this one repeats so far; their silence
    is not looked at again. Raises `DivergenceError` where a chosen fault is not offered.
    """

    def __init__(self, world: World, faults: Sequence[Fault], chosen: Iterable[tuple[int, int]] = ()) -> None:
        self._world = world
        self._faults = faults
        self.chosen = tuple(sorted(chosen))
        self._open = dict.fromkeys(self.chosen)
        self._counted = dict.fromkeys(number - 1 for number, _ in self.chosen)
        self.met = [0] * len(faults)
        self.known = [0] * len(faults)
        self.silent: list[dict[int, None]] = [{} for _ in faults]
        self._turns: dict[str, list[int]] = {}
        self._promote: dict[int, Callable[[], None]] = {}  # per failover to come: what lets the replica take over
        messages = False
        for number, _ in self.chosen:
            if number > len(faults):
                raise DivergenceError(f"the schedule spends fault {number}, where this run is offered {len(faults)}")
        for index, fault in enumerate(faults):
            if fault.kind in AT_TURNS:
                self._turns.setdefault(fault.target, []).append(index)
            messages = messages or fault.kind in AT_MESSAGES
        world.loop.strikes = self if self._turns else None
        world.strikes = self
        if messages:
            world.network.rule(self._at_message)

    @property
    def unused(self) -> int:
        """How many chosen faults have not struck."""
        return len(self._open)

    @property
    def struck(self) -> tuple[tuple[int, int], ...]:
        """The chosen faults that have struck."""
        return tuple(pair for pair in self.chosen if pair not in self._open)

    def at_step(self, lane: Lane) -> bool:
        """The lane is about to take a step; True where a fault takes its place."""
        turns = self._turns.get(lane.name)
        if turns is None or lane.owner != lane.name:
            return False
        instead = False
        for index in turns:
            fault = self._faults[index]
            loop, opportunity = self._world.loop, self.met[index]
            if fault.kind == CRASH and opportunity and loop.silent.get(lane.name) == loop.now_us:
                self.silent[index][opportunity] = None
            if not self._strikes(index):
                continue
            if fault.kind == CRASH:
                self._world.crash(lane)
                instead = True
            elif fault.kind == PAUSE:
                self._world.pause(lane, fault.amount_us)
                instead = True
            else:
                lane.clock.step(fault.amount_us)
        return instead

    def _at_message(self, message: Message) -> Verdict:
        verdict = PASS
        for index, fault in enumerate(self._faults):
            if fault.kind not in AT_MESSAGES:
                continue
            service = message.sender if fault.kind == LOST_REPLY else message.receiver
            if service != fault.target or message.direction != (REPLY if fault.kind == LOST_REPLY else REQUEST):
                continue
            if index in self._counted:  # which message is the one to be struck depends on the order of all of them
                self._world.touch(("opportunities", index))
                if fault.kind == FAILOVER and index not in self._promote:
                    self._promote[index] = _registered(self._world.standbys, fault)(fault.writes)
            if self._strikes(index):
                if fault.kind in _AT_SERVICE:
                    self._strike_service(index, fault)
                else:
                    verdict = DUPLICATE if fault.kind == DUPLICATE_REQUEST else DROP
        return verdict

    def _strikes(self, index: int) -> bool:
        """Count an opportunity of this fault; whether it strikes here."""
        fault, now_us = self._faults[index], self._world.loop.now_us
        if now_us < fault.from_us or (fault.until_us is not None and now_us >= fault.until_us):
            return False
        opportunity = self.met[index]
        self.met[index] = opportunity + 1
        if not self._open or (index + 1, opportunity) not in self._open:
            return False
        del self._open[index + 1, opportunity]
        return True

    def _strike_service(self, index: int, fault: Fault) -> None:
        world = self._world
        world.touch(fault.target)
        if fault.kind == FAILOVER:
            self._promote[index]()
            return
        if fault.kind == RESTART:
            _registered(world.restarts, fault)()
            if not fault.amount_us:
                return
        set_down = _registered(world.outages, fault)
        set_down(True)
        world.call_at(world.loop.now_us + fault.amount_us, set_down, False)


def _registered(able: Mapping[str, Any], fault: Fault) -> Any:
    """What the service itself has registered for this fault."""
    if fault.target not in able:
        raise SimulationError(f"{fault.target} has registered nothing for a fault of the kind {fault.kind}")
    return able[fault.target]
