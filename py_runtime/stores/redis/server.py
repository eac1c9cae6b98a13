"""A Redis server as an actor of a world: requests in, replies out.

Decides which instant a command runs at (the server's own clock), what is recorded of it, when blocked calls go on or
time out, and what an outage means. Which commands there are, and what they do, is in table.py and commands/.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from py_runtime.stores.redis.acknowledgements import Wanted
from py_runtime.stores.redis.blocked import Blocked, Waiter, Waiters
from py_runtime.stores.redis.client import Redis
from py_runtime.stores.redis.command_text import command_text, script_label, script_sha
from py_runtime.stores.redis.connections import CLOSED, Connections
from py_runtime.stores.redis.effects import KeyState, adopt
from py_runtime.stores.redis.errors import ConnectionError, RedisError, ResponseError, response_error
from py_runtime.stores.redis.execute import execute, execute_on, new_keyspace
from py_runtime.stores.redis.footprint import say_what_was_touched
from py_runtime.stores.redis.hints import hint
from py_runtime.stores.redis.packets import Packet, Turn
from py_runtime.stores.redis.replication import Replication
from py_runtime.stores.redis.sessions import Session
from py_runtime.stores.redis.slots import Slots
from py_runtime.stores.redis.table import COMMANDS
from py_runtime.stores.redis.views import changes, snapshot, value_view
from py_runtime.stores.replies import ErrorReply

if TYPE_CHECKING:
    from py_runtime.sim import Actor, Request, World

SHOWN_COMMANDS_MAX = 12  # of a pipeline in the trace; more would hide what else happens


class RedisServer:
    """One server under a name in the world's network.

    world: the run it belongs to. name: actor name, and the `store` in recorded changes. slots: cluster mode, with
    what this node serves. request_us, reply_us: how long a message takes each way. replica_of: a primary to copy, whose
    writes arrive `lag_us` late.
    """

    def __init__(
        self,
        world: "World",
        name: str = "redis",
        slots: Slots | None = None,
        request_us: int = 0,
        reply_us: int = 0,
        replica_of: "RedisServer | None" = None,
        lag_us: int = 0,
    ) -> None:
        self.world = world
        self.name = name
        self.clock_offset_us = 0  # the server's clock minus the world's; a scenario may step it
        if slots is not None:
            slots.join(name, self.hear)
        self.keyspace = new_keyspace(slots)
        self.labels: dict[bytes, str] = {}  # SHA-1 → how the trace names the script
        self._down = False
        self._waiters = Waiters(self._gives_up)
        self.connections = Connections(self, self.keyspace.sessions)
        world.network.serve(name, self._handle, request_us, reply_us, self.connections.closed_by)
        world.outages[name] = self.set_down
        world.restarts[name] = self.restart
        world.standbys[name] = self.keep_standby
        world.loop.precise[name] = None
        if replica_of is not None:
            self.replication.follow(replica_of.replication, lag_us)

    @property
    def available(self) -> bool:
        """False during an outage."""
        return not self._down

    @property
    def blocked_count(self) -> int:
        """How many calls wait in BLPOP, BRPOP, XREAD BLOCK or XREADGROUP BLOCK."""
        return len(self._waiters)

    def client(self, decode_responses: bool = True, socket_timeout: float | None = None) -> Redis:
        """A client with the methods of `redis.asyncio.Redis`.

        decode_responses: replies as `str`, else as `bytes`. socket_timeout: seconds to wait for an answer before
        `TimeoutError`; None waits for ever, so a lost reply then hangs its caller.
        """
        return Redis(self, decode_responses, socket_timeout)

    def set_down(self, down: bool) -> None:
        """Begin or end an outage: calls fail, data stays. Blocked calls lose their connection at once."""
        self._down = down
        if down:
            self.end_blocked(ConnectionError(CLOSED))
            self.connections.cut()
        if self.keyspace.replication is not None:
            self.keyspace.replication.availability_changed()

    def restart(self) -> None:
        """Start again as a server without persistence does: keys and scripts are gone, connections are closed.

        Blocked calls fail. Replicas that follow it lose their data with it, and one that is a replica gets a new copy.
        """
        self.start_over([KeyState(key, None, None) for key in self.keyspace.values], "restarted")

    def keep_standby(self, behind: int) -> Callable[[], None]:
        """Keep a replica that always lacks the last `behind` writes; gives what lets it take over, under this name.

        At a failover what those writes did is undone; scripts are gone, connections are closed, blocked calls fail.
        """
        return self.replication.keep_standby(behind)

    def start_over(self, states: Iterable[KeyState], name: str, lost: int | None = None) -> None:
        """Be another process from now on, which holds these states of keys where it does not hold what this one does.

        name: of the mark that is recorded. lost: how many writes it lacks, None for all that there ever were.
        """
        db, world = self.keyspace, self.world
        self.end_blocked(ConnectionError(CLOSED))
        self.connections.cut()
        db.scripts.clear()
        adopt(db, states)
        touched = db.take_touched()
        db.take_signalled()
        if world.tracing:
            fields = {} if lost is None else {"lost": lost}
            world.record("mark", world.actor(self.name), name=name, **fields, changes=self._changes(touched))
        if db.replication is not None:
            db.replication.start_over(lost)

    def cut_connections(self, actor: "Actor") -> None:
        """Break an actor's connections once: transactions and subscriptions on them end, and what it misses is lost."""
        self.connections.cut(actor)

    def end_blocked(self, error: RedisError) -> None:
        """Let all blocked calls fail."""
        for waiter in self._waiters.drop_all():
            waiter.request.fail(error)
        if self.keyspace.replication is not None:
            self.keyspace.replication.acknowledgements.end_all(error)

    @property
    def replication(self) -> Replication:
        """This server's part in replication: whom it copies, who copies it, the link between."""
        if self.keyspace.replication is None:
            self.keyspace.replication = Replication(self)
        return self.keyspace.replication

    def promote(self) -> int:
        """Make a replica a primary; gives how many writes of the old one had not arrived and are lost."""
        return self.replication.promote()

    def hear(self, channel: bytes, message: bytes) -> None:
        """Pass on what was published at another server to those who listen at this one."""
        self.world.touch(self.name)
        self.keyspace.sessions.publish(channel, message)
        self.connections.send_outgoing()

    def now_us(self) -> int:
        """The server's clock in microseconds: what TIME, expiry and stream ids go by."""
        return self.world.now_us + self.clock_offset_us

    def peek(self, key: str):
        """The value at a key as JSON (see views.py), None when there is none; changes nothing and is not recorded.

        For scenarios and invariants. A key whose moment has passed counts as gone, even if nobody has called since.
        """
        raw = key.encode()
        at_ms = self.keyspace.expires.get(raw)
        if at_ms is not None and at_ms < self.now_us() // 1000:
            return None
        return value_view(self.keyspace.values.get(raw))

    def snapshot(self) -> dict[str, dict]:
        """Every key's whole entry, as the last of the recorded changes left it."""
        return snapshot(self.keyspace, self.name)

    def describe(self, argv: list[bytes]) -> str:
        """The command line for the trace; learns the names of scripts on the way."""
        if argv[0] == b"EVAL" or (argv[0] == b"SCRIPT" and len(argv) == 3):
            self.learn_script(argv[1] if argv[0] == b"EVAL" else argv[2])
        return command_text(argv, self.labels)

    def describe_all(self, commands: list[list[bytes]]) -> str:
        """Command lines that are sent at once, the first of them; `connect` for none."""
        shown = [self.describe(argv) for argv in commands[:SHOWN_COMMANDS_MAX]]
        more = len(commands) - len(shown)
        return "; ".join(shown + [f"… {more} more"] * (more > 0)) or "connect"

    def learn_script(self, script: bytes, sha: bytes | None = None) -> None:
        """Remember how the trace is to name a script."""
        self.labels.setdefault(sha or script_sha(script), script_label(script))

    def _handle(self, request: "Request") -> None:
        if self._down:
            request.fail(ConnectionError(f"Error 111 connecting to {self.name}:6379. Connection refused."))
            return
        if type(request.payload) is Packet:
            self.connections.take(request)
        else:
            self.carry_out(request)

    def carry_out(self, request: "Request | Turn", session: Session | None = None) -> None:
        """Carry out one command and all that follows from it; session: the connection, unless it is plain."""
        db = self.keyspace
        db.refused = None
        db.looked_at = None if self.world.loop.writes is None else []
        now_us = request.now_us + self.clock_offset_us
        argv = request.payload  # a packet's next command once this one is answered
        reply = None
        try:
            if session is None:
                reply = execute(db, argv, now_us)
            else:
                reply = execute_on(session, db, argv, now_us)
        except ErrorReply as error:
            touched = db.take_touched()
            request.fail(self.refusal(argv, error.text), self._changes(touched))
        else:
            touched = db.take_touched()
            if type(reply) is Blocked:
                self._waiters.add(reply, request)
            elif type(reply) is Wanted:
                self.replication.acknowledgements.wait(reply, request)
            else:
                request.complete(reply, self._changes(touched))
        if db.looked_at is not None:
            alone = db.replication is None or db.replication.is_alone
            plain = session is None and alone and not self._waiters.wait_for(touched)
            say_what_was_touched(self, argv, touched, reply, plain)
        if db.replication is not None:
            db.replication.written(touched, request)
        if touched:
            self.wake(touched)
        if db.sessions.outgoing:
            self.connections.send_outgoing()

    def _gives_up(self, waiter: Waiter) -> None:
        """The time of a blocked call is over: whatever changes one of its keys comes before that or after it."""
        if type(waiter.request) is Turn:  # its connection goes on with the packet
            self.world.touch(self.name)
        else:
            self.world.touch(*[(self.name, key) for key in waiter.blocked.keys], changes=False)

    def refusal(self, argv: list[bytes], text: str) -> ResponseError:
        """The exception for an error reply: Redis's text, and a note that says what the text does not."""
        error = response_error(text)
        said = hint(self.keyspace.refused or argv, text, COMMANDS)
        self.keyspace.refused = None
        if said is not None:
            error.add_note(said)
        return error

    def _changes(self, touched: dict) -> list[dict]:
        return changes(self.keyspace, self.name, touched) if touched and self.world.tracing else []

    def wake(self, touched: dict) -> None:
        """Tell who watches these keys, and serve the calls that wait for them."""
        db = self.keyspace
        if db.sessions.watchers:
            db.sessions.mark_touched(touched, db.values)
        signalled = db.take_signalled()
        if not self._waiters:
            return
        for waiter, reply in self._waiters.served(db, {**signalled, **touched}):
            request, served = waiter.request, db.take_touched()
            if db.sessions.watchers:
                db.sessions.mark_touched(served, db.values)
            if isinstance(reply, ErrorReply):
                request.fail(self.refusal(request.payload, reply.text), self._changes(served))
            else:
                request.complete(reply, self._changes(served))
            if db.replication is not None:
                db.replication.written(served, request)
