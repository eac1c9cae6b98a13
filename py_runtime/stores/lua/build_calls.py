"""Closures for calls: of functions, of library functions known while building, and of methods.

Decides what an error learns on its way out of a call: its position and the name the function was called by. Every call
has two forms, one for a single value and one for all results.
"""

from collections.abc import Callable
from types import FunctionType

from py_runtime.stores.lua import operators, syntax
from py_runtime.stores.lua.build_values import constant_of, index_slowly
from py_runtime.stores.lua.builder import EXPRESSIONS, MULTIPLES, Builder
from py_runtime.stores.lua.errors import Unwinding, fault, pass_call
from py_runtime.stores.lua.names import describe
from py_runtime.stores.lua.tables import LuaTable


def _called_name(description: str | None) -> str:
    return description.partition(" ")[2][1:-1] if description else "?"


def _call_all(builder: Builder, node: syntax.Call) -> Callable:
    description, line = describe(node.function), node.line
    name = _called_name(description)
    arguments = builder.values(node.arguments)
    known = constant_of(builder, node.function)
    if known.__class__ is FunctionType:

        def call_known(frame: list) -> object:
            given = arguments(frame)
            try:
                return known(frame[0], given)
            except Unwinding as error:
                pass_call(error, line, name)
                raise

        return call_known
    function = builder.expression(node.function)

    def call(frame: list) -> object:
        target = function(frame)
        given = arguments(frame)
        if target.__class__ is not FunctionType:
            raise fault(line, operators.described("call", target, description))
        try:
            return target(frame[0], given)
        except Unwinding as error:
            pass_call(error, line, name)
            raise

    return call


def _method_all(builder: Builder, node: syntax.MethodCall) -> Callable:
    receiver, line, name = builder.expression(node.receiver), node.line, node.name
    key, description = name.encode("latin-1"), describe(node.receiver)
    arguments = builder.values(node.arguments)
    strings = builder.globals[b"string"]

    def call(frame: list) -> object:
        holder = receiver(frame)
        if holder.__class__ is LuaTable:
            target = holder.hash.get(key)
        else:
            target = index_slowly(holder, key, strings, line, description)
        given = arguments(frame)
        if target.__class__ is not FunctionType:
            raise fault(line, operators.described("call", target, f"method '{name}'"))
        given.insert(0, holder)
        try:
            return target(frame[0], given)
        except Unwinding as error:
            pass_call(error, line, name, method=True)
            raise

    return call


def _single(build_all: Callable) -> Callable:
    def build(builder: Builder, node: object) -> Callable:
        every = build_all(builder, node)

        def evaluate(frame: list) -> object:
            results = every(frame)
            return results[0] if results else None

        return evaluate

    return build


MULTIPLES[syntax.Call] = _call_all
MULTIPLES[syntax.MethodCall] = _method_all
EXPRESSIONS[syntax.Call] = _single(_call_all)
EXPRESSIONS[syntax.MethodCall] = _single(_method_all)
