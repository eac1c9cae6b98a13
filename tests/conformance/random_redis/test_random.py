"""Random commands agree with redis-server; and the comparison sees a difference when there is one."""

import os
import secrets
from random import Random

import pytest

from py_runtime.stores.redis.blocked import Waiters
from py_runtime.stores.redis.execute import execute_on
from py_runtime.stores.redis.sessions import Sessions
from py_runtime.stores.redis.table import COMMANDS, FAMILIES
from tests.conformance.random_redis import connections, grammar, pair, waiting
from tests.conformance.random_redis.compare import compare
from tests.conformance.random_redis.sequences import commands, draw_command

COUNT = 10_000  # some ten seconds
WAITING_COUNT = 1500  # some three
CONNECTIONS_COUNT = 700  # some three
SEED = 0 if os.environ.get("CI") else secrets.randbelow(2**32)


def test_random_commands_are_answered_alike_and_leave_the_same_keys(redis_server):
    compared = compare(redis_server.port, COUNT, SEED)
    assert [str(difference) for difference in compared.differences] == [], f"seed {SEED}"
    drawn = {family for family, rows in FAMILIES.items() if any(row.name.decode() in commands() for row in rows)}
    assert drawn <= set(compared.counts)
    assert compared.counts.total() >= COUNT


def test_a_difference_is_found_and_told_by_the_shortest_sequence(redis_server, monkeypatch):
    def counts_to_two(session, db, argv, now_us):
        reply = execute_on(session, db, argv, now_us)
        return min(reply, 2) if argv[0] == b"SCARD" and isinstance(reply, int) else reply

    monkeypatch.setattr(pair, "execute_on", counts_to_two)
    found = compare(redis_server.port, 3000, seed=1, differences_max=1).differences[0]
    *before, last = found.lines
    assert last in ("'SCARD' 'e1'", "'SCARD' 'e2'")
    assert 1 <= len(before) <= 2
    assert all("'sadd'" in line.lower() for line in before)
    assert (found.ours, found.theirs) == ("2", "3")


def test_random_waiting_ends_alike(redis_server):
    compared = waiting.compare(redis_server.port, WAITING_COUNT, SEED)
    assert [str(difference) for difference in compared.differences] == [], f"seed {SEED}"
    assert compared.counts.total() >= WAITING_COUNT


def test_a_waiter_served_out_of_turn_is_found(redis_server, monkeypatch):
    in_turn = Waiters.add

    def last_come_first(self, blocked, request):
        waiter = in_turn(self, blocked, request)
        for waiters in self._by_key.values():
            waiters.sort(key=lambda each: each is not waiter)
        return waiter

    monkeypatch.setattr(Waiters, "add", last_come_first)
    found = waiting.compare(redis_server.port, 3000, seed=1, differences_max=1).differences[0]
    assert len(found.lines) == 3
    assert found.ours != found.theirs


def test_random_publishing_and_transactions_of_several_connections_agree(redis_server):
    compared = connections.compare(redis_server.port, CONNECTIONS_COUNT, SEED)
    assert [str(difference) for difference in compared.differences] == [], f"seed {SEED}"
    assert compared.counts.total() >= CONNECTIONS_COUNT


def test_a_message_that_one_of_two_gets_is_found(redis_server, monkeypatch):
    to_all = Sessions.publish

    def to_the_first(self, channel, message):
        receivers = to_all(self, channel, message)
        del self.outgoing[1:]
        return receivers

    monkeypatch.setattr(Sessions, "publish", to_the_first)
    [found] = connections.compare(redis_server.port, 3000, first_seed=1).differences
    assert any(name in found.lines[-1] for name in ("'PUBLISH'", "'EVAL'", "'EXEC'"))
    assert sum("SUBSCRIBE'" in line for line in found.lines) <= 2
    assert len(found.lines) <= 5


@pytest.mark.parametrize("name", commands())
def test_every_command_is_drawn_with_every_option(name):
    random = Random(0)
    drawn = {word for _ in range(600) for word in draw_command(name, random) if isinstance(word, bytes)}
    options = COMMANDS[name.encode()].options
    wanted = {word.strip("[]…").encode() for word in options.replace("|", " ").replace("[", " ").split()}
    assert {word for word in wanted if word.isupper()} - drawn == set()


@pytest.mark.parametrize(
    ("options", "possible"),
    [
        ("key value", {"key value"}),
        ("key [NX|XX]", {"key", "key NX", "key XX"}),
        ("[EX seconds | KEEPTTL]", {"", "EX seconds", "KEEPTTL"}),
        ("LOAD script | FLUSH [ASYNC|SYNC]", {"LOAD script", "FLUSH", "FLUSH ASYNC", "FLUSH SYNC"}),
        ("key [field …] id|$", {f"key{' field' * n} {end}" for n in range(4) for end in ("id", "$")}),
        ("*|id field value …", {f"{start}{' field value' * n}" for n in (1, 2, 3, 4) for start in ("*", "id")}),
        ("[A [B c] d]", {"", "A d", "A B c d"}),
    ],
)
def test_an_option_text_is_read_as_a_grammar(options, possible):
    tree, random = grammar.parse(options), Random(0)
    assert {" ".join(word.text for word in tree.draw(random)) for _ in range(500)} == possible
