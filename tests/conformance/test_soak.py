"""The long comparison adds up what its sources compared, and its exit status says whether anything differed."""

from collections import Counter

import pytest

from tests.conformance import soak
from tests.conformance.compared import Compared, Difference
from tests.conformance.servers.find import MissingServer

AGREED = Compared(Counter({"Strings": 1000, "Hashes": 5}))
DIFFERED = Compared(Counter({"Lua": 7}), [Difference(("SET k 1", "GET k"), "'1'", "'2'")])


def source(result):
    def run(count: int, seed: int) -> Compared:
        assert (count, seed) == (50, 3)
        if isinstance(result, Exception):
            raise result
        return result

    return run


@pytest.mark.parametrize(
    ("sources", "status", "told"),
    [
        ({"a": AGREED}, 0, ["Strings     1,000", "1,005 compared, 0 different", "In all: 1,005 compared, 0 different"]),
        ({"a": AGREED, "b": DIFFERED}, 1, ["  SET k 1", "    server:   '2'", "In all: 1,012 compared, 1 different"]),
        ({"a": MissingServer("redis-server", "redis-server"), "b": AGREED}, 2, ["a: redis-server is not installed"]),
    ],
)
def test_the_exit_status_and_the_sums(monkeypatch, capsys, sources, status, told):
    monkeypatch.setattr(soak, "SOURCES", {name: source(result) for name, result in sources.items()})
    assert soak.main(["50", "--seed", "3"]) == status
    printed = "".join(capsys.readouterr())
    assert [line for line in told if line not in printed] == []
