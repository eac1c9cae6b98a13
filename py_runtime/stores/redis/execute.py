"""Applying one command line to a keyspace: the one door to every command.

Decides whether the command exists, has the right number of arguments, may write here (a replica's keyspace is for
reading) and, in cluster mode, has keys in one slot of this node. Knows nothing of clients or the network.
"""

from py_runtime.stores.redis.commands.options import READ_ONLY, wrong_arity
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.slots import Slots
from py_runtime.stores.redis.table import COMMANDS
from py_runtime.stores.replies import ErrorReply

_SHOWN_MAX = 128  # how much of an unknown command and of its arguments Redis repeats


def new_keyspace(slots: Slots | None = None) -> Keyspace:
    """An empty keyspace that knows all commands; `slots` switches cluster mode on."""
    return Keyspace(COMMANDS, slots)


def execute(db: Keyspace, argv: list, now_us: int):
    """Apply one command at the instant `now_us` of the server's clock, as a whole.

    Gives its reply, or a `Blocked` when it has to wait. Raises `ErrorReply`. Touched keys gather in `db.touched`,
    also when the command fails (a script's earlier writes stay).
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
    return command.function(db, argv)


def unknown_command(argv: list) -> ErrorReply:
    """The error for a name that is not in the table, with the beginning of its arguments as Redis repeats them."""
    shown = ""
    for word in argv[1:]:
        if len(shown) >= _SHOWN_MAX:
            break
        shown += f"'{word[: _SHOWN_MAX - len(shown)].decode('utf-8', 'replace')}' "
    name = argv[0][:_SHOWN_MAX].decode("utf-8", "replace")
    return ErrorReply(f"ERR unknown command '{name}', with args beginning with: {shown}")
