"""A server's connections: opened by clients, closed by either side, and the messages pushed through them.

Decides what becomes of a connection whose client closes it, crashes or is cut off. What a connection remembers is in
sessions.py, how its packets are worked on in packets.py. Plain calls need no connection here: a pool has one ready.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from py_runtime.stores.redis.command_text import command_text
from py_runtime.stores.redis.errors import ConnectionError
from py_runtime.stores.redis.packets import Turn
from py_runtime.stores.redis.sessions import Session, Sessions

if TYPE_CHECKING:
    from py_runtime.sim import Actor, Request
    from py_runtime.stores.redis.server import RedisServer

CLOSED = "Connection closed by server."


class Connections:
    """The connections of one server, by number."""

    def __init__(self, server: "RedisServer", sessions: Sessions) -> None:
        self._server = server
        self._sessions = sessions

    def open(self, receive: Callable[[list | None], None] | None = None) -> int:
        """A new connection of the running actor; needs no message, as a pool has it ready.

        receive: called in steps of that actor with each message that is pushed, and with None once the server has
        closed the connection. Without it the connection cannot subscribe.
        """
        return self._sessions.open(self._server.world.current_actor(), receive).number

    def is_open(self, number: int) -> bool:
        return self._sessions.find(number) is not None

    def close(self, number: int) -> None:
        """The client closes a connection: the server learns of it behind all that was sent by it before."""
        session = self._sessions.find(number)
        if session is not None:
            self._server.world.network.follow(self._server.name, self._sessions.close, session)

    def take(self, request: "Request") -> None:
        """Begin to work on a packet, or let it wait for those before it on its connection."""
        session = self._sessions.find(request.payload.connection)
        if session is None:
            request.fail(ConnectionError(CLOSED))
        else:
            Turn(self._server, session, request).begin()

    def closed_by(self, actor: "Actor") -> None:
        """The operating system of a dead process closes its connections."""
        for session in self._sessions.every():
            if session.owner is actor:
                self._sessions.close(session)

    def cut(self, actor: "Actor | None" = None) -> None:
        """Close an actor's connections (None: everyone's) from the server's side; calls that wait in them fail."""
        for session in self._sessions.every():
            if actor is None or session.owner is actor:
                self._sessions.close(session)
                for turn in session.turns.copy():
                    turn.fail(ConnectionError(CLOSED))
                self._push(session, None)

    def send_outgoing(self) -> None:
        """Send what the last command has left to be sent."""
        sessions = self._sessions
        outgoing, sessions.outgoing = sessions.outgoing, []
        for session, message in outgoing:
            if message is None or not session.closed:
                self._push(session, message)

    def _push(self, session: Session, message: list[Any] | None) -> None:
        if session.receive is None:
            return
        network, tracing = self._server.world.network, self._server.world.tracing
        text = "connection closed"
        if message is not None:
            text = command_text([_word(part) for part in message], {}) if tracing or network.rules else ""
        network.push(self._server.name, session.owner, message, text, session.receive)


def _word(part: Any) -> bytes:
    return part if isinstance(part, bytes) else b"nil" if part is None else b"%d" % part
