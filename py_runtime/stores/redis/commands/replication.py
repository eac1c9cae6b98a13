"""ROLE, REPLICAOF and WAIT. What replication is and does is in `py_runtime.stores.redis.replication`."""

from py_runtime.stores.redis.acknowledgements import Wanted
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.replication import PORT
from py_runtime.stores.replies import OK, ErrorReply, Status

_ALREADY = Status(b"OK Already connected to specified master")
_BAD_PORT = "ERR Invalid master port"
_NO_WAIT_HERE = (
    "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured "
    "to be writable (which is not the default) writes to replicas are just local and are not propagated."
)


def role(db: Keyspace, argv: list):
    replication = db.replication
    if replication is None:
        return [b"master", 0, []]
    primary = replication.primary
    if primary is not None:
        state = replication.state().encode()
        return [b"slave", primary.server.name.encode(), PORT, state, replication.offset if replication.synced else -1]
    replicas = [
        [each.server.name.encode(), b"%d" % PORT, b"%d" % each.acked] for each in replication.replicas if each.synced
    ]
    return [b"master", replication.offset, replicas]


def replicaof(db: Keyspace, argv: list):
    if db.slots is not None:
        raise ErrorReply("ERR REPLICAOF not allowed in cluster mode.")
    if argv[1].upper() == b"NO" and argv[2].upper() == b"ONE":
        if db.replication is not None:
            db.replication.promote()
        return OK
    port = parse_int(argv[2], _BAD_PORT)
    if not 0 <= port <= 65535:
        raise ErrorReply(_BAD_PORT)
    replication, name = db.replication, argv[1].decode("utf-8", "replace")
    peers = (
        {} if replication is None else {each: peer for each, peer in replication.peers.items() if peer != replication}
    )
    if name not in peers or port != PORT:
        reached = ", ".join(f"{each} {PORT}" for each in sorted(peers)) or "none"
        raise ErrorReply(f"ERR REPLICAOF reaches servers that have replicated with this one, which are: {reached}")
    if replication.primary is peers[name]:
        return _ALREADY
    replication.follow(peers[name])
    return OK


def wait(db: Keyspace, argv: list):
    """WAIT says how many replicas have the write; a failover to one that has not loses it all the same."""
    if db.read_only:
        raise ErrorReply(_NO_WAIT_HERE)
    replicas = parse_int(argv[1])
    timeout_ms = parse_int(argv[2], "ERR timeout is not an integer or out of range")
    if timeout_ms < 0:
        raise ErrorReply("ERR timeout is negative")
    return Wanted(replicas, timeout_ms * 1000 or None)
