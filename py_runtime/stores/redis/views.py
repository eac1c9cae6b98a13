"""The JSON view of keys: what a trace's `changes` hold and what the page shows of a store.

Decides how each type of value is written as JSON. Knows no command; the format's readers are the lab and the page.
"""

from py_runtime.stores.redis.keyspace import TYPE_NAMES, Hash, Keyspace, List, Set
from py_runtime.stores.redis.sorted_set import SortedSet
from py_runtime.stores.redis.stream import Stream
from py_runtime.stores.redis.stream_nodes import StreamId

_EXACT_MAX = 2**53  # beyond it a JSON number read by JavaScript is no longer exact


def text(raw: bytes) -> str:
    """Bytes as a reader sees them; what is no UTF-8 is written as `\\xff`."""
    return raw.decode("utf-8", "backslashreplace")


def _score(score: float):
    if -_EXACT_MAX <= score <= _EXACT_MAX:
        return int(score) if score == int(score) else score
    return repr(score)


def _id(entry_id: StreamId) -> str:
    return f"{entry_id[0]}-{entry_id[1]}"


def _stream(stream: Stream) -> list:
    view = []
    for entry_id, flat in stream.entries.items():
        fields = {text(flat[at]): text(flat[at + 1]) for at in range(0, len(flat), 2)}
        view.append([_id(entry_id), fields])
    return view


def groups_view(stream: Stream) -> list[dict]:
    """A stream's consumer groups by name: what was delivered last, and what is pending for whom since when."""
    return [
        {
            "name": text(name),
            "last_id": _id(group.last_id),
            "consumers": [text(consumer.name) for consumer in group.by_name()],
            "pending": [
                {
                    "id": _id(entry_id),
                    "consumer": text(delivery.consumer.name),
                    "delivered_at_ms": delivery.at_ms,
                    "deliveries": delivery.count,
                    "deleted": entry_id not in stream.entries,
                }
                for entry_id, delivery in group.pending.in_order()
            ],
        }
        for name, group in sorted(stream.groups.items())
    ]


_VIEWS = {
    bytes: text,
    Hash: lambda fields: {text(field): text(value) for field, value in fields.items()},
    SortedSet: lambda members: [[text(member), _score(score)] for score, member in members.order],
    Set: lambda members: sorted(text(member) for member in members),
    List: lambda elements: [text(element) for element in elements],
    Stream: _stream,
}


def value_view(value):
    """The JSON value of one key's value; None for None."""
    return None if value is None else _VIEWS[type(value)](value)


def key_view(db: Keyspace, store: str, key: bytes, former: type | None = None) -> dict:
    """One entry of `changes`: the whole value of `key` now, or null when it is gone (`former`: the type it had).

    A stream with consumer groups has them in `groups` beside its value.
    """
    value = db.values.get(key)
    kind = former if value is None else type(value)
    entry = {"store": store, "key": text(key), "type": TYPE_NAMES[kind or bytes], "value": value_view(value)}
    at_ms = db.expires.get(key)
    if at_ms is not None:
        entry["expires_at_ms"] = at_ms
    if kind is Stream and value is not None and value.groups:
        entry["groups"] = groups_view(value)
    return entry


def changes(db: Keyspace, store: str, touched: dict) -> list[dict]:
    """The entries for all keys that a command touched, in order of first touch."""
    return [key_view(db, store, key, former) for key, former in touched.items()]


def snapshot(db: Keyspace, store: str) -> dict[str, dict]:
    """Every key's entry; folding all changes of a run gives the same."""
    return {text(key): key_view(db, store, key) for key in db.values}
