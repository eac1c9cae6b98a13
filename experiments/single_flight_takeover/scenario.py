"""A, B, C … ask for the same thing, 10 ms apart. A leads the flight; then something happens to A."""

from dataclasses import dataclass

from py_runtime.lab import InputError, Setting, Stage, Values
from py_runtime.sim import DROP, PASS, REPLY, Actor, Message, Request, Verdict, World, us_from_ms
from py_runtime.stores import RedisServer

PROGRAM = {
    "repaired": "repaired.py",
    "no-reread": "no_reread.py",
    "blind-takeover": "blind_takeover.py",
    "unchecked-publish": "unchecked_publish.py",
    "key-expiry-is-lease": "key_expiry_is_lease.py",
}
ARRIVAL_GAP_MS = 10
FOLLOWERS_MAX = 20
LEADER = "A"
LEADER_JITTER_MS = 500  # A's own delay, should it ever follow: the end of the range that the followers draw from


@dataclass(frozen=True)
class Settings:
    """What a flight may use besides Redis and the upstream; lengths in ms."""

    name: str
    jitter_ms: int
    lease_ms: int
    heartbeat_ms: int


class Upstream:
    """The client that the program is handed."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def fetch(self) -> str:
        """Ask the upstream; the answer names its caller, so that two answers can be told apart."""
        return await self._world.network.call("upstream", "weather", text="fetch weather")


def scenario(stage: Stage) -> None:
    """Actors A, B, C …, `redis` and `upstream`; the upstream works on, whatever becomes of its callers."""
    world, setting = stage.world, stage.setting
    [flight_class] = stage.program(PROGRAM[setting.variant], "Flight")
    redis = RedisServer(world).client()

    def answer_later(request: Request) -> None:
        delay_us = us_from_ms(setting["upstream_ms"])
        request.call_later(delay_us, request.complete, f"answer that {request.sender} asked for")

    world.network.serve("upstream", answer_later)

    async def ask(name: str, jitter_ms: int) -> None:
        settings = Settings(name, jitter_ms, setting["lease_ms"], setting["heartbeat_ms"])
        world.mark("asked")
        token, _ = await flight_class(redis, Upstream(world), settings).get()
        world.mark("answered", token=token)

    for index, jitter_ms in enumerate([LEADER_JITTER_MS, *setting["jitter_ms"]]):
        actor = world.actor(chr(ord(LEADER) + index))
        world.call_at(us_from_ms(index * ARRIVAL_GAP_MS), _arrive, world, actor, ask, jitter_ms)
    _inject(world, setting, world.actor(LEADER))


def _arrive(world: World, actor: Actor, ask, jitter_ms: int) -> None:
    world.spawn(actor, ask(actor.name, jitter_ms))


def _inject(world: World, setting: Setting, leader: Actor) -> None:
    at_us = us_from_ms(setting["fault_at_ms"])
    if setting["fault"] == "pause":
        world.call_at(at_us, world.pause, leader, us_from_ms(setting["pause_ms"]))
    elif setting["fault"] == "crash":
        world.call_at(at_us, world.crash, leader)
    elif setting["fault"] == "hang":

        def lose_answer(message: Message) -> Verdict:
            lost = message.direction == REPLY and message.sender == "upstream" and message.receiver == LEADER
            return DROP if lost else PASS

        world.network.rule(lose_answer, from_us=at_us)


def default_jitter_ms(values: Values) -> list[int]:
    """120, 310, then on by 190 within half a second: distinct, and never 0, for as many followers as there may be.

    A follower without any delay acts on the very millisecond in which a record that expires is still there.
    """
    return [(120 + 190 * index) % 499 for index in range(values["followers"])]


def check(setting: Setting) -> None:
    """One delay per follower."""
    if len(setting["jitter_ms"]) != setting["followers"]:
        raise InputError(
            f"jitter_ms must list one number per follower, {setting['followers']} in all; "
            f"got {len(setting['jitter_ms'])}"
        )


def until_us(setting: Setting) -> int:
    """The run is cut off at until_ms."""
    return us_from_ms(setting["until_ms"])
