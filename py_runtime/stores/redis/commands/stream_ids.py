"""Ids of stream entries as commands read and write them, and the forms that entries have in replies."""

from py_runtime.stores.redis.stream import MAX_ID, MAX_SEQUENCE, Stream, StreamId
from py_runtime.stores.replies import ErrorReply

BAD_ID = "ERR Invalid stream ID specified as stream command argument"
_ID_LENGTH_MAX = 127  # Redis reads an id into a buffer of 128 bytes


def format_id(entry_id: StreamId) -> bytes:
    return b"%d-%d" % entry_id


def parse_id(text: bytes, sequence: int = 0) -> StreamId:
    """`ms-seq`, or `ms` alone with the given sequence number; each as C's `strtoull` reads it, after spaces too."""
    if len(text) > _ID_LENGTH_MAX:
        raise ErrorReply(BAD_ID)
    ms_text, dash, sequence_text = text.partition(b"\0")[0].partition(b"-")
    entry_id = (_parse_part(ms_text), _parse_part(sequence_text) if dash else sequence)
    if max(entry_id) > MAX_SEQUENCE:
        raise ErrorReply(BAD_ID)
    return entry_id


def _parse_part(text: bytes) -> int:
    digits = text.lstrip(b" \t\n\v\f\r").removeprefix(b"+")
    if not digits.isdigit():
        raise ErrorReply(BAD_ID)
    return int(digits)


def parse_low(text: bytes) -> StreamId:
    """The lower end of a range: an id, `-`, or `(` and an id that is not in it itself."""
    return _bound(text, 0, 1)


def parse_high(text: bytes) -> StreamId:
    """The upper end of a range, likewise; `ms` alone is the last id of that millisecond."""
    return _bound(text, MAX_SEQUENCE, -1)


def _bound(text: bytes, sequence: int, step: int) -> StreamId:
    """One end of a range; `sequence` completes a bare ms, `step` moves past an excluded (`(`) bound."""
    if text == b"-":
        return (0, 0)
    if text == b"+":
        return MAX_ID
    if text[:1] != b"(":
        return parse_id(text, sequence)
    ms, sequence = parse_id(text[1:], sequence)
    if (ms, sequence) == (MAX_ID if step > 0 else (0, 0)):
        raise ErrorReply(f"ERR invalid {'start' if step > 0 else 'end'} ID for the interval")
    sequence += step
    if sequence > MAX_SEQUENCE:
        return (ms + 1, 0)
    return (ms, sequence) if sequence >= 0 else (ms - 1, MAX_SEQUENCE)


def entry_reply(stream: Stream, entry_id: StreamId) -> list:
    return [format_id(entry_id), list(stream.entries[entry_id])]
