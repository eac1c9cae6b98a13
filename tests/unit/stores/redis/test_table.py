"""The table of commands, from which the reference page is made."""

import pytest

from py_runtime.stores.redis import COMMANDS, FAMILIES, Pipeline, PubSub, Redis

# Commands whose method has another name in redis-py, or none.
METHOD_NAMES = {
    "DEL": "delete",
    "SCRIPT": "script_load",
    "XGROUP": "xgroup_create",
    "XINFO": "xinfo_stream",
    "XSETID": "execute_command",
    "EXEC": "execute",
    "PUBSUB": "pubsub_channels",
}


def test_every_command_is_in_one_family():
    assert sum(len(rows) for rows in FAMILIES.values()) == len(COMMANDS)


@pytest.mark.parametrize("row", COMMANDS.values(), ids=lambda row: row.name.decode())
def test_every_command_is_described_and_has_a_client_method(row):
    assert row.summary
    assert row.arity in (1, -1) or row.options
    name = METHOD_NAMES.get(row.name.decode(), row.name.decode().lower())
    assert any(callable(getattr(kind, name, None)) for kind in (Redis, Pipeline, PubSub))


@pytest.mark.parametrize(
    ("argv", "keys"),
    [
        ("GET a", "a"),
        ("MGET a b", "a b"),
        ("MSET a 1 b 2", "a b"),
        ("LMOVE a b LEFT LEFT", "a b"),
        ("BLPOP a b 0", "a b"),
        ("EVAL script 2 a b c", "a b"),
        ("XREAD COUNT 1 STREAMS a b 0 0", "a b"),
        ("XREADGROUP GROUP g c STREAMS a b > >", "a b"),
        ("XGROUP CREATE a g 0", "a"),
        ("PING", ""),
    ],
)
def test_the_keys_of_a_command_line_are_known(argv, keys):
    words = argv.encode().split()
    assert COMMANDS[words[0]].keys_of(words) == keys.encode().split()
