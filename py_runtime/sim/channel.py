"""A message on its way: the channel between two actors, the delivery in it, the arrival at a receiver that is busy.

Decides only the order: within a channel as the messages arrive, at the receiver as its own steps come. What a message
is and what may befall it is network.py's business.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .lanes import Lane, Timer

if TYPE_CHECKING:
    from .engine import Engine


class Channel(Lane):
    """Messages from one actor to another, in order of arrival; `last_us`: the last of those that take time arrives."""

    __slots__ = ("last_us",)

    def __init__(self, engine: Engine, name: str) -> None:
        super().__init__(engine, name)
        self.last_us = 0


class Delivery(Timer):
    """A message on its way through a channel; `run()` hands it over."""

    __slots__ = ("arguments", "channel", "deliver", "sequence")

    def __init__(self, channel: Channel, deliver: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self.channel = channel
        self.deliver = deliver
        self.arguments = arguments
        self.sequence = 0

    def fire(self) -> None:
        self.channel.engine.post(self.channel, self)

    def run(self) -> None:
        self.deliver(*self.arguments)


class Arrival:
    """A message waiting in its receiver's own order of steps, as bytes wait in a socket until the loop reads them."""

    __slots__ = ("arguments", "read", "sequence")

    def __init__(self, read: Callable[..., None], arguments: tuple[Any, ...]) -> None:
        self.read = read
        self.arguments = arguments
        self.sequence = 0

    def run(self) -> None:
        self.read(*self.arguments)
