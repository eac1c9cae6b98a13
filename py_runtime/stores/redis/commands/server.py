"""Commands about the server itself."""

from py_runtime.stores.redis.commands.options import wrong_arity
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.replies import Status

_PONG = Status(b"PONG")


def ping(db: Keyspace, argv: list):
    if len(argv) > 2:
        raise wrong_arity("ping")
    session = db.sessions.current
    if session is not None and session.subscriptions:
        return [b"pong", argv[1] if len(argv) == 2 else b""]
    return argv[1] if len(argv) == 2 else _PONG


def echo(db: Keyspace, argv: list):
    return argv[1]


def time(db: Keyspace, argv: list):
    return [b"%d" % (db.now_us // 1_000_000), b"%d" % (db.now_us % 1_000_000)]
