"""The `table` library.

Decides the order in which `table.sort` asks its comparison function: Lua 5.1's own quicksort, so that a comparison
that is not an order gives the same result and the same error.
"""

from collections.abc import Callable

from py_runtime.stores.lua.errors import failure
from py_runtime.stores.lua.library.arguments import function_at, int_at, table_at, text_at
from py_runtime.stores.lua.library.base import call_from_library
from py_runtime.stores.lua.operators import is_less
from py_runtime.stores.lua.tables import LuaTable
from py_runtime.stores.lua.values import to_text, type_name


def _concat(run: object, arguments: list) -> object:
    separator = text_at(arguments, 2, b"")  # before the table, as in Lua's C code
    table = table_at(arguments, 1)
    first = int_at(arguments, 3, 1)
    last = int_at(arguments, 4, table.length())
    texts = []
    for index in range(first, last + 1):
        value = table.get(float(index))
        text = to_text(value)
        if text is None:
            raise failure(f"invalid value ({type_name(value)}) at index {index} in table for 'concat'")
        texts.append(text)
    run.spend_values(len(texts))
    run.spend_bytes(sum(map(len, texts)) + len(separator) * len(texts))
    return (separator.join(texts),)


def _insert(run: object, arguments: list) -> object:
    table = table_at(arguments, 1)
    end = table.length() + 1
    if len(arguments) == 2:
        table.set(float(end), arguments[1])
        return ()
    if len(arguments) != 3:
        raise failure("wrong number of arguments to 'insert'")
    place, value = int_at(arguments, 2), arguments[2]
    if place >= end:
        table.set(float(place), value)
    elif place >= 1 and value is not None:
        run.spend((end - place) // 64)
        table.array.insert(place - 1, value)
        table.settle()
    else:
        _shift_up(run, table, place, end)
        table.set(float(place), value)
    return ()


def _shift_up(run: object, table: LuaTable, place: int, end: int) -> None:
    run.spend(end - place)
    for index in range(end, place, -1):
        table.set(float(index), table.get(float(index - 1)))


def _remove(run: object, arguments: list) -> object:
    table = table_at(arguments, 1)
    size = table.length()
    place = int_at(arguments, 2, size)
    if not 1 <= place <= size:
        return ()
    run.spend((size - place) // 64)
    value = table.array.pop(place - 1)
    table.settle()
    return (value,)


def _getn(run: object, arguments: list) -> object:
    return (float(table_at(arguments, 1).length()),)


def _setn(run: object, arguments: list) -> object:
    table_at(arguments, 1)
    raise failure("'setn' is obsolete")


def _maxn(run: object, arguments: list) -> object:
    table = table_at(arguments, 1)
    return (max([0.0, *(key for key, _ in table.pairs() if key.__class__ is float)]),)


def _foreach(run: object, arguments: list) -> object:
    table, function = table_at(arguments, 1), function_at(arguments, 2)
    for key, value in table.pairs():
        run.spend(1)
        results = call_from_library(run, function, [key, value])
        if results and results[0] is not None:
            return (results[0],)
    return ()


def _foreachi(run: object, arguments: list) -> object:
    table, function = table_at(arguments, 1), function_at(arguments, 2)
    for index in range(1, table.length() + 1):
        run.spend(1)
        results = call_from_library(run, function, [float(index), table.get(float(index))])
        if results and results[0] is not None:
            return (results[0],)
    return ()


def _sort(run: object, arguments: list) -> object:
    table = table_at(arguments, 1)
    array = table.array
    run.spend(len(array))
    if len(arguments) < 2 or arguments[1] is None:
        kinds = set(map(type, array))
        if kinds == {bytes} or (kinds == {float} and all(value == value for value in array)):
            array.sort()
            return ()
        precedes = is_less
    else:
        precedes = _asking(run, function_at(arguments, 2))
    values = list(array)
    try:
        _quicksort(values, precedes)
    finally:  # an error leaves the work so far, as sorting in place does
        if len(table.array) == len(values):
            table.array[:] = values
            table.settle()
    return ()


def _asking(run: object, function: object) -> Callable[[object, object], bool]:
    def precedes(left: object, right: object) -> bool:
        run.spend(1)
        results = call_from_library(run, function, [left, right])
        return bool(results) and results[0] is not None and results[0] is not False

    return precedes


def _quicksort(values: list, precedes: Callable[[object, object], bool]) -> None:
    pending = [(0, len(values) - 1)]
    while pending:
        low, high = pending.pop()
        while low < high:
            if precedes(values[high], values[low]):
                values[low], values[high] = values[high], values[low]
            if high - low == 1:
                break
            middle = (low + 1 + high + 1) // 2 - 1
            if precedes(values[middle], values[low]):
                values[middle], values[low] = values[low], values[middle]
            elif precedes(values[high], values[middle]):
                values[middle], values[high] = values[high], values[middle]
            if high - low == 2:
                break
            split = _partition(values, low, high, middle, precedes)
            smaller, larger = (low, split - 1), (split + 1, high)
            if split - low >= high - split:
                smaller, larger = larger, smaller
            pending.append(larger)
            low, high = smaller


def _partition(values: list, low: int, high: int, middle: int, precedes: Callable[[object, object], bool]) -> int:
    """Splits around the median of three, parked next to the end; its final place is the answer."""
    pivot = values[middle]
    values[middle], values[high - 1] = values[high - 1], values[middle]
    left, right = low, high - 1
    while True:
        left += 1
        while precedes(_at(values, left), pivot):
            if left > high:
                raise failure("invalid order function for sorting")
            left += 1
        right -= 1
        while precedes(pivot, _at(values, right)):
            if right < low:
                raise failure("invalid order function for sorting")
            right -= 1
        if right < left:
            break
        values[left], values[right] = values[right], values[left]
    values[high - 1], values[left] = values[left], values[high - 1]
    return left


def _at(values: list, index: int) -> object:
    """A function that is no order drives Lua past the ends, where it compares with nil."""
    return values[index] if 0 <= index < len(values) else None


FIELDS = {
    b"concat": _concat,
    b"foreach": _foreach,
    b"foreachi": _foreachi,
    b"getn": _getn,
    b"insert": _insert,
    b"maxn": _maxn,
    b"remove": _remove,
    b"setn": _setn,
    b"sort": _sort,
}
