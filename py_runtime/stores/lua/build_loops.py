"""Closures for the four loops. Each turn costs a step.

Decides that `pairs` and `ipairs` walk the table directly when the loop got the library's own iterator: the result is
that of calling it each time. A walk sees entries that are cleared or changed on the way; entries added to the hash
part meanwhile are not visited (Lua leaves that undefined).
"""

from collections.abc import Callable
from types import FunctionType

from py_runtime.stores.lua import operators, syntax
from py_runtime.stores.lua.builder import BREAK, STATEMENTS, Builder
from py_runtime.stores.lua.errors import StepsExhausted, Unwinding, fault, pass_call
from py_runtime.stores.lua.library.base import ipairs_step, next_entry
from py_runtime.stores.lua.tables import LuaTable, plain_key
from py_runtime.stores.lua.values import to_number


def _while(builder: Builder, node: syntax.While) -> Callable:
    holds, body, line = builder.condition(node.condition), builder.block(node.body), node.line

    def loop(frame: list) -> object:
        run = frame[0]
        while holds(frame):
            run.steps -= 1
            if run.steps < 0:
                raise StepsExhausted(line)
            ended = body(frame)
            if ended is not None:
                return None if ended is BREAK else ended
        return None

    return loop


def _repeat(builder: Builder, node: syntax.Repeat) -> Callable:
    holds, body, line = builder.condition(node.condition), builder.block(node.body), node.line

    def loop(frame: list) -> object:
        run = frame[0]
        while True:
            run.steps -= 1
            if run.steps < 0:
                raise StepsExhausted(line)
            ended = body(frame)
            if ended is not None:
                return None if ended is BREAK else ended
            if holds(frame):
                return None

    return loop


def _bound(value: object, what: str, line: int) -> float:
    number = to_number(value)
    if number is None:
        raise fault(line, f"'for' {what} must be a number")
    return number


def _numeric_for(builder: Builder, node: syntax.NumericFor) -> Callable:
    start, limit = builder.expression(node.start), builder.expression(node.limit)
    step, body = builder.expression(node.step), builder.block(node.body)
    slot, captured, line = node.variable.slot, node.variable.captured, node.line

    def loop(frame: list) -> object:
        run = frame[0]
        at, last, stride = start(frame), limit(frame), step(frame)
        at = _bound(at, "initial value", line)
        last = _bound(last, "limit", line)
        stride = _bound(stride, "step", line)
        while at <= last if stride > 0 else at >= last:
            run.steps -= 1
            if run.steps < 0:
                raise StepsExhausted(line)
            frame[slot] = [at] if captured else at
            ended = body(frame)
            if ended is not None:
                return None if ended is BREAK else ended
            at += stride
        return None

    return loop


def _walk_pairs(turn: Callable, frame: list, table: LuaTable) -> object:
    index = 0
    while index < len(table.array):
        value = table.array[index]
        index += 1
        if value is not None:
            ended = turn(frame, float(index), value)
            if ended is not None:
                return ended
    for key in table.key_list():
        value = table.hash.get(key)
        if value is not None:
            ended = turn(frame, plain_key(key), value)
            if ended is not None:
                return ended
    return None


def _walk_ipairs(turn: Callable, frame: list, table: LuaTable) -> object:
    index = 1.0
    while (value := LuaTable.get(table, index)) is not None:
        ended = turn(frame, index, value)
        if ended is not None:
            return ended
        index += 1.0
    return None


def _turn(builder: Builder, node: syntax.GenericFor) -> Callable:
    """One turn of the loop with two values, whatever number of variables the loop has."""
    body, line = builder.block(node.body), node.line
    places = [(variable.slot, variable.captured) for variable in node.variables]
    (key_slot, key_captured), (value_slot, value_captured) = (places + [(None, False)])[:2]
    further = tuple(places[2:])

    def turn(frame: list, key: object, value: object) -> object:
        run = frame[0]
        run.steps -= 1
        if run.steps < 0:
            raise StepsExhausted(line)
        frame[key_slot] = [key] if key_captured else key
        if value_slot is not None:
            frame[value_slot] = [value] if value_captured else value
            for slot, captured in further:
                frame[slot] = [None] if captured else None
        return body(frame)

    return turn


def _generic_for(builder: Builder, node: syntax.GenericFor) -> Callable:
    values, body, line = builder.values(node.values), builder.block(node.body), node.line
    turn = _turn(builder, node)
    places, count = tuple((variable.slot, variable.captured) for variable in node.variables), len(node.variables)

    def loop(frame: list) -> object:
        function, state, control = (values(frame) + [None, None, None])[:3]
        if isinstance(state, LuaTable):
            if function is next_entry and control is None:
                ended = _walk_pairs(turn, frame, state)
                return None if ended is BREAK else ended
            if function is ipairs_step and control == 0.0:
                ended = _walk_ipairs(turn, frame, state)
                return None if ended is BREAK else ended
        run = frame[0]
        while True:
            run.steps -= 1
            if run.steps < 0:
                raise StepsExhausted(line)
            if function.__class__ is not FunctionType:
                raise fault(line, operators.described("call", function, None))
            try:
                results = function(run, [state, control])
            except Unwinding as error:
                pass_call(error, line, "(for generator)")
                raise
            control = results[0] if results else None
            if control is None:
                return None
            for index in range(count):
                slot, captured = places[index]
                value = results[index] if index < len(results) else None
                frame[slot] = [value] if captured else value
            ended = body(frame)
            if ended is not None:
                return None if ended is BREAK else ended

    return loop


STATEMENTS.update(
    {
        syntax.While: _while,
        syntax.Repeat: _repeat,
        syntax.NumericFor: _numeric_for,
        syntax.GenericFor: _generic_for,
    }
)
