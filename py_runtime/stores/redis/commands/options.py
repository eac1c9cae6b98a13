"""What several commands share in reading their arguments: expiry options and ranges of places."""

from collections.abc import Mapping

from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import INT_MAX, parse_int
from py_runtime.stores.replies import ErrorReply, repeated

SYNTAX_ERROR = "ERR syntax error"
READ_ONLY = "READONLY You can't write against a read only replica."
_NOT_POSITIVE = "ERR value is out of range, must be positive"
EXPIRY_OPTIONS = {  # option → (unit in ms, counted from now)
    b"EX": (1000, True),
    b"PX": (1, True),
    b"EXAT": (1000, False),
    b"PXAT": (1, False),
}


def subcommand(argv: list, known: Mapping[bytes, int]) -> bytes:
    """The name of the subcommand, checked against those known with their arity (the command's name included)."""
    name = argv[1].upper()
    arity = known.get(name)
    if arity is None:
        raise ErrorReply(f"ERR unknown subcommand '{repeated(argv[1][:128])}'. Try {argv[0].decode().upper()} HELP.")
    if not (len(argv) == arity if arity > 0 else len(argv) >= -arity):
        raise wrong_arity(f"{argv[0].decode()}|{argv[1].decode()}".lower())
    return name


def wrong_form(argv: list) -> ErrorReply:
    """The error for a known subcommand with arguments that make no sense to it."""
    name = repeated(argv[1][:128])
    help_at = argv[0].decode().upper()
    return ErrorReply(f"ERR unknown subcommand or wrong number of arguments for '{name}'. Try {help_at} HELP.")


def wrong_arity(command: str) -> ErrorReply:
    """The error for a number of arguments that the table cannot know, such as an odd list of pairs."""
    return ErrorReply(f"ERR wrong number of arguments for '{command}' command")


def expiry_moment(db: Keyspace, option: bytes, amount: bytes, command: str) -> int:
    """The moment in ms that `EX 10` and its kin name. Raises for zero, negative and overflowing amounts."""
    unit_ms, from_now = EXPIRY_OPTIONS[option]
    at_ms = parse_int(amount)
    if at_ms > 0:
        at_ms = at_ms * unit_ms + (db.now_ms if from_now else 0)
        if at_ms <= INT_MAX:
            return at_ms
    raise ErrorReply(f"ERR invalid expire time in '{command}' command")


def places(start: int, stop: int, length: int) -> tuple[int, int]:
    """Python's half-open bounds for Redis's inclusive places, negative ones counted from the end."""
    if start < 0:
        start = max(start + length, 0)
    if stop < 0:
        stop += length
    return start, max(start, min(stop + 1, length))


def parse_count(text: bytes) -> int:
    """A count of elements that may not be negative, as LPOP and ZPOPMIN take it."""
    count = parse_int(text, _NOT_POSITIVE)
    if count < 0:
        raise ErrorReply(_NOT_POSITIVE)
    return count
