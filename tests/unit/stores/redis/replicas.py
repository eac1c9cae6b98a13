"""A primary with replicas, for tests: programs that note what they see, and the recorded events of the replicas."""

import asyncio

from py_runtime.sim import World
from py_runtime.stores.redis import RedisServer
from py_runtime.stores.redis.effects import states_of
from py_runtime.stores.redis.keyspace import Keyspace

MS = 1000


class Pair:
    """A primary `a` and its replicas, a client of `a` for each name; `seen` lists (ms, value) as programs note them."""

    def __init__(self, lag_ms: float = 5, replicas: str = "b") -> None:
        self.world = World()
        self.a = RedisServer(self.world, "a")
        self.replicas = [RedisServer(self.world, name, replica_of=self.a, lag_us=int(lag_ms * MS)) for name in replicas]
        self.b = self.replicas[0]
        self.seen: list[tuple] = []

    def play(self, *programs, until_ms: int = 1000) -> list[tuple]:
        for number, program in enumerate(programs):
            self.world.spawn(self.world.actor(f"client-{number}"), program(self))
        self.world.run(until_ms * MS)
        assert [event.fields for event in self.world.events if event.kind == "task.failed"] == []
        return self.seen

    def note(self, value) -> None:
        self.seen.append((self.world.now_us / MS, value))

    def at(self, ms: float, function, *arguments) -> None:
        self.world.call_at(int(ms * MS), function, *arguments)

    def events(self, kind: str) -> list[tuple]:
        return [
            (event.at_us / MS, event.actor, dict(event.fields)) for event in self.world.events if event.kind == kind
        ]

    def same(self) -> bool:
        """Whether the replica's data is the primary's, with all that no reply shows."""
        return whole(self.a.keyspace) == whole(self.b.keyspace)


def whole(db: Keyspace) -> dict:
    """Everything a keyspace holds, also what no reply shows, as plain values."""
    return {state.key: (_parts(state.value), state.ends_ms) for state in states_of(db, sorted(db.values))}


def _parts(value):
    if hasattr(value, "__slots__") and not isinstance(value, (bytes, dict, list)) and type(value).__slots__:
        named = {}
        for part in type(value).__slots__:
            held = getattr(value, part)
            named[part] = held.name if part == "consumer" else _parts(held)
        return named
    if isinstance(value, dict):
        return [(key, _parts(each)) for key, each in value.items()]
    return [_parts(each) for each in value] if isinstance(value, (list, tuple)) else value


def counting(count: int, every_ms: int = 1):
    async def program(pair):
        for _ in range(count):
            await pair.a.client().incr("n")
            await asyncio.sleep(every_ms / 1000)

    return program
