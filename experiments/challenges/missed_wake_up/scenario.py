"""Three or four callers, each in a process of its own, ask for the same thing at instants of their own; A leads.

The answer to what B sends first takes a while to reach it, so that something can happen between B's first call and its
second. A may be killed, or stand still for a while.
"""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import PASS, REPLY, Actor, Message, Request, Verdict, World, delay, us_from_ms
from py_runtime.stores import RedisServer

CALLERS = ("A", "B", "C", "D")
FAILED = "UpstreamFailed"  # the exception by which upstream and program say that there is no answer


@dataclass(frozen=True)
class Settings:
    """What a flight may use besides Redis and the upstream; lengths in ms."""

    lease_ms: int
    heartbeat_ms: int
    failed_ms: int


class UpstreamFailed(Exception):
    """What the upstream's client raises."""


class Upstream:
    """The client that the program is handed."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def fetch(self) -> str:
        """Ask; the answer names its caller, so that two answers can be told apart. Raises UpstreamFailed."""
        return await self._world.network.call("upstream", "weather", text="fetch weather")


def arrivals_ms(setting: Setting) -> dict[str, int]:
    """Caller → when it asks. D comes only where it is given an instant."""
    at_ms = dict(zip(CALLERS, (0, setting["second_at_ms"], setting["third_at_ms"]), strict=False))
    return at_ms | ({"D": setting["fourth_at_ms"]} if setting["fourth_at_ms"] else {})


def scenario(stage: Stage) -> None:
    """Actors `A` … `D`, `redis` and `upstream`. Marks: asked, answered, failed."""
    world, setting = stage.world, stage.setting
    server = RedisServer(world)
    settings = Settings(setting["lease_ms"], setting["heartbeat_ms"], setting["failed_ms"])
    calls = 0

    def serve(request: Request) -> None:
        nonlocal calls
        calls += 1
        if calls <= setting["failing_calls"]:
            request.call_later(us_from_ms(setting["fails_after_ms"]), request.fail, UpstreamFailed("no answer"))
        else:
            answer = f"answer that {request.sender} asked for"
            request.call_later(us_from_ms(setting["upstream_ms"]), request.complete, answer)

    world.network.serve("upstream", serve)

    async def ask(flight_class: Any) -> None:
        world.mark("asked")
        try:
            answer = await flight_class(server.client(), Upstream(world), settings).get()
        except Exception as error:
            if type(error).__name__ != FAILED:
                raise
            world.mark("failed")
        else:
            world.mark("answered", answer=str(answer))

    def arrive(actor: Actor, flight_class: Any) -> None:
        world.spawn(actor, ask(flight_class))

    for name, at_ms in arrivals_ms(setting).items():
        [flight_class] = stage.program("flight.py", "Flight")  # a process of its own: nothing is shared in Python
        stage.call_at_ms(at_ms, arrive, world.actor(name), flight_class)

    slow_us = us_from_ms(setting["slow_ms"])

    def slow(message: Message) -> Verdict:
        return delay(slow_us) if (message.direction, message.receiver) == (REPLY, "B") else PASS

    if slow_us:
        second_us = us_from_ms(setting["second_at_ms"])
        world.network.rule(slow, from_us=second_us, until_us=second_us + 1)
    if setting["crash_at_ms"]:
        stage.call_at_ms(setting["crash_at_ms"], world.crash, world.actor("A"))
    if setting["stall_ms"]:
        stage.call_at_ms(setting["stall_at_ms"], world.pause, world.actor("A"), us_from_ms(setting["stall_ms"]))


def until_us(setting: Setting) -> int:
    """Long enough for one takeover after the last arrival, with a call of its own."""
    woken_ms = setting["stall_at_ms"] + setting["stall_ms"] if setting["stall_ms"] else 0
    last_ms = max(*arrivals_ms(setting).values(), setting["crash_at_ms"], woken_ms)
    return us_from_ms(last_ms + 2 * (setting["lease_ms"] + setting["upstream_ms"]) + setting["failed_ms"])
