"""Runs a script against a store of a few commands, and writes its reply the way the tables of rules do."""

import re
from collections.abc import Callable

import pytest

from py_runtime.stores.lua import compile_script
from py_runtime.stores.replies import OK, ErrorReply, Status

KEYS = [b"k1", b"k2"]
ARGS = [b"a1", b"a2", b"3"]


class TinyStore:
    """Strings, lists and hashes, just enough to see what a script sends and what it gets back."""

    def __init__(self) -> None:
        self.values: dict = {}
        self.calls: list[list[bytes]] = []

    def call(self, argv: list[bytes]) -> object:
        self.calls.append(list(argv))
        return getattr(self, "do_" + argv[0].decode().lower())(*argv[1:])

    def do_set(self, key: bytes, value: bytes) -> object:
        self.values[key] = value
        return OK

    def do_get(self, key: bytes) -> object:
        return self.values.get(key)

    def do_mget(self, *keys: bytes) -> object:
        return [self.values.get(key) for key in keys]

    def do_incr(self, key: bytes) -> object:
        value = self.values.get(key, b"0")
        if not value.isdigit():
            raise ErrorReply("ERR value is not an integer or out of range")
        self.values[key] = b"%d" % (int(value) + 1)
        return int(value) + 1

    def do_rpush(self, key: bytes, *values: bytes) -> object:
        self.values.setdefault(key, []).extend(values)
        return len(self.values[key])

    def do_lrange(self, key: bytes, start: bytes, stop: bytes) -> object:
        assert (start, stop) == (b"0", b"-1")
        return list(self.values.get(key, []))

    def do_hget(self, key: bytes, field: bytes) -> object:
        return self.values.get(key, {}).get(field)


def written(reply: object) -> object:
    """A reply with `+text` for a status line and `-text` for an error, whose hash reads SHA."""
    if isinstance(reply, Status):
        return "+" + reply.decode()
    if isinstance(reply, ErrorReply):
        return "-" + re.sub(r"script: [0-9a-f]{40}", "script: SHA", reply.text)
    if isinstance(reply, list):
        return [written(each) for each in reply]
    return reply


@pytest.fixture
def store() -> TinyStore:
    return TinyStore()


@pytest.fixture
def answer(store: TinyStore) -> Callable:
    """A function that runs a script on `store` and returns its written reply, errors included."""

    def run(text: str | bytes, keys: list = KEYS, args: list = ARGS, **options: object) -> object:
        try:
            return written(compile_script(text).run(store.call, keys, args, **options))
        except ErrorReply as error:
            return written(error)

    return run
