"""Calls between actors: a request, its execution by a service, and a reply, each a message of its own.

Decides when messages arrive and in which order a scheduler may deliver them: every pair of actors has a channel, and a
delivery is a choice like any step. A service's handler gets one request at a time and answers now or later. Knows
nothing of what a request means: its payload is opaque, its `text` is for the reader.
"""

from __future__ import annotations

from asyncio import CancelledError, Future
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .errors import RunOver, SimulationError
from .faults import PASS, REPLY, REQUEST, Message, Rule, Verdict, judge
from .lanes import Actor, Lane

if TYPE_CHECKING:
    from .world import World


class Request:
    """One call as its service sees it.

    payload: what the caller sent. sender: the calling actor's name. call: the call's number in the run.
    cancelled: the caller gave up or crashed, so a blocked request need not be kept.
    """

    __slots__ = ("_done", "_future", "_network", "_service", "call", "caller", "payload", "text", "waiting")

    def __init__(
        self, network: Network, caller: Actor, service: Service, call: int, payload: Any, text: str, future: Future[Any]
    ) -> None:
        self._network = network
        self._service = service
        self._future = future
        self._done = False
        self.caller = caller
        self.call = call
        self.payload = payload
        self.text = text
        self.waiting = True  # the caller still waits

    @property
    def sender(self) -> str:
        return self.caller.name

    @property
    def now_us(self) -> int:
        """The service's instant, in microseconds."""
        return self._network.world.now_us

    @property
    def cancelled(self) -> bool:
        return not self.waiting or self.caller.dead

    def complete(self, reply: Any, changes: Iterable[Mapping[str, Any]] = (), shown: Any = None, **fields: Any) -> None:
        """Answer with `reply`. `changes` says what the call changed in the store; `shown` is the reply as the trace
        shows it, where `reply` itself is no JSON value."""
        self._answer(reply, None, shown if shown is not None else _plain(reply), changes, fields)

    def fail(self, error: BaseException, changes: Iterable[Mapping[str, Any]] = (), **fields: Any) -> None:
        """Answer with an error, which is raised in the caller."""
        self._answer(None, error, None, changes, {"error": str(error), **fields})

    def call_later(self, delay_us: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """A timer on the service, for calls that block; returns a handle with `cancel()`."""
        return self._network.world.loop_call_later(self._service.actor, delay_us, function, *arguments)

    def _answer(
        self,
        reply: Any,
        error: BaseException | None,
        shown: Any,
        changes: Iterable[Mapping[str, Any]],
        fields: Mapping[str, Any],
    ) -> None:
        if self._done:
            return  # a duplicated request was answered before
        self._done = True
        world = self._network.world
        if world.tracing:
            applied = {"call": self.call, "text": self.text, "reply": shown, **fields}
            listed = [dict(change) for change in changes]
            if listed:
                applied["changes"] = listed
            world.record("call.applied", self._service.actor, **applied)
        self._network.send_reply(self, reply, error, shown)


class Service:
    """An actor that answers calls, and how long messages to and from it take."""

    __slots__ = ("actor", "handle", "reply_us", "request_us", "when_closed")

    def __init__(
        self,
        actor: Actor,
        handle: Callable[[Request], None],
        request_us: int,
        reply_us: int,
        when_closed: Callable[[Actor], None] | None,
    ) -> None:
        self.actor = actor
        self.handle = handle
        self.request_us = request_us
        self.reply_us = reply_us
        self.when_closed = when_closed


class _Channel(Lane):
    """Messages from one actor to another, in order of arrival."""

    __slots__ = ()


class _Delivery:
    """A message that has arrived at its channel; `run()` hands it over."""

    __slots__ = ("arguments", "channel", "deliver", "sequence")

    def __init__(self, channel: _Channel, deliver: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self.channel = channel
        self.deliver = deliver
        self.arguments = arguments
        self.sequence = 0

    def fire(self) -> None:
        self.channel.engine.post(self.channel, self)

    def run(self) -> None:
        self.deliver(*self.arguments)


class _Arrival:
    """A reply waiting in its receiver's own order of steps, as bytes wait in a socket until the loop reads them."""

    __slots__ = ("arguments", "network", "sequence")

    def __init__(self, network: Network, arguments: tuple[Any, ...]) -> None:
        self.network = network
        self.arguments = arguments
        self.sequence = 0

    def run(self) -> None:
        self.network.finish(*self.arguments)


class Network:
    """All calls of a run. Made by the world; programs reach it only through the clients they are handed."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rules: list[Rule] = []
        self._services: dict[str, Service] = {}
        self._channels: dict[tuple[str, str], _Channel] = {}
        self._calls = 0

    def serve(
        self,
        name: str,
        handle: Callable[[Request], None],
        request_us: int = 0,
        reply_us: int = 0,
        when_closed: Callable[[Actor], None] | None = None,
    ) -> Actor:
        """Make the actor `name` a service: `handle(request)` runs once per delivered request and must not wait.

        request_us, reply_us: how long a message takes each way; 0 means that it arrives at the same instant.
        when_closed: told of a crashed caller, after whatever that caller had sent; see `close_connections`.
        """
        if name in self._services:
            raise SimulationError(f"there is already a service named {name}")
        actor = self.world.actor(name)
        self._services[name] = Service(actor, handle, request_us, reply_us, when_closed)
        return actor

    def rule(self, function: Callable[[Message], Verdict], from_us: int = 0, until_us: int | None = None) -> Rule:
        """Install a fault rule for from_us ≤ instant < until_us; returns it, for `lift`."""
        rule = Rule(function, from_us, until_us)
        self.rules.append(rule)
        return rule

    def lift(self, rule: Rule) -> None:
        """End a rule before its time."""
        self.rules.remove(rule)

    async def call(self, to: str, payload: Any, text: str = "", about: Mapping[str, Any] | None = None) -> Any:
        """Send `payload` to the service `to` and wait for its answer; raises the error that the service answered.

        Cancelling the caller does not take the request back: it may already have been carried out.
        """
        world = self.world
        loop = world.loop
        if loop.over:
            raise RunOver
        service = self._services.get(to)
        if service is None:
            raise SimulationError(f"no service is named {to}; there are: {', '.join(sorted(self._services)) or 'none'}")
        caller = world.current_actor()
        self._calls += 1
        request = Request(self, caller, service, self._calls, payload, text, loop.create_future())
        if world.tracing:
            world.record("call.started", caller, call=request.call, to=to, text=text, **(about or {}))
        loop.defer(self._send_request, request)
        try:
            return await request._future
        except CancelledError:
            if request.waiting:
                request.waiting = False
                world.record("call.failed", caller, call=request.call, error="the caller was cancelled")
            raise

    def _send_request(self, request: Request) -> None:
        service = request._service
        self._transmit(
            REQUEST, request, request.caller, service.actor, service.request_us, self._deliver_request, (request,)
        )

    def close_connections(self, caller: Actor) -> None:
        """Let services know that `caller` crashed: its operating system closes its connections.

        That is a message like others, behind the last request, but no fault rule sees it.
        """
        for service in self._services.values():
            channel = self._channels.get((caller.name, service.actor.name))
            if service.when_closed is not None and channel is not None:
                delivery = _Delivery(channel, service.when_closed, (caller,))
                self.world.loop.schedule(self.world.loop.now_us + service.request_us, delivery)

    def send_reply(self, request: Request, reply: Any, error: BaseException | None, shown: Any) -> None:
        """Put the answer on its way; called by `Request`, in the service's step."""
        service = request._service
        self._transmit(
            REPLY,
            request,
            service.actor,
            request.caller,
            service.reply_us,
            self._deliver_reply,
            (request, reply, error, shown),
        )

    def _transmit(
        self,
        direction: str,
        request: Request,
        sender: Actor,
        receiver: Actor,
        latency_us: int,
        deliver: Callable[..., None],
        arguments: tuple[Any, ...],
    ) -> None:
        engine = self.world.loop
        verdict = PASS
        if self.rules:
            message = Message(direction, request.call, sender.name, receiver.name, request.text, engine.now_us)
            verdict = judge(self.rules, message)
            if verdict.name == "drop":
                self._lost(request, direction, "dropped on the way")
                return
            latency_us += verdict.delay_us
        channel = self._channel(sender, receiver)
        for _ in range(2 if verdict.name == "duplicate" else 1):
            delivery = _Delivery(channel, deliver, arguments)
            if latency_us:
                engine.schedule(engine.now_us + latency_us, delivery)
            else:
                engine.post(channel, delivery)

    def _channel(self, sender: Actor, receiver: Actor) -> _Channel:
        channel = self._channels.get((sender.name, receiver.name))
        if channel is None:
            channel = _Channel(self.world.loop, f"{sender.name}→{receiver.name}")
            self._channels[sender.name, receiver.name] = channel
        return channel

    def _deliver_request(self, request: Request) -> None:
        service = request._service
        if service.actor.dead:
            self._lost(request, REQUEST, f"{service.actor.name} is gone")
        elif service.actor.blocked_until_us is not None:
            # A paused service reads its socket when it goes on; until then requests wait in its own order of steps.
            self.world.loop.post(
                service.actor,
                _Delivery(self._channel(request.caller, service.actor), self._deliver_request, (request,)),
            )
        else:
            service.handle(request)

    def _deliver_reply(self, request: Request, reply: Any, error: BaseException | None, shown: Any) -> None:
        if request.caller.dead:
            self._lost(request, REPLY, f"{request.caller.name} is gone")
        else:
            self.world.loop.post(request.caller, _Arrival(self, (request, reply, error, shown)))

    def finish(self, request: Request, reply: Any, error: BaseException | None, shown: Any) -> None:
        """The caller reads the answer; called in the caller's own step."""
        if not request.waiting:
            return
        request.waiting = False
        world = self.world
        if world.tracing:
            if error is None:
                world.record("call.completed", request.caller, call=request.call, reply=shown)
            else:
                world.record("call.failed", request.caller, call=request.call, error=str(error))
        future = request._future
        if future.done():
            return
        if error is None:
            future.set_result(reply)
        else:
            future.set_exception(error)

    def _lost(self, request: Request, direction: str, reason: str) -> None:
        self.world.record(
            "call.lost",
            request._service.actor if direction == REPLY else request.caller,
            call=request.call,
            direction=direction,
            reason=reason,
        )


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
