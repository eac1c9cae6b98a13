"""What replication rests on: every command says which keys it changed, and is marked as one that may change keys."""

from random import Random

import pytest

from py_runtime.stores.redis import COMMANDS
from py_runtime.stores.redis.effects import adopt, states_of
from py_runtime.stores.redis.execute import execute_on, new_keyspace
from py_runtime.stores.redis.sessions import Session
from py_runtime.stores.replies import ErrorReply
from tests.conformance.random_redis.sequences import Transaction, draw_sequence
from tests.conformance.random_redis.values import Moment
from tests.conformance.servers.resp import RawConnection
from tests.unit.stores.redis.replicas import whole

START_MS = 1_767_225_600_000
MAY_WRITE = frozenset((b"EVAL", b"EVALSHA", b"EXEC"))  # by way of other commands


@pytest.mark.parametrize("seed", range(60))
def test_copying_the_touched_keys_after_each_command_gives_an_equal_keyspace(seed):
    original, copy, session, now_ms = new_keyspace(), new_keyspace(), Session(), START_MS
    for step in draw_sequence(Random(seed), 60):
        if isinstance(step, int):
            now_ms += step
            continue
        for line in step.lines if isinstance(step, Transaction) else [step]:
            argv = [word.text(now_ms) if isinstance(word, Moment) else word for word in line]
            lapsed = {key for key, at_ms in original.expires.items() if at_ms < now_ms}
            try:
                execute_on(session, original, argv, now_ms * 1000)
            except ErrorReply:
                pass
            touched = original.take_touched()
            row = COMMANDS.get(argv[0].upper())
            if row is None or not ("write" in row.flags or row.name in MAY_WRITE):
                assert set(touched) <= lapsed, argv
            adopt(copy, states_of(original, touched))
            assert whole(copy) == whole(original), argv


def test_commands_are_marked_as_redis_marks_them(redis_server):
    with RawConnection(redis_server.port) as connection:
        told = connection.call("COMMAND", "INFO", *COMMANDS)
    ours = {name: _marks(row.flags) for name, row in COMMANDS.items()}
    theirs = {name: _marks(_flags(row)) for name, row in zip(COMMANDS, told, strict=True)}
    assert ours == theirs


def _flags(row: list) -> set[str]:
    """A command's flags with those of the subcommands that are here, too."""
    known = COMMANDS[row[0].upper()].subcommands
    parts = [each for each in row[9] if known is None or each[0].upper().partition(b"|")[2] in known]
    return {flag.decode() for each in (row, *parts) for flag in each[2]}


def _marks(flags) -> list[str]:
    return sorted({"write", "noscript"} & set(flags))
