"""MULTI, EXEC, DISCARD, WATCH and UNWATCH, and RESET and QUIT, which end what a connection has begun.

Decides what EXEC answers; that commands between MULTI and EXEC are queued is decided in execute.py. Nothing runs in
between the commands of one EXEC, and an error of one of them takes nothing back.
"""

from py_runtime.stores.redis.acknowledgements import Wanted
from py_runtime.stores.redis.blocked import Blocked
from py_runtime.stores.redis.commands.options import READ_ONLY
from py_runtime.stores.redis.keyspace import Keyspace
from py_runtime.stores.redis.sessions import Frames, Session
from py_runtime.stores.replies import OK, ErrorReply, Status

_RESET = Status(b"RESET")


def own_session(db: Keyspace, name: str) -> Session:
    """The session that the command runs in; a plain call has none, since a pool may send each by another connection."""
    session = db.sessions.current
    if session is None:
        raise ErrorReply(f"ERR {name} needs a connection of its own: use the client's pipeline(), pubsub() or client()")
    return session


def multi(db: Keyspace, argv: list):
    session = own_session(db, "MULTI")
    if session.queue is not None:
        raise ErrorReply("ERR MULTI calls can not be nested")
    session.queue = []
    return OK


def discard(db: Keyspace, argv: list):
    session = db.sessions.current
    if session is None or session.queue is None:
        raise ErrorReply("ERR DISCARD without MULTI")
    db.sessions.end_transaction(session)
    return OK


def watch(db: Keyspace, argv: list):
    session = own_session(db, "WATCH")
    if session.queue is not None:
        raise ErrorReply("ERR WATCH inside MULTI is not allowed")
    db.sessions.mark_touched(db.touched, db.values)
    db.sessions.told = db.touched
    for key in argv[1:]:
        db.sessions.watch(session, key)
    return OK


def unwatch(db: Keyspace, argv: list):
    session = db.sessions.current
    if session is not None:
        db.sessions.unwatch(session)
    return OK


def exec_(db: Keyspace, argv: list):
    """The replies of all queued commands; nil when a watched key has changed, by expiring too."""
    session = db.sessions.current
    if session is None or session.queue is None:
        raise ErrorReply("ERR EXEC without MULTI")
    db.sessions.mark_touched(db.touched, db.values)  # what has expired up to this instant
    queue, broken, touched = session.queue, session.broken, session.touched
    db.sessions.end_transaction(session)
    if broken:
        raise ErrorReply("EXECABORT Transaction discarded because of previous errors.")
    if touched:
        return None
    commands = [(db.commands[line[0].upper()], line) for line in queue]
    if db.read_only and any("write" in command.flags for command, _ in commands):
        raise ErrorReply(f"EXECABORT Transaction discarded because of: {READ_ONLY}")
    if db.slots is not None:
        db.slots.check([key for command, line in commands for key in command.keys_of(line)])
    session.own_messages = answers = Frames()
    try:
        for command, line in commands:
            reply = _reply(db, command, line)
            if type(reply) is Frames:
                answers += reply
            else:
                answers.append(reply)
    finally:
        session.own_messages = None
        db.refused = None
    # On the wire EXEC announces as many replies as there are commands; what exceeds that follows on its own.
    db.sessions.outgoing += [(session, frame) for frame in answers[len(queue) :]]
    return list(answers[: len(queue)])


def _reply(db: Keyspace, command, line: list):
    db.refused = None
    try:
        reply = command.function(db, line)
    except ErrorReply as error:
        error.argv = db.refused or line
        return error
    if type(reply) is Wanted:
        return 0 if db.replication is None else db.replication.acknowledgements.count(db.sessions.current.owner.name)
    return None if type(reply) is Blocked else reply  # nobody can wait inside a transaction


def reset(db: Keyspace, argv: list):
    session = db.sessions.current
    if session is not None:
        db.sessions.clear(session)
    return _RESET


def quit_(db: Keyspace, argv: list):
    session = db.sessions.current
    if session is not None:
        db.sessions.close(session)
        db.sessions.outgoing.append((session, None))
    return OK
