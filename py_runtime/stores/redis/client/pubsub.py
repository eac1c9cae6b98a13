"""Publishing, and a subscriber: what it is subscribed to, and the messages as the program gets them.

Decides what a message looks like, which handler gets it, and that a subscriber whose connection is gone connects and
subscribes again with its next read (what was published meanwhile is lost). Names and messages are those of redis-py.
"""

import asyncio
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from py_runtime.stores.redis.client.calls import Caller, command_line, decode, encode
from py_runtime.stores.redis.client.connection import Connection
from py_runtime.stores.redis.errors import PubSubError

if TYPE_CHECKING:
    from py_runtime.stores.redis.server import RedisServer

_NOT_SET = "pubsub connection not set: did you forget to call subscribe() or psubscribe()?"


class PublishMethods(Caller):
    """See the table of commands for what each does; arguments and replies are redis-py's."""

    def publish(self, channel, message):
        return self.execute_command("PUBLISH", channel, message)

    def pubsub_channels(self, pattern="*"):
        return self.execute_command("PUBSUB CHANNELS", pattern)

    def pubsub_numpat(self):
        return self.execute_command("PUBSUB NUMPAT")

    def pubsub_numsub(self, *args):
        return self.execute_command("PUBSUB NUMSUB", *args)


@dataclass(frozen=True)
class Subscription:
    """A channel or pattern with the function that gets its messages; for names that are no Python words."""

    name: Any
    handler: Callable[[dict], Any] | None = None


class PubSub:
    """A subscriber; made by `Redis.pubsub()`. One task may read from it at a time."""

    def __init__(
        self,
        server: "RedisServer",
        decode_responses: bool,
        socket_timeout: float | None,
        ignore_subscribe_messages: bool,
    ) -> None:
        self._server = server
        self._decode_responses = decode_responses
        self._socket_timeout = socket_timeout
        self.ignore_subscribe_messages = ignore_subscribe_messages
        self.connection: Connection | None = None
        self.channels: dict[Any, Callable | None] = {}
        self.patterns: dict[Any, Callable | None] = {}
        self._leaving: set[tuple[str, Any]] = set()  # (kind of message that will confirm it, name)

    async def __aenter__(self) -> "PubSub":
        return self

    async def __aexit__(self, *error) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """End all subscriptions, and the connection."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None
        self.channels, self.patterns = {}, {}
        self._leaving.clear()

    close = reset = aclose

    @property
    def subscribed(self) -> bool:
        """Whether there are subscriptions."""
        return bool(self.channels or self.patterns)

    async def connect(self) -> None:
        """Connect unless connected, and subscribe to what there was before; raises `ConnectionError`."""
        if self.connection is not None and not self.connection.is_over:
            return
        self.connection = Connection(self._server, self._socket_timeout, listening=True)
        await self.connection.call([])
        self._leaving.clear()
        for name, kept in (("SUBSCRIBE", self.channels), ("PSUBSCRIBE", self.patterns)):
            if kept:
                self._send(name, *kept)

    async def execute_command(self, *args) -> None:
        """Send a command; its answer comes among the messages."""
        await self.connect()
        self._send(*args)

    async def subscribe(self, *args, **kwargs) -> None:
        """Subscribe to channels, with handlers where they are given as `channel=function` or as `Subscription`."""
        await self._add("SUBSCRIBE", "unsubscribe", self.channels, args, kwargs)

    async def psubscribe(self, *args, **kwargs) -> None:
        """The same for patterns of channels."""
        await self._add("PSUBSCRIBE", "punsubscribe", self.patterns, args, kwargs)

    async def unsubscribe(self, *args) -> None:
        """End subscriptions to channels, all without arguments; they count until the server has confirmed it."""
        await self._take_off("UNSUBSCRIBE", self.channels, args)

    async def punsubscribe(self, *args) -> None:
        """The same for patterns."""
        await self._take_off("PUNSUBSCRIBE", self.patterns, args)

    async def ping(self, message=None) -> None:
        await self.execute_command("PING", *([] if message is None else [message]))

    async def get_message(self, ignore_subscribe_messages: bool = False, timeout: float | None = 0.0) -> dict | None:
        """The next message; None when none came within `timeout` seconds (None: wait for ever) or a handler got it."""
        response = await self.parse_response(block=timeout is None, timeout=timeout)
        return await self.handle_message(response, ignore_subscribe_messages) if response else None

    async def listen(self):
        """All messages, as long as there are subscriptions."""
        while self.subscribed:
            message = await self.handle_message(await self.parse_response(block=True))
            if message is not None:
                yield message

    async def run(self, *, exception_handler=None, poll_timeout: float = 1.0, pubsub=None) -> None:
        """Let handlers get the messages, for ever; every subscription needs one."""
        for kind, kept in (("Channel", self.channels), ("Pattern", self.patterns)):
            for name, handler in kept.items():
                if handler is None:
                    raise PubSubError(f"{kind}: '{name}' has no handler registered")
        await self.connect()
        while True:
            try:
                await (pubsub or self).get_message(ignore_subscribe_messages=True, timeout=poll_timeout)
            except asyncio.CancelledError:
                raise
            except BaseException as error:
                if exception_handler is None:
                    raise
                handled = exception_handler(error, self)
                if inspect.isawaitable(handled):
                    await handled
            await asyncio.sleep(0)

    async def parse_response(self, block: bool = True, timeout: float = 0):
        """What came next, as the server sent it; None when nothing did in time. Connects again where that is needed."""
        if self.connection is None:
            raise RuntimeError(_NOT_SET)
        while True:
            await self.connect()
            connection = self.connection
            frame = await connection.read(None if block else timeout)
            if frame is not None or not connection.is_over:
                return decode(frame, self._decode_responses)

    async def handle_message(self, response, ignore_subscribe_messages: bool = False) -> dict | None:
        """The message of what came; None where a handler got it, or where it is to be ignored."""
        if isinstance(response, bytes):
            response = [b"pong", response] if response != b"PONG" else [b"pong", b""]
        kind = response[0].decode() if isinstance(response[0], bytes) else response[0]
        message = {"type": kind, "pattern": None, "channel": None, "data": response[-1]}
        if kind == "pmessage":
            message["pattern"], message["channel"] = response[1:3]
        elif kind != "pong":
            message["channel"], message["data"] = response[1], response[2]
        if (kind, message["channel"]) in self._leaving:
            self._leaving.discard((kind, message["channel"]))
            (self.patterns if kind == "punsubscribe" else self.channels).pop(message["channel"], None)
        if kind in ("message", "pmessage"):
            kept = self.channels if kind == "message" else self.patterns
            handler = kept.get(message["channel" if kind == "message" else "pattern"])
            if handler:
                handled = handler(message)
                if inspect.iscoroutine(handled):
                    await handled
                return None
        elif kind != "pong" and (ignore_subscribe_messages or self.ignore_subscribe_messages):
            return None
        return message

    async def _add(self, command: str, left_by: str, kept: dict, args: tuple, kwargs: dict) -> None:
        wanted = {}
        for name in _flat(args):
            handler = None
            if isinstance(name, Subscription):
                name, handler = name.name, name.handler
            wanted[name] = handler
        wanted.update(kwargs)
        await self.execute_command(command, *wanted)
        for name, handler in wanted.items():
            kept[self._as_read(name)] = handler
            self._leaving.discard((left_by, self._as_read(name)))

    async def _take_off(self, command: str, kept: dict, args: tuple) -> None:
        names = _flat(args)
        self._leaving.update((command.lower(), self._as_read(name)) for name in (names or kept))
        await self.execute_command(command, *names)

    def _as_read(self, name) -> Any:
        """A name as it stands in messages, text or bytes."""
        return decode(encode(name), self._decode_responses)

    def _send(self, *args) -> None:
        self.connection.send(command_line(args)[1])


def _flat(args: tuple) -> list:
    """Names given one by one, or the first of them as a list."""
    if not args:
        return []
    first = [args[0]] if isinstance(args[0], (str, bytes, Subscription)) else list(args[0])
    return [*first, *args[1:]]
