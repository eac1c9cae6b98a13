"""A, B and C ask for the same thing, one after another. A leads the flight; then something may happen to A.

Each is a process of its own: it loads the program and makes its client for itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import Actor, Request, World, us_from_ms
from py_runtime.stores import RedisServer

CALLERS = ("A", "B", "C")
LEADER = "A"
UPSTREAM = "upstream"


@dataclass(frozen=True)
class Settings:
    """What a flight may use besides Redis and the upstream; lengths in ms, and the caller's wall clock in ms."""

    name: str
    jitter_ms: int
    lease_ms: int
    heartbeat_ms: int
    now_ms: Callable[[], int]


class Upstream:
    """The client that the program is handed."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def fetch(self) -> str:
        """Ask the upstream; the answer names its caller, so that two answers can be told apart."""
        return await self._world.network.call(UPSTREAM, "weather", text="fetch weather")


def scenario(stage: Stage) -> None:
    """Actors A, B, C, `redis` and `upstream`, which works on, whatever becomes of its callers.

    Marks: asked; answered (token, answer).
    """
    world, setting = stage.world, stage.setting
    server = RedisServer(world)

    def answer_later(request: Request) -> None:
        delay_us = us_from_ms(setting["upstream_ms"])
        request.call_later(delay_us, request.complete, f"answer that {request.sender} asked for")

    world.network.serve(UPSTREAM, answer_later)

    async def ask(actor: Actor, flight_class: Any) -> None:
        settings = Settings(
            actor.name, jitter_ms(setting, actor.name), setting["lease_ms"], setting["heartbeat_ms"],
            actor.clock.wall_ms,
        )  # fmt: skip
        world.mark("asked")
        token, answer = await flight_class(server.client(), Upstream(world), settings).get()
        world.mark("answered", token=int(token), answer=answer)

    def arrive(actor: Actor) -> None:
        world.spawn(actor, ask(actor, *stage.program("flight.py", "Flight")))

    for index, name in enumerate(callers(setting)):
        actor = world.actor(name)
        if name != LEADER:
            actor.clock.step(us_from_ms(abs(setting["clock_ms"])) * (-1 if setting["clock_ms"] < 0 else 1))
        stage.call_at_ms(index * setting["gap_ms"], arrive, actor)
    leader = world.actor(LEADER)
    if setting["fault"] == "pause":
        stage.call_at_ms(setting["fault_at_ms"], world.pause, leader, us_from_ms(setting["pause_ms"]))
    elif setting["fault"] == "crash":
        stage.call_at_ms(setting["fault_at_ms"], world.crash, leader)
    if setting["crash_b_at_ms"] and "B" in callers(setting):
        stage.call_at_ms(setting["crash_b_at_ms"], world.crash, world.actor("B"))


def callers(setting: Setting) -> tuple[str, ...]:
    """The names of those who ask, in the order in which they come."""
    return CALLERS[: setting["callers"]]


def jitter_ms(setting: Setting, name: str) -> int:
    """The delay of a caller; A's own, should it ever follow, is the longer of the two."""
    delays_ms = {"B": setting["jitter_b_ms"], "C": setting["jitter_c_ms"]}
    return delays_ms.get(name, max(delays_ms.values()))


def patience_us(setting: Setting) -> int:
    """How long everybody's answer may take after the last crash or standstill: a lease, a delay and a call to the
    upstream, and two heartbeat intervals for whoever asks again at intervals."""
    delay_ms = setting["lease_ms"] + jitter_ms(setting, LEADER) + setting["upstream_ms"]
    return us_from_ms(delay_ms + 2 * setting["heartbeat_ms"] + 2 * setting["gap_ms"])


def until_us(setting: Setting) -> int:
    """Long enough for whoever takes over to fall silent too, and for a third to answer."""
    last_ms = max(setting["fault_at_ms"] + setting["pause_ms"], setting["crash_b_at_ms"])
    return us_from_ms(last_ms) + 2 * patience_us(setting)
