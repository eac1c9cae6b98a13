"""The value of a stream key: entries under growing ids, and what the stream remembers of those it lost.

Decides id order, ranges and trimming. Simplified: Redis packs entries into nodes of at most 100 entries *or* 4096
bytes and an approximate trim drops whole nodes; here a node is 100 entries whatever their size, so `~` may keep more.
Knows no command, no text form of ids.
"""

from bisect import bisect_left, bisect_right

StreamId = tuple[int, int]
NODE_ENTRIES = 100  # stream-node-max-entries, Redis's default
MAX_SEQUENCE = 2**64 - 1


class Stream:
    """Entries by id: `ids` sorted, `entries` (id → flat tuple field, value, …), `nodes` (node number per entry)."""

    __slots__ = ("ids", "entries", "nodes", "last_id", "_node", "_node_fill")

    def __init__(self) -> None:
        self.ids: list[StreamId] = []
        self.entries: dict[StreamId, tuple[bytes, ...]] = {}
        self.nodes: list[int] = []
        self.last_id: StreamId = (0, 0)
        self._node = 0
        self._node_fill = 0

    def __len__(self) -> int:
        return len(self.ids)

    def append(self, entry_id: StreamId, fields: tuple[bytes, ...]) -> None:
        """Add an entry; the caller has made sure that its id is above `last_id`."""
        if self._node_fill >= NODE_ENTRIES or not self.nodes or self.nodes[-1] != self._node:
            self._node += 1
            self._node_fill = 0
        self._node_fill += 1
        self.ids.append(entry_id)
        self.nodes.append(self._node)
        self.entries[entry_id] = fields
        self.last_id = entry_id

    def between(self, low: StreamId, high: StreamId) -> list[StreamId]:
        """The ids from `low` to `high`, both included."""
        return self.ids[bisect_left(self.ids, low) : bisect_right(self.ids, high)]

    def after(self, entry_id: StreamId, count: int | None) -> list[StreamId]:
        """The first `count` ids (None: all) above `entry_id`."""
        start = bisect_right(self.ids, entry_id)
        return self.ids[start:] if count is None else self.ids[start : start + count]

    def discard(self, entry_id: StreamId) -> bool:
        """Delete one entry; False when there is none with that id."""
        if self.entries.pop(entry_id, None) is None:
            return False
        place = bisect_left(self.ids, entry_id)
        del self.ids[place]
        del self.nodes[place]
        return True

    def trim(self, surplus: int, whole_nodes: bool, limit: int | None) -> int:
        """Drop up to `surplus` entries from the front and return how many went.

        `whole_nodes`: only nodes that lie entirely in the surplus. `limit`: stop before exceeding that many.
        """
        count = min(surplus, len(self.ids))
        if whole_nodes:
            kept = 0
            while kept < count:
                node_end = bisect_right(self.nodes, self.nodes[kept], kept)
                if node_end > count or (limit is not None and node_end > limit):
                    break
                kept = node_end
            count = kept
        for entry_id in self.ids[:count]:
            del self.entries[entry_id]
        del self.ids[:count]
        del self.nodes[:count]
        return count
