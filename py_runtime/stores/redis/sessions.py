"""What a server remembers of each connection: commands queued by MULTI, watched keys, subscriptions.

Decides when a watched key counts as touched and who receives a published message. Knows no command's arguments, no
network: what is to be sent gathers in `Sessions.outgoing`. A plain call has no session and leaves nothing behind.
"""

from collections.abc import Callable
from typing import Any

from py_runtime.stores.redis.glob import glob_match


class Frames(list):
    """A reply that is several on the wire: SUBSCRIBE answers once for each channel."""

    __slots__ = ()


class Session:
    """One connection. owner: whose it is. receive: called there with each pushed message; None where none can be read.

    queue: the commands since MULTI, None outside. broken: one of them could not be queued. touched: a watched key has
    changed. own_messages: while EXEC runs, what is published to this same connection.
    """

    __slots__ = (
        "broken",
        "channels",
        "closed",
        "number",
        "own_messages",
        "owner",
        "patterns",
        "queue",
        "receive",
        "touched",
        "turns",
        "watched",
    )

    def __init__(self, number: int = 0, owner: Any = None, receive: Callable[[Any], None] | None = None) -> None:
        self.number = number
        self.owner = owner
        self.receive = receive
        self.closed = False
        self.queue: list[list[bytes]] | None = None
        self.broken = False
        self.touched = False
        self.watched: dict[bytes, None] = {}
        self.channels: dict[bytes, None] = {}
        self.patterns: dict[bytes, None] = {}
        self.own_messages: Frames | None = None
        self.turns: list[Any] = []  # the packets that the server works on, in order of arrival

    @property
    def subscriptions(self) -> int:
        """How many channels and patterns it is subscribed to."""
        return len(self.channels) + len(self.patterns)


class Sessions:
    """All connections of one server that have something to remember.

    current: whose command runs, None for a plain call. outgoing: (session, message) to be sent after the command, with
    None in place of a message where the server closes the connection.
    """

    def __init__(self) -> None:
        self.current: Session | None = None
        self.outgoing: list[tuple[Session, list | None]] = []
        self.watchers: dict[bytes, dict[Session, None]] = {}
        self.channels: dict[bytes, dict[Session, None]] = {}
        self.patterns: dict[bytes, dict[Session, None]] = {}
        self._by_number: dict[int, Session] = {}
        self._opened = 0
        self.told: dict | None = None  # a keyspace's touched keys of which all who watch know already

    def open(self, owner: Any = None, receive: Callable[[Any], None] | None = None) -> Session:
        """A new connection, numbered."""
        self._opened += 1
        session = self._by_number[self._opened] = Session(self._opened, owner, receive)
        return session

    def find(self, number: int) -> Session | None:
        """The connection of that number, None when it is closed."""
        return self._by_number.get(number)

    def every(self) -> list[Session]:
        """All open connections, in order of opening."""
        return list(self._by_number.values())

    def close(self, session: Session) -> None:
        """Forget a connection with all that it had."""
        session.closed = True
        self._by_number.pop(session.number, None)
        self.clear(session)

    def clear(self, session: Session) -> None:
        """Forget what a connection has queued, watched and subscribed to."""
        self.end_transaction(session)
        for channel in list(session.channels):
            self.unsubscribe(session, channel)
        for pattern in list(session.patterns):
            self.unsubscribe_pattern(session, pattern)

    # Transactions

    def end_transaction(self, session: Session) -> None:
        """Leave MULTI, if the session is in it, and watch nothing any more."""
        session.queue = None
        session.broken = False
        self.unwatch(session)

    def watch(self, session: Session, key: bytes) -> None:
        session.watched[key] = None
        self.watchers.setdefault(key, {})[session] = None

    def unwatch(self, session: Session) -> None:
        for key in session.watched:
            _drop(self.watchers, key, session)
        session.watched.clear()
        session.touched = False

    def mark_touched(self, touched: dict, values: dict) -> None:
        """Tell those who watch that keys have changed; `touched` as a keyspace gathers it, `values` its values.

        A key that is still there under a former type was only noted: something beside its value changed.
        """
        if touched is self.told:
            return
        for key, former in touched.items():
            if key in self.watchers and (former is None or key not in values):
                for session in self.watchers[key]:
                    session.touched = True

    # Subscriptions

    def subscribe(self, session: Session, channel: bytes) -> None:
        session.channels[channel] = None
        self.channels.setdefault(channel, {})[session] = None

    def unsubscribe(self, session: Session, channel: bytes) -> None:
        if channel in session.channels:
            del session.channels[channel]
            _drop(self.channels, channel, session)

    def subscribe_pattern(self, session: Session, pattern: bytes) -> None:
        session.patterns[pattern] = None
        self.patterns.setdefault(pattern, {})[session] = None

    def unsubscribe_pattern(self, session: Session, pattern: bytes) -> None:
        if pattern in session.patterns:
            del session.patterns[pattern]
            _drop(self.patterns, pattern, session)

    def publish(self, channel: bytes, message: bytes) -> int:
        """Send to all who are subscribed, once for each fitting subscription; gives how many that were."""
        receivers = [(session, [b"message", channel, message]) for session in self.channels.get(channel, ())]
        for pattern, sessions in self.patterns.items():
            if glob_match(pattern, channel):
                receivers += [(session, [b"pmessage", pattern, channel, message]) for session in sessions]
        for session, frame in receivers:
            if session.own_messages is None:
                self.outgoing.append((session, frame))
            else:
                session.own_messages.append(frame)
        return len(receivers)


def _drop(index: dict[bytes, dict[Session, None]], name: bytes, session: Session) -> None:
    sessions = index[name]
    del sessions[session]
    if not sessions:
        del index[name]
