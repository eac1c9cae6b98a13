"""Applying one command line to a keyspace: the one door to every command.

Decides whether the command exists, has the right number of arguments, may write here (a replica's keyspace is for
reading), has keys in one slot of this node (in cluster mode) and is to run now, on the connection it came by. Knows
nothing of clients or the network.
"""

from py_runtime.stores.redis.commands.options import READ_ONLY, subcommand, wrong_arity
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.sessions import Session
from py_runtime.stores.redis.slots import Slots
from py_runtime.stores.redis.table import COMMANDS, Command
from py_runtime.stores.replies import ErrorReply, Status, repeated

_QUEUED = Status(b"QUEUED")
_NEVER_QUEUED = frozenset((b"MULTI", b"EXEC", b"DISCARD", b"WATCH", b"RESET", b"QUIT"))
_WHEN_SUBSCRIBED = frozenset(
    (b"PING", b"SUBSCRIBE", b"UNSUBSCRIBE", b"PSUBSCRIBE", b"PUNSUBSCRIBE", b"QUIT", b"RESET"),
)
_SUBSCRIBED = (
    "ERR Can't execute '{}': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context"
)
_SHOWN_MAX = 128  # how much of an unknown command and of its arguments Redis repeats


def new_keyspace(slots: Slots | None = None) -> Keyspace:
    """An empty keyspace that knows all commands; `slots` switches cluster mode on."""
    return Keyspace(COMMANDS, slots)


def execute(db: Keyspace, argv: list, now_us: int, run=None):
    """Apply one command at the instant `now_us` of the server's clock, as a whole.

    Gives its reply, or a `Blocked` when it has to wait. Raises `ErrorReply`. Touched keys gather in `db.touched`,
    also when the command fails (a script's earlier writes stay). run: called with the row and the command line in place
    of the row's function.
    """
    db.advance(now_us)
    command = COMMANDS.get(argv[0])
    if command is None:
        command = COMMANDS.get(argv[0].upper())
        if command is None:
            raise unknown_command(argv)
    if not command.takes(len(argv)):
        raise wrong_arity(command.name.decode().lower())
    if db.slots is not None:
        db.slots.check(command.keys_of(argv))
    if db.read_only and "write" in command.flags:
        raise ErrorReply(READ_ONLY)
    return command.function(db, argv) if run is None else run(command, argv)


def execute_on(session: Session, db: Keyspace, argv: list, now_us: int):
    """The same on a connection, which may be inside MULTI (commands are queued) or subscribed (most are refused)."""
    running = False

    def run(command: Command, argv: list):
        nonlocal running
        name = command.name
        if command.subcommands is not None:
            subcommand(argv, command.subcommands)
        if session.subscriptions and name not in _WHEN_SUBSCRIBED:
            raise ErrorReply(_SUBSCRIBED.format(command.full_name(argv)))
        running = True
        if session.queue is not None and name not in _NEVER_QUEUED:
            session.queue.append(argv)
            return _QUEUED
        db.sessions.current = session
        try:
            return command.function(db, argv)
        finally:
            db.sessions.current = None

    try:
        return execute(db, argv, now_us, run)
    except ErrorReply as error:
        if running:
            raise
        if argv[0].upper() == b"EXEC":
            db.sessions.end_transaction(session)
            raise ErrorReply(f"EXECABORT Transaction discarded because of: {error.text.removeprefix('ERR ')}") from None
        session.broken = session.queue is not None
        raise


def unknown_command(argv: list) -> ErrorReply:
    """The error for a name that is not in the table, with the beginning of its arguments as Redis repeats them."""
    shown = b""
    for word in argv[1:]:
        if len(shown) >= _SHOWN_MAX:
            break
        shown += b"'%b' " % word[: _SHOWN_MAX - len(shown)].partition(b"\0")[0]
    name = repeated(argv[0][:_SHOWN_MAX])
    return ErrorReply(f"ERR unknown command '{name}', with args beginning with: {repeated(shown)}")
