"""XCLAIM and XAUTOCLAIM: taking over entries that another consumer left pending.

Decides which entries change hands and how their delivery is counted; an entry that is no longer in the stream stops
being pending instead.
"""

from dataclasses import dataclass

from py_runtime.stores.redis.commands.options import SYNTAX_ERROR
from py_runtime.stores.redis.commands.stream_groups import find_group
from py_runtime.stores.redis.commands.stream_ids import entry_reply, format_id, parse_id, parse_low
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.stream import Stream, StreamId
from py_runtime.stores.redis.stream_group import Delivery
from py_runtime.stores.replies import ErrorReply, repeated

_BAD_COUNT = "ERR COUNT must be > 0"
_COUNT_MAX = (2**63 - 1) // 16  # 16 bytes an id
_LOOKED_AT = 10  # how many pending entries XAUTOCLAIM looks at for each that it may claim


@dataclass(slots=True)
class _Claim:
    """What the options of XCLAIM ask for; None where they do not."""

    at_ms: int | None = None
    count: int | None = None
    last_id: StreamId = (0, 0)
    force: bool = False
    only_ids: bool = False


def xclaim(db: Keyspace, argv: list):
    stream, group = find_group(db, argv)
    idle_ms = parse_int(argv[4], "ERR Invalid min-idle-time argument for XCLAIM")
    ids, at = _ids(argv)
    claim = _claim_options(argv, at, db.now_ms)
    group.last_id = max(group.last_id, claim.last_id)
    claimed = []
    for entry_id in ids:
        if entry_id not in stream.entries:
            group.drop(entry_id)
            continue
        delivery = group.pending.deliveries.get(entry_id)
        if delivery is None:
            if not claim.force:
                continue
            delivery = Delivery(None, db.now_ms, 1)
        elif idle_ms > 0 and db.now_ms - delivery.at_ms < idle_ms:
            continue
        group.give(entry_id, delivery, group.consumer(argv[3], db.now_ms))
        delivery.at_ms = db.now_ms if claim.at_ms is None else claim.at_ms
        if claim.count is not None:
            delivery.count = claim.count
        elif not claim.only_ids:
            delivery.count += 1
        claimed.append(_claimed(stream, entry_id, claim.only_ids))
    db.note(argv[1])
    return claimed


def _ids(argv: list) -> tuple[list[StreamId], int]:
    """The ids, and the place of the first word that is none: an option."""
    ids = []
    for at in range(5, len(argv)):
        try:
            ids.append(parse_id(argv[at]))
        except ErrorReply:
            return ids, at
    return ids, len(argv)


def _claim_options(argv: list, at: int, now_ms: int) -> _Claim:
    claim = _Claim()
    while at < len(argv):
        option, more = argv[at].upper(), at + 1 < len(argv)
        if option == b"FORCE":
            claim.force = True
        elif option == b"JUSTID":
            claim.only_ids = True
        elif option in (b"IDLE", b"TIME", b"RETRYCOUNT") and more:
            at += 1
            amount = parse_int(argv[at], f"ERR Invalid {option.decode()} option argument for XCLAIM")
            if option == b"RETRYCOUNT":
                claim.count = amount if amount >= 0 else None
            else:
                claim.at_ms = amount if option == b"TIME" else now_ms - amount
        elif option == b"LASTID" and more:
            at += 1
            claim.last_id = parse_id(argv[at])
        else:
            raise ErrorReply(f"ERR Unrecognized XCLAIM option '{repeated(argv[at])}'")
        at += 1
    if claim.at_ms is not None and not 0 <= claim.at_ms <= now_ms:
        claim.at_ms = now_ms  # a moment that cannot be: the client's clock differs
    return claim


def xautoclaim(db: Keyspace, argv: list):
    idle_ms = parse_int(argv[4], "ERR Invalid min-idle-time argument for XAUTOCLAIM")
    start = parse_low(argv[5])
    count, only_ids = _autoclaim_options(argv)
    stream, group = find_group(db, argv)
    waiting = group.pending.starting_at(start)
    claimed, gone, seen = [], [], 0
    while seen < min(len(waiting), count * _LOOKED_AT) and len(claimed) + len(gone) < count:
        entry_id = waiting[seen]
        seen += 1
        if entry_id not in stream.entries:
            group.drop(entry_id)
            gone.append(format_id(entry_id))
            continue
        delivery = group.pending.deliveries[entry_id]
        if idle_ms > 0 and db.now_ms - delivery.at_ms < idle_ms:
            continue
        group.give(entry_id, delivery, group.consumer(argv[3], db.now_ms))
        delivery.at_ms = db.now_ms
        delivery.count += not only_ids
        claimed.append(_claimed(stream, entry_id, only_ids))
    db.note(argv[1])
    following = waiting[seen] if seen < len(waiting) else (0, 0)
    return [format_id(following), claimed, gone]


def _autoclaim_options(argv: list) -> tuple[int, bool]:
    count, only_ids = 100, False
    at = 6
    while at < len(argv):
        option = argv[at].upper()
        if option == b"COUNT" and at + 1 < len(argv):
            at += 1
            count = parse_int(argv[at], _BAD_COUNT)
            if not 1 <= count <= _COUNT_MAX:
                raise ErrorReply(_BAD_COUNT)
        elif option == b"JUSTID":
            only_ids = True
        else:
            raise ErrorReply(SYNTAX_ERROR)
        at += 1
    return count, only_ids


def _claimed(stream: Stream, entry_id: StreamId, only_id: bool):
    return format_id(entry_id) if only_id else entry_reply(stream, entry_id)
