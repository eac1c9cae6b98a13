"""Many callers ask for the same thing, the first one a little before the others; then something happens to its call.

Each is a process of its own: it loads the program and makes its client for itself. The calls in trouble, counted from
the first, either kill the process that made them or never end.
"""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import Actor, Request, World, us_from_ms
from py_runtime.stores import RedisServer

FOLLOWERS_AT_MS = 100  # by then the first one leads
FAILED = "FlightFailed"  # the exception by which a program says that there is no answer


@dataclass(frozen=True)
class Settings:
    """What a flight may use besides Redis and the upstream; lengths in ms, the delay in seconds."""

    lease_ms: int
    heartbeat_ms: int
    limit_ms: int
    attempts_max: int
    jitter_s: float


class Upstream:
    """The client that the program is handed."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def fetch(self) -> str:
        """Ask; the answer names its caller, so that two answers can be told apart."""
        return await self._world.network.call("upstream", "weather", text="fetch weather")


def callers(setting: Setting) -> list[str]:
    """The first is there from the start; the last one comes later than all others, where it is given an instant."""
    return [f"caller-{number}" for number in range(1, setting["followers"] + 2 + bool(setting["later_at_ms"]))]


def arrival_ms(setting: Setting, index: int) -> int:
    """When the caller of that index asks."""
    if index > setting["followers"]:
        return setting["later_at_ms"]
    return FOLLOWERS_AT_MS if index else 0


def scenario(stage: Stage) -> None:
    """Actors `caller-1` …, `redis`, `upstream`. Marks: asked, answered, failed; killed, where a call was the cause."""
    world, setting = stage.world, stage.setting
    way_us = us_from_ms(setting["way_ms"])
    server = RedisServer(world, request_us=way_us, reply_us=way_us)
    calls = 0

    def kill(request: Request) -> None:
        if not request.cancelled:
            world.mark("killed", who=request.sender)
            world.crash(world.actor(request.sender))

    def serve(request: Request) -> None:
        nonlocal calls
        calls += 1
        if calls > setting["troubled"] or setting["trouble"] == "none":
            answer = f"answer that {request.sender} asked for"
            request.call_later(us_from_ms(setting["upstream_ms"]), request.complete, answer)
        elif setting["trouble"] == "poison":
            request.call_later(us_from_ms(setting["kills_after_ms"]), kill, request)

    world.network.serve("upstream", serve)

    async def ask(flight_class: Any, jitter_us: int) -> None:
        settings = Settings(
            setting["lease_ms"],
            setting["heartbeat_ms"],
            setting["limit_ms"],
            setting["attempts_max"],
            jitter_us / 1_000_000,
        )
        world.mark("asked")
        try:
            answer = await flight_class(server.client(), Upstream(world), settings).get()
        except Exception as error:
            if type(error).__name__ != FAILED:
                raise
            world.mark("failed")
        else:
            world.mark("answered", answer=str(answer))

    def arrive(actor: Actor, jitter_us: int) -> None:
        [flight_class] = stage.program("flight.py", "Flight")
        world.spawn(actor, ask(flight_class, jitter_us))

    for index, name in enumerate(callers(setting)):
        actor = world.actor(name, pool="caller")
        jitter_us = world.streams.workload.between(0, us_from_ms(setting["jitter_ms"]))
        stage.call_at_ms(arrival_ms(setting, index), arrive, actor, jitter_us)


def attempt_ms(setting: Setting) -> int:
    """The longest from the beginning of one call to that of the next, where the first comes to nothing."""
    return setting["limit_ms"] + setting["lease_ms"] + setting["jitter_ms"]


def until_us(setting: Setting) -> int:
    """Long enough for all attempts that are allowed, and for a request that kills up to nine, one after another."""
    allowed_ms = setting["attempts_max"] * attempt_ms(setting) + setting["upstream_ms"]
    killed_ms = min(setting["followers"] + 1, 9) * (
        setting["kills_after_ms"] + setting["lease_ms"] + setting["jitter_ms"]
    )  # fmt: skip
    return us_from_ms(setting["later_at_ms"] + max(allowed_ms, killed_ms) + setting["lease_ms"])
