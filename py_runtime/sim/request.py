"""One call as its service sees it, a message that a service pushes, and what a service is.

Decides what an answer looks like in the trace; knows nothing of when messages arrive (network.py) or what they mean.
"""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Iterable, Mapping
from contextvars import Context
from typing import TYPE_CHECKING, Any

from .errors import describe_error, notes_of
from .lanes import Actor
from .units import require_us

if TYPE_CHECKING:
    from .network import Network


class Request:
    """One call as its service sees it.

    payload: what the caller sent. sender: the calling actor's name. call: the call's number in the run.
    cancelled: the caller gave up or crashed, so a blocked request need not be kept.
    """

    __slots__ = ("_done", "_network", "call", "caller", "future", "payload", "service", "text")

    def __init__(
        self, network: Network, caller: Actor, service: Service, call: int, payload: Any, text: str, future: Future[Any]
    ) -> None:
        self._network = network
        self._done = False
        self.service = service
        self.future = future
        self.caller = caller
        self.call = call
        self.payload = payload
        self.text = text

    def twin(self) -> Request:
        """The same call once more, for a message that arrives twice: it is carried out twice, and answered twice."""
        return Request(self._network, self.caller, self.service, self.call, self.payload, self.text, self.future)

    @property
    def sender(self) -> str:
        return self.caller.name

    @property
    def now_us(self) -> int:
        """The service's instant, in microseconds."""
        return self._network.world.loop.local_us

    @property
    def cancelled(self) -> bool:
        self._network.world.touch(self.caller.name, changes=False)
        return self.future.done() or self.caller.dead

    def applied(self, text: str, reply: Any, changes: Iterable[Mapping[str, Any]] = ()) -> None:
        """Record that the part `text` of this call is carried out, with its reply; the answer comes when all is."""
        if self._network.world.tracing:
            self._record({"text": text, "reply": _plain(reply)}, changes)

    def complete(self, reply: Any, changes: Iterable[Mapping[str, Any]] = (), shown: Any = ..., **fields: Any) -> None:
        """Answer with `reply`. `changes` says what the call changed in the store; `shown` is what the trace shows as
        the reply, where that is not `reply` itself."""
        tracing = self._network.world.tracing
        self._answer(reply, None, _plain(reply if shown is ... else shown) if tracing else None, changes, fields)

    def fail(self, error: BaseException, changes: Iterable[Mapping[str, Any]] = (), **fields: Any) -> None:
        """Answer with an error, which is raised in the caller."""
        self._answer(None, error, None, changes, {"error": error_text(error), **fields})

    def call_soon(self, function: Callable[[Any], None], message: Any) -> None:
        """`function(message)` in a step of the service's own behind what waits for it: others may come in between."""
        self._network.resume(self.service, function, message)

    def call_later(self, delay_us: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """A timer on the service, for calls that block; returns a handle with `cancel()`."""
        return self._network.world.loop_call_later(self.service.actor, delay_us, function, *arguments)

    def _answer(
        self,
        reply: Any,
        error: BaseException | None,
        shown: Any,
        changes: Iterable[Mapping[str, Any]],
        fields: Mapping[str, Any],
    ) -> None:
        if self._done or self.service.actor.dead:
            return  # the first answer holds; a service that has crashed gives none
        self._done = True
        world = self._network.world
        if world.tracing:
            self._record({"text": self.text, "reply": shown, **fields}, changes)
        world.loop.defer(self._network.send_reply, self, reply, error, shown)

    def _record(self, fields: Mapping[str, Any], changes: Iterable[Mapping[str, Any]]) -> None:
        applied = {"call": self.call, **fields}
        listed = list(changes)
        if listed:
            applied["changes"] = listed
        self._network.world.record("call.applied", self.service.actor, **applied)


class Push:
    """A message from a service to an actor, which stands where a call has its caller."""

    __slots__ = ("call", "caller", "payload", "read", "service", "text")

    def __init__(
        self, service: Service, to: Actor, call: int, payload: Any, text: str, read: Callable[[Any], None]
    ) -> None:
        self.service = service
        self.caller = to
        self.call = call
        self.payload = payload
        self.text = text
        self.read = read

    def twin(self) -> Push:
        """A message that arrives twice is read twice."""
        return self


class Reader:
    """Stands where the future of a waiting caller would, for one that reads its answers as they come."""

    __slots__ = ("_read",)

    def __init__(self, read: Callable[[Any, BaseException | None], None]) -> None:
        self._read = read

    def done(self) -> bool:
        return False

    def set_result(self, reply: Any) -> None:
        self._read(reply, None)

    def set_exception(self, error: BaseException) -> None:
        self._read(None, error)


class Service:
    """An actor that answers calls, and how long messages to and from it take."""

    __slots__ = ("actor", "context", "handle", "reply_us", "request_us", "when_closed")

    def __init__(
        self,
        actor: Actor,
        context: Context,
        handle: Callable[[Request], None],
        request_us: int,
        reply_us: int,
        when_closed: Callable[[Actor], None] | None,
    ) -> None:
        self.actor = actor
        self.context = context  # what the handler runs in, so that what it does is the service's own
        self.handle = handle
        self.request_us = require_us("request_us", request_us)
        self.reply_us = require_us("reply_us", reply_us)
        self.when_closed = when_closed


def error_text(error: BaseException) -> str:
    """What an error says, notes included; its class where it says nothing."""
    said = str(error)
    return said + "".join(f" ({note})" for note in notes_of(error)) if said else describe_error(error)


def _plain(reply: Any) -> Any:
    """A reply as JSON can hold it: bytes as text, anything unknown in words."""
    if reply is None or isinstance(reply, (bool, int, str)):
        return reply
    if isinstance(reply, float):
        return repr(reply)  # floats are written as text: no two writers need agree on digits
    if isinstance(reply, (bytes, bytearray)):
        return bytes(reply).decode("utf-8", "backslashreplace")
    if isinstance(reply, Mapping):
        return {str(_plain(key)): _plain(value) for key, value in reply.items()}
    if isinstance(reply, (list, tuple)):
        return [_plain(item) for item in reply]
    return str(reply)
