"""How Redis packs a stream's entries: nodes of at most 100 entries or 4096 bytes, of which `~` drops whole ones only.

Decides when a node is full, from the bytes that each entry takes in Redis's encoding (a *listpack*: every element is
its own header, its bytes, and its length again for walking backwards). Knows ids and sizes, no values of its own.
"""

StreamId = tuple[int, int]
NODE_ENTRIES = 100  # stream-node-max-entries, Redis's default
NODE_BYTES = 4096  # stream-node-max-bytes, Redis's default
_LIST_BYTES = 7  # a listpack's header of 6 bytes and its end mark
_NUMBER_SIZES = ((2**6, 2**7, 2), (2**12, 2**12, 3), (2**15, 2**15, 4), (2**23, 2**23, 5), (2**31, 2**31, 6))


class Node:
    """One node: the id of its first entry, the ids and entries in it, deleted ones included in all but `live`."""

    __slots__ = ("first_id", "last_id", "names", "live", "filled", "size")

    def __init__(self, entry_id: StreamId, fields: tuple[bytes, ...]) -> None:
        self.first_id = self.last_id = entry_id
        self.names = fields[::2]
        self.live = self.filled = 0
        # Ahead of the entries: how many are live, how many deleted, how many names, the names, and a zero.
        self.size = _LIST_BYTES + 8 + sum([_word_size(name) for name in self.names])

    def takes(self, fields: tuple[bytes, ...]) -> bool:
        """Whether an entry still goes into this node."""
        return self.filled < NODE_ENTRIES and self.size + sum([len(word) for word in fields]) < NODE_BYTES

    def add(self, entry_id: StreamId, fields: tuple[bytes, ...]) -> None:
        """Count an entry in. Names equal to those of the node's first entry are not stored again."""
        names = fields[::2]
        repeated = names == self.names
        stored = fields[1::2] if repeated else fields
        elements = 3 + len(stored) + (not repeated)  # flags and the two differences of ids, too
        size = 2 + _number_size(entry_id[0] - self.first_id[0]) + _number_size(entry_id[1] - self.first_id[1])
        size += sum([_word_size(word) for word in stored]) + _number_size(elements)
        self.size += size if repeated else size + _number_size(len(names))
        self.last_id = entry_id
        self.live += 1
        self.filled += 1


def _number_size(number: int) -> int:
    for below, above, size in _NUMBER_SIZES:
        if -below <= number < above and (size > 2 or number >= 0):
            return size
    return 10


def _word_size(word: bytes) -> int:
    length = len(word)
    if length < 21 and word.lstrip(b"-").isdigit():
        number = int(word)
        if b"%d" % number == word and -(2**63) <= number < 2**63:
            return _number_size(number)
    size = length + (1 if length < 2**6 else 2 if length < 2**12 else 5)
    return size + (
        1 if size < 2**7 else 2 if size < 2**14 - 1 else 3 if size < 2**21 - 1 else 4 if size < 2**28 - 1 else 5
    )
