"""The value of a consumer group: which entry was delivered last, and which deliveries nobody has acknowledged yet.

Decides who owns a pending entry, and how far a group has read where that can be known. Knows no command; a stream is
whatever has `ids`, `first_id`, `last_id`, `added` and `deleted_id`.
"""

from bisect import bisect_left, bisect_right, insort

from py_runtime.stores.redis.stream_nodes import StreamId


class Delivery:
    """One pending entry: to whom it was delivered, when last, how often."""

    __slots__ = ("consumer", "at_ms", "count")

    def __init__(self, consumer: "Consumer | None", at_ms: int, count: int) -> None:
        self.consumer = consumer
        self.at_ms = at_ms
        self.count = count


class Pending:
    """Deliveries by the ids of their entries, walked in the order of the ids."""

    __slots__ = ("ids", "deliveries")

    def __init__(self) -> None:
        self.ids: list[StreamId] = []
        self.deliveries: dict[StreamId, Delivery] = {}

    def __len__(self) -> int:
        return len(self.ids)

    def put(self, entry_id: StreamId, delivery: Delivery) -> None:
        """Add an entry, or give another delivery to one that is there."""
        if entry_id not in self.deliveries:
            insort(self.ids, entry_id)
        self.deliveries[entry_id] = delivery

    def drop(self, entry_id: StreamId) -> Delivery | None:
        """Take an entry out and return its delivery; None when it was not there."""
        delivery = self.deliveries.pop(entry_id, None)
        if delivery is not None:
            del self.ids[bisect_left(self.ids, entry_id)]
        return delivery

    def in_order(self, count: int | None = None) -> list[tuple[StreamId, Delivery]]:
        """The deliveries with their ids, the first `count` of them or all."""
        return [(entry_id, self.deliveries[entry_id]) for entry_id in self.ids[:count]]

    def starting_at(self, entry_id: StreamId) -> list[StreamId]:
        return self.ids[bisect_left(self.ids, entry_id) :]

    def between(self, low: StreamId, high: StreamId) -> list[StreamId]:
        """The ids from `low` to `high`, both included."""
        return self.ids[bisect_left(self.ids, low) : bisect_right(self.ids, high)]


class Consumer:
    """A name within a group: when it was last heard of, and what is pending for it."""

    __slots__ = ("name", "seen_ms", "pending")

    def __init__(self, name: bytes, seen_ms: int) -> None:
        self.name = name
        self.seen_ms = seen_ms
        self.pending = Pending()


class Group:
    """A consumer group of one stream. `read` counts the entries up to `last_id`; None where that is not known."""

    __slots__ = ("last_id", "read", "pending", "consumers")

    def __init__(self, last_id: StreamId, read: int | None) -> None:
        self.last_id = last_id
        self.read = read
        self.pending = Pending()
        self.consumers: dict[bytes, Consumer] = {}

    def consumer(self, name: bytes, now_ms: int) -> Consumer:
        """The consumer of that name, made when there is none, and heard of now."""
        consumer = self.consumers.get(name)
        if consumer is None:
            consumer = self.consumers[name] = Consumer(name, now_ms)
        consumer.seen_ms = now_ms
        return consumer

    def by_name(self) -> list[Consumer]:
        """The consumers in the order of their names, as Redis walks them."""
        return [self.consumers[name] for name in sorted(self.consumers)]

    def remove_consumer(self, name: bytes) -> int:
        """Forget a consumer and what is pending for it; gives how many entries that were."""
        consumer = self.consumers.pop(name, None)
        if consumer is None:
            return 0
        for entry_id in consumer.pending.ids:
            self.pending.drop(entry_id)
        return len(consumer.pending)

    def deliver(self, stream, entry_id: StreamId, consumer: Consumer, now_ms: int, acknowledged: bool) -> None:
        """Hand out an entry beyond `last_id`; pending unless it counts as acknowledged at once."""
        if self.read is not None and not _gap_from(stream, entry_id):
            self.read += 1
        elif stream.added:
            self.read = _read_up_to(stream, entry_id)
        self.last_id = entry_id
        if not acknowledged:
            # An entry may be pending already: XGROUP SETID can move a group back.
            self.give(entry_id, self.pending.deliveries.get(entry_id) or Delivery(None, now_ms, 1), consumer)
            delivery = self.pending.deliveries[entry_id]
            delivery.at_ms, delivery.count = now_ms, 1

    def give(self, entry_id: StreamId, delivery: Delivery, consumer: Consumer) -> None:
        """Make `consumer` the owner of a pending entry, whoever had it."""
        if delivery.consumer is not None and delivery.consumer is not consumer:
            delivery.consumer.pending.drop(entry_id)
        delivery.consumer = consumer
        self.pending.put(entry_id, delivery)
        consumer.pending.put(entry_id, delivery)

    def drop(self, entry_id: StreamId) -> bool:
        """Let an entry be pending no more; False when it was not."""
        delivery = self.pending.drop(entry_id)
        if delivery is None:
            return False
        delivery.consumer.pending.drop(entry_id)
        return True

    def lag(self, stream) -> int | None:
        """How many entries the group has yet to read; None where deletions make that unknown."""
        if not stream.added:
            return 0
        read = self.read
        if read is None or _gap_from(stream, self.last_id):
            read = _read_up_to(stream, self.last_id)
        return None if read is None else stream.added - read


def _gap_from(stream, entry_id: StreamId) -> bool:
    """Whether XDEL may have taken out an entry at or after this id."""
    return bool(stream.ids) and max(stream.first_id, entry_id) <= stream.deleted_id


def _read_up_to(stream, entry_id: StreamId) -> int | None:
    """How many entries there ever were up to this id, where the stream's ends tell; else None."""
    if not stream.added:
        return 0
    if not stream.ids and entry_id <= stream.last_id:
        return stream.added
    if entry_id >= stream.last_id:
        return stream.added if entry_id == stream.last_id else None
    if stream.deleted_id == (0, 0) or stream.deleted_id < stream.first_id:
        if entry_id < stream.first_id:
            return stream.added - len(stream.ids)
        if entry_id == stream.first_id:
            return stream.added - len(stream.ids) + 1
    return None
