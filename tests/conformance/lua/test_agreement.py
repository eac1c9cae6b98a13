"""Random scripts: the stand-in and redis-server agree on every one."""

import pytest

from tests.conformance.lua.agreement import compare
from tests.conformance.lua.generator import FAMILIES, scripts
from tests.conformance.lua.sides import StandIn, evaluated
from tests.conformance.servers.resp import RawConnection

COUNT = 800  # a second or two; the long comparison makes many more


@pytest.mark.parametrize("seed", [1, 2])
def test_random_scripts_have_the_same_answers(redis_server, seed: int) -> None:
    with RawConnection(redis_server.port) as connection:
        compared = compare(connection, COUNT, seed)
    assert len(compared.counts) == len(FAMILIES)
    assert compared.counts.total() == COUNT
    assert not compared.differences, str(compared)


def test_a_difference_is_found_and_made_short() -> None:
    class Wrong(StandIn):
        """A server whose Lua takes `true` for 2."""

        def call(self, *words: object) -> object:
            reply = super().call(*words)
            return [2 if each == 1 else each for each in reply] if isinstance(reply, list) else reply

    compared = compare(Wrong(), 40, seed=1)
    assert compared.differences
    assert all("1" in each.ours and "2" in each.theirs for each in compared.differences)


def test_random_scripts_are_not_all_mistakes() -> None:
    side = StandIn()
    drawn = [each for each, _ in zip(scripts(seed=1), range(400), strict=False)]
    answers = [(each.family, str(evaluated(side, each.text)[0])) for each in drawn]
    assert sum(not reply.startswith("-") for _, reply in answers) > len(drawn) / 4
    assert not [reply for family, reply in answers if family == "program" and "Error compiling" in reply]
