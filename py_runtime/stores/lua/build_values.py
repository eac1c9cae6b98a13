"""Closures for values: constants, variables, indexes, operators, table constructors, function bodies.

Decides how variables live in frames: a variable that an inner function captures sits in a one-element list (its cell).
Globals never change (Redis refuses writes), so library names are looked up once, here.
"""

from collections.abc import Callable

from py_runtime.stores.lua import operators, syntax
from py_runtime.stores.lua.builder import EXPRESSIONS, MULTIPLES, Builder
from py_runtime.stores.lua.errors import Raised, StepsExhausted, fault
from py_runtime.stores.lua.names import describe
from py_runtime.stores.lua.runs import VALUES_PER_STEP
from py_runtime.stores.lua.tables import LuaTable

_MISSING = object()


def constant_of(builder: Builder, node: object) -> object:
    """The value of a node that can never change, such as `redis.call`; `_MISSING` for every other node."""
    if isinstance(node, syntax.Global):
        return builder.globals.get(node.name.encode("latin-1"), _MISSING)
    if isinstance(node, syntax.Index) and isinstance(node.key, syntax.Constant):
        table = constant_of(builder, node.table)
        if isinstance(table, LuaTable):
            return table.get(node.key.value)
    return _MISSING


def is_known(value: object) -> bool:
    return value is not _MISSING


def _constant(builder: Builder, node: syntax.Constant) -> Callable:
    value = node.value
    return lambda frame: value


def _local(builder: Builder, node: syntax.Local) -> Callable:
    slot = node.variable.slot
    if node.variable.captured:
        return lambda frame: frame[slot][0]
    return lambda frame: frame[slot]


def _upvalue(builder: Builder, node: syntax.Upvalue) -> Callable:
    slot = node.capture.slot
    return lambda frame: frame[slot][0]


def _global(builder: Builder, node: syntax.Global) -> Callable:
    value = constant_of(builder, node)
    if is_known(value):
        return lambda frame: value
    name, line = node.name, node.line

    def evaluate(frame: list) -> object:
        raise fault(line, f"Script attempted to access nonexistent global variable '{name}'")

    return evaluate


def index_slowly(table: object, key: object, strings: LuaTable, line: int, name: str | None) -> object:
    """`table[key]` for whatever is not a plain table: text gives the string library, the rest an error."""
    if isinstance(table, LuaTable):
        try:
            return table.get(key)
        except Raised as error:
            raise fault(line, error.value.decode("utf-8", "replace")) from None
    if table.__class__ is bytes:
        return strings.get(key)
    raise fault(line, operators.described("index", table, name))


def _index(builder: Builder, node: syntax.Index) -> Callable:
    value = constant_of(builder, node)
    if is_known(value):
        return lambda frame: value
    table, line, name = builder.expression(node.table), node.line, describe(node.table)
    strings = builder.globals[b"string"]
    if not isinstance(node.key, syntax.Constant):
        key = builder.expression(node.key)

        def index_any(frame: list) -> object:
            holder, at = table(frame), key(frame)
            if holder.__class__ is LuaTable:
                return holder.get(at)
            return index_slowly(holder, at, strings, line, name)

        return index_any
    fixed = node.key.value
    if fixed.__class__ is bytes:

        def index_field(frame: list) -> object:
            holder = table(frame)
            if holder.__class__ is LuaTable:
                return holder.hash.get(fixed)
            return index_slowly(holder, fixed, strings, line, name)

        return index_field
    if fixed.__class__ is float and 1 <= fixed < 1e6 and fixed.is_integer():
        place = int(fixed) - 1

        def index_place(frame: list) -> object:
            holder = table(frame)
            if holder.__class__ is LuaTable:
                array = holder.array
                return array[place] if place < len(array) else holder.hash.get(fixed)
            return index_slowly(holder, fixed, strings, line, name)

        return index_place

    def index_constant(frame: list) -> object:
        holder = table(frame)
        if holder.__class__ is LuaTable:
            return holder.get(fixed)
        return index_slowly(holder, fixed, strings, line, name)

    return index_constant


def _vararg(builder: Builder, node: syntax.Vararg) -> Callable:
    def evaluate(frame: list) -> object:
        extra = frame[1]
        return extra[0] if extra else None

    return evaluate


def _vararg_all(builder: Builder, node: syntax.Vararg) -> Callable:
    return lambda frame: frame[1]


def _parenthesised(builder: Builder, node: syntax.Parenthesised) -> Callable:
    return builder.expression(node.inner)


def _unary(builder: Builder, node: syntax.Unary) -> Callable:
    if node.operator == "not":
        holds = builder.condition(node.operand)
        return lambda frame: not holds(frame)
    operand = builder.expression(node.operand)
    make = operators.negation if node.operator == "-" else operators.length
    return make(operand, node.line, describe(node.operand))


def _binary(builder: Builder, node: syntax.Binary) -> Callable:
    left, right = builder.expression(node.left), builder.expression(node.right)
    if node.operator == "and":

        def both(frame: list) -> object:
            value = left(frame)
            return value if value is None or value is False else right(frame)

        return both
    if node.operator == "or":

        def either(frame: list) -> object:
            value = left(frame)
            return right(frame) if value is None or value is False else value

        return either
    if node.operator in "+-*/%^":
        names = (describe(node.left), describe(node.right))
        return operators.arithmetic(node.operator, left, right, node.line, names)
    return operators.comparison(node.operator, left, right, node.line)


def _concatenation(builder: Builder, node: syntax.Concatenation) -> Callable:
    parts = [builder.expression(part) for part in node.parts]
    return operators.concatenation(parts, node.line, [describe(part) for part in node.parts])


def _table(builder: Builder, node: syntax.TableConstructor) -> Callable:
    line = node.line
    if all(key is None for key, _ in node.entries):
        values = builder.values([value for _, value in node.entries])
        if not node.entries:
            return lambda frame: frame[0].keep(LuaTable())

        def construct_list(frame: list) -> LuaTable:
            items = values(frame)
            if len(items) >= VALUES_PER_STEP:
                frame[0].spend_values(len(items), line)
            return frame[0].keep(LuaTable(items).settle())

        return construct_list
    last_key, last_value = node.entries[-1]
    rest = None
    entries = node.entries
    if last_key is None and last_value.__class__ in MULTIPLES:
        rest = builder.multiple(last_value)
        entries = entries[:-1]
    built = [(None if key is None else builder.expression(key), builder.expression(value)) for key, value in entries]

    def construct(frame: list) -> LuaTable:
        table, items = frame[0].keep(LuaTable()), []
        for key, value in built:
            if key is None:
                items.append(value(frame))
                continue
            at = key(frame)
            try:
                table.set(at, value(frame))
            except Raised as error:
                raise placed(error, line) from None
        if rest is not None:
            items += rest(frame)
            frame[0].spend_values(len(items), line)
        for index, item in enumerate(items, 1):  # positions win over keys that were written out
            table.set(float(index), item)
        return table

    return construct


def placed(error: Raised, line: int) -> Raised:
    """An error of a table operation, with the line it happened on; errors that have one already stay as they are."""
    return error if error.line is not None else fault(line, error.value.decode("utf-8", "replace"))


def function_maker(builder: Builder, node: syntax.Function) -> Callable:
    """What runs where the text says `function`: takes the frame, returns a new Lua function."""
    inner = Builder(builder.globals)
    body = inner.block(node.body)
    frames, line = inner.frames, node.line
    count, vararg = len(node.parameters), node.vararg
    boxed = tuple(variable.slot for variable in node.parameters if variable.captured)
    blank = [None] * (node.local_count - count)
    outer_slots = tuple(capture.outer.slot for capture in node.captures)

    def make(frame: list) -> Callable:
        tail = blank
        if outer_slots:
            tail = blank + [frame[slot] for slot in outer_slots]
            frame[0].keep_cells(tail)

        def invoke(run: object, arguments: list) -> object:
            run.steps -= 1
            if run.steps < 0:
                raise StepsExhausted(line)
            run.frames += frames
            if run.frames > run.frames_allowed:
                run.deepen()
            extra = ()
            given = len(arguments)
            if given < count:
                arguments += [None] * (count - given)
            elif given > count:
                if vararg:
                    extra = arguments[count:]
                del arguments[count:]
            inside = [run, extra, *arguments, *tail]
            for slot in boxed:
                inside[slot] = [inside[slot]]
            ended = body(inside)
            run.frames -= frames
            return () if ended is None else ended

        return invoke

    return make


EXPRESSIONS.update(
    {
        syntax.Constant: _constant,
        syntax.Local: _local,
        syntax.Upvalue: _upvalue,
        syntax.Global: _global,
        syntax.Index: _index,
        syntax.Vararg: _vararg,
        syntax.Parenthesised: _parenthesised,
        syntax.Unary: _unary,
        syntax.Binary: _binary,
        syntax.Concatenation: _concatenation,
        syntax.TableConstructor: _table,
        syntax.Function: function_maker,
    }
)
MULTIPLES[syntax.Vararg] = _vararg_all
