"""What a lane would do with its next step, said without taking it.

Decides what can be told of an item that waits in a lane: who acts, on whose behalf, on which text, at which line of a
program. Changes nothing and calls nothing of a program's. The kinds are listed in `DOES`; a page words them.
"""

from __future__ import annotations

import inspect
from asyncio import futures
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import AsyncGeneratorType, CoroutineType, FrameType, GeneratorType
from typing import Any

from .channel import Arrival, Delivery
from .futures import SimTask
from .lanes import Lane
from .loop import SimHandle
from .network import Network
from .offload import _Call
from .request import Push, Request

DOES: dict[str, str] = {
    "request": "a request of `other` with `text` reaches the service `actor`",
    "reply": "the answer of `other` to `text` reaches `actor`",
    "push": "a message that `other` pushed, `text`, reaches `actor`",
    "told": "something that no trace shows, such as the end of a connection, reaches `actor` from `other`",
    "handles": "the service `actor` takes up the request `text` of `other`, which has waited",
    "reads": "`actor` reads the answer of `other` to `text`",
    "takes": "`actor` takes the message `text` that `other` pushed",
    "answers": "the service `actor` answers `text` of `other`, as it meant to at this instant",
    "begins": "a task of `actor` takes its first step",
    "resumes": "a task of `actor` goes on from the await at `line`",
    "wakes": "a timer of `actor` is due: what waits for it, at `line`, may go on",
    "thread": "the thread `actor` carries out the call `text`",
    "nothing": "`actor` takes a step that was cancelled meanwhile and does nothing",
    "step": "`actor` takes a step of asyncio's own, such as passing on a result",
}


@dataclass(frozen=True)
class Next:
    """What a lane would do: kind is one of `DOES`; line: file and number in a program, where one is known."""

    lane: str
    kind: str
    actor: str
    other: str | None = None
    text: str | None = None
    line: tuple[str, int] | None = None


def next_of(lane: Lane, files: Mapping[str, str]) -> Next:
    """What the lane would do next; it must have something to do. files: code file name → the name that readers see."""
    item = lane.items[0]
    if isinstance(item, Delivery):
        return _delivery(lane, item)
    if isinstance(item, Arrival):
        return _arrival(lane, item)
    if isinstance(item, SimHandle):
        return _callback(lane, item, files)
    if isinstance(item, _Call):
        function = item._function
        code = getattr(function, "__code__", None)
        name = getattr(function, "__name__", None)
        line = (files[code.co_filename], code.co_firstlineno) if code and code.co_filename in files else None
        return Next(lane.name, "thread", lane.name, text=name if isinstance(name, str) else None, line=line)
    return Next(lane.name, "step", lane.name)


def _delivery(lane: Lane, item: Delivery) -> Next:
    deliver = getattr(item.deliver, "__func__", None)
    message = item.arguments[0]
    if deliver is Network._deliver_request:
        return Next(lane.name, "request", message.service.actor.name, message.sender, message.text)
    if deliver is Network._deliver_reply:
        return Next(lane.name, "reply", message.caller.name, message.service.actor.name, message.text)
    if deliver is Network._deliver_push:
        return Next(lane.name, "push", message.caller.name, message.service.actor.name, message.text)
    sender, _, receiver = lane.name.partition("→")
    return Next(lane.name, "told", receiver, sender)


def _arrival(lane: Lane, item: Arrival) -> Next:
    messages = (each for each in item.arguments if isinstance(each, (Request, Push)))
    message = next(messages, None)
    if isinstance(message, Push):
        return Next(lane.name, "takes", lane.name, message.service.actor.name, message.text)
    if message is None:
        return Next(lane.name, "told", lane.name)
    if getattr(item.read, "__func__", None) is Network._finish:
        return Next(lane.name, "reads", lane.name, message.service.actor.name, message.text)
    return Next(lane.name, "handles", lane.name, message.sender, message.text)


def _callback(lane: Lane, item: SimHandle, files: Mapping[str, str]) -> Next:
    if item.cancelled():
        return Next(lane.name, "nothing", lane.name)
    owner = getattr(item._callback, "__self__", None)
    if isinstance(owner, SimTask):
        coroutine = owner.get_coro()
        if inspect.iscoroutine(coroutine) and inspect.getcoroutinestate(coroutine) == inspect.CORO_CREATED:
            return Next(lane.name, "begins", lane.name, text=owner.get_name(), line=_line(owner.wrapped, files))
        return Next(lane.name, "resumes", lane.name, text=owner.get_name(), line=_line(coroutine, files))
    if isinstance(owner, Request):
        return Next(lane.name, "answers", lane.name, owner.sender, owner.text)
    if item._callback is futures._set_result_unless_cancelled:
        return Next(lane.name, "wakes", lane.name, line=_line_of_waiter(item._arguments[0], files))
    return Next(lane.name, "step", lane.name)


def _line_of_waiter(future: Any, files: Mapping[str, str]) -> tuple[str, int] | None:
    """The line of the task that waits for the future, if one does."""
    for callback, _ in future._callbacks or ():
        owner = getattr(callback, "__self__", None)
        if isinstance(owner, SimTask):
            return _line(owner.get_coro(), files)
    return None


def _line(coroutine: Any, files: Mapping[str, str]) -> tuple[str, int] | None:
    """The innermost line of a program at which the coroutine stands, through all that it awaits."""
    found = None
    for frame in _frames(coroutine):
        name = files.get(frame.f_code.co_filename)
        if name is not None:
            found = name, frame.f_lineno
    return found


def _frames(awaited: Any) -> Iterator[FrameType]:
    while True:
        if isinstance(awaited, CoroutineType):
            frame, awaited = awaited.cr_frame, awaited.cr_await
        elif isinstance(awaited, GeneratorType):
            frame, awaited = awaited.gi_frame, awaited.gi_yieldfrom
        elif isinstance(awaited, AsyncGeneratorType):
            frame, awaited = awaited.ag_frame, awaited.ag_await
        else:
            return
        if frame is None:
            return
        yield frame
