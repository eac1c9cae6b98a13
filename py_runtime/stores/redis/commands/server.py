"""Commands about the server itself."""

from py_runtime.stores.redis.commands.options import wrong_arity
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.slots import key_slot
from py_runtime.stores.replies import ErrorReply, Status

_PONG = Status(b"PONG")


def ping(db: Keyspace, argv: list):
    if len(argv) > 2:
        raise wrong_arity("ping")
    return argv[1] if len(argv) == 2 else _PONG


def echo(db: Keyspace, argv: list):
    return argv[1]


def time(db: Keyspace, argv: list):
    return [b"%d" % (db.now_us // 1_000_000), b"%d" % (db.now_us % 1_000_000)]


def cluster(db: Keyspace, argv: list):
    if argv[1].upper() != b"KEYSLOT":
        raise ErrorReply(f"ERR unknown subcommand '{argv[1].decode('utf-8', 'replace')}'. Try CLUSTER HELP.")
    if len(argv) != 3:
        raise wrong_arity("cluster|keyslot")
    if db.slots is None:
        raise ErrorReply("ERR This instance has cluster support disabled")
    return key_slot(argv[2])
