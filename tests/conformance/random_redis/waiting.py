"""Random waiting: some clients block, one writes; after each step the same clients have got the same answers.

Decides what is drawn (lists, streams and groups under few keys, writes also by scripts of several) and when a real
server is done with a step: when it has answered a PING that was sent after it. Nobody waits with a time limit.
"""

from dataclasses import dataclass
from random import Random

from py_runtime.sim import World
from py_runtime.stores.redis import RedisServer, ResponseError
from py_runtime.stores.redis.errors import response_error
from py_runtime.stores.replies import ErrorReply
from tests.conformance.compared import Compared
from tests.conformance.random_redis.compare import DIFFERENCES_MAX, search
from tests.conformance.random_redis.pair import Mismatch, shown
from tests.conformance.random_redis.sequences import line_text
from tests.conformance.servers import redis as redis_servers
from tests.conformance.servers.resp import RawConnection

CLIENTS = 4
_STEPS = 30
_LISTS, _STREAMS, _GROUPS = (b"q1", b"q2", b"q3"), (b"x1", b"x2"), (b"g1", b"g2")
_ELEMENTS = (b"a", b"b", b"c")


@dataclass(frozen=True)
class Call:
    """A command line of one client; client 0 writes, the others may wait."""

    client: int
    line: tuple[bytes, ...]

    def __str__(self) -> str:
        return f"client {self.client}: {line_text(self.line)}"


def run(count: int, seed: int) -> Compared:
    """Compare at least `count` commands on a redis-server of its own."""
    with redis_servers.single() as server:
        return compare(server.port, count, seed)


def compare(port: int, count: int, seed: int, differences_max: int = DIFFERENCES_MAX) -> Compared:
    """Compare at least `count` commands with the server on that port, which is emptied."""
    return search(lambda steps, note=None: _run(port, steps, note), _draw, [], count, seed, differences_max)


def _run(port: int, steps: list[Call], note) -> Mismatch | None:
    ours, theirs = StandIn(), Real(port)
    try:
        waiting: set[int] = set()
        for index, call in enumerate(steps):
            if call.client in waiting:
                continue  # it cannot say anything before it is answered
            waiting.add(call.client)
            answered = [side.answers_to(call) for side in (ours, theirs)]
            if answered[0] != answered[1]:
                return Mismatch(index, call.line, *map(str, answered))
            waiting -= set(answered[0])
            if note is not None:
                note(index, call.line[0])
        return None
    finally:
        ours.close()
        theirs.close()


class StandIn:
    """The stand-in in a world of its own, with an actor per client."""

    def __init__(self) -> None:
        self._world = World(tracing=False)
        self._server = RedisServer(self._world)
        self._answers: dict[int, str] = {}

    def answers_to(self, call: Call) -> dict[int, str]:
        """Make a call; who has been answered what since the last one."""

        async def main() -> None:
            try:
                reply = await self._world.network.call(self._server.name, list(call.line), "")
            except ResponseError as error:
                reply = error
            self._answers[call.client] = _shown(call.line, reply)

        self._world.spawn(self._world.actor(f"client-{call.client}"), main())
        self._world.run(self._world.now_us + 1000)
        answers, self._answers = self._answers, {}
        return dict(sorted(answers.items()))

    def close(self) -> None:
        self._world.close()


class Real:
    """redis-server, with a connection per client."""

    def __init__(self, port: int) -> None:
        self._clients = [RawConnection(port) for _ in range(CLIENTS + 1)]
        self._calls: dict[int, Call] = {}
        self._clients[0].call_all([[b"FLUSHALL"], [b"SCRIPT", b"FLUSH"]])

    def answers_to(self, call: Call) -> dict[int, str]:
        """Make a call; who has been answered what since the last one."""
        self._clients[call.client].send(*call.line)
        self._calls[call.client] = call
        answers = {0: _shown(call.line, self._clients[0].read())} if call.client == 0 else {}
        self._calls.pop(0, None)
        self._clients[0].call("PING")
        self._clients[0].call("PING")
        for client, sent in sorted(self._calls.items()):
            if self._clients[client].has_reply():
                answers[client] = _shown(sent.line, self._clients[client].read())
                del self._calls[client]
        return answers

    def close(self) -> None:
        for client in self._clients:
            client.close()


def _shown(line: tuple[bytes, ...], reply) -> str:
    if isinstance(reply, ErrorReply):
        reply = response_error(reply.text)
    return f"{type(reply).__name__}: {reply}" if isinstance(reply, ResponseError) else shown(line, reply, [])


def _draw(random: Random) -> list[Call]:
    steps = [
        Call(0, (b"XGROUP", b"CREATE", key, b"g1", b"$", b"MKSTREAM")) for key in _STREAMS if random.random() < 0.7
    ]
    for number in range(1, _STEPS):
        if random.random() < 0.45:
            steps.append(Call(random.randint(1, CLIENTS), _waiting(random)))
        elif random.random() < 0.2:
            steps.append(Call(0, _script([_write(random, number) for _ in range(random.randint(1, 4))])))
        else:
            steps.append(Call(0, _write(random, number)))
    return steps


def _waiting(random: Random) -> tuple[bytes, ...]:
    kind = random.choice((b"BLPOP", b"BLPOP", b"BRPOP", b"XREAD", b"XREADGROUP", b"XREADGROUP"))
    if kind in (b"BLPOP", b"BRPOP"):
        return (kind, *random.sample(_LISTS, random.choice((1, 1, 2, 3))), b"0")
    keys = random.sample(_STREAMS, random.choice((1, 1, 2)))
    count = random.choice(((), (), (b"COUNT", b"1")))
    if kind == b"XREAD":
        return (kind, *count, b"BLOCK", b"0", b"STREAMS", *keys, *[random.choice((b"$", b"$", b"0")) for _ in keys])
    consumer = random.choice((b"c1", b"c2"))
    return (kind, b"GROUP", b"g1", consumer, *count, b"BLOCK", b"0", b"STREAMS", *keys, *[b">" for _ in keys])


def _write(random: Random, number: int) -> tuple[bytes, ...]:
    key, stream = random.choice(_LISTS), random.choice(_STREAMS)
    elements = random.choices(_ELEMENTS, k=random.choice((1, 1, 2, 3)))
    return random.choice(
        (
            (b"RPUSH", key, *elements),
            (b"LPUSH", key, *elements),
            (b"LPOP", key),
            (b"LMOVE", random.choice(_LISTS), key, b"LEFT", b"RIGHT"),
            (b"RENAME", random.choice(_LISTS), key),
            (b"SET", key, b"text"),
            (b"DEL", random.choice((key, stream))),
            (b"XADD", stream, b"%d-0" % number, b"f", b"v"),
            (b"XADD", stream, b"%d-*" % number, b"f", b"v"),
            (b"XADD", stream, b"%d-*" % number, b"f", b"v"),
            (b"XDEL", stream, b"%d-0" % random.randint(1, number)),
            (b"XGROUP", b"CREATE", stream, random.choice(_GROUPS), random.choice((b"0", b"$")), b"MKSTREAM"),
            (b"XGROUP", b"DESTROY", stream, b"g1"),
            (b"XGROUP", b"SETID", stream, b"g1", b"0"),
            (b"RENAME", stream, random.choice(_STREAMS)),
        )
    )


def _script(lines: list[tuple[bytes, ...]]) -> tuple[bytes, ...]:
    """The same writes with nothing in between; an error ends none of them early."""
    calls = [b"redis.pcall(" + b", ".join(b"'%b'" % word for word in line) + b")" for line in lines]
    return (b"EVAL", b" ".join(calls), b"0")
