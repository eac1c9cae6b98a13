"""One server's part in replication: what a primary sends to its replicas, and what a replica does with it.

Decides how writes are numbered, when a copy is brought up to date (with the writes it misses, or as a whole) and what a
promotion loses. How long messages take is the link's, what they hold is in effects.py, who waits for acknowledgements
in acknowledgements.py. A history is a name for one sequence of writes: two servers with the same history and the same
number hold the same data. A server that is promoted begins a new history and remembers up to where it shared the old.
"""

from collections import deque
from collections.abc import Callable
from hashlib import sha1
from typing import TYPE_CHECKING

from py_runtime.stores.redis.acknowledgements import Acknowledgements
from py_runtime.stores.redis.effects import Effect, KeyState, adopt, states_of
from py_runtime.stores.redis.errors import response_error
from py_runtime.stores.redis.link import Link
from py_runtime.stores.redis.standby import Standby
from py_runtime.stores.redis.views import changes, text

if TYPE_CHECKING:
    from py_runtime.stores.redis.server import RedisServer

PORT = 6379
# Redis keeps the last MiB of its stream (repl-backlog-size), some thousand commands of usual size.
BACKLOG_WRITES = 1000
_UNBLOCKED = "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)"


class Replication:
    """Made with the first use of `RedisServer.replication`; a server without one copies nothing and counts nothing.

    offset: number of the last write (Redis counts bytes). primary: whose replica this is, None for a primary.
    replicas: in the order in which they came. synced: this replica holds a copy that the primary's writes go on from.
    acked: the last write that the primary knows this replica to have. backlog_writes: how many writes a primary keeps
    for replicas that come back; one that misses more gets a whole copy.

    An outage or a crash of the primary cuts no link: what it had sent arrives. One of the replica does. Connecting
    costs no time and asks for no step of the primary, so a paused one gives copies, too.
    """

    def __init__(self, server: "RedisServer") -> None:
        self.server = server
        self.offset = 0
        self.backlog_writes = BACKLOG_WRITES
        self.primary: Replication | None = None
        self.replicas: list[Replication] = []
        self.synced = False
        self.acked = 0
        self.peers = {server.name: self}  # everyone who has ever replicated with anyone here, by name
        self.acknowledgements = Acknowledgements(self)
        self._actor = server.world.actor(server.name)
        self.link = Link(server.world, self._actor, 0)
        self._cut = False
        self._counting = False  # from the first replica on, whether there is one now or not
        self._promotions = 0
        self._history = self._new_history()
        self._shared = ("", 0)  # the former history, and up to which write it was ours, too
        self._backlog: deque[Effect] = deque()
        self._expired: set[bytes] = set()
        self._standbys: list[Standby] = []

    # A primary

    def expired(self, key: bytes) -> None:
        """A key's moment had passed; replicas hear of that as a DEL of its own, ahead of the command that found it."""
        if self.primary is None and self._counting:
            self._expired.add(key)
            self._send(f"DEL {text(key)}", None, (KeyState(key, None, None),))

    def written(self, touched: dict, request) -> None:
        """A command has ended that touched these keys; number what it did and send it."""
        if self.primary is not None:
            return
        keys = [key for key in touched if key not in self._expired or key in self.server.keyspace.values]
        self._expired.clear()
        if keys and self._counting:
            self._send(request.text, request.call, states_of(self.server.keyspace, keys))
        self.acknowledgements.note(request.sender)

    def published(self, channel: bytes, message: bytes) -> None:
        """A message for whoever listens; those who listen at a replica get it when it arrives there."""
        if self.primary is None and self._counting:
            self._send(f"PUBLISH {text(channel)} {text(message)}", None, (), (channel, message))

    def _send(self, command: str, call: int | None, states: tuple[KeyState, ...], published=None) -> None:
        self.offset += 1
        for standby in self._standbys:
            standby.take(states)
            if standby.behind:  # which writes it lacks depends on the order of all of them
                self.server.world.touch((self.server.name, "last writes"))
        self._pass_on(Effect(self.offset, self.server.world.now_us, command, call, states, published))

    def _pass_on(self, effect: Effect) -> None:
        self._backlog.append(effect)
        while len(self._backlog) > self.backlog_writes:
            self._backlog.popleft()
        for replica in self.replicas:
            if replica.link.is_open:
                replica.link.send(self._actor, replica._take, effect)

    def _missing(self, history: str, offset: int) -> list[Effect] | None:
        """The writes after `offset` of a replica's history; None where it needs a whole copy."""
        former, shared_up_to = self._shared
        known = history == self._history or (history == former and offset <= shared_up_to)
        if not known or not self.offset - len(self._backlog) <= offset <= self.offset:
            return None
        return [effect for effect in self._backlog if effect.offset > offset]

    def keep_standby(self, behind: int) -> Callable[[], None]:
        """Keep a replica that lacks the last `behind` writes; gives what lets it take this server's place."""
        if self.primary is not None:
            raise ValueError(f"{self.server.name} is a replica itself; a primary fails over")
        self._counting = True
        standby = Standby(behind, states_of(self.server.keyspace, self.server.keyspace.values))
        self._standbys.append(standby)
        return lambda: self.server.start_over(standby.undone(), "failed-over", standby.lacks)

    def start_over(self, lost: int | None) -> None:
        """The server is another process now, which lacks so many writes (None: all): its history is a new one.

        Everyone who copies it gets a whole copy, and so does the server itself where it is a replica.
        """
        self.offset = 0 if lost is None else self.offset - lost
        self._promotions += 1
        self._history = self._new_history()
        self._shared = ("", 0)
        self._backlog.clear()
        self.acknowledgements = Acknowledgements(self)
        for standby in self._standbys:
            standby.start(states_of(self.server.keyspace, self.server.keyspace.values))
        self.connect()
        for replica in self.replicas:
            replica.connect()

    # A replica

    def follow(self, primary: "Replication", lag_us: int | None = None) -> None:
        """Become the replica of `primary`: data that it does not have is replaced. lag_us: None leaves it as it was."""
        if self.server.keyspace.slots is not None or primary.server.keyspace.slots is not None:
            raise ValueError("nodes of a cluster have no replicas here")
        ancestor: Replication | None = primary
        while ancestor is not None:
            if ancestor is self:
                raise ValueError(f"{self.server.name} cannot be a replica of itself, directly or through another")
            ancestor = ancestor.primary
        if lag_us is not None:
            self.link.lag_us = lag_us
        if self.primary is None:
            self.server.end_blocked(response_error(_UNBLOCKED))
        else:
            self.primary.replicas.remove(self)
        self.primary = primary
        primary.replicas.append(self)
        primary._counting = self._counting = True
        primary.server.labels.update(self.server.labels)
        self.server.labels = primary.server.labels  # a script keeps its name in the trace, whoever runs it
        self.server.keyspace.read_only = True
        everyone = primary.peers | self.peers
        for peer in everyone.values():
            peer.peers = everyone
        self.connect()

    def promote(self) -> int:
        """Become a primary (as REPLICAOF NO ONE does); gives how many writes of the old one had not arrived: lost here.

        What was on its way is lost with the link. A primary stays what it is.
        """
        primary = self.primary
        if primary is None:
            return 0
        self.server.world.touch(self.server.name, primary.server.name)
        lost = primary.offset - (self.offset if self._history == primary._history else 0)
        self._record("replica.promoted", primary, lost=lost)
        primary.replicas.remove(self)
        self.primary = None
        self.synced = False
        self.link.close()
        self._promotions += 1
        self._shared = (self._history, self.offset)
        self._history = self._new_history()
        self.server.keyspace.read_only = False
        for replica in self.replicas:
            replica.connect()
        return lost

    def cut(self) -> None:
        """Break the link to the primary until `restore`; what was on its way is lost on it."""
        self._cut = True
        self.connect()

    def restore(self) -> None:
        """Let the link be made again: the replica gets the writes it misses, or a whole copy where they are gone."""
        self._cut = False
        self.connect()

    def availability_changed(self) -> None:
        """The server's outage begins or ends: whoever has a connection with it loses it, or gets a new one."""
        self.connect()
        for replica in self.replicas:
            if self.server.available and not replica.link.is_open:
                replica.connect()

    def connect(self) -> None:
        """Close the connection to the primary, and make a new one if nothing is in its way."""
        primary = self.primary
        if self.link.is_open and primary is not None:
            self._record("replica.cut", primary, missing=primary.offset - self.offset)
        self.link.close()
        self.synced = False
        self.server.world.touch(self.server.name, *([primary.server.name] if primary is not None else []))
        if primary is None or self._cut or not (self._is_up and primary._is_up):
            return
        self.link.open()
        missing = primary._missing(self._history, self.offset)
        if missing is None:
            db = primary.server.keyspace
            self.link.send(primary._actor, self._take_copy, primary._history, primary.offset, states_of(db, db.values))
            return
        self.synced = True
        self.acked = self.offset
        self.link.send(primary._actor, self._go_on, primary._history, len(missing))
        for effect in missing:
            self.link.send(primary._actor, self._take, effect)

    def _take(self, effect: Effect) -> None:
        self.offset = effect.offset
        call = {} if effect.call is None else {"call": effect.call}
        behind_us = self.server.world.now_us - effect.at_us
        self._adopt(effect.states, "replica.applied", text=effect.text, behind_us=behind_us, **call)
        if effect.published is not None:
            self.server.hear(*effect.published)
        self._pass_on(effect)
        self._acknowledge()

    def _take_copy(self, history: str, offset: int, states: tuple[KeyState, ...]) -> None:
        self._history, self.offset = history, offset
        self._shared = ("", 0)
        self._backlog.clear()
        self.synced = True
        self.server.keyspace.clear()
        self._adopt(states, "replica.synced", how="full", keys=len(states))
        for replica in self.replicas:
            replica.connect()
        self._acknowledge()

    def _go_on(self, history: str, count: int) -> None:
        self._history = history
        self._adopt((), "replica.synced", how="partial", writes=count)
        self._acknowledge()

    def _adopt(self, states: tuple[KeyState, ...], kind: str, **fields: object) -> None:
        db, world = self.server.keyspace, self.server.world
        adopt(db, states)
        touched = db.take_touched()
        if world.tracing:
            self._record(kind, self.primary, **fields, changes=changes(db, self.server.name, touched))
        self.server.wake(touched)

    def _acknowledge(self) -> None:
        self.link.answer(self.primary._actor, self.primary._acknowledged, self, self.offset)

    def _acknowledged(self, replica: "Replication", offset: int) -> None:
        replica.acked = offset
        self.acknowledgements.check()

    # What it says of itself

    def state(self) -> str:
        """Of a replica, as ROLE words it: `connected`, `sync` (the whole copy is on its way) or `connect` (no link)."""
        if not self.link.is_open or not self.primary._is_up:
            return "connect"
        return "connected" if self.synced else "sync"

    @property
    def is_alone(self) -> bool:
        """Whether nobody copies this server, and it copies nobody: a write reaches no other."""
        return self.primary is None and not self.replicas

    @property
    def _is_up(self) -> bool:
        return self.server.available and not self._actor.dead

    def _new_history(self) -> str:
        return sha1(f"{self.server.name} {self._promotions}".encode(), usedforsecurity=False).hexdigest()

    def _record(self, kind: str, primary: "Replication", **fields: object) -> None:
        self.server.world.record(kind, self._actor, **{"from": primary.server.name}, **fields)
