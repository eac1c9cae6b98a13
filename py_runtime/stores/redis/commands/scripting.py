"""EVAL, EVALSHA and SCRIPT: running the text of Lua scripts.

Decides which commands a script may call and with what keys. A script runs at one frozen instant, nothing runs in
between, and what it wrote before an error stays. The language itself is `py_runtime.stores.lua`.
"""

from py_runtime.stores.lua import compile_script
from py_runtime.stores.redis.command_text import script_sha
from py_runtime.stores.redis.commands.options import READ_ONLY, subcommand
from py_runtime.stores.redis.commands.stream_reads import asks_to_block
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.number_text import parse_int
from py_runtime.stores.replies import OK, ErrorReply

SUBCOMMANDS = {b"LOAD": 3, b"EXISTS": -3, b"FLUSH": -2}
_NO_KEYS = {b"TIME": [], b"ECHO": [], b"PING": []}  # commands without keys that touch none; any other might touch all
_UNKNOWN = "ERR Unknown Redis command called from script"
_WRONG_NUMBER = "ERR Wrong number of args calling Redis command from script"
_NO_SCRIPT = "NOSCRIPT No matching script. Please use EVAL."


def keys_of(argv: list) -> list[bytes]:
    """The keys that EVAL and EVALSHA declare."""
    return _declared(argv)[0]


def eval_(db: Keyspace, argv: list):
    keys, arguments = _declared(argv)
    sha = _load(db, argv[1])
    return db.scripts[sha].run(_caller(db), keys, arguments, dice=db.dice)


def evalsha(db: Keyspace, argv: list):
    script = db.scripts.get(argv[1].lower())
    if script is None and len(argv[1]) != 40:
        raise ErrorReply(_NO_SCRIPT)
    keys, arguments = _declared(argv)
    if script is None:
        raise ErrorReply(_NO_SCRIPT)
    return script.run(_caller(db), keys, arguments, dice=db.dice)


def script(db: Keyspace, argv: list):
    name = subcommand(argv, SUBCOMMANDS)
    if name == b"LOAD":
        return _load(db, argv[2])
    if name == b"EXISTS":
        return [int(sha.lower() in db.scripts) for sha in argv[2:]]
    if len(argv) > 3 or (len(argv) == 3 and argv[2].upper() not in (b"SYNC", b"ASYNC")):
        raise ErrorReply("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
    db.scripts.clear()
    return OK


def _load(db: Keyspace, text: bytes) -> bytes:
    sha = script_sha(text)
    if sha not in db.scripts:
        db.scripts[sha] = compile_script(text)
    return sha


def _declared(argv: list) -> tuple[list, list]:
    count = parse_int(argv[2])
    if count > len(argv) - 3:
        raise ErrorReply("ERR Number of keys can't be greater than number of args")
    if count < 0:
        raise ErrorReply("ERR Number of keys can't be negative")
    return argv[3 : 3 + count], argv[3 + count :]


def _caller(db: Keyspace):
    """What `redis.call` does: one command at the script's own instant."""
    commands, slots = db.commands, db.slots

    def call(argv: list):
        try:
            command = commands.get(argv[0]) or commands.get(argv[0].upper())
            if command is None:
                raise ErrorReply(_UNKNOWN)
            if not command.takes(len(argv)):
                raise ErrorReply(_WRONG_NUMBER)
            if command.subcommands is not None:
                arity = command.subcommands.get(argv[1].upper())
                if arity is None:
                    raise ErrorReply(_UNKNOWN)
                if len(argv) != arity if arity > 0 else len(argv) < -arity:
                    raise ErrorReply(_WRONG_NUMBER)
            if "noscript" in command.flags:
                raise ErrorReply("ERR This Redis command is not allowed from script")
            if "may block" in command.flags and asks_to_block(argv):
                name = argv[0].decode("utf-8", "replace")
                raise ErrorReply(f"ERR {name} command is not allowed with BLOCK option from scripts")
            if db.read_only and "write" in command.flags:
                raise ErrorReply(READ_ONLY)
            if slots is not None:
                slots.check_script_access(command.keys_of(argv))
            if db.looked_at is not None:
                keyless = _NO_KEYS.get(command.name, [None])
                db.looked_at.extend(keyless if command.keys is None else command.keys_of(argv))
            return command.function(db, argv)
        except ErrorReply:
            db.refused = argv
            raise

    return call
