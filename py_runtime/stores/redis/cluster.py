"""A cluster: several Redis servers that share the slots.

Decides which server serves which slots, at the start and after a move. Every node knows of a change at once; there is
no gossip, no replica of a node, and no move that is half done. What a node does with a key of another is in slots.py.
"""

from typing import TYPE_CHECKING

from py_runtime.stores.redis.client.cluster import RedisCluster
from py_runtime.stores.redis.effects import KeyState, adopt, states_of
from py_runtime.stores.redis.server import RedisServer
from py_runtime.stores.redis.slots import SLOT_COUNT, Slots, Topology, key_slot
from py_runtime.stores.redis.views import changes

if TYPE_CHECKING:
    from py_runtime.sim import World


class Cluster:
    """Servers `redis-1`, `redis-2`, … with the slots shared out evenly and in order.

    nodes: how many, 1 to 16384. name: the first part of their names. request_us, reply_us: as for a `RedisServer`.
    `servers` may be taken down and asked for what they hold one by one.
    """

    def __init__(
        self, world: "World", nodes: int = 2, name: str = "redis", request_us: int = 0, reply_us: int = 0
    ) -> None:
        if not 1 <= nodes <= SLOT_COUNT:
            raise ValueError(f"a cluster has 1 to {SLOT_COUNT} nodes, not {nodes}")
        topology = Topology()
        bounds = [round(SLOT_COUNT / nodes * index) for index in range(nodes + 1)]
        self.world = world
        self.servers: list[RedisServer] = []
        for index in range(nodes):
            slots = Slots(range(bounds[index], bounds[index + 1]), topology)
            self.servers.append(RedisServer(world, f"{name}-{index + 1}", slots, request_us, reply_us))

    def client(self, decode_responses: bool = True, socket_timeout: float | None = None) -> RedisCluster:
        """A client with the methods of `redis.asyncio.cluster.RedisCluster`; arguments as for `RedisServer.client`."""
        return RedisCluster(self.servers, decode_responses, socket_timeout)

    def server_of(self, key: str) -> RedisServer:
        """The server that serves a key now."""
        slot = key_slot(key.encode())
        return next(server for server in self.servers if slot in server.keyspace.slots)

    def move(self, slots: range, to: RedisServer) -> None:
        """Hand slots over with their keys, at this instant; clients learn of it by MOVED. `slots` has step 1."""
        if slots.step != 1 or not slots or not 0 <= slots[0] <= slots[-1] < SLOT_COUNT:
            raise ValueError(f"slots to move are a range with step 1 within 0 to {SLOT_COUNT - 1}, not {slots}")
        to.keyspace.slots.take(slots)
        for server in self.servers:
            if server is to:
                continue
            leaving = [key for key in server.keyspace.values if key_slot(key) in slots]
            states = states_of(server.keyspace, leaving)
            self._change(server, tuple(KeyState(key, None, None) for key in leaving))
            self._change(to, states)

    def _change(self, server: RedisServer, states: tuple[KeyState, ...]) -> None:
        adopt(server.keyspace, states)
        touched = server.keyspace.take_touched()
        if touched and self.world.tracing:
            actor = self.world.actor(server.name)
            self.world.record("mark", actor, name="slots-moved", changes=changes(server.keyspace, server.name, touched))
        server.wake(touched)
