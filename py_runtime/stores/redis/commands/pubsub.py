"""Publish and subscribe: messages to whoever listens at that moment. Nothing is kept for anybody else.

Decides what the commands answer; who receives a message is decided in sessions.py.
"""

from py_runtime.stores.redis.commands.options import subcommand, wrong_form
from py_runtime.stores.redis.commands.transactions import own_session
from py_runtime.stores.redis.glob import glob_match
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.sessions import Frames, Session
from py_runtime.stores.replies import ErrorReply

SUBCOMMANDS = {b"CHANNELS": -2, b"NUMSUB": -2, b"NUMPAT": 2}


def publish(db: Keyspace, argv: list):
    """Gives how many listen here; those who listen at a replica or at another node of the cluster get it, too."""
    if db.replication is not None:
        db.replication.published(argv[1], argv[2])
    if db.slots is not None:
        db.slots.tell_others(argv[1], argv[2])
    return db.sessions.publish(argv[1], argv[2])


def subscribe(db: Keyspace, argv: list):
    session = _listener(db, "SUBSCRIBE")
    return _each(session, b"subscribe", db.sessions.subscribe, argv[1:])


def psubscribe(db: Keyspace, argv: list):
    session = _listener(db, "PSUBSCRIBE")
    return _each(session, b"psubscribe", db.sessions.subscribe_pattern, argv[1:])


def unsubscribe(db: Keyspace, argv: list):
    session = _listener(db, "UNSUBSCRIBE")
    return _each(session, b"unsubscribe", db.sessions.unsubscribe, argv[1:] or list(session.channels))


def punsubscribe(db: Keyspace, argv: list):
    session = _listener(db, "PUNSUBSCRIBE")
    return _each(session, b"punsubscribe", db.sessions.unsubscribe_pattern, argv[1:] or list(session.patterns))


def _listener(db: Keyspace, name: str) -> Session:
    session = own_session(db, name)
    if session.receive is None:
        raise ErrorReply(f"ERR {name} needs a connection that reads what is pushed to it: use the client's pubsub()")
    return session


def _each(session: Session, kind: bytes, change, names: list) -> Frames:
    """Answer once per name, with how many subscriptions there are then; once with nil where there was no name."""
    answers = Frames()
    for name in names:
        change(session, name)
        answers.append([kind, name, session.subscriptions])
    return answers or Frames([[kind, None, session.subscriptions]])


def pubsub(db: Keyspace, argv: list):
    name = subcommand(argv, SUBCOMMANDS)
    sessions = db.sessions
    if name == b"NUMPAT":
        return len(sessions.patterns)
    if name == b"NUMSUB":
        return [part for channel in argv[2:] for part in (channel, len(sessions.channels.get(channel, ())))]
    if len(argv) > 3:
        raise wrong_form(argv)
    return [channel for channel in sessions.channels if len(argv) == 2 or glob_match(argv[2], channel)]
