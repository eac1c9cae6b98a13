"""Four keys are asked for, each by a process of its own, and the first two by one more, on a cluster of some nodes.

The first key may be asked for again much later.
"""

from dataclasses import dataclass
from typing import Any

from py_runtime.lab import Setting, Stage
from py_runtime.sim import Actor, Request, World, us_from_ms
from py_runtime.stores.redis import Cluster, RedisClusterException, RedisError, key_slot

SLOTS = 16_384
KEYS = ("abc", "def", "ghi", "jkl")
LATER = f"{KEYS[0]}-3"  # asks for the first key again, long after
SEQUENCE = "ai:flight:owner-seq"
UPSTREAM = "upstream"


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

    async def fetch(self, key: str) -> str:
        """Ask the upstream; the answer names key and caller, so that two answers can be told apart."""
        return await self._world.network.call(UPSTREAM, key, text=f"fetch {key}")


def scenario(stage: Stage) -> None:
    """Actors `abc-1`, `def-1` …, `abc-2` …, `abc-3`, the nodes `redis-1` …, and `upstream`, which always answers.

    Marks: asked (key); answered (key, token, answer); failed (key, error), for what a request ends with in Redis.
    """
    world, setting = stage.world, stage.setting
    cluster = Cluster(world, setting["nodes"])
    if 0 < setting["down_node"] <= setting["nodes"]:
        cluster.servers[setting["down_node"] - 1].set_down(True)

    def answer_later(request: Request) -> None:
        answer = f"{request.payload} for {request.sender}"
        request.call_later(us_from_ms(setting["upstream_ms"]), request.complete, answer)

    world.network.serve(UPSTREAM, answer_later)

    async def ask(actor: Actor, key: str, flight_class: Any) -> None:
        settings = Settings(actor.name, setting["jitter_ms"], setting["lease_ms"], setting["heartbeat_ms"])
        world.mark("asked", key=key)
        try:
            token, answer = await flight_class(cluster.client(), Upstream(world), settings).get(key)
        except (RedisError, RedisClusterException) as error:
            world.mark("failed", key=key, error=str(error))
        else:
            world.mark("answered", key=key, token=int(token), answer=answer)

    def arrive(actor: Actor, key: str, flight_class: Any) -> None:
        world.spawn(actor, ask(actor, key, flight_class))

    for index, (name, key) in enumerate(callers(setting).items()):
        [flight_class] = stage.program("flight.py", "Flight")  # by each process: nothing is shared in Python
        at_ms = setting["later_at_ms"] if name == LATER else index * setting["gap_ms"]
        stage.call_at_ms(at_ms, arrive, world.actor(name), key, flight_class)
    first = world.actor(f"{KEYS[0]}-1")
    if setting["fault"] == "pause":
        stage.call_at_ms(setting["fault_at_ms"], world.pause, first, us_from_ms(setting["pause_ms"]))
    elif setting["fault"] == "crash":
        stage.call_at_ms(setting["fault_at_ms"], world.crash, first)


def callers(setting: Setting) -> dict[str, str]:
    """Caller → the key that it asks for, in the order in which they come; LATER where it is given an instant."""
    keys = KEYS[: setting["keys"]]
    first = {f"{key}-1": key for key in keys} | {f"{key}-2": key for key in keys[: setting["followers"]]}
    return first | ({LATER: KEYS[0]} if setting["later_at_ms"] else {})


def slot_of(name: str) -> int:
    """The slot of a key of Redis."""
    return key_slot(name.encode())


def node_of(name: str, setting: Setting) -> str:
    """The node that serves a key of Redis: the slots are shared out evenly and in order."""
    nodes = setting["nodes"]
    return next(f"redis-{n}" for n in range(1, nodes + 1) if slot_of(name) < round(SLOTS / nodes * n))


def home_of(key: str, setting: Setting) -> str:
    """The node where the record of a flight belongs."""
    return node_of(f"{{{key}}}", setting)


def patience_us(setting: Setting) -> int:
    """How long everybody's answer may take after the last crash or standstill: a lease, a delay and a call to the
    upstream, and two heartbeat intervals for whoever asks again at intervals."""
    one_ms = setting["lease_ms"] + setting["jitter_ms"] + setting["upstream_ms"] + 2 * setting["heartbeat_ms"]
    return us_from_ms(one_ms + setting["gap_ms"] * len(callers(setting)))


def until_us(setting: Setting) -> int:
    """Long enough for whoever takes over to answer, also after a standstill that a search adds."""
    last_ms = max(setting["fault_at_ms"] + setting["pause_ms"], setting["later_at_ms"])
    return us_from_ms(last_ms) + 2 * patience_us(setting)
