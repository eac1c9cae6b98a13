"""Lua tables: an array part for 1..n and a hash part that keeps the order of insertion.

Decides what `#` answers for a table with holes (the end of the array part) and the order in which `pairs` walks. Knows
no metatables: scripts cannot set any. Removing an entry of the hash part leaves `None` in its place, so that a walk
may clear entries as it goes; the next insertion of that key puts it last.
"""

from py_runtime.stores.lua.errors import c_text, unplaced


class _Flag:
    """Stands for a boolean key: in a Python dict `True` would be the same key as 1."""

    __slots__ = ("value",)

    def __init__(self, value: bool) -> None:
        self.value = value


_TRUE = _Flag(True)
_FALSE = _Flag(False)


class LuaTable:
    """A mutable table. Keys and values are Lua values; `array[i - 1]` holds entry i, `hash` all others."""

    __slots__ = ("array", "hash", "_walk")

    def __init__(self, array: list | None = None, fields: dict | None = None) -> None:
        self.array = [] if array is None else array
        self.hash = {} if fields is None else fields
        self._walk = None

    def get(self, key: object) -> object:
        """The value at a key, nil when there is none. Never an error."""
        kind = key.__class__
        if kind is float:
            array = self.array
            if 0.0 < key <= len(array):
                index = int(key)
                if index == key:
                    return array[index - 1]
        elif kind is bool:
            key = _TRUE if key else _FALSE
        return self.hash.get(key)

    def set(self, key: object, value: object) -> None:
        """Stores a value; nil removes. A nil or NaN key is a Lua error without position (the caller adds one)."""
        kind = key.__class__
        if kind is float:
            array = self.array
            if 0.0 < key <= len(array) + 1:
                index = int(key)
                if index == key:
                    self._set_index(index, value)
                    return
            elif key != key:
                raise unplaced("table index is NaN")
        elif kind is bool:
            key = _TRUE if key else _FALSE
        elif key is None:
            raise unplaced("table index is nil")
        self.set_field(key, value)

    def set_field(self, key: object, value: object) -> None:
        """`set` for a key that surely belongs to the hash part, such as a string."""
        fields = self.hash
        if fields.get(key) is None:
            if value is None:
                return
            fields.pop(key, None)
            self._walk = None
        fields[key] = value

    def _set_index(self, index: int, value: object) -> None:
        array = self.array
        if index <= len(array):
            array[index - 1] = value
            if value is None and index == len(array):
                while array and array[-1] is None:
                    array.pop()
        elif value is not None:
            array.append(value)
            if self.hash:
                self.hash.pop(float(index), None)
                self._take_following()
        elif self.hash:
            self.set_field(float(index), None)

    def _take_following(self) -> None:
        """Moves entries that now continue the array part out of the hash part."""
        while (value := self.hash.pop(float(len(self.array) + 1), None)) is not None:
            self.array.append(value)

    def settle(self) -> "LuaTable":
        """Restores the array part's rule (its last entry is not nil) after someone filled `array` directly."""
        array = self.array
        while array and array[-1] is None:
            array.pop()
        if self.hash:
            self._take_following()
        return self

    def length(self) -> int:
        """What `#` answers."""
        return len(self.array)

    def key_list(self) -> list:
        """The hash part's keys, in order, including those cleared since; a later change does not touch the list."""
        return list(self.hash)

    def pairs(self) -> list[tuple[object, object]]:
        """Every entry in walking order, for library code that runs no script code in between."""
        found = [(float(index), value) for index, value in enumerate(self.array, 1) if value is not None]
        found += [(plain_key(key), value) for key, value in self.hash.items() if value is not None]
        return found

    def next(self, key: object) -> tuple[object, object] | None:
        """The entry after `key` in walking order (nil: the first), `None` at the end; an unknown key is a Lua error."""
        array, index = self.array, 0
        if key.__class__ is float and 0.0 < key <= len(array) and key.is_integer():
            index, key = int(key), None
        if key is None:
            while index < len(array):
                if array[index] is not None:
                    return float(index + 1), array[index]
                index += 1
            return self._first_of_hash()
        order, places = self._order()
        place = places.get((_TRUE if key else _FALSE) if key.__class__ is bool else key)
        if place is None:
            raise unplaced("invalid key to 'next'")
        for index in range(place + 1, len(order)):
            value = self.hash.get(order[index])
            if value is not None:
                return plain_key(order[index]), value
        return None

    def _first_of_hash(self) -> tuple[object, object] | None:
        dead = 0
        found = None
        for key, value in self.hash.items():
            if value is not None:
                found = plain_key(key), value
                break
            dead += 1
        if dead > 64:  # a queue emptied through `next(t)` would otherwise be scanned from its start each time
            self.hash = {key: value for key, value in self.hash.items() if value is not None}
        return found

    def forget_walk(self) -> None:
        """Drops what `next` remembers, which holds keys."""
        self._walk = None

    def _order(self) -> tuple[list, dict]:
        """Where each key stands; kept until a new key comes, so that `next` finds its place after clearing an entry."""
        if self._walk is None:
            order = list(self.hash)
            self._walk = (order, {key: place for place, key in enumerate(order)})
        return self._walk


def plain_key(key: object) -> object:
    """The Lua value of a key as the hash part keeps it."""
    return key.value if key.__class__ is _Flag else key


class ReadOnlyTable(LuaTable):
    """A library table or `_G`: shared by all runs, so Redis refuses to change it.

    With `complete` true (only `_G`), reading an absent name is an error too; `rawget` still answers nil.
    """

    __slots__ = ("complete",)

    def __init__(self, fields: dict, complete: bool = False) -> None:
        super().__init__(None, fields)
        self.complete = complete

    def get(self, key: object) -> object:
        value = LuaTable.get(self, key)
        if value is None and self.complete:
            if key.__class__ not in (bytes, float):
                raise unplaced("Second argument to luaProtectedTableError must be a string or number")
            name = c_text(key) if key.__class__ is bytes else f"{key:.14g}"
            raise unplaced(f"Script attempted to access nonexistent global variable '{name}'")
        return value

    def set(self, key: object, value: object) -> None:
        raise unplaced("Attempt to modify a readonly table")

    set_field = set
