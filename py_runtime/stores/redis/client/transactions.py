"""A pipeline: commands collected and sent at once, as one transaction or not; WATCH and then MULTI.

Decides when a command is sent at once and when it is kept, and what becomes of the replies. The rules, names and texts
are those of redis-py's `Pipeline`.
"""

import textwrap
from typing import TYPE_CHECKING, Any

from py_runtime.stores.redis.client.calls import Caller, command_line
from py_runtime.stores.redis.client.connection import Connection, Pool
from py_runtime.stores.redis.errors import (
    ConnectionError,
    ExecAbortError,
    RedisError,
    ResponseError,
    TimeoutError,
    WatchError,
)

if TYPE_CHECKING:
    from py_runtime.stores.redis.client.scripts import AsyncScript

_SHOWN_MAX = 100
_UNWATCHING = ("DISCARD", "EXEC", "UNWATCH")


class PipelineMethods(Caller):
    """What a pipeline does beside the commands themselves; mixed with the command methods in `Pipeline`."""

    def __init__(self, client: Caller, pool: Pool, transaction: bool) -> None:
        super().__init__(client._server, client._decode_responses, client._socket_timeout)
        self._pool = pool
        self.connection: Connection | None = None
        self.is_transaction = transaction
        self.explicit_transaction = False
        self.watching = False
        self.command_stack: list[tuple[tuple, dict[str, Any]]] = []
        self.scripts: dict[AsyncScript, None] = {}

    def __await__(self):
        return self._itself().__await__()

    async def _itself(self):
        return self

    def __len__(self) -> int:
        return len(self.command_stack)

    def __bool__(self) -> bool:
        return True

    async def reset(self) -> None:
        """Forget what was collected, and watch nothing any more."""
        self.command_stack = []
        self.scripts = {}
        try:
            if self.watching and self.connection is not None and self.connection.is_open:
                try:
                    await self.connection.call([[b"UNWATCH"]])
                except ConnectionError:
                    pass  # a closed connection watches nothing
        finally:
            self.watching = False
            self.explicit_transaction = False
            connection, self.connection = self.connection, None
            if connection is not None:
                self._pool.give_back(connection)

    async def aclose(self) -> None:
        await self.reset()

    def multi(self) -> None:
        """Collect commands again after WATCH, for `execute`."""
        if self.explicit_transaction:
            raise RedisError("Cannot issue nested calls to MULTI")
        if self.command_stack:
            raise RedisError("Commands without an initial WATCH have already been issued")
        self.explicit_transaction = True

    def execute_command(self, *args, **options):
        """Keep the command and give the pipeline; after WATCH and before `multi()` send it, to be awaited."""
        if (self.watching or args[0] == "WATCH") and not self.explicit_transaction:
            return self.immediate_execute_command(*args, **options)
        return self.pipeline_execute_command(*args, **options)

    def pipeline_execute_command(self, *args, **options):
        self.command_stack.append((args, options))
        return self

    async def immediate_execute_command(self, *args, **options):
        """Send one command by the pipeline's connection and give its reply."""
        reply = await super().execute_command(*args, **options)
        name = args[0].upper()
        if name == "WATCH" or name in _UNWATCHING:
            self.watching = name == "WATCH"
        return reply

    async def _send(self, argv: list[bytes]):
        try:
            return (await self._connected().call([argv]))[0]
        except (ConnectionError, TimeoutError) as error:
            if self.watching:
                await self.reset()
                raise _watch_lost(error) from error
            raise

    async def watch(self, *names):
        """Let `execute` do nothing, and raise `WatchError`, if one of these keys changes from now on."""
        if self.explicit_transaction:
            raise RedisError("Cannot issue a WATCH after a MULTI")
        return await self.execute_command("WATCH", *names)

    async def unwatch(self):
        return self.watching and await self.execute_command("UNWATCH") or True

    async def discard(self) -> None:
        await self.execute_command("DISCARD")

    async def execute(self, raise_on_error: bool = True) -> list:
        """Send what was collected and give the replies in order.

        Errors among them are raised, the first one with its place, or with `raise_on_error=False` stand in the list. In
        a transaction raises `WatchError` when a watched key has changed; then nothing was done.
        """
        stack = self.command_stack
        if not stack and not self.watching:
            return []
        try:
            if self.scripts:
                await self._load_scripts()
            send = self._send_transaction if self.is_transaction or self.explicit_transaction else self._send_pipeline
            return await send(stack, raise_on_error)
        except (ConnectionError, TimeoutError) as error:
            if self.watching:
                raise _watch_lost(error) from error
            raise
        finally:
            await self.reset()

    async def _send_transaction(self, stack: list, raise_on_error: bool) -> list:
        sent = [args for args, options in stack if "when_refused" not in options]
        lines = [[b"MULTI"], *[command_line(args)[1] for args in sent], [b"EXEC"]]
        queued = await self._connected().call(lines)
        replies = queued.pop()
        errors: list[tuple[int, Any]] = [(0, queued[0])] if isinstance(queued[0], ResponseError) else []
        answers = iter(queued[1:])
        for place, (args, options) in enumerate(stack):
            answer = options["when_refused"] if "when_refused" in options else next(answers)
            if isinstance(answer, ResponseError):
                _annotate(answer, place, args)
            if isinstance(answer, ResponseError) or "when_refused" in options:
                errors.append((place, answer))
        if isinstance(replies, ExecAbortError) and errors:
            raise errors[0][1] from replies
        if isinstance(replies, ResponseError):
            raise replies
        self.watching = False
        if replies is None:
            raise WatchError("Watched variable changed.")
        for place, answer in errors:
            replies.insert(place, answer)
        if len(replies) != len(stack):
            self.connection.close()
            raise ResponseError("Wrong number of response items from pipeline execution")
        if raise_on_error:
            _raise_first(replies, stack)
        return [self._read_one(reply, args, options) for reply, (args, options) in zip(replies, stack, strict=True)]

    async def _send_pipeline(self, stack: list, raise_on_error: bool) -> list:
        try:
            replies = await self._connected().call([command_line(args)[1] for args, options in stack])
        except ResponseError as error:  # raised where there is one command alone
            replies = [error]
        given = []
        for reply, (args, options) in zip(replies, stack, strict=True):
            refused = isinstance(reply, ResponseError) and "when_refused" in options
            given.append(options["when_refused"] if refused else self._read_one(reply, args, options))
        if raise_on_error:
            _raise_first(given, stack)
        return given

    def _read_one(self, reply: Any, args: tuple, options: dict[str, Any]) -> Any:
        if isinstance(reply, ResponseError) or reply is options.get("when_refused", self):
            return reply
        return self._read(args[0].upper(), reply, options)

    async def _load_scripts(self) -> None:
        scripts = list(self.scripts)
        known = await self.immediate_execute_command("SCRIPT EXISTS", *[script.sha for script in scripts])
        for script, is_known in zip(scripts, known, strict=True):
            if not is_known:
                script.sha = await self.immediate_execute_command("SCRIPT LOAD", script.script)

    def _remember_script(self, script: "AsyncScript") -> None:
        self.scripts[script] = None

    def _connected(self) -> Connection:
        if self.connection is None or (not self.watching and not self.connection.is_open):
            self.connection = self._pool.take()
        return self.connection


def _watch_lost(error: Exception) -> WatchError:
    return WatchError(f"A {type(error).__name__} occurred while watching one or more keys")


def _raise_first(replies: list, stack: list) -> None:
    for place, reply in enumerate(replies):
        if isinstance(reply, ResponseError):
            _annotate(reply, place, stack[place][0])
            raise reply


def _annotate(error: ResponseError, place: int, args: tuple) -> None:
    """Put the command and its place before what the error says."""
    words = [word.decode("utf-8", "replace") if isinstance(word, bytes) else str(word) for word in args]
    command = textwrap.shorten(" ".join(words), _SHOWN_MAX, placeholder="...", break_long_words=True)
    error.args = (f"Command # {place + 1} ({command}) of pipeline caused error: {error.args}", *error.args[1:])
