"""The value of a stream key: entries under growing ids, and what the stream remembers of those it lost.

Decides id order, ranges and trimming (how entries lie in nodes is in stream_nodes.py). Holds the consumer groups, whose
bookkeeping is in stream_group.py. Knows no command, no text form of ids.
"""

from bisect import bisect_left, bisect_right

from py_runtime.stores.redis.stream_group import Group
from py_runtime.stores.redis.stream_nodes import Node, StreamId

MAX_SEQUENCE = 2**64 - 1
MAX_ID: StreamId = (MAX_SEQUENCE, MAX_SEQUENCE)


class Stream:
    """Entries by id: `ids` sorted, `entries` (id → flat tuple field, value, …), `groups` (name → group).

    `added` counts all entries there ever were, `deleted_id` is the highest id that XDEL took out, `signals` how often
    something happened that wakes blocked readers.
    """

    __slots__ = ("ids", "entries", "nodes", "groups", "last_id", "added", "deleted_id", "signals")

    def __init__(self) -> None:
        self.ids: list[StreamId] = []
        self.entries: dict[StreamId, tuple[bytes, ...]] = {}
        self.nodes: list[Node] = []
        self.groups: dict[bytes, Group] = {}
        self.last_id: StreamId = (0, 0)
        self.deleted_id: StreamId = (0, 0)
        self.added = 0
        self.signals = 0

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def first_id(self) -> StreamId:
        """The id of the oldest entry, 0-0 when there is none."""
        return self.ids[0] if self.ids else (0, 0)

    def append(self, entry_id: StreamId, fields: tuple[bytes, ...]) -> None:
        """Add an entry; the caller has made sure that its id is above `last_id`."""
        if not self.nodes or not self.nodes[-1].takes(fields):
            self.nodes.append(Node(entry_id, fields))
        self.nodes[-1].add(entry_id, fields)
        self.ids.append(entry_id)
        self.entries[entry_id] = fields
        self.last_id = entry_id
        self.added += 1
        self.signals += 1

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
        del self.ids[bisect_left(self.ids, entry_id)]
        place = bisect_right(self.nodes, entry_id, key=lambda node: node.first_id) - 1
        self.nodes[place].live -= 1
        if not self.nodes[place].live:
            del self.nodes[place]
        self.deleted_id = max(self.deleted_id, entry_id)
        return True

    def trim_to(self, length: int, whole_nodes: bool, limit: int | None) -> int:
        """Drop the oldest entries until `length` are left and return how many went.

        `whole_nodes`: only nodes of which no entry would be kept. `limit`: stop before exceeding that many.
        """
        return self._trim(
            whole_nodes,
            limit,
            enough=lambda removed: len(self.ids) - removed <= length,
            goes=lambda node, removed: len(self.ids) - removed - node.live >= length,
            part=lambda node, removed: len(self.ids) - removed - length,
        )

    def trim_below(self, entry_id: StreamId, whole_nodes: bool, limit: int | None) -> int:
        """The same for all entries below an id."""
        return self._trim(
            whole_nodes,
            limit,
            enough=lambda removed: False,
            goes=lambda node, removed: node.last_id < entry_id,
            part=lambda node, removed: bisect_left(self.ids, entry_id, removed, removed + node.live) - removed,
        )

    def _trim(self, whole_nodes: bool, limit: int | None, enough, goes, part) -> int:
        removed = dropped = 0
        for node in self.nodes:
            if enough(removed) or (limit is not None and removed + node.live > limit):
                break
            if goes(node, removed):
                removed += node.live
                dropped += 1
                continue
            if not whole_nodes:
                count = part(node, removed)
                node.live -= count
                removed += count
            break
        for entry_id in self.ids[:removed]:
            del self.entries[entry_id]
        del self.ids[:removed]
        del self.nodes[:dropped]
        return removed
