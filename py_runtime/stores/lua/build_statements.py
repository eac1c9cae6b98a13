"""Closures for statements other than loops: locals, assignment, calls, `if`, `return`.

Decides the order of a multiple assignment: first the targets' tables and keys, then all values, then the stores from
last to first, as Lua 5.1 does.
"""

from collections.abc import Callable

from py_runtime.stores.lua import operators, syntax
from py_runtime.stores.lua.build_values import placed
from py_runtime.stores.lua.builder import BREAK, MULTIPLES, STATEMENTS, Builder
from py_runtime.stores.lua.errors import Raised, fault
from py_runtime.stores.lua.names import describe
from py_runtime.stores.lua.tables import LuaTable


def _local(builder: Builder, node: syntax.LocalStatement) -> Callable:
    variables = node.variables
    if len(variables) == 1 and len(node.values) <= 1:
        slot = variables[0].slot
        value = builder.expression(node.values[0] if node.values else syntax.Constant(None))
        if variables[0].captured:

            def declare_cell(frame: list) -> None:
                frame[slot] = [value(frame)]

            return declare_cell

        def declare(frame: list) -> None:
            frame[slot] = value(frame)

        return declare
    values, count = builder.values(node.values), len(variables)
    places = tuple((variable.slot, variable.captured) for variable in variables)

    def declare_all(frame: list) -> None:
        given = values(frame)
        given += [None] * (count - len(given))
        for (slot, captured), value in zip(places, given, strict=False):
            frame[slot] = [value] if captured else value

    return declare_all


def _local_function(builder: Builder, node: syntax.LocalFunction) -> Callable:
    slot, captured = node.variable.slot, node.variable.captured
    make = builder.expression(node.function)

    def declare(frame: list) -> None:
        if captured:
            cell = frame[slot] = [None]  # the function may capture its own name
            cell[0] = make(frame)
        else:
            frame[slot] = make(frame)

    return declare


def store_slowly(table: object, key: object, value: object, line: int, name: str | None) -> None:
    """`table[key] = value` for whatever is not a plain table with a text key."""
    if not isinstance(table, LuaTable):
        raise fault(line, operators.described("index", table, name))
    try:
        table.set(key, value)
    except Raised as error:
        raise placed(error, line) from None


def _setter(node: object, line: int) -> Callable:
    """A function (frame, value) that stores into a variable."""
    if isinstance(node, syntax.Local) and not node.variable.given:
        slot = node.variable.slot
        if node.variable.captured:

            def set_cell(frame: list, value: object) -> None:
                frame[slot][0] = value

            return set_cell

        def set_local(frame: list, value: object) -> None:
            frame[slot] = value

        return set_local
    if isinstance(node, syntax.Upvalue) and not node.capture.variable.given:
        slot = node.capture.slot

        def set_upvalue(frame: list, value: object) -> None:
            frame[slot][0] = value

        return set_upvalue

    def refuse(frame: list, value: object) -> None:
        raise fault(line, "Attempt to modify a readonly table")  # what globals live in

    return refuse


def _store_index(builder: Builder, target: syntax.Index, value: Callable, line: int) -> Callable:
    table, name = builder.expression(target.table), describe(target.table)
    key = target.key
    if isinstance(key, syntax.Constant) and key.value.__class__ is bytes:
        fixed = key.value

        def store_field(frame: list) -> None:
            holder = table(frame)
            given = value(frame)
            if holder.__class__ is LuaTable:
                holder.set_field(fixed, given)
            else:
                store_slowly(holder, fixed, given, line, name)

        return store_field
    at = builder.expression(key)

    def store(frame: list) -> None:
        holder, where = table(frame), at(frame)
        given = value(frame)
        if holder.__class__ is LuaTable and where.__class__ is bytes:
            holder.set_field(where, given)
        else:
            store_slowly(holder, where, given, line, name)

    return store


def _assignment(builder: Builder, node: syntax.Assignment) -> Callable:
    line = node.line
    if len(node.targets) == 1 and len(node.values) == 1:
        target, value = node.targets[0], builder.expression(node.values[0])
        if isinstance(target, syntax.Index):
            return _store_index(builder, target, value, line)
        if isinstance(target, syntax.Local) and not target.variable.captured and not target.variable.given:
            slot = target.variable.slot

            def assign_local(frame: list) -> None:
                frame[slot] = value(frame)

            return assign_local
        setter = _setter(target, line)
        return lambda frame: setter(frame, value(frame))
    return _multiple_assignment(builder, node)


def _multiple_assignment(builder: Builder, node: syntax.Assignment) -> Callable:
    line, values, count = node.line, builder.values(node.values), len(node.targets)
    targets = []
    for target in node.targets:
        if isinstance(target, syntax.Index):
            parts = (builder.expression(target.table), builder.expression(target.key), describe(target.table))
            targets.append((None, parts))
        else:
            targets.append((_setter(target, line), None))

    def assign(frame: list) -> None:
        holders = [parts and (parts[0](frame), parts[1](frame), parts[2]) for _, parts in targets]
        given = values(frame)
        given += [None] * (count - len(given))
        for index in range(count - 1, -1, -1):
            holder = holders[index]
            if holder is None:
                targets[index][0](frame, given[index])
            else:
                store_slowly(holder[0], holder[1], given[index], line, holder[2])

    return assign


def _call(builder: Builder, node: syntax.CallStatement) -> Callable:
    call = builder.multiple(node.call)

    def run_call(frame: list) -> None:
        call(frame)

    return run_call


def _do(builder: Builder, node: syntax.Do) -> Callable:
    return builder.block(node.body)


def _if(builder: Builder, node: syntax.If) -> Callable:
    branches = tuple((builder.condition(condition), builder.block(body)) for condition, body in node.branches)
    otherwise = builder.block(node.otherwise) if node.otherwise else None
    if len(branches) == 1:
        holds, body = branches[0]
        if otherwise is None:

            def run_if(frame: list) -> object:
                return body(frame) if holds(frame) else None

            return run_if

        def run_if_else(frame: list) -> object:
            return body(frame) if holds(frame) else otherwise(frame)

        return run_if_else

    def run_branches(frame: list) -> object:
        for holds, body in branches:
            if holds(frame):
                return body(frame)
        return None if otherwise is None else otherwise(frame)

    return run_branches


def _return(builder: Builder, node: syntax.Return) -> Callable:
    if not node.values:
        return lambda frame: ()
    if len(node.values) == 1:
        if node.values[0].__class__ in MULTIPLES:
            return builder.multiple(node.values[0])
        value = builder.expression(node.values[0])
        return lambda frame: (value(frame),)
    return builder.values(node.values)


def _break(builder: Builder, node: syntax.Break) -> Callable:
    return lambda frame: BREAK


STATEMENTS.update(
    {
        syntax.LocalStatement: _local,
        syntax.LocalFunction: _local_function,
        syntax.Assignment: _assignment,
        syntax.CallStatement: _call,
        syntax.Do: _do,
        syntax.If: _if,
        syntax.Return: _return,
        syntax.Break: _break,
    }
)
