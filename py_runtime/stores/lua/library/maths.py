"""The `math` library.

Decides how a roll of the server's dice becomes what `math.random` gives. Sines and logarithms are the platform's; their
last digit may differ between machines.
"""

import math
from collections.abc import Callable

from py_runtime.stores.lua.errors import argument_error, failure
from py_runtime.stores.lua.library.arguments import int_at, number_at
from py_runtime.stores.lua.operators import power

_RANDOM_MAX = 2**31 - 1


def _one(compute: Callable[[float], float]) -> Callable:
    """A function of one number; where Python refuses, C gives NaN or infinity."""

    def function(run: object, arguments: list) -> object:
        value = number_at(arguments, 1)
        try:
            return (float(compute(value)),)
        except OverflowError:
            return (math.inf,)
        except ValueError:
            return (math.nan,)

    return function


def _floor(value: float) -> float:
    return math.copysign(math.floor(value), value) if math.isfinite(value) else value


def _ceil(value: float) -> float:
    return math.copysign(math.ceil(value), value) if math.isfinite(value) else value


def _sinh(value: float) -> float:
    try:
        return math.sinh(value)
    except OverflowError:
        return math.copysign(math.inf, value)


def _logarithm(compute: Callable[[float], float]) -> Callable[[float], float]:
    return lambda value: -math.inf if value == 0.0 else compute(value)


def _two(arguments: list) -> tuple[float, float]:
    """Two numbers; the second is checked first, as C happens to do and errors show."""
    right = number_at(arguments, 2)
    return number_at(arguments, 1), right


def _atan2(run: object, arguments: list) -> object:
    return (math.atan2(*_two(arguments)),)


def _fmod(run: object, arguments: list) -> object:
    left, right = _two(arguments)
    try:
        return (math.fmod(left, right),)
    except ValueError:
        return (math.nan,)


def _frexp(run: object, arguments: list) -> object:
    mantissa, exponent = math.frexp(number_at(arguments, 1))
    return mantissa, float(exponent)


def _ldexp(run: object, arguments: list) -> object:
    exponent = int_at(arguments, 2)  # before the first, as in C
    value = number_at(arguments, 1)
    try:
        return (math.ldexp(value, max(-5000, min(5000, exponent))),)
    except OverflowError:
        return (math.copysign(math.inf, value),)


def _modf(run: object, arguments: list) -> object:
    value = number_at(arguments, 1)
    if math.isinf(value):
        return value, math.copysign(0.0, value)
    fraction, whole = math.modf(value)
    return whole, fraction


def _pow(run: object, arguments: list) -> object:
    return (power(*_two(arguments)),)


def _max(run: object, arguments: list) -> object:
    best = number_at(arguments, 1)
    for position in range(2, len(arguments) + 1):
        value = number_at(arguments, position)
        if value > best:
            best = value
    return (best,)


def _min(run: object, arguments: list) -> object:
    best = number_at(arguments, 1)
    for position in range(2, len(arguments) + 1):
        value = number_at(arguments, position)
        if value < best:
            best = value
    return (best,)


def _random(run: object, arguments: list) -> object:
    share = run.dice.roll() % _RANDOM_MAX / _RANDOM_MAX
    if not arguments:
        return (share,)
    if len(arguments) > 2:
        raise failure("wrong number of arguments")
    low = 1 if len(arguments) == 1 else int_at(arguments, 1)
    high = int_at(arguments, len(arguments))
    if low > high:
        raise argument_error(len(arguments), "interval is empty")
    return (float(math.floor(share * (high - low + 1)) + low),)


def _randomseed(run: object, arguments: list) -> object:
    run.dice.seed(int_at(arguments, 1))
    return ()


FIELDS = {
    b"abs": _one(abs),
    b"acos": _one(math.acos),
    b"asin": _one(math.asin),
    b"atan": _one(math.atan),
    b"atan2": _atan2,
    b"ceil": _one(_ceil),
    b"cos": _one(math.cos),
    b"cosh": _one(math.cosh),
    b"deg": _one(lambda value: value / (math.pi / 180.0)),
    b"exp": _one(math.exp),
    b"floor": _one(_floor),
    b"fmod": _fmod,
    b"frexp": _frexp,
    b"huge": math.inf,
    b"ldexp": _ldexp,
    b"log": _one(_logarithm(math.log)),
    b"log10": _one(_logarithm(math.log10)),
    b"max": _max,
    b"min": _min,
    b"mod": _fmod,
    b"modf": _modf,
    b"pi": math.pi,
    b"pow": _pow,
    b"rad": _one(lambda value: value * (math.pi / 180.0)),
    b"random": _random,
    b"randomseed": _randomseed,
    b"sin": _one(math.sin),
    b"sinh": _one(_sinh),
    b"sqrt": _one(math.sqrt),
    b"tan": _one(math.tan),
    b"tanh": _one(math.tanh),
}
