"""A bench for the server core: type a command line, get its reply; the clock moves only when told."""

import shlex

import pytest

from py_runtime.stores.redis.execute import execute, new_keyspace
from py_runtime.stores.redis.views import changes, snapshot
from py_runtime.stores.replies import ErrorReply

START_MS = 1_000_000


class Bench:
    """One keyspace and its clock. `redis("SET k 'a b'")` gives the reply, bytes as text, errors as their text."""

    def __init__(self, slots=None) -> None:
        self.db = new_keyspace(slots)
        self.now_us = START_MS * 1000

    def __call__(self, line: str, *more: bytes):
        argv = [word.encode() for word in shlex.split(line)] + list(more)
        try:
            return self.shown(execute(self.db, argv, self.now_us))
        except ErrorReply as error:
            return error.text

    def shown(self, reply):
        if isinstance(reply, bytes):
            return reply.decode()
        return [self.shown(part) for part in reply] if isinstance(reply, list) else reply

    def pass_ms(self, ms: float) -> None:
        self.now_us += int(ms * 1000)

    def changes(self, line: str) -> list[dict]:
        """What the command changed, as the trace would record it."""
        self.db.take_touched()
        self(line)
        return changes(self.db, "redis", self.db.take_touched())

    def state(self) -> dict:
        return {key: entry["value"] for key, entry in snapshot(self.db, "redis").items()}


@pytest.fixture
def redis() -> Bench:
    return Bench()


@pytest.fixture
def bench() -> type[Bench]:
    return Bench
