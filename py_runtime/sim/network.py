"""Calls between actors: a request, its execution by a service, and a reply, each a message of its own.

Decides when messages arrive and in which order a scheduler may deliver them: every pair of actors has a channel, and a
delivery is a choice like any step. A service's handler gets one request at a time and answers now or later; it may also
push messages that nobody asked for. Knows nothing of what a request means: its payload is opaque, its `text` is for the
reader.
"""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .channel import Arrival, Channel, Delivery
from .errors import SimulationError
from .faults import PUSH, REPLY, REQUEST, Message, Rule, Verdict, judge
from .lanes import Actor
from .request import Push, Reader, Request, Service, error_text

if TYPE_CHECKING:
    from .world import World


class Network:
    """All calls of a run. Made by the world; programs reach it only through the clients they are handed."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rules: tuple[Rule, ...] = ()  # replaced, never changed, since a rule may lift itself or install another
        self._services: dict[str, Service] = {}
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

        It may spend time, for which the service is busy; what it raises ends the run with that exception.
        request_us, reply_us: how long a message takes each way; 0 means that it arrives at the same instant.
        when_closed: told of a crashed caller, after whatever that caller had sent; see `close_connections`.
        """
        if name in self._services:
            raise SimulationError(f"there is already a service named {name}")
        actor = self.world.actor(name)
        context = self.world.context_of(actor)
        self._services[name] = Service(actor, context, handle, request_us, reply_us, when_closed)
        return actor

    def rule(self, function: Callable[[Message], Verdict], from_us: int = 0, until_us: int | None = None) -> Rule:
        """Install a fault rule for from_us ≤ instant < until_us; returns it, for `lift`."""
        rule = Rule(function, from_us, until_us)
        self.rules = (*self.rules, rule)
        return rule

    def lift(self, rule: Rule) -> None:
        """End a rule before its time; one that has been lifted already stays so."""
        self.rules = tuple(kept for kept in self.rules if kept is not rule)

    async def call(self, to: str, payload: Any, text: str = "", about: Mapping[str, Any] | None = None) -> Any:
        """Send `payload` to the service `to` and wait for its answer; raises the error that the service answered.

        Cancelling the caller does not take the request back: it may already have been carried out.
        """
        world = self.world
        loop = world.loop
        caller = loop.current_actor()
        if loop.over or caller.dead:
            await loop.create_future()  # the run is over, or this step has crashed its own actor: nothing is sent
        request = self._start(to, caller, payload, text, loop.create_future(), about)
        try:
            return await request.future
        except CancelledError:
            if request.future.cancelled():
                world.record("call.failed", caller, call=request.call, error="the caller was cancelled")
            raise

    def send(self, to: str, payload: Any, text: str, read: Callable[[Any, BaseException | None], None]) -> None:
        """A call without waiting: `read(reply, error)` runs in a step of the caller's own for each answer."""
        caller = self.world.current_actor()
        if not self.world.loop.over and not caller.dead:
            self._start(to, caller, payload, text, Reader(read))

    def _start(
        self,
        to: str,
        caller: Actor,
        payload: Any,
        text: str,
        future: Any,
        about: Mapping[str, Any] | None = None,
    ) -> Request:
        service = self._services.get(to) or self._service(to)
        world = self.world
        self._calls += 1
        request = Request(self, caller, service, self._calls, payload, text, future)
        if world.tracing:
            world.record("call.started", caller, call=request.call, to=to, text=text, **(about or {}))
        way = caller, service.actor, service.request_us
        world.loop.defer(self._transmit, REQUEST, way, self._deliver_request, (request,))
        return request

    def push(self, service: str, to: Actor, payload: Any, text: str, read: Callable[[Any], None]) -> None:
        """Send `payload` from a service to an actor that did not ask for it now: `read(payload)` runs there.

        A message like a reply: it takes `reply_us`, arrives behind what the service has sent that actor before, waits
        while the actor is busy or paused, and fault rules see it, as a PUSH. In the trace it is a call to the actor.
        """
        push = Push(self._service(service), to, self._calls + 1, payload, text, read)
        if self.world.loop.over or push.service.actor.dead:
            return
        self._calls += 1
        self.world.record("call.started", push.service.actor, call=push.call, to=to.name, text=text)
        way = push.service.actor, to, push.service.reply_us
        self.world.loop.defer(self._transmit, PUSH, way, self._deliver_push, (push,))

    def _service(self, name: str) -> Service:
        service = self._services.get(name)
        if service is None:
            known = ", ".join(sorted(self._services)) or "none"
            raise SimulationError(f"no service is named {name}; there are: {known}")
        return service

    def close_connections(self, caller: Actor) -> None:
        """Let services know that `caller` crashed: its operating system closes its connections."""
        for service in self._services.values():
            if service.when_closed is not None and service.actor.name in caller.channels:
                self._follow(caller, service, service.when_closed, caller)

    def follow(self, to: str, handle: Callable[[Any], None], message: Any) -> None:
        """Have the service `to` do `handle(message)` after all that the running actor has sent it so far.

        For what operating systems do, such as closing a connection: no fault rule sees it, and no trace shows it.
        """
        caller = self.world.current_actor()
        if not self.world.loop.over and not caller.dead:
            self.world.loop.defer(self._follow, caller, self._service(to), handle, message)

    def _follow(self, caller: Actor, service: Service, handle: Callable[[Any], None], message: Any) -> None:
        loop = self.world.loop
        channel = self._channel(caller, service.actor)
        at_us = max(loop.now_us + service.request_us, channel.last_us)
        loop.schedule(at_us, Delivery(channel, self._read, (service, handle, message)))

    def relay(
        self, sender: Actor, to: str, delay_us: int, handle: Callable[..., None], message: tuple[Any, ...]
    ) -> None:
        """Have the service `to` do `handle(*message)` once a message of `sender` has got there, `delay_us` from now.

        For what services tell each other: no fault rule sees it, no trace shows it, and it is sent though the sender is
        dead by then. The order is that of the arrivals; where instants are equal, that of sending.
        """
        self.world.loop.defer(self._relay, sender, self._service(to), delay_us, handle, message)

    def _relay(
        self, sender: Actor, service: Service, delay_us: int, handle: Callable[..., None], message: tuple[Any, ...]
    ) -> None:
        channel = self._channel(sender, service.actor)
        self._put(channel, Delivery(channel, self._read, (service, lambda _: handle(*message), None)), delay_us)

    def send_reply(self, request: Request, reply: Any, error: BaseException | None, shown: Any) -> None:
        """Put the answer on its way; called by `Request`, at the instant of the service's step."""
        service = request.service
        way = service.actor, request.caller, service.reply_us
        self._transmit(REPLY, way, self._deliver_reply, (request, reply, error, shown))

    def _transmit(
        self,
        direction: str,
        way: tuple[Actor, Actor, int],
        deliver: Callable[..., None],
        parts: tuple[Any, ...],
    ) -> None:
        """Send a message. way: sender, receiver, how long it takes. parts: of `deliver`, first the request or push."""
        sender, receiver, latency_us = way
        twice = False
        if self.rules:
            request, now_us = parts[0], self.world.loop.now_us
            message = Message(direction, request.call, sender.name, receiver.name, request.text, now_us)
            verdict = judge(self.rules, message)
            if verdict.name == "drop":
                self._lost(request, direction, "dropped on the way")
                return
            latency_us += verdict.delay_us
            twice = verdict.name == "duplicate"
        channel = self._channel(sender, receiver)
        self._put(channel, Delivery(channel, deliver, parts), latency_us)
        if twice:
            self._put(channel, Delivery(channel, deliver, (parts[0].twin(), *parts[1:])), latency_us)

    def _put(self, channel: Channel, delivery: Delivery, latency_us: int) -> None:
        """Put a message into its channel, where it arrives at once or after a while."""
        engine = self.world.loop
        if latency_us:
            at_us = engine.now_us + latency_us
            channel.last_us = max(channel.last_us, at_us)
            engine.schedule(at_us, delivery)
        else:
            engine.post(channel, delivery)

    def _channel(self, sender: Actor, receiver: Actor) -> Channel:
        channel = sender.channels.get(receiver.name)
        if channel is None:
            channel = Channel(self.world.loop, f"{sender.name}→{receiver.name}")
            sender.channels[receiver.name] = channel
        return channel

    def _deliver_request(self, request: Request) -> None:
        service = request.service
        if service.actor.dead:
            self._lost(request, REQUEST, f"{service.actor.name} is gone")
        else:
            self._read(service, service.handle, request)

    def _read(self, service: Service, handle: Callable[..., None], message: Any) -> None:
        """The service reads a message: at once, or behind those that wait already because it is busy or paused."""
        actor = service.actor
        if actor.blocked_until_us is not None or actor.items:
            self.resume(service, handle, message)
        elif not actor.dead:
            self._handle(service, handle, message)

    def resume(self, service: Service, handle: Callable[..., None], message: Any) -> None:
        """Take another step of a service, behind what waits for it: see `Request.call_soon`."""
        self.world.loop.post(service.actor, Arrival(self._handle, (service, handle, message)))

    def _handle(self, service: Service, handle: Callable[..., None], message: Any) -> None:
        self.world.loop.running = service.actor  # whose step this is: what the handler spends, the service pays for
        service.context.run(handle, message)

    def _deliver_reply(self, request: Request, reply: Any, error: BaseException | None, shown: Any) -> None:
        if request.caller.dead:
            self._lost(request, REPLY, f"{request.caller.name} is gone")
        else:
            self.world.loop.post(request.caller, Arrival(self._finish, (request, reply, error, shown)))

    def _deliver_push(self, push: Push) -> None:
        if push.caller.dead:
            self._lost(push, PUSH, f"{push.caller.name} is gone")
        else:
            self.world.loop.post(push.caller, Arrival(self._receive, (push,)))

    def _receive(self, push: Push) -> None:
        """The actor reads a message that was pushed to it; called in the actor's own step."""
        self.world.record("call.applied", push.caller, call=push.call, text=push.text)
        push.read(push.payload)

    def _finish(self, request: Request, reply: Any, error: BaseException | None, shown: Any) -> None:
        """The caller reads the answer; called in the caller's own step."""
        future = request.future
        if future.done():
            return  # the caller gave up, or this is a second answer
        world = self.world
        if world.tracing:
            if error is None:
                world.record("call.completed", request.caller, call=request.call, reply=shown)
            else:
                world.record("call.failed", request.caller, call=request.call, error=error_text(error))
        if error is None:
            future.set_result(reply)
        else:
            future.set_exception(error)

    def _lost(self, request: Request | Push, direction: str, reason: str) -> None:
        self.world.record(
            "call.lost",
            request.caller if direction == REQUEST else request.service.actor,
            call=request.call,
            direction=direction,
            reason=reason,
        )
