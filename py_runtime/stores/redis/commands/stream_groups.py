"""Consumer groups: XGROUP, XACK and XPENDING (see stream_reads.py for XREADGROUP, stream_claims.py for XCLAIM).

Decides nothing about deliveries themselves: stream_group.py does.
"""

from py_runtime.stores.redis.commands.options import SYNTAX_ERROR, subcommand, wrong_form
from py_runtime.stores.redis.commands.stream_ids import format_id, parse_high, parse_id, parse_low
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.stream import Stream, StreamId
from py_runtime.stores.redis.stream_group import Consumer, Group
from py_runtime.stores.replies import OK, ErrorReply, repeated

_NO_KEY = (
    "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM "
    "option to create an empty stream automatically."
)


def find_group(db: Keyspace, argv: list) -> tuple[Stream, Group]:
    """The stream and group that follow a command's name. Raises NOGROUP where there is none."""
    stream = db.find(argv[1], Stream)
    group = None if stream is None else stream.groups.get(argv[2])
    if group is None:
        raise ErrorReply(f"NOGROUP No such key '{repeated(argv[1])}' or consumer group '{repeated(argv[2])}'")
    return stream, group


def group_in(stream: Stream, argv: list) -> Group:
    """The group that follows the stream's key behind a subcommand. Raises NOGROUP where there is none."""
    group = stream.groups.get(argv[3])
    if group is None:
        raise ErrorReply(f"NOGROUP No such consumer group '{repeated(argv[3])}' for key name '{repeated(argv[2])}'")
    return group


def xgroup(db: Keyspace, argv: list):
    function, _, options, needs_group = _SUBCOMMANDS[subcommand(argv, SUBCOMMANDS)]
    make_stream, read = _group_options(argv, options)
    stream = db.find(argv[2], Stream)
    if stream is None and not make_stream:
        raise ErrorReply(_NO_KEY)
    if needs_group:
        group_in(stream, argv)
    return function(db, argv, stream, read)


def _group_options(argv: list, allowed: tuple) -> tuple[bool, int | None]:
    """(whether to make the stream, entries read with None for unknown)."""
    make_stream, read = False, None
    at = 5
    while at < len(argv):
        option = argv[at].upper()
        if option == b"MKSTREAM" and option in allowed:
            make_stream = True
        elif option == b"ENTRIESREAD" and option in allowed and at + 1 < len(argv):
            at += 1
            read = parse_int(argv[at])
            if read < -1:
                raise ErrorReply("ERR value for ENTRIESREAD must be positive or -1")
        else:
            raise wrong_form(argv)
        at += 1
    return make_stream, None if read == -1 else read


def _create(db: Keyspace, argv: list, stream: Stream | None, read: int | None):
    if len(argv) > 8:
        raise wrong_form(argv)
    if argv[4] == b"$":
        last_id = (0, 0) if stream is None else stream.last_id
    else:
        last_id = parse_id(argv[4])
    if stream is None:
        stream = Stream()
        db.put(argv[2], stream)
    if argv[3] in stream.groups:
        raise ErrorReply("BUSYGROUP Consumer Group name already exists")
    stream.groups[argv[3]] = Group(last_id, read)
    db.note(argv[2])
    return OK


def _set_id(db: Keyspace, argv: list, stream: Stream, read: int | None):
    if len(argv) not in (5, 7):
        raise wrong_form(argv)
    group = stream.groups[argv[3]]
    group.last_id = stream.last_id if argv[4] == b"$" else _id_or_end(argv[4])
    group.read = read
    db.note(argv[2])
    return OK


def _id_or_end(text: bytes) -> StreamId:
    return parse_low(text) if text in (b"-", b"+") else parse_id(text)


def _destroy(db: Keyspace, argv: list, stream: Stream, read: int | None):
    if stream.groups.pop(argv[3], None) is None:
        return 0
    stream.signals += 1
    db.signal(argv[2])
    db.note(argv[2])
    return 1


def _create_consumer(db: Keyspace, argv: list, stream: Stream, read: int | None):
    consumers = stream.groups[argv[3]].consumers
    if argv[4] in consumers:
        return 0
    consumers[argv[4]] = Consumer(argv[4], db.now_ms)
    db.note(argv[2])
    return 1


def _delete_consumer(db: Keyspace, argv: list, stream: Stream, read: int | None):
    group = stream.groups[argv[3]]
    if argv[4] not in group.consumers:
        return 0
    db.note(argv[2])
    return group.remove_consumer(argv[4])


_SUBCOMMANDS = {  # name → (function, words of the shortest form, options, whether the group must exist)
    b"CREATE": (_create, 5, (b"MKSTREAM", b"ENTRIESREAD"), False),
    b"SETID": (_set_id, 5, (b"ENTRIESREAD",), True),
    b"DESTROY": (_destroy, 4, (), False),
    b"CREATECONSUMER": (_create_consumer, 5, (), True),
    b"DELCONSUMER": (_delete_consumer, 5, (), True),
}
SUBCOMMANDS = {name: -words if options else words for name, (_, words, options, _) in _SUBCOMMANDS.items()}  # arity


def xack(db: Keyspace, argv: list):
    stream = db.find(argv[1], Stream)
    group = None if stream is None else stream.groups.get(argv[2])
    if group is None:
        return 0
    ids = [parse_id(text) for text in argv[3:]]
    acknowledged = sum([group.drop(entry_id) for entry_id in ids])
    if acknowledged:
        db.note(argv[1])
    return acknowledged


def xpending(db: Keyspace, argv: list):
    if len(argv) == 3:
        return _summary(find_group(db, argv)[1])
    if not 6 <= len(argv) <= 9:
        raise ErrorReply(SYNTAX_ERROR)
    idle_ms, at = 0, 3
    if argv[3].upper() == b"IDLE":
        idle_ms, at = parse_int(argv[4]), 5
        if len(argv) < 8:
            raise ErrorReply(SYNTAX_ERROR)
    count = max(parse_int(argv[at + 2]), 0)
    low, high = parse_low(argv[at]), parse_high(argv[at + 1])
    group = find_group(db, argv)[1]
    pending = group.pending
    if at + 3 < len(argv):
        consumer = group.consumers.get(argv[at + 3])
        if consumer is None:
            return []
        pending = consumer.pending
    rows = []
    for entry_id in pending.between(low, high):
        if len(rows) == count:
            break
        delivery = pending.deliveries[entry_id]
        idle = db.now_ms - delivery.at_ms
        if not idle_ms or idle >= idle_ms:
            rows.append([format_id(entry_id), delivery.consumer.name, max(idle, 0), delivery.count])
    return rows


def _summary(group: Group) -> list:
    ids = group.pending.ids
    if not ids:
        return [0, None, None, None]
    owners = [[consumer.name, b"%d" % len(consumer.pending)] for consumer in group.by_name() if consumer.pending.ids]
    return [len(ids), format_id(ids[0]), format_id(ids[-1]), owners]
