"""One connection of a client: what it begins on a server holds until it is closed.

Decides when a connection is given up (an error on the way, a timeout, a caller that stops waiting) and in which order
what a server sends is read. Knows no command.
"""

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from py_runtime.stores.redis.client.calls import exchange
from py_runtime.stores.redis.errors import ResponseError
from py_runtime.stores.redis.packets import Packet
from py_runtime.stores.redis.sessions import Frames

if TYPE_CHECKING:
    from py_runtime.stores.redis.server import RedisServer


class Connection:
    """A connection of the running actor. listening: it is there to be pushed to, by `send` and `read`.

    `socket_timeout` as in the client. owner: the actor, on whose crash it ends.
    """

    def __init__(self, server: "RedisServer", socket_timeout: float | None, listening: bool = False) -> None:
        self.owner = server.world.current_actor()
        self._server = server
        self._socket_timeout = socket_timeout
        self._number = server.connections.open(self._pushed if listening else None)
        self._frames: deque[Any] = deque()
        self._reader: asyncio.Future | None = None
        self._closed = False

    @property
    def is_open(self) -> bool:
        """False once either side has closed it; what the server does is known without delay, as to a pool's check."""
        return not self._closed and self._server.connections.is_open(self._number)

    @property
    def is_over(self) -> bool:
        """Whether it is closed, and everything that came before is read."""
        return self._closed and not self._frames

    async def call(self, commands: list[list[bytes]]) -> list:
        """Send command lines in one packet and wait for all replies; `connect` where there is none.

        The error reply to a command sent alone is raised, others stand in the list. Any other failure
        closes the connection.
        """
        try:
            return await exchange(self._server, self._packet(commands), self._text(commands), self._socket_timeout)
        except ResponseError:
            raise
        except BaseException:
            self.close()
            raise

    def send(self, command: list[bytes]) -> None:
        """Send a command line without waiting; what comes back is read by `read`."""
        self._server.world.network.send(
            self._server.name, self._packet([command]), self._text([command]), self._answered
        )

    async def read(self, timeout: float | None) -> Any:
        """What came next from the server, None when nothing did for `timeout` seconds (None: wait for ever).

        Raises the error where that is what came; after `is_over` nothing comes any more.
        """
        if not self._frames and not self._closed:
            await self._arrival(timeout)
        if not self._frames:
            return None
        frame = self._frames.popleft()
        if isinstance(frame, Exception):
            raise frame
        return frame

    def close(self) -> None:
        """End the connection; the server learns of it behind what was sent before."""
        if not self._closed:
            self._closed = True
            self._server.connections.close(self._number)

    async def _arrival(self, timeout: float | None) -> None:
        if self._reader is not None:
            raise RuntimeError("read() called while another coroutine is already waiting for incoming data")
        self._reader = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(timeout):
                await self._reader
        except TimeoutError:
            pass
        finally:
            self._reader = None

    def _answered(self, reply: list | None, error: BaseException | None) -> None:
        if isinstance(error, ResponseError):
            self._came(error)
        elif error is not None:
            self._pushed(None)
        else:
            for each in reply:
                for frame in each if type(each) is Frames else [each]:
                    self._came(frame)

    def _pushed(self, message: list | None) -> None:
        if message is None:
            self._closed = True
            self._wake()
        else:
            self._came(message)

    def _came(self, frame: Any) -> None:
        self._frames.append(frame)
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _packet(self, commands: list[list[bytes]]) -> Packet:
        return Packet(self._number, tuple(commands))

    def _text(self, commands: list[list[bytes]]) -> str:
        world = self._server.world
        return self._server.describe_all(commands) if world.tracing or world.network.rules else ""


class Pool:
    """The connections of one client that nobody uses, the last one given back first."""

    def __init__(self, server: "RedisServer", socket_timeout: float | None) -> None:
        self._server = server
        self._socket_timeout = socket_timeout
        self._free: list[Connection] = []

    def take(self) -> Connection:
        """An open connection of the running actor."""
        actor = self._server.world.current_actor()
        for connection in reversed(self._free):
            if connection.owner is actor:
                self._free.remove(connection)
                if connection.is_open:
                    return connection
        return Connection(self._server, self._socket_timeout)

    def give_back(self, connection: Connection) -> None:
        """Keep a connection for the next user; nothing may be left on it."""
        if connection.is_open:
            self._free.append(connection)

    def close(self) -> None:
        """Close all that is free."""
        for connection in self._free:
            connection.close()
        self._free.clear()
