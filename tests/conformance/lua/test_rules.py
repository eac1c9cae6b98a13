"""Every rule of Lua in `rules/`, on the stand-in and on redis-server."""

import re

import pytest

from tests.conformance.conftest import STAND_IN
from tests.conformance.lua.rules import TOPICS
from tests.conformance.lua.sides import Side, StandIn, evaluated, written
from tests.conformance.servers import redis as redis_servers
from tests.conformance.servers.resp import RawConnection

RULES = [(f"{topic}: {rule[0]}", *rule[1:]) for topic, rules in TOPICS.items() for rule in rules]


@pytest.fixture(params=[STAND_IN, "redis-server"])
def side(request: pytest.FixtureRequest):
    """Where the scripts run."""
    if request.param == STAND_IN:
        yield StandIn()
        return
    with RawConnection(request.getfixturevalue("redis_server").port) as connection:
        yield connection


@pytest.mark.parametrize(
    ("script", "reply", "left"),
    [pytest.param(rule[1], rule[2], rule[3] if len(rule) == 4 else {}, id=rule[0]) for rule in RULES],
)
def test_each_rule_of_lua(side: Side, script: str, reply: object, left: dict) -> None:
    assert evaluated(side, script) == (reply, left)


@pytest.mark.parametrize("here", [STAND_IN, "redis-server"])
def test_random_numbers_go_on_from_script_to_script(request: pytest.FixtureRequest, here: str) -> None:
    if here == STAND_IN:
        _check_random_numbers(StandIn())
        return
    request.getfixturevalue("redis_server")  # skips, or fails, where there is none
    with redis_servers.single() as fresh, RawConnection(fresh.port) as connection:
        _check_random_numbers(connection)


def _check_random_numbers(side: Side) -> None:
    draw = ["EVAL", "return math.random(1000)", 0]
    assert [side.call(*draw), side.call(*draw)] == [397, 841]
    side.call("SCRIPT", "FLUSH")
    side.call("FLUSHALL")
    assert side.call(*draw) == 354
    assert side.call("EVAL", "math.randomseed(7)", 0) is None
    assert [side.call(*draw), side.call(*draw)] == [267, 683]


def test_an_error_names_the_hash_of_its_script(side: Side) -> None:
    text = side.call("EVAL", "return nothing", 0).text
    assert re.search(r"script: e155794c2cea354dcea668762f18501f7cbc7689\b", text) is not None, written(text)
