"""What a command has touched, as an exploration asks: it swaps only steps that touch something in common.

Decides under which names (see py_runtime/sim/races.py): each key that the command or its script names, as changed if it
was changed or if the call waits to take from it; a script's text by its SHA-1. Whatever else may be in play (a
connection's own state, a call that a change lets go on, replication, commands that name no key) counts as touching the
whole server.
"""

from typing import TYPE_CHECKING

from py_runtime.stores.redis.blocked import Blocked
from py_runtime.stores.redis.command_text import script_sha
from py_runtime.stores.redis.table import COMMANDS

if TYPE_CHECKING:
    from py_runtime.stores.redis.server import RedisServer


def say_what_was_touched(server: "RedisServer", argv: list, touched: dict, reply: object, plain: bool) -> None:
    """Tell the running step what the command has read and changed. plain: nothing but keys and scripts was in play."""
    if type(reply) is Blocked and argv[0].upper() != b"XREAD":  # readers of a stream take nothing from each other
        touched = {**touched, **dict.fromkeys(reply.keys)}
    db, world = server.keyspace, server.world
    looked_at = db.looked_at
    name = argv[0].upper()
    command = COMMANDS.get(name)
    if not plain or command is None or None in looked_at:
        world.touch(server.name)
    elif name == b"SCRIPT" and len(argv) == 3 and argv[1].upper() == b"LOAD":
        world.touch((server.name, "script", script_sha(argv[2])))
    elif command.keys is None:
        world.touch(server.name)
    else:
        if name == b"EVAL":
            world.touch((server.name, "script", script_sha(argv[1])))
        elif name == b"EVALSHA":
            world.touch((server.name, "script", argv[1].lower()), changes=False)
        for key in dict.fromkeys([*command.keys_of(argv), *looked_at, *touched]):
            world.touch((server.name, key), changes=key in touched)
