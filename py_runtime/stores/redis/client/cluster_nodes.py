"""What a cluster's client knows of the nodes: who they are, and which slot it believes to be where.

Decides whom to ask for the slots, and what a MOVED changes. The belief may be old: the nodes themselves refuse.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from py_runtime.stores.redis.client import Redis
from py_runtime.stores.redis.client.replies import named, text_of
from py_runtime.stores.redis.errors import (
    MovedError,
    RedisClusterException,
    RedisError,
    ResponseError,
    SlotNotCoveredError,
)
from py_runtime.stores.redis.slots import PORT, SLOT_COUNT

_REFRESH_EVERY = 5  # at every so many MOVED redis-py asks for all slots; else it corrects the one


@dataclass(frozen=True)
class ClusterNode:
    """One node. name: `host:port`."""

    host: str
    port: int
    name: str
    client: Redis = field(repr=False, compare=False)
    server_type: str = "primary"

    def execute_command(self, *args, **options):
        """Send a command to this node, whatever its keys."""
        return self.client.execute_command(*args, **options)


class ClusterNodes:
    """The nodes that a client can reach, and those that it knows to serve slots (`known`, in the order it was told)."""

    def __init__(self, clients: Iterable[tuple[str, Redis]]) -> None:
        self.known: dict[str, ClusterNode] = {}
        self._reachable = {
            f"{host}:{PORT}": ClusterNode(host, PORT, f"{host}:{PORT}", client) for host, client in clients
        }
        self._owners: dict[int, str] = {}
        self._fresh = False
        self._moved = 0
        self._asking: asyncio.Lock | None = None

    def doubt(self) -> None:
        """Ask for the slots before the next command."""
        self._fresh = False

    async def learn(self, failed: str | None = None) -> None:
        """Ask for the slots if need be: the first node that answers, `failed` last. Raises RedisClusterException."""
        self._asking = self._asking or asyncio.Lock()
        async with self._asking:
            if not self._fresh:
                self._take(await self._ask(sorted(self.known or self._reachable, key=lambda name: name == failed)))

    async def _ask(self, names: list[str]) -> list:
        told: Exception | None = None
        for name in names:
            try:
                return await self._reachable[name].execute_command("CLUSTER SLOTS")
            except ResponseError:
                told = RedisClusterException("Cluster mode is not enabled on this node")
            except RedisError as error:
                told = error
        raise RedisClusterException(
            f"Redis Cluster cannot be connected. Please provide at least one reachable node: {told}"
        ) from told

    def _take(self, rows: list) -> None:
        owners: dict[int, str] = {}
        known: dict[str, ClusterNode] = {}
        for first, last, (host, port, *_) in rows:
            name = f"{text_of(host)}:{port}"
            known[name] = self._reachable[name]
            owners.update(dict.fromkeys(range(first, last + 1), name))
        if len(owners) != SLOT_COUNT:
            raise RedisClusterException(
                f"All slots are not covered after query all startup_nodes. {len(owners)} of {SLOT_COUNT} covered..."
            )
        self._owners, self.known, self._fresh = owners, known, True

    async def moved(self, error: MovedError) -> None:
        """A node has pointed to another."""
        self._moved += 1
        if self._moved % _REFRESH_EVERY == 0:
            self.doubt()
            await self.learn()
        else:
            name = f"{error.host}:{error.port}"
            self._owners[error.slot_id] = name
            self.known.setdefault(name, self._reachable[name])

    def of_slot(self, slot: int) -> ClusterNode:
        """The node that is believed to serve a slot. Raises SlotNotCoveredError."""
        name = self._owners.get(slot)
        if name is None:
            raise SlotNotCoveredError(f'Slot "{slot}" is not covered by the cluster.')
        return self.known[name]


def slots_reply(rows: list) -> dict:
    """CLUSTER SLOTS as a cluster's client gives it: (first, last) → the addresses of who serves them."""
    served = {}
    for first, last, *nodes in rows:
        addresses = [(text_of(host), port) for host, port, *_ in nodes]
        served[first, last] = {"primary": addresses[0], "replicas": addresses[1:]}
    return served


def shards_reply(rows: list) -> list[dict]:
    """CLUSTER SHARDS in the same way: slots as (first, last), and what is known of each node."""
    shards = []
    for row in rows:
        shard = named(row, {})
        bounds = iter(shard["slots"])
        nodes = [named(node, {}) for node in shard["nodes"]]
        shards.append({"slots": list(zip(bounds, bounds, strict=True)), "nodes": nodes})
    return shards
