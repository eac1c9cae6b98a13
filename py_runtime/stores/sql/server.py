"""An SQL server as an actor of a world: statements in, row counts out.

Decides what the trace records of a statement, which transaction a message belongs to, what an outage or a caller's
crash does to open transactions, and what the server's clock says. What statements mean is `database.py`'s business.
"""

from typing import TYPE_CHECKING

from py_runtime.stores.sql.client import Message, SqlClient
from py_runtime.stores.sql.database import SqlDatabase
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.footprint import Footprint
from py_runtime.stores.sql.sessions import Execution, Session

if TYPE_CHECKING:
    from py_runtime.sim import Actor, Request, World


class SqlServer:
    """One database under a name in the world's network.

    world: the run it belongs to. name: actor name, and the `store` in recorded changes. request_us, reply_us: how long
    a message takes each way.
    """

    def __init__(self, world: "World", name: str = "sql", request_us: int = 0, reply_us: int = 0) -> None:
        self.world = world
        self.name = name
        self.clock_offset_us = 0  # the server's clock minus the world's; a scenario may step it
        self.database = SqlDatabase(name, self.now_us)
        self._down = False
        self._connections: dict[int, tuple[Session, Actor]] = {}
        self._connections_made = 0
        self._waiting: dict[Execution, Request] = {}
        world.network.serve(name, self._handle, request_us, reply_us, self._caller_crashed)
        world.outages[name] = self.set_down
        world.restarts[name] = self.restart
        world.loop.precise[name] = None

    @property
    def available(self) -> bool:
        """False during an outage."""
        return not self._down

    @property
    def waiting_count(self) -> int:
        """How many statements wait for a row that another transaction holds."""
        return len(self._waiting)

    def client(self, timeout: float | None = None) -> SqlClient:
        """A client that any number of tasks may share.

        timeout: seconds to wait for an answer before `TimeoutError`, after which nobody knows whether the statement
        was carried out; None waits for ever, so a lost reply then hangs its caller.
        """
        return SqlClient(self, timeout)

    def set_down(self, down: bool) -> None:
        """Begin or end an outage: calls are refused; committed rows stay, open transactions and connections do not."""
        self._down = down
        if not down:
            return
        for execution, request in list(self._waiting.items()):
            request.fail(ConnectionResetError(f"{self.name} closed the connection"))
            self.database.cancel(execution, SqlError("the server went down", sqlstate="57P01"))
        for session, _actor in self._connections.values():
            self.database.disconnect(session)
        self._connections.clear()

    def restart(self) -> None:
        """Start again: committed rows are on disk, open transactions and connections are gone."""
        down = self._down
        self.set_down(True)
        self._down = down

    def now_us(self) -> int:
        """The server's clock in microseconds: what now() goes by."""
        return self.world.now_us + self.clock_offset_us

    def rows(self, table: str) -> list[dict[str, object]]:
        """A table's committed rows in insertion order. For scenarios and invariants: changes and records nothing."""
        return self.database.rows(table)

    def open_connection(self) -> int:
        """Number a new connection of the running actor; needs no message, as a pool has it ready."""
        self._connections_made += 1
        session = self.database.session()
        self._connections[self._connections_made] = (session, self.world.current_actor())
        return self._connections_made

    def close_connection(self, number: int) -> None:
        """End a connection; an open transaction is undone. A number that is gone already is fine."""
        session, _actor = self._connections.pop(number, (None, None))
        if session is not None:
            self.database.disconnect(session)

    def _handle(self, request: "Request") -> None:
        message: Message = request.payload
        if self._down:
            request.fail(ConnectionRefusedError(f"{self.name} refused the connection"))
            return
        session = self.database.session(single=True)
        if message.connection is not None:
            session, _actor = self._connections.get(message.connection, (None, None))
            if session is None:
                request.fail(ConnectionResetError(f"{self.name} has closed this connection"))
                return
            if not self._free(session):
                request.fail(SqlError("another statement is in progress on this connection", sqlstate="55000"))
                return
        if self.world.loop.writes is not None:
            session.footprint = Footprint()
        execution = self.database.start(
            session, message.text, message.parameters, lambda execution: self._answer(execution, request)
        )
        if not execution.done:
            self._waiting[execution] = request
        if session.footprint is not None:
            self._say_what_was_touched(session, execution)

    def _say_what_was_touched(self, session: Session, execution: Execution) -> None:
        """Tell an exploration, which swaps statements that have nothing in common; one that had to wait has all."""
        footprint, touch = session.footprint, self.world.touch
        session.footprint = None
        plain = session.single and execution.done and not footprint.whole
        touch((self.name, "rows"), changes=not plain)
        if plain:
            touch(*[(self.name, *name) for name in footprint.reads], changes=False)
            touch(*[(self.name, *name) for name in footprint.writes])

    def _free(self, session: Session) -> bool:
        """Say whether a connection can take a statement; one that its caller gave up on is cancelled for the next."""
        for execution, request in list(self._waiting.items()):
            if execution.session is session:
                if not request.cancelled:
                    return False
                self.database.cancel(execution, SqlError("canceling statement due to user request", sqlstate="57014"))
        return True

    def _answer(self, execution: Execution, request: "Request") -> None:
        self._waiting.pop(execution, None)
        result = execution.result
        if result is None:
            request.fail(execution.error)
            return
        fields: dict[str, object] = {"row_count": result.row_count}
        if result.unmatched:
            fields["unmatched"] = _traced(result.unmatched)
        if result.unmatched_left_out:
            fields["unmatched_left_out"] = result.unmatched_left_out
        shown = {"row_count": result.row_count}
        if result.rows:
            shown["rows"] = _traced(result.rows)
        request.complete((result.rows, result.row_count), _traced(result.changes), shown, **fields)

    def _caller_crashed(self, actor: "Actor") -> None:
        """The operating system of a dead process closes its connections, so its open transactions are undone."""
        for number, (_session, owner) in list(self._connections.items()):
            if owner is actor:
                self.close_connection(number)


def _traced(value):
    """Write floats as text: traces are compared by digest, and writers of JSON need not agree on a float's digits."""
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return {name: _traced(item) for name, item in value.items()}
    return [_traced(item) for item in value] if isinstance(value, list) else value
