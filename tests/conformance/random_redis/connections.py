"""A Hypothesis state machine of several connections: who publishes, subscribes, watches and queues; all hear the same.

Decides what is drawn (few names, so that connections meet) and when a real server is done with a step: when every
connection that can has answered a PING that was sent after it. No key lapses here. Several patterns that fit one
message may be served in any order, and so may all that a client unsubscribes from: Redis promises none.
"""

from collections import Counter
from typing import ClassVar

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test

from py_runtime.stores.redis.execute import execute_on, new_keyspace
from py_runtime.stores.redis.sessions import Frames
from py_runtime.stores.replies import ErrorReply
from tests.conformance.compared import Compared, Difference, shortest
from tests.conformance.random_redis.pair import shown
from tests.conformance.random_redis.sequences import line_text
from tests.conformance.servers import redis as redis_servers
from tests.conformance.servers.resp import RawConnection

CLIENTS = 3
_STEPS = 40
_EXAMPLES = 50  # sequences between two looks at how much has been compared
_MARK = b"that was all"

_channels = st.sampled_from((b"a", b"b", b"ab"))
_patterns = st.sampled_from((b"*", b"a*", b"?", b"[ab]"))
_keys = st.sampled_from((b"k", b"l"))


def _line(name: bytes, *words) -> st.SearchStrategy:
    """Command lines of one command; a word is a literal or a strategy."""
    return st.tuples(st.just(name), *[st.just(word) if isinstance(word, bytes) else word for word in words])


def _names(name: bytes, words: st.SearchStrategy, least: int) -> st.SearchStrategy:
    return st.lists(words, min_size=least, max_size=3).map(lambda given: (name, *given))


LISTENING = st.one_of(
    _names(b"SUBSCRIBE", _channels, 1),
    _names(b"PSUBSCRIBE", _patterns, 1),
    _names(b"UNSUBSCRIBE", _channels, 0),
    _names(b"PUNSUBSCRIBE", _patterns, 0),
)
_PUBLISH_TWICE = b"redis.call('PUBLISH', 'a', '1') return redis.call('PUBLISH', ARGV[1], '2')"
OTHERS = st.one_of(
    _line(b"PUBLISH", _channels, st.sampled_from((b"", b"hi", b"\xff\x00"))),
    _line(b"EVAL", _PUBLISH_TWICE, b"0", _channels),
    _line(b"PUBSUB", b"CHANNELS"),
    _line(b"PUBSUB", b"CHANNELS", _patterns),
    _line(b"PUBSUB", b"NUMSUB", _channels, _channels),
    _line(b"PUBSUB", b"NUMPAT"),
    _line(b"SET", _keys, b"1"),
    _line(b"INCR", _keys),
    _line(b"DEL", _keys),
    _line(b"RPUSH", _keys, b"x"),
    _line(b"GET", _keys),
    _line(b"NOSUCH", _keys),
    _names(b"WATCH", _keys, 1),
    _line(b"UNWATCH"),
    _line(b"MULTI"),
    _line(b"EXEC"),
    _line(b"EXEC"),
    _line(b"DISCARD"),
    _line(b"RESET"),
)


class StandIn:
    """The stand-in's keyspace with a session per client."""

    def __init__(self) -> None:
        self._db = new_keyspace()
        self._sessions = [self._db.sessions.open(receive=lambda message: None) for _ in range(CLIENTS)]

    def heard(self, client: int, line: tuple[bytes, ...]) -> list[list]:
        """What each client gets when one of them sends a command line."""
        db = self._db
        heard: list[list] = [[] for _ in range(CLIENTS)]
        try:
            reply = execute_on(self._sessions[client], db, list(line), 0)
        except ErrorReply as error:
            reply = error
        db.sessions.mark_touched(db.take_touched(), db.values)
        heard[client] += reply if isinstance(reply, Frames) else [reply]
        outgoing, db.sessions.outgoing = db.sessions.outgoing, []
        for session, frame in outgoing:
            heard[self._sessions.index(session)].append(frame)
        return heard


class Real:
    """The same on connections to redis-server."""

    def __init__(self, clients: list[RawConnection]) -> None:
        self._clients = clients
        self._queueing: set[int] = set()
        for connection in clients:
            connection.call("RESET")
        clients[0].call("FLUSHALL")

    def heard(self, client: int, line: tuple[bytes, ...]) -> list[list]:
        """What each client gets when one of them sends a command line."""
        heard: list[list] = [[] for _ in self._clients]
        heard[client].append(self._clients[client].call(*line))
        if line[0] == b"MULTI" and not isinstance(heard[client][0], ErrorReply):
            self._queueing.add(client)
        elif line[0] in (b"EXEC", b"DISCARD", b"RESET"):
            self._queueing.discard(client)
        # Nothing is pushed to a client that queues, and PING would be queued.
        others = [number for number in range(len(self._clients)) if number not in self._queueing]
        for number in others:
            self._clients[number].send("PING", _MARK)
        for number in others:
            while (frame := self._clients[number].read()) not in (_MARK, [b"pong", _MARK]):
                heard[number].append(frame)
        return heard


Call = tuple[int, tuple[bytes, ...]]
"""A client, and the command line that it sends."""


class Differs(AssertionError):
    """The two sides answered the last of these calls differently."""

    def __init__(self, calls: list[Call], ours: list, theirs: list) -> None:
        told = tuple(f"client {client}: {line_text(line)}" for client, line in calls)
        self.calls, self.difference = calls, Difference(told, str(ours), str(theirs))
        super().__init__(str(self.difference))


class Connections(RuleBasedStateMachine):
    """Some clients of one server; a subclass has `connections` to a real one, and counts in `counts`."""

    connections: ClassVar[list[RawConnection]]
    counts: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self._ours, self._theirs = StandIn(), Real(self.connections)
        self._queued: list[list[tuple] | None] = [None] * CLIENTS
        self._calls: list[Call] = []

    @rule(client=st.integers(0, CLIENTS - 1), line=st.one_of(LISTENING, OTHERS, OTHERS))
    def call(self, client: int, line: tuple[bytes, ...]) -> None:
        """Let a client send a command line, and compare what all hear."""
        if self._queued[client] is not None and b"SUBSCRIBE" in line[0]:
            return  # inside MULTI its several answers would not fit into the one of EXEC
        self._calls.append((client, line))
        ours, theirs = self._ours.heard(client, line), self._theirs.heard(client, line)
        queued = self._queued[client]
        shown = [_shown(client, line, heard, queued or []) for heard in (ours, theirs)]
        if shown[0] != shown[1]:
            raise Differs(self._calls, *shown)
        self.counts[f"connections {line[0].decode()}"] += 1
        if theirs[client][0] == b"QUEUED":
            queued.append(line)
        elif line[0] in (b"EXEC", b"DISCARD", b"RESET"):
            self._queued[client] = None
        elif line[0] == b"MULTI" and theirs[client][0] == b"OK":
            self._queued[client] = []


def _shown(client: int, line: tuple[bytes, ...], heard: list[list], queued: list[tuple]) -> list[list[str]]:
    """All that was heard as one writes it down; what comes in no particular order is sorted."""
    told = [[shown(line if number == client else (b"",), frame, queued) for frame in frames]
            for number, frames in enumerate(heard)]  # fmt: skip
    answers = heard[client]
    if line in ((b"UNSUBSCRIBE",), (b"PUNSUBSCRIBE",)) and isinstance(answers[0], list):
        told[client] = [f"{sorted(str(name) for _, name, _ in answers)}, {[left for *_, left in answers]}"]
    return [frames if number == client else sorted(frames) for number, frames in enumerate(told)]


def run(count: int, seed: int) -> Compared:
    """Compare at least `count` commands on a redis-server of its own."""
    with redis_servers.single() as server:
        return compare(server.port, count, seed)


def compare(port: int, count: int, first_seed: int) -> Compared:
    """Compare at least `count` commands with the server on that port, which is emptied; stops at a difference."""
    compared = Compared()
    clients = [RawConnection(port) for _ in range(CLIENTS)]
    machine = type("Machine", (Connections,), {"connections": clients, "counts": compared.counts})
    many = settings(
        max_examples=_EXAMPLES, stateful_step_count=_STEPS, deadline=None, database=None,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck), print_blob=False,
    )  # fmt: skip
    try:
        number = 0
        while compared.counts.total() < count and not compared.differences:
            try:
                run_state_machine_as_test(seed(f"{first_seed}:{number}")(machine), settings=many)
            except Differs as found:
                _calls, least = shortest(found.calls, found, lambda calls: _differs(machine, calls))
                compared.differences.append(least.difference)
            number += 1
    finally:
        for connection in clients:
            connection.close()
    return compared


def _differs(machine: type[Connections], calls: list[Call]) -> Differs | None:
    """What differs at the last of these calls, all of which were made."""
    clients = machine()
    try:
        for client, line in calls:
            clients.call(client, line)
    except Differs as found:
        return found if len(found.calls) == len(calls) else None
    return None
