"""What a client writes on one connection at once, and the server's work on it, command by command.

Decides when others may come in between: after each command outside a transaction. To the server a `Turn` is the request
of one command after the other, so it carries them out as it does plain calls.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from py_runtime.stores.redis.errors import ResponseError
from py_runtime.stores.redis.sessions import Session
from py_runtime.stores.replies import ErrorReply

if TYPE_CHECKING:
    from py_runtime.sim import Request
    from py_runtime.stores.redis.server import RedisServer


@dataclass(frozen=True, slots=True)
class Packet:
    """Command lines for the connection of that number, in order; none at all asks only whether the server is there."""

    connection: int
    commands: tuple[list[bytes], ...] = ()


class Turn:
    """The server's work on one packet. The answer is one: the replies to all its commands, errors among them."""

    __slots__ = ("_at", "_commands", "_replies", "_request", "_server", "_session", "_working")

    def __init__(self, server: "RedisServer", session: Session, request: "Request") -> None:
        self._server = server
        self._session = session
        self._request = request
        self._commands = request.payload.commands
        self._replies: list[Any] = []
        self._at = 0
        self._working = False

    def begin(self) -> None:
        """Take a place behind the packets that came by this connection before."""
        if not self._commands:
            self._request.complete([])
            return
        self._session.turns.append(self)
        if self._session.turns[0] is not self:
            return
        if self._is_whole:
            self._work()
        else:
            self._request.call_soon(Turn._work, self)

    def _work(self, _: Any = None) -> None:
        """Carry out commands until one has to wait, or until others may come in between."""
        session, last = self._session, len(self._commands) - 1
        self._working = True
        while not session.closed:
            at = self._at
            self._server.carry_out(self, session)
            if self._at == at or at == last:
                break
            if session.queue is None:
                self._request.call_soon(Turn._work, self)
                break
        self._working = False

    @property
    def _is_whole(self) -> bool:
        """Whether nothing can come in between: one command, or one transaction."""
        return len(self._commands) == 1 or self._commands[0][0] == b"MULTI"

    # The request of the command that is being carried out

    @property
    def payload(self) -> list[bytes]:
        return self._commands[self._at]

    @property
    def text(self) -> str:
        """The packet as a whole where it changes data at one moment, else the command."""
        return self._request.text if self._is_whole else self._server.describe(self.payload)

    @property
    def call(self) -> int:
        return self._request.call

    @property
    def sender(self) -> str:
        return self._request.sender

    @property
    def now_us(self) -> int:
        return self._request.now_us

    @property
    def cancelled(self) -> bool:
        return self._session.closed or self._request.cancelled

    def call_later(self, delay_us: int, function, *arguments) -> Any:
        return self._request.call_later(delay_us, function, *arguments)

    def complete(self, reply: Any, changes=()) -> None:
        if type(reply) is list:
            reply = [self._refused(part) if type(part) is ErrorReply else part for part in reply]
        self._answer(reply, changes)

    def fail(self, error: Exception, changes=()) -> None:
        if isinstance(error, ResponseError):
            self._answer(error, changes)
        else:
            self._request.fail(error, changes)
            self._end()

    def _refused(self, error: ErrorReply) -> ResponseError:
        return self._server.refusal(error.argv or self.payload, error.text)

    def _answer(self, reply: Any, changes) -> None:
        session, request = self._session, self._request
        self._replies.append(reply)
        if self._at < len(self._commands) - 1 and not session.closed:
            if session.queue is None and self._server.world.tracing:
                request.applied(self._server.describe(self.payload), reply, changes)
            self._at += 1
            if not self._working:  # it had to wait; whoever made it go on is still at work
                request.call_soon(Turn._work, self)
            return
        self._at += 1
        if len(self._commands) == 1 and isinstance(reply, ResponseError):
            request.fail(reply, changes)
        else:
            request.complete(self._replies, changes, reply if self._is_whole else self._replies)
        self._end()

    def _end(self) -> None:
        """Let the next packet of this connection have its turn."""
        turns = self._session.turns
        if self in turns:
            turns.remove(self)
            if turns:
                self._request.call_soon(Turn._work, turns[0])
