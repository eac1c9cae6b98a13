"""Arithmetic, comparison, concatenation and length, as closures over compiled operands.

Decides Lua's type rules: text becomes a number for arithmetic, never for comparison; `==` never converts. Each factory
returns a function of one frame. The straight path is written out; everything else goes through a slow helper that
either converts or raises Redis's text.
"""

import math
from collections.abc import Callable

from py_runtime.stores.lua.errors import Raised, fault
from py_runtime.stores.lua.runs import BYTES_PER_STEP
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import to_number, to_text, type_name

Evaluate = Callable[[list], object]


def described(action: str, value: object, name: str | None) -> str:
    """`attempt to <action> local 'x' (a nil value)`."""
    kind = type_name(value)
    return f"attempt to {action} {name} (a {kind} value)" if name else f"attempt to {action} a {kind} value"


def add(left: float, right: float) -> float:
    return left + right


def subtract(left: float, right: float) -> float:
    return left - right


def multiply(left: float, right: float) -> float:
    return left * right


def divide(left: float, right: float) -> float:
    if right:
        return left / right
    if left != left or left == 0.0:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def modulo(left: float, right: float) -> float:
    """`a - floor(a / b) * b`, which is what Lua 5.1 computes, rounding included."""
    try:
        return left - math.floor(left / right) * right
    except (ZeroDivisionError, OverflowError, ValueError):  # the quotient is infinite or NaN
        return left - divide(left, right) * right


def power(left: float, right: float) -> float:
    try:
        return math.pow(left, right)
    except OverflowError:
        return -math.inf if left < 0 and right % 2 == 1 else math.inf
    except ValueError:
        if left:
            return math.nan
        return math.copysign(math.inf, left) if right % 2 == 1 else math.inf


ARITHMETIC = {"+": add, "-": subtract, "*": multiply, "/": divide, "%": modulo, "^": power}


def arithmetic_operands(left: object, right: object, line: int, names: tuple) -> tuple[float, float]:
    """Both operands as numbers, or Lua's error about the first that is none."""
    first, second = to_number(left), to_number(right)
    if first is None:
        raise fault(line, described("perform arithmetic on", left, names[0]))
    if second is None:
        raise fault(line, described("perform arithmetic on", right, names[1]))
    return first, second


def arithmetic(operator: str, left: Evaluate, right: Evaluate, line: int, names: tuple) -> Evaluate:
    """`left operator right`; `names` tells how an error calls the two operands."""
    if operator == "+":

        def evaluate(frame: list) -> float:
            a, b = left(frame), right(frame)
            if a.__class__ is float and b.__class__ is float:
                return a + b
            a, b = arithmetic_operands(a, b, line, names)
            return a + b

    elif operator == "-":

        def evaluate(frame: list) -> float:
            a, b = left(frame), right(frame)
            if a.__class__ is float and b.__class__ is float:
                return a - b
            a, b = arithmetic_operands(a, b, line, names)
            return a - b

    else:
        compute = ARITHMETIC[operator]

        def evaluate(frame: list) -> float:
            a, b = left(frame), right(frame)
            if a.__class__ is float and b.__class__ is float:
                return compute(a, b)
            return compute(*arithmetic_operands(a, b, line, names))

    return evaluate


def negation(operand: Evaluate, line: int, name: str | None) -> Evaluate:
    def evaluate(frame: list) -> float:
        value = operand(frame)
        if value.__class__ is float:
            return -value
        number = to_number(value)
        if number is None:
            raise fault(line, described("perform arithmetic on", value, name))
        return -number

    return evaluate


def length(operand: Evaluate, line: int, name: str | None) -> Evaluate:
    def evaluate(frame: list) -> float:
        value = operand(frame)
        if value.__class__ is LuaTable:
            return float(len(value.array))
        if value.__class__ is bytes:
            return float(len(value))
        if isinstance(value, LuaTable):
            return float(value.length())
        raise fault(line, described("get length of", value, name))

    return evaluate


def comparison_error(left: object, right: object) -> Raised:
    """The error of `<` and its kin between values that have no order, without a position."""
    first, second = type_name(left), type_name(right)
    both = first == second
    text = f"attempt to compare two {first} values" if both else f"attempt to compare {first} with {second}"
    return Raised(text.encode())


def is_less(left: object, right: object) -> bool:
    """`left < right` for library code; text is ordered byte by byte."""
    kind = left.__class__
    if kind is right.__class__ and (kind is float or kind is bytes):
        return left < right
    raise comparison_error(left, right)


def _refuse(left: object, right: object, line: int) -> None:
    raise fault(line, comparison_error(left, right).value.decode())


def comparison(operator: str, left: Evaluate, right: Evaluate, line: int) -> Evaluate:
    """`left operator right` for the six comparisons; the result is a Python bool."""
    if operator == "==":

        def evaluate(frame: list) -> bool:
            a, b = left(frame), right(frame)
            return a.__class__ is b.__class__ and a == b

    elif operator == "~=":

        def evaluate(frame: list) -> bool:
            a, b = left(frame), right(frame)
            return a.__class__ is not b.__class__ or a != b

    elif operator == "<":

        def evaluate(frame: list) -> bool:
            a, b = left(frame), right(frame)
            kind = a.__class__
            if kind is b.__class__ and (kind is float or kind is bytes):
                return a < b
            return _refuse(a, b, line)

    elif operator == "<=":

        def evaluate(frame: list) -> bool:
            a, b = left(frame), right(frame)
            kind = a.__class__
            if kind is b.__class__ and (kind is float or kind is bytes):
                return a <= b
            return _refuse(a, b, line)

    elif operator == ">":

        def evaluate(frame: list) -> bool:
            a, b = left(frame), right(frame)
            kind = a.__class__
            if kind is b.__class__ and (kind is float or kind is bytes):
                return a > b
            return _refuse(b, a, line)  # Lua turns `a > b` into `b < a`

    else:

        def evaluate(frame: list) -> bool:
            a, b = left(frame), right(frame)
            kind = a.__class__
            if kind is b.__class__ and (kind is float or kind is bytes):
                return a >= b
            return _refuse(b, a, line)

    return evaluate


def concatenation(parts: list[Evaluate], line: int, names: list) -> Evaluate:
    """`a .. b .. c`: all parts are evaluated, then joined from the right, which decides whom an error blames."""

    def evaluate(frame: list) -> bytes:
        values = [part(frame) for part in parts]
        try:
            joined = b"".join(values)
        except TypeError:
            joined = b"".join(_texts(values, line, names))
        if len(joined) >= BYTES_PER_STEP:
            frame[0].spend_bytes(len(joined), line)
        return joined

    return evaluate


def _texts(values: list, line: int, names: list) -> list[bytes]:
    texts = [to_text(value) for value in values]
    for index in range(len(values) - 2, -1, -1):
        for suspect in (index, index + 1):
            if texts[suspect] is None:
                raise fault(line, described("concatenate", values[suspect], names[suspect]))
    return texts
