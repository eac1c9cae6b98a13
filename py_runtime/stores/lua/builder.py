"""From tree to closures: one Python function per construct, each taking the frame of the running Lua function.

Decides how constructs reach each other while they are built, and how much room a function needs. An expression becomes
a function that returns one value; one that may give several also has a form that returns a list. A statement returns
`None` to go on, `BREAK`, or the sequence of values that a `return` gives. Knows no construct: those register in
`EXPRESSIONS`, `MULTIPLES` and `STATEMENTS`.
"""

from collections.abc import Callable

from py_runtime.stores.lua import syntax
from py_runtime.stores.lua.errors import LuaSyntaxError

BREAK = ("break",)
NESTING_MAX = 400

EXPRESSIONS: dict[type, Callable] = {}
MULTIPLES: dict[type, Callable] = {}
STATEMENTS: dict[type, Callable] = {}


class Builder:
    """Builds one Lua function; `frames` tells how many Python frames a call of it may need."""

    def __init__(self, globals_: dict) -> None:
        self.globals = globals_
        self._nesting = 0
        self._nesting_seen = 0

    @property
    def frames(self) -> int:
        """An upper bound: a construct costs its own closure and perhaps a helper (a list, a test of truth)."""
        return 2 * self._nesting_seen + 8

    def _enter(self, node: object) -> None:
        self._nesting += 1
        if self._nesting > self._nesting_seen:
            self._nesting_seen = self._nesting
            if self._nesting > NESTING_MAX:
                raise LuaSyntaxError("chunk has too many syntax levels", getattr(node, "line", 1), 1)

    def expression(self, node: object) -> Callable:
        """The node as exactly one value."""
        self._enter(node)
        built = EXPRESSIONS[node.__class__](self, node)
        self._nesting -= 1
        return built

    def multiple(self, node: object) -> Callable:
        """The node as a list or tuple of values; only for nodes in `MULTIPLES`."""
        self._enter(node)
        built = MULTIPLES[node.__class__](self, node)
        self._nesting -= 1
        return built

    def values(self, nodes: list) -> Callable:
        """A list of expressions as one fresh list of values: the last may give several."""
        if nodes and nodes[-1].__class__ in MULTIPLES:
            first = [self.expression(node) for node in nodes[:-1]]
            last = self.multiple(nodes[-1])
            if not first:
                return lambda frame: list(last(frame))
            return lambda frame: [each(frame) for each in first] + list(last(frame))
        built = [self.expression(node) for node in nodes]
        if not built:
            return lambda frame: []
        if len(built) == 1:
            one = built[0]
            return lambda frame: [one(frame)]
        if len(built) == 2:
            one, two = built
            return lambda frame: [one(frame), two(frame)]
        if len(built) == 3:
            one, two, three = built
            return lambda frame: [one(frame), two(frame), three(frame)]
        return lambda frame: [each(frame) for each in built]

    def statement(self, node: object) -> Callable:
        self._enter(node)
        built = STATEMENTS[node.__class__](self, node)
        self._nesting -= 1
        return built

    def block(self, nodes: list) -> Callable:
        """Statements in a row."""
        built = [self.statement(node) for node in nodes]
        if not built:
            return lambda frame: None
        if len(built) == 1:
            return built[0]
        if len(built) == 2:
            one, two = built

            def run_two(frame: list) -> object:
                ended = one(frame)
                return two(frame) if ended is None else ended

            return run_two
        statements = tuple(built)

        def run_block(frame: list) -> object:
            for statement in statements:
                ended = statement(frame)
                if ended is not None:
                    return ended
            return None

        return run_block

    def condition(self, node: object) -> Callable:
        """The node as a Python bool: everything is true but nil and false."""
        built = self.expression(node)
        if _gives_bool(node):
            return built

        def is_true(frame: list) -> bool:
            value = built(frame)
            return value is not None and value is not False

        return is_true


def _gives_bool(node: object) -> bool:
    if isinstance(node, syntax.Unary):
        return node.operator == "not"
    return isinstance(node, syntax.Binary) and node.operator in ("==", "~=", "<", "<=", ">", ">=")
