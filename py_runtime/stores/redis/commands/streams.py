"""Writing to streams, and ranges of them (see stream_reads.py for XREAD, stream_groups.py for consumer groups)."""

from py_runtime.stores.redis.commands.options import SYNTAX_ERROR, wrong_arity
from py_runtime.stores.redis.commands.stream_ids import entry_reply, format_id, parse_high, parse_id, parse_low
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.redis.stream import MAX_ID, MAX_SEQUENCE, Stream, StreamId
from py_runtime.stores.redis.stream_nodes import NODE_ENTRIES
from py_runtime.stores.replies import OK, ErrorReply

_SMALL_ID = "ERR The ID specified in XADD is equal or smaller than the target stream top item"


def xadd(db: Keyspace, argv: list):
    trim, at, make_stream, wanted = _trim_options(argv, adding=True)
    fields = tuple(argv[at:])
    if not fields or len(fields) % 2:
        raise wrong_arity("xadd")
    if wanted == (0, 0):
        raise ErrorReply("ERR The ID specified in XADD must be greater than 0-0")
    stream = db.find(argv[1], Stream)
    if stream is None:
        if not make_stream:
            return None
        stream = Stream()
    entry_id = _next_id(stream, wanted, db.now_ms)
    stream.append(entry_id, fields)
    db.values[argv[1]] = stream
    db.touch(argv[1])
    db.signal(argv[1])
    if trim:
        _trim(stream, *trim)
    return format_id(entry_id)


def _wanted_id(text: bytes) -> tuple[int | None, int | None]:
    """The id asked for; None stands for a part the server is to fill in."""
    if text == b"*":
        return None, None
    if text.endswith(b"-*"):
        return parse_id(text[:-2] + b"-0")[0], None
    return parse_id(text)


def _next_id(stream: Stream, wanted: tuple[int | None, int | None], now_ms: int) -> StreamId:
    last_ms, last_sequence = stream.last_id
    ms, sequence = wanted
    if stream.last_id == MAX_ID:
        raise ErrorReply("ERR The stream has exhausted the last possible ID, unable to add more items")
    if ms is None:
        if now_ms > last_ms:
            return now_ms, 0
        return (last_ms, last_sequence + 1) if last_sequence < MAX_SEQUENCE else (last_ms + 1, 0)
    if sequence is None:
        sequence = last_sequence + 1 if ms == last_ms else 0
    if (ms, sequence) <= stream.last_id or sequence > MAX_SEQUENCE:
        raise ErrorReply(_SMALL_ID)
    return ms, sequence


def _trim_options(argv: list, adding: bool) -> tuple:
    """MAXLEN / MINID with `=`, `~` and LIMIT, and for XADD the id that ends them.

    Gives (arguments of `_trim` or None, place of the first field, whether to make the stream, wanted id).
    """
    strategy, approximate, limit, threshold, make_stream, wanted = None, False, None, None, True, None
    at = 2
    while wanted is None and at < len(argv):
        option, more = argv[at].upper(), len(argv) - at - 1
        if option in (b"MAXLEN", b"MINID") and more:
            if strategy is not None:
                raise ErrorReply("ERR syntax error, MAXLEN and MINID options at the same time are not compatible")
            strategy, approximate = option, False
            if more >= 2 and argv[at + 1] in (b"~", b"="):
                approximate = argv[at + 1] == b"~"
                at += 1
            threshold = _threshold(strategy, argv[at + 1])
            at += 1
        elif option == b"LIMIT" and more:
            limit = parse_int(argv[at + 1])
            if limit < 0:
                raise ErrorReply("ERR The LIMIT argument must be >= 0.")
            at += 1
        elif option == b"NOMKSTREAM" and adding:
            make_stream = False
        elif adding:
            wanted = _wanted_id(argv[at])
        else:
            raise ErrorReply(SYNTAX_ERROR)
        at += 1
    if limit is not None and strategy is None:
        raise ErrorReply("ERR syntax error, LIMIT cannot be used without specifying a trimming strategy")
    if limit is not None and not approximate:
        raise ErrorReply("ERR syntax error, LIMIT cannot be used without the special ~ option")
    if not adding and strategy is None:
        raise ErrorReply("ERR syntax error, XTRIM must be called with MAXLEN or MINID option")
    if approximate and limit is None:
        limit = 100 * NODE_ENTRIES  # Redis's default, to bound the work of one call
    return (strategy, threshold, approximate, limit or None) if strategy else None, at, make_stream, wanted


def _threshold(strategy: bytes, text: bytes):
    if strategy == b"MINID":
        return parse_id(text)
    length = parse_int(text)
    if length < 0:
        raise ErrorReply("ERR The MAXLEN argument must be >= 0.")
    return length


def _trim(stream: Stream, strategy: bytes, threshold, approximate: bool, limit: int | None) -> int:
    trim = stream.trim_to if strategy == b"MAXLEN" else stream.trim_below
    return trim(threshold, approximate, limit)


def xtrim(db: Keyspace, argv: list):
    trim, _, _, _ = _trim_options(argv, adding=False)
    stream = db.find(argv[1], Stream)
    removed = _trim(stream, *trim) if stream is not None else 0
    if removed:
        db.touch(argv[1])
    return removed


def xdel(db: Keyspace, argv: list):
    stream = db.find(argv[1], Stream)
    ids = [parse_id(text) for text in argv[2:]] if stream is not None else ()
    removed = sum([stream.discard(entry_id) for entry_id in ids])
    if removed:
        db.touch(argv[1])  # an emptied stream stays: it remembers its last id
    return removed


def xsetid(db: Keyspace, argv: list):
    last_id, deleted_id, added = parse_id(argv[2]), (0, 0), None
    at = 3
    while at < len(argv):
        option = argv[at].upper()
        if option == b"ENTRIESADDED" and at + 1 < len(argv):
            added = parse_int(argv[at + 1])
            if added < 0:
                raise ErrorReply("ERR entries_added must be positive")
        elif option == b"MAXDELETEDID" and at + 1 < len(argv):
            deleted_id = parse_id(argv[at + 1])
            if last_id < deleted_id:
                raise ErrorReply("ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id")
        else:
            raise ErrorReply(SYNTAX_ERROR)
        at += 2
    stream = db.find(argv[1], Stream)
    if stream is None:
        raise ErrorReply("ERR no such key")
    if stream.ids and last_id < stream.ids[-1]:
        raise ErrorReply("ERR The ID specified in XSETID is smaller than the target stream top item")
    if stream.ids and added is not None and added < len(stream):
        raise ErrorReply("ERR The entries_added specified in XSETID is smaller than the target stream length")
    stream.last_id = last_id
    stream.added = stream.added if added is None else added
    if deleted_id != (0, 0):
        stream.deleted_id = deleted_id
    db.note(argv[1])
    return OK


def xlen(db: Keyspace, argv: list):
    stream = db.find(argv[1], Stream)
    return 0 if stream is None else len(stream)


def xrange(db: Keyspace, argv: list):
    return _range(db, argv, argv[2], argv[3], reverse=False)


def xrevrange(db: Keyspace, argv: list):
    return _range(db, argv, argv[3], argv[2], reverse=True)


def _range(db: Keyspace, argv: list, low_text: bytes, high_text: bytes, reverse: bool):
    low, high = parse_low(low_text), parse_high(high_text)
    count = None
    for at in range(4, len(argv), 2):
        if argv[at].upper() != b"COUNT" or at + 1 >= len(argv):
            raise ErrorReply(SYNTAX_ERROR)
        count = max(parse_int(argv[at + 1]), 0)
    stream = db.find(argv[1], Stream)
    if stream is None:
        return []
    if count == 0:
        return None
    ids = stream.between(low, high)
    if reverse:
        ids.reverse()
    return [entry_reply(stream, entry_id) for entry_id in ids[:count]]
