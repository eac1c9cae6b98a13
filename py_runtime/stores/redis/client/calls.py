"""One call from a program to the server: arguments to bytes, reply to Python values.

Decides encoding, decoding, the timeout of a call and its text in the trace. Knows no command; `replies.py` says what
becomes of each command's reply.
"""

import asyncio
import builtins
from collections.abc import Coroutine
from functools import lru_cache
from typing import TYPE_CHECKING

from py_runtime.stores.redis.client.replies import PARSERS
from py_runtime.stores.redis.errors import DataError, ResponseError, TimeoutError, response_error
from py_runtime.stores.replies import ErrorReply, Status

if TYPE_CHECKING:
    from py_runtime.stores.redis.server import RedisServer


def encode(word) -> bytes:
    """An argument as sent: bytes, or the text of a str, int or float. Raises `DataError` for anything else."""
    kind = type(word)
    if kind is str:  # the most frequent first; kinds made from them are below
        return word.encode()
    if kind is int:
        return b"%d" % word
    if isinstance(word, str):
        return word.encode()
    if isinstance(word, (bytes, bytearray, memoryview)):
        return bytes(word)
    if isinstance(word, (int, float)) and not isinstance(word, bool):
        return repr(word).encode()
    raise DataError(f"Invalid input of type: '{type(word).__name__}'. Convert to a bytes, string, int or float first.")


def decode(reply, to_text: bool):
    """A reply as the program gets it; errors inside lists become exception objects there."""
    kind = type(reply)
    if kind is bytes or kind is Status:
        return reply.decode() if to_text else reply
    if kind is list:
        return [decode(part, to_text) for part in reply]
    return response_error(reply.text) if isinstance(reply, ErrorReply) else reply


def command_line(args: tuple) -> tuple[str, list[bytes]]:
    """The name of a command as replies are read by it, and its line as sent."""
    name, words = _name(args[0])
    return name, [*words, *[encode(word) for word in args[1:]]]


@lru_cache
def _name(text: str) -> tuple[str, list[bytes]]:
    """The name of a command in capitals, and its words as sent."""
    name = text.upper()
    return name, name.encode().split()


def exchange(server: "RedisServer", payload, text: str, socket_timeout: float | None) -> Coroutine:
    """One request and its reply; raises `TimeoutError` where that takes longer than `socket_timeout` seconds."""
    call = server.world.network.call(server.name, payload, text)
    return call if socket_timeout is None else _in_time(server, call, socket_timeout)


async def _in_time(server: "RedisServer", call: Coroutine, socket_timeout: float):
    try:
        async with asyncio.timeout(socket_timeout):
            return await call
    except builtins.TimeoutError:
        raise TimeoutError(f"Timeout reading from {server.name}:6379") from None


class Caller:
    """What all command families below share: `execute_command`."""

    def __init__(self, server: "RedisServer", decode_responses: bool, socket_timeout: float | None) -> None:
        self._server = server
        self._world = server.world
        self._decode_responses = decode_responses
        self._socket_timeout = socket_timeout

    async def execute_command(self, *args, **options):
        """Send any command line. `options` steer the reading of the reply, e.g. `withscores=True`.

        A two-word command may be given as one argument (`"SCRIPT LOAD"`). Raises `ResponseError` where the server
        refuses, `ConnectionError` and `TimeoutError` where it is not known whether the command was carried out.
        """
        name, argv = command_line(args)
        try:
            reply = await self._send(argv)
        except ResponseError:
            if "when_refused" in options:
                return options["when_refused"]
            raise
        return self._read(name, reply, options)

    def _send(self, argv: list[bytes]):
        world = self._world
        text = self._server.describe(argv) if world.tracing or world.network.rules else ""
        return exchange(self._server, argv, text, self._socket_timeout)

    def _read(self, name: str, reply, options: dict):
        if type(reply) is not int and reply is not None:
            reply = decode(reply, self._decode_responses)
        parse = PARSERS.get(name)
        return reply if parse is None else parse(reply, options)

    def _remember_script(self, script) -> None:
        """A script is about to be run by this client, which has nothing to prepare for it."""


def words_of(keys, more=()) -> list:
    """Keys given as one key, as a list, or one by one."""
    return [*([keys] if isinstance(keys, (bytes, str)) else keys), *more]


def whole_seconds(duration):
    """A duration in seconds from a number or anything with `total_seconds()`, such as a timedelta."""
    return int(duration.total_seconds()) if hasattr(duration, "total_seconds") else duration


def whole_ms(duration):
    """The same in milliseconds."""
    return int(duration.total_seconds() * 1000) if hasattr(duration, "total_seconds") else duration


def moment(when, per_second: int):
    """A moment counted from the origin, from a number or anything with `timestamp()`, such as a datetime."""
    return int(when.timestamp() * per_second) if hasattr(when, "timestamp") else when


def expiry_words(ex, px, exat, pxat) -> list:
    """`EX`, `PX`, `EXAT` or `PXAT` with its amount; empty when none is given."""
    if ex is not None:
        if not hasattr(ex, "total_seconds") and not isinstance(ex, int) and not str(ex).isdigit():
            raise DataError("ex must be datetime.timedelta or int")
        return ["EX", whole_seconds(ex)]
    if px is not None:
        return ["PX", whole_ms(px)]
    if exat is not None:
        return ["EXAT", moment(exat, 1)]
    if pxat is not None:
        return ["PXAT", moment(pxat, 1000)]
    return []


def refuse_two(values: tuple, flag: bool, flag_name: str) -> None:
    """Raise when more than one expiry option is given."""
    if len(values) - values.count(None) + bool(flag) > 1:
        raise DataError(f"``ex``, ``px``, ``exat``, ``pxat``, and ``{flag_name}`` are mutually exclusive.")
