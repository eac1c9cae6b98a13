"""Cluster slots: which slot a key belongs to, which slots a node serves, and who serves the others.

Decides the slot of a key and whether a set of keys may be used together, here. Knows no command and no server: other
nodes are names. Slots change hands at once; a move that is under way (ASK) is not here.
"""

from collections.abc import Callable, Iterator

from py_runtime.stores.replies import ErrorReply

SLOT_COUNT = 16384
PORT = 6379


def _crc16_table() -> tuple[int, ...]:
    rows = []
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        rows.append(crc & 0xFFFF)
    return tuple(rows)


_TABLE = _crc16_table()  # CRC-16/XMODEM, the one the Redis Cluster specification names


def key_slot(key: bytes) -> int:
    """The slot of a key: CRC16 of the text inside its first `{…}`, or of the whole key when that is absent or empty."""
    opening = key.find(b"{")
    if opening >= 0:
        closing = key.find(b"}", opening + 1)
        if closing > opening + 1:
            key = key[opening + 1 : closing]
    crc = 0
    for byte in key:
        crc = ((crc << 8) & 0xFFFF) ^ _TABLE[(crc >> 8) ^ byte]
    return crc % SLOT_COUNT


class Topology:
    """What every node of a cluster knows of all of them, at once: `nodes` by name, in the order of their slots."""

    def __init__(self) -> None:
        self.nodes: dict[str, Slots] = {}

    def owner_of(self, slot: int) -> str | None:
        """The name of the node that serves a slot."""
        return next((name for name, slots in self.nodes.items() if slot in slots), None)

    def runs(self) -> Iterator[tuple[int, int, str]]:
        """Neighbouring slots of one node as (first, last, name), from the lowest slot on."""
        yield from sorted((run.start, run.stop - 1, name) for name, node in self.nodes.items() for run in node.runs)


class Slots:
    """What one cluster node serves: the slots in `owned` (default: all of them). `topology`: that of its cluster."""

    def __init__(self, owned: range = range(SLOT_COUNT), topology: Topology | None = None) -> None:
        self.topology = topology or Topology()
        self.name = ""
        self.runs = [owned]
        self.hear: Callable[[bytes, bytes], None] | None = None  # takes what was published at another node

    def __contains__(self, slot: int) -> bool:
        return any(slot in run for run in self.runs)

    def join(self, name: str, hear: Callable[[bytes, bytes], None]) -> None:
        """Take part in the topology, as the node of that name."""
        self.name = name
        self.hear = hear
        self.topology.nodes[name] = self

    def tell_others(self, channel: bytes, message: bytes) -> None:
        """Let those who listen at other nodes hear what was published here."""
        for node in self.topology.nodes.values():
            if node is not self and node.hear is not None:
                node.hear(channel, message)

    def take(self, moved: range) -> None:
        """Serve these slots from now on, instead of whoever did."""
        for node in self.topology.nodes.values():
            node.runs = [part for run in node.runs for part in _without(run, moved) if part]
        runs = sorted([*self.runs, moved], key=lambda run: run.start)
        self.runs = []
        for run in runs:
            if self.runs and self.runs[-1].stop == run.start:
                run = range(self.runs.pop().start, run.stop)
            self.runs.append(run)

    def check(self, keys: list[bytes]) -> None:
        """Refuse keys in two slots, or in a slot that is served elsewhere or nowhere."""
        if not keys:
            return
        slot = key_slot(keys[0])
        owner = self.name if slot in self else self.topology.owner_of(slot)
        if owner is None:
            raise ErrorReply("CLUSTERDOWN Hash slot not served")
        for key in keys[1:]:
            if key_slot(key) != slot:
                raise ErrorReply("CROSSSLOT Keys in request don't hash to the same slot")
        if owner != self.name:
            raise ErrorReply(f"MOVED {slot} {owner}:{PORT}")

    def check_script_access(self, keys: list[bytes]) -> None:
        """The same for a command inside a script, whose keys need not have been declared."""
        try:
            self.check(keys)
        except ErrorReply:
            raise ErrorReply("ERR Script attempted to access a non local key in a cluster node") from None


def _without(run: range, gone: range) -> tuple[range, range]:
    return range(run.start, min(run.stop, gone.start)), range(max(run.start, gone.stop), run.stop)
