"""Cluster slots: which slot a key belongs to, and which slots this node serves.

Decides the slot of a key and whether a set of keys may be used together. Knows no command. One node only: keys of
another node are refused as if nobody served their slot; redirection (MOVED) needs several nodes and is not here.
"""

from py_runtime.stores.replies import ErrorReply

SLOT_COUNT = 16384


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


class Slots:
    """What one cluster node serves: the slots in `owned` (default: all of them)."""

    def __init__(self, owned: range = range(SLOT_COUNT)) -> None:
        self.owned = owned

    def check(self, keys: list[bytes]) -> None:
        """Refuse keys in two slots, or in a slot that is not served here."""
        if not keys:
            return
        slot = key_slot(keys[0])
        for key in keys[1:]:
            if key_slot(key) != slot:
                raise ErrorReply("CROSSSLOT Keys in request don't hash to the same slot")
        if slot not in self.owned:
            raise ErrorReply("CLUSTERDOWN Hash slot not served")

    def check_script_access(self, keys: list[bytes]) -> None:
        """The same for a command inside a script, whose keys need not have been declared."""
        try:
            self.check(keys)
        except ErrorReply:
            raise ErrorReply("ERR Script attempted to access a non local key in a cluster node") from None
