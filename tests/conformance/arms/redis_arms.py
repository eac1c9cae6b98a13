"""Redis on either side, behind clients with the methods of `redis.asyncio.Redis`.

Decides what a body starts from: an empty keyspace, no scripts, and a clock that shows a moment of our time.
"""

from typing import Protocol

from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from py_runtime.stores.redis import Cluster, RedisServer
from tests.conformance.arms.arm import Arm, RealTime, VirtualTime
from tests.conformance.servers.resp import RawConnection
from tests.conformance.slots import HALVES

START_US = 1_767_225_600_000_000  # the stand-in's clock begins with the year 2026, so that 1970 is in its past too


class RedisArm(Arm, Protocol):
    """An arm with one server."""

    def connect(self, decode_responses: bool = True):
        """One more client."""


class StandIn(VirtualTime):
    """The stand-in in a world; `server` is its `RedisServer`."""

    def __init__(self) -> None:
        super().__init__()
        self.server = RedisServer(self.world)
        self.server.clock_offset_us = START_US

    def connect(self, decode_responses: bool = True):
        return self.server.client(decode_responses=decode_responses)


class Real(RealTime):
    """redis-server on a port."""

    name = "redis-server"

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        wipe(port)

    def connect(self, decode_responses: bool = True):
        self.clients.append(real_client(self.port, decode_responses))
        return self.clients[-1]


class StandInCluster(VirtualTime):
    """Two stand-ins in one world, each with its half of the slots."""

    def __init__(self) -> None:
        super().__init__()
        self.cluster = Cluster(self.world, len(HALVES))
        self.servers = self.cluster.servers
        for server in self.servers:
            server.clock_offset_us = START_US

    def connect(self, node: int, decode_responses: bool = True):
        return self.servers[node].client(decode_responses=decode_responses)

    def address(self, node: int) -> str:
        """What MOVED says of a node."""
        return f"{self.servers[node].name}:6379"

    def client(self):
        """A client of the whole cluster."""
        return self.cluster.client()


class RealCluster(RealTime):
    """Two nodes of a redis cluster, on these ports."""

    name = "redis-server"

    def __init__(self, ports: list[int]) -> None:
        super().__init__()
        self.ports = ports
        for port in ports:
            wipe(port)

    def connect(self, node: int, decode_responses: bool = True):
        self.clients.append(real_client(self.ports[node], decode_responses))
        return self.clients[-1]

    def address(self, node: int) -> str:
        """What MOVED says of a node."""
        return f"127.0.0.1:{self.ports[node]}"

    def client(self):
        """A client of the whole cluster."""
        self.clients.append(RedisCluster("127.0.0.1", self.ports[0], protocol=2, decode_responses=True))
        return self.clients[-1]


def real_client(port: int, decode_responses: bool = True) -> Redis:
    """redis-py's asyncio client: the old protocol, as the stand-in's replies have it, and no hidden second try."""
    return Redis(
        host="127.0.0.1",
        port=port,
        protocol=2,
        decode_responses=decode_responses,
        socket_timeout=None,
        retry=Retry(NoBackoff(), 0),
    )


def wipe(port: int) -> None:
    """Empty a server, and forget its scripts."""
    with RawConnection(port) as connection:
        connection.call_all([[b"FLUSHALL"], [b"SCRIPT", b"FLUSH"]])
