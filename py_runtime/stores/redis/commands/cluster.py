"""CLUSTER: what a node says of itself and of the slots. What slots decide is in `py_runtime.stores.redis.slots`."""

from hashlib import sha1

from py_runtime.stores.redis.commands.options import subcommand
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.slots import PORT, SLOT_COUNT, key_slot
from py_runtime.stores.replies import ErrorReply

SUBCOMMANDS = {
    b"KEYSLOT": 3,
    b"COUNTKEYSINSLOT": 3,
    b"GETKEYSINSLOT": 4,
    b"SLOTS": 2,
    b"SHARDS": 2,
    b"MYID": 2,
    b"INFO": 2,
}


def cluster(db: Keyspace, argv: list):
    name = subcommand(argv, SUBCOMMANDS)
    if db.slots is None:
        raise ErrorReply("ERR This instance has cluster support disabled")
    return _ANSWERS[name](db, argv[2:])


def _key_slot(db: Keyspace, words: list):
    return key_slot(words[0])


def _count_keys(db: Keyspace, words: list):
    slot = parse_int(words[0])
    if not 0 <= slot < SLOT_COUNT:
        raise ErrorReply("ERR Invalid slot")
    return len(_keys_in(db, slot))


def _keys(db: Keyspace, words: list):
    slot, count = parse_int(words[0]), parse_int(words[1])
    if not 0 <= slot < SLOT_COUNT or count < 0:
        raise ErrorReply("ERR Invalid slot or number of keys")
    return _keys_in(db, slot)[:count]


def _keys_in(db: Keyspace, slot: int) -> list[bytes]:
    return [key for key in db.values if key_slot(key) == slot]


def _slots(db: Keyspace, words: list):
    return [[first, last, [name.encode(), PORT, node_id(name), []]] for first, last, name in db.slots.topology.runs()]


def _shards(db: Keyspace, words: list):
    shards = []
    for name, node in db.slots.topology.nodes.items():
        address = name.encode()
        facts = [b"id", node_id(name), b"port", PORT, b"ip", address, b"endpoint", address, b"role", b"master"]
        facts += [b"replication-offset", 0, b"health", b"online"]
        served = [bound for run in node.runs for bound in (run.start, run.stop - 1)]
        shards.append([b"slots", served, b"nodes", [facts]])
    return shards


def _info(db: Keyspace, words: list):
    nodes = db.slots.topology.nodes.values()
    assigned = sum([len(run) for node in nodes for run in node.runs])
    facts = {
        "cluster_state": "ok",
        "cluster_slots_assigned": assigned,
        "cluster_slots_ok": assigned,
        "cluster_slots_pfail": 0,
        "cluster_slots_fail": 0,
        "cluster_known_nodes": len(nodes),
        "cluster_size": sum([bool(node.runs) for node in nodes]),
    }
    return "".join([f"{name}:{value}\r\n" for name, value in facts.items()]).encode()


def node_id(name: str) -> bytes:
    """The id of a node: 40 hex digits, which real nodes draw at random and here follow from the name."""
    return sha1(name.encode(), usedforsecurity=False).hexdigest().encode()


_ANSWERS = {
    b"KEYSLOT": _key_slot,
    b"COUNTKEYSINSLOT": _count_keys,
    b"GETKEYSINSLOT": _keys,
    b"SLOTS": _slots,
    b"SHARDS": _shards,
    b"MYID": lambda db, words: node_id(db.slots.name),
    b"INFO": _info,
}
