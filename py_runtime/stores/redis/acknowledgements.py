"""WAIT: who waits for how many replicas to have which write.

Decides which write a WAIT is about and when it is answered. A client is whoever calls: its last write is that of the
calling actor on this server. Knows of replicas only how far they have acknowledged.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from py_runtime.stores.redis.errors import RedisError

if TYPE_CHECKING:
    from py_runtime.stores.redis.replication import Replication


@dataclass(frozen=True, slots=True)
class Wanted:
    """In place of a reply: answer once `replicas` have the caller's last write, or after `timeout_us` (None: never)."""

    replicas: int
    timeout_us: int | None


@dataclass(eq=False, slots=True)
class _Wait:
    request: object
    replicas: int
    offset: int
    timer: object = None


class Acknowledgements:
    """The calls that wait on one primary, in the order in which they came."""

    def __init__(self, replication: "Replication") -> None:
        self._replication = replication
        self._offsets: dict[str, int] = {}  # caller → number of the last write there was when its last command ended
        self._waits: list[_Wait] = []

    def __len__(self) -> int:
        return len(self._waits)

    def note(self, caller: str) -> None:
        """A command of this caller has ended."""
        self._offsets[caller] = self._replication.offset

    def count(self, caller: str) -> int:
        """How many replicas have everything up to the caller's last command."""
        return self._count(self._offsets.get(caller, 0))

    def wait(self, wanted: Wanted, request) -> None:
        """Answer now if enough replicas have it, else when they do or the time is over: with how many have it then."""
        offset = self._offsets.get(request.sender, 0)
        count = self._count(offset)
        if count >= wanted.replicas:
            request.complete(count)
            return
        wait = _Wait(request, wanted.replicas, offset)
        if wanted.timeout_us is not None:
            wait.timer = request.call_later(wanted.timeout_us, self._timed_out, wait)
        self._waits.append(wait)

    def check(self) -> None:
        """A replica has acknowledged something: answer whom that is enough for."""
        for wait in tuple(self._waits):
            if wait.request.cancelled or self._count(wait.offset) >= wait.replicas:
                self._answer(wait)

    def end_all(self, error: RedisError) -> None:
        """End all waiting with an error."""
        for wait in tuple(self._waits):
            self._forget(wait)
            wait.request.fail(error)

    def _timed_out(self, wait: _Wait) -> None:
        server = self._replication.server
        server.world.touch(server.name)
        self._answer(wait)

    def _answer(self, wait: _Wait) -> None:
        self._forget(wait)
        if not wait.request.cancelled:
            wait.request.complete(self._count(wait.offset))

    def _forget(self, wait: _Wait) -> None:
        self._waits.remove(wait)
        if wait.timer is not None:
            wait.timer.cancel()

    def _count(self, offset: int) -> int:
        replicas = self._replication.replicas
        return sum(replica.synced and replica.link.is_open and replica.acked >= offset for replica in replicas)
