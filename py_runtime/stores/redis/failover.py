"""Failover: a replica takes its primary's place, and clients that go by a name reach the new one.

Decides what becomes of the old primary at that instant, and when a client notices. Who decides on a failover, and when,
is the scenario's: there are no sentinels that watch and vote.
"""

from typing import TYPE_CHECKING

from py_runtime.sim import DROP, PASS
from py_runtime.stores.redis.client import Pipeline, PubSub, Redis, SingleConnection
from py_runtime.stores.redis.client.connection import Pool
from py_runtime.stores.redis.errors import ConnectionError, ReadOnlyError, TimeoutError

if TYPE_CHECKING:
    from py_runtime.sim.faults import Rule
    from py_runtime.stores.redis.server import RedisServer

DOWN = "down"
SILENT = "silent"
SERVING = "serving"


class Sentinel:
    """A name for whoever is the primary, as Redis Sentinel gives out. Clients made here go by it.

    primary: whom a client that connects now is sent to. silence: what cuts off a primary that was replaced.
    """

    def __init__(self, primary: "RedisServer") -> None:
        self.primary = primary
        self.silence: Rule | None = None

    def client(self, decode_responses: bool = True, socket_timeout: float | None = None) -> Redis:
        """A client as `Sentinel.master_for` of redis-py gives it; arguments as for `RedisServer.client`.

        It asks for the primary when it connects, and keeps the connection: until that breaks, or a call times out or
        is answered with READONLY (which it raises as ConnectionError), it stays with the server it has.
        """
        return SentinelClient(self, decode_responses, socket_timeout)

    def fail_over(self, replica: "RedisServer", old: str = DOWN) -> int:
        """Promote `replica` at this instant; gives how many writes had not reached it and are lost.

        old: what becomes of the former primary. `"down"`: an outage; connections break, calls fail with
        ConnectionError. `"silent"`: it is cut off; what is on its way to or from it is lost, so that calls hang until
        they time out; `silence` is the rule that does it, to be lifted. `"serving"`: it goes on serving those who have
        its address. It keeps its data until it becomes a replica: `former.replication.follow(replica.replication)`.
        Other replicas follow the new primary.
        """
        former = self.primary
        if replica.replication.primary is not former.replication:
            raise ValueError(f"{replica.name} is no replica of {former.name}")
        if old not in (DOWN, SILENT, SERVING):
            raise ValueError(f"old is {DOWN!r}, {SILENT!r} or {SERVING!r}, not {old!r}")
        lost = replica.promote()
        for other in tuple(former.replication.replicas):
            other.follow(replica.replication)
        self.primary = replica
        if old == DOWN:
            former.set_down(True)
        elif old == SILENT:
            name = former.name
            network = former.world.network
            self.silence = network.rule(lambda message: DROP if name in (message.sender, message.receiver) else PASS)
        return lost


class SentinelClient(Redis):
    """See `Sentinel.client`."""

    def __init__(self, sentinel: Sentinel, decode_responses: bool, socket_timeout: float | None) -> None:
        super().__init__(sentinel.primary, decode_responses, socket_timeout)
        self._sentinel = sentinel
        self._connected = False

    def _connect(self) -> None:
        """Turn to whoever is the primary now."""
        self._connected = True
        if self._server is not self._sentinel.primary:
            self._server = self._sentinel.primary
            self._pool.close()
            self._pool = Pool(self._server, self._socket_timeout)

    def pipeline(self, transaction: bool = True, shard_hint=None) -> Pipeline:
        """Goes to the primary of the moment at which it is made, and so do later calls; `pubsub` and `client` too."""
        self._connect()
        return super().pipeline(transaction, shard_hint)

    def pubsub(self, **options) -> PubSub:
        self._connect()
        return super().pubsub(**options)

    def client(self) -> SingleConnection:
        self._connect()
        return super().client()

    async def _send(self, argv: list[bytes]):
        if not self._connected:
            self._connect()
        try:
            return await super()._send(argv)
        except ReadOnlyError:
            self._connected = False
            raise ConnectionError("The previous master is now a slave") from None
        except (ConnectionError, TimeoutError):
            self._connected = False
            raise
