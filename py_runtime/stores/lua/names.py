"""How an error calls a value that was wrong: `local 'x'`, `field 'y'`, or not at all.

Decides what of an expression Redis could still tell. Redis looks at compiled code for the last instruction that gave
the value, and takes every jump forward that it meets on the way; so a value behind `and` or `or` has a name exactly
where the first jump in the code of the left side leads to the right side, or where the compiler, which knows constants,
wrote no jump at all. Builds nothing and runs nothing.
"""

from py_runtime.stores.lua import syntax
from py_runtime.stores.lua.errors import c_text
from py_runtime.stores.lua.operators import ARITHMETIC


def describe(node: object) -> str | None:
    """How an error calls the value of this expression; `None` when it has no name."""
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
    if _is_choice(node) and _leads_to_the_right(node):
        return describe(node.right)
    return None


def _is_choice(node: object) -> bool:
    return isinstance(node, syntax.Binary) and node.operator in ("and", "or")


def _leads_to_the_right(node: syntax.Binary) -> bool:
    """Whether the first jump in the left side's code, if there is any, leads to the right side."""
    jumps_when = _first_jump(node.left)
    if jumps_when is None:
        jumps_when = _constant_truth(node.left)  # a constant on which the right side follows needs no jump
    return jumps_when is (node.operator == "and")


def _first_jump(node: object) -> bool | None:
    """On which truth of the node the first jump that leaves its code is made; `None` when none leaves it."""
    if isinstance(node, syntax.Parenthesised):
        return _first_jump(node.inner)
    if isinstance(node, syntax.Unary) and node.operator == "not":
        inner = _first_jump(node.operand)
        return None if inner is None else not inner
    if _is_choice(node):
        return _first_jump(node.right) if _leads_to_the_right(node) else node.operator == "or"
    return None


def _constant_truth(node: object) -> bool | None:
    """Whether a value that ends as a constant counts as true; `None` for one that the compiler does not know."""
    if isinstance(node, syntax.Parenthesised):
        return _constant_truth(node.inner)
    if isinstance(node, syntax.Constant):
        return node.value is not None and node.value is not False
    if isinstance(node, syntax.Unary) and node.operator == "not":
        inner = _constant_truth(node.operand)
        return None if inner is None else not inner
    if _is_choice(node):
        return _constant_truth(node.right)
    return None if _constant_number(node) is None else True


def _constant_number(node: object) -> float | None:
    """The number that the compiler makes of the node: it computes with constants, short of what is no number."""
    if isinstance(node, syntax.Parenthesised):
        return _constant_number(node.inner)
    if isinstance(node, syntax.Constant):
        return node.value if node.value.__class__ is float else None
    if isinstance(node, syntax.Unary) and node.operator == "-":
        operand = _constant_number(node.operand)
        return None if operand is None else -operand
    if not isinstance(node, syntax.Binary):
        return None
    if _is_choice(node):
        return None if _jumps_past(node.left, node.operator == "or") else _constant_number(node.right)
    if node.operator not in ARITHMETIC:
        return None
    left, right = _constant_number(node.left), _constant_number(node.right)
    if left is None or right is None or (node.operator in "/%" and not right):
        return None
    result = ARITHMETIC[node.operator](left, right)
    return result if result == result else None


def _jumps_past(node: object, when: bool) -> bool:
    """Whether the code of a left side holds a jump on that truth, which then leads past the right side."""
    if isinstance(node, syntax.Parenthesised):
        return _jumps_past(node.inner, when)
    if isinstance(node, syntax.Unary) and node.operator == "not":
        return _jumps_past(node.operand, not when)
    if _is_choice(node):
        past = node.operator == "or"
        return (past is when and _jumps_past(node.left, past)) or _jumps_past(node.right, when)
    return _constant_truth(node) is not (not when)
