"""A primary with a replica on either side, and the link between the two, which a body can hold up, cut and let flow.

Decides what these mean to each: on the stand-in the lag and the link of the replica's `Replication`; on real servers a
forwarder between the two. What a body may assume of time is only what `in_step` waits for.
"""

import asyncio
import os
import signal
from typing import Protocol

from py_runtime.stores.redis import RedisServer
from tests.conformance.arms.arm import Arm, RealTime, VirtualTime
from tests.conformance.arms.redis_arms import START_US, real_client
from tests.conformance.servers.redis import Replication, information
from tests.conformance.servers.resp import RawConnection

_LAG_US = 200  # about what the loopback takes
_HELD_US = 10**12  # later than any body lasts
_PATIENCE_S = 20
BACKLOG_BYTES = 16384  # the least that redis-server keeps


class ReplicationArm(Arm, Protocol):
    """An arm with a primary and its replica."""

    def primary(self):
        """A client of the first primary, on a connection of its own."""

    def replica(self):
        """The same of its replica."""

    def address(self, of: str) -> tuple[str, int]:
        """Host and port that REPLICAOF takes, of the `primary` or the `replica`."""

    def hold(self) -> None:
        """Let nothing through: what is written arrives after `flow`, or never."""

    def cut(self) -> None:
        """Break the link."""

    def flow(self) -> None:
        """Let everything through again."""

    def forget(self) -> None:
        """Let the primary keep little of what it has sent: whoever missed more gets everything anew."""

    def kill_primary(self) -> None:
        """End the primary, as SIGKILL does."""

    async def in_step(self, turned: bool = False) -> None:
        """Wait until the replica has everything; turned: until the former primary has everything of its replica."""


class StandIn(VirtualTime):
    """Two stand-ins in one world."""

    def __init__(self) -> None:
        super().__init__()
        self._primary = RedisServer(self.world, "redis-1")
        self._replica = RedisServer(self.world, "redis-2", replica_of=self._primary, lag_us=_LAG_US)
        for server in (self._primary, self._replica):
            server.clock_offset_us = START_US
        self.world.run(_LAG_US)  # the first copy arrives

    def primary(self):
        return self._primary.client()

    def replica(self):
        return self._replica.client()

    def address(self, of: str) -> tuple[str, int]:
        return (self._primary if of == "primary" else self._replica).name, 6379

    def hold(self) -> None:
        self._replica.replication.link.lag_us = _HELD_US

    def cut(self) -> None:
        self._replica.replication.cut()

    def flow(self) -> None:
        self._replica.replication.link.lag_us = _LAG_US
        self._replica.replication.cut()
        self._replica.replication.restore()

    def forget(self) -> None:
        self._primary.replication.backlog_writes = 1

    def kill_primary(self) -> None:
        self._primary.set_down(True)

    async def in_step(self, turned: bool = False) -> None:
        ahead, behind = (self._replica, self._primary) if turned else (self._primary, self._replica)
        while not (behind.replication.synced and behind.replication.offset == ahead.replication.offset):
            await asyncio.sleep(_LAG_US / 1e6)


class Real(RealTime):
    """A pair of redis-server."""

    name = "redis-server"

    def __init__(self, pair: Replication) -> None:
        super().__init__()
        self._pair = pair
        pair.restore()

    def primary(self):
        return self._client(self._pair.primary.port)

    def replica(self):
        return self._client(self._pair.replica.port)

    def _client(self, port: int):
        self.clients.append(real_client(port))
        return self.clients[-1]

    def address(self, of: str) -> tuple[str, int]:
        return "127.0.0.1", self._pair.link.port if of == "primary" else self._pair.replica.port

    def hold(self) -> None:
        self._pair.link.hold()

    def cut(self) -> None:
        self._pair.link.cut()

    def flow(self) -> None:
        self._pair.link.flow()

    def forget(self) -> None:
        with RawConnection(self._pair.primary.port) as connection:
            connection.call("CONFIG", "SET", "repl-backlog-size", BACKLOG_BYTES)

    def kill_primary(self) -> None:
        os.kill(self._pair.primary.pid, signal.SIGKILL)

    async def in_step(self, turned: bool = False) -> None:
        ahead, behind = self._pair.primary, self._pair.replica
        if turned:
            ahead, behind = behind, ahead
        async with asyncio.timeout(_PATIENCE_S):
            while True:
                theirs = information(behind)
                if theirs.get("master_link_status") == "up":
                    if theirs["slave_repl_offset"] == information(ahead)["master_repl_offset"]:
                        return
                await asyncio.sleep(0.01)
