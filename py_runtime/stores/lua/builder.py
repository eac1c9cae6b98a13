"""From tree to closures: one Python function per construct, each taking the frame of the running Lua function.

Decides how constructs reach each other while they are built, and how much room a function needs. An expression becomes
a function that returns one value; one that may give several also has a form that returns a list. A statement returns
`None` to go on, `BREAK`, or the sequence of values that a `return` gives. Knows no construct: those register in
`EXPRESSIONS`, `MULTIPLES` and `STATEMENTS`.
"""

from collections.abc import Callable

from py_runtime.stores.lua import syntax
from py_runtime.stores.lua.errors import LuaSyntaxError, c_text

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


def describe(node: object) -> str | None:
    """How an error calls the value of this expression: `local 'x'`, `field 'y'`, …; `None` when it has no name."""
    if isinstance(node, syntax.Parenthesised):
        return describe(node.inner)
    if isinstance(node, syntax.Local):
        return f"{'global' if node.variable.given else 'local'} '{node.variable.name}'"
    if isinstance(node, syntax.Upvalue):
        variable = node.capture.variable
        return f"{'global' if variable.given else 'upvalue'} '{variable.name}'"
    if isinstance(node, syntax.Global):
        return f"global '{node.name}'"
    if isinstance(node, syntax.Index):
        named = isinstance(node.key, syntax.Constant) and node.key.value.__class__ is bytes
        return f"field '{c_text(node.key.value)}'" if named else "field '?'"
    if isinstance(node, syntax.Binary) and node.operator in ("and", "or"):
        # Lua's compiler drops a left side that it knows: `1 and x` is x, and so is `nil or x`.
        if _known_truth(node.left) is (node.operator == "and"):
            return describe(node.right)
    return None


def _known_truth(node: object) -> bool | None:
    """Whether a value that Lua's compiler knows counts as true; `None` for one that it does not know."""
    if isinstance(node, syntax.Parenthesised):
        return _known_truth(node.inner)
    if isinstance(node, syntax.Constant):
        return node.value is not None and node.value is not False
    if isinstance(node, syntax.Unary) and node.operator == "not":
        inner = _known_truth(node.operand)
        return None if inner is None else not inner
    if isinstance(node, syntax.Binary) and node.operator in ("and", "or"):
        left = _known_truth(node.left)
        return _known_truth(node.right) if left is (node.operator == "and") else left
    return True if _is_known_number(node) else None


def _is_known_number(node: object) -> bool:
    if isinstance(node, syntax.Parenthesised):
        return _is_known_number(node.inner)
    if isinstance(node, syntax.Constant):
        return node.value.__class__ is float
    if isinstance(node, syntax.Unary):
        return node.operator == "-" and _is_known_number(node.operand)
    if not isinstance(node, syntax.Binary) or node.operator not in ("+", "-", "*", "/", "%", "^"):
        return False
    divides_by_zero = node.operator in ("/", "%") and isinstance(node.right, syntax.Constant) and not node.right.value
    return not divides_by_zero and _is_known_number(node.left) and _is_known_number(node.right)
