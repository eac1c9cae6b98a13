"""The arms: a body runs on each, starts from nothing, and its failure is seen; a missing server is told of."""

import asyncio
import os
import subprocess
import sys

import pytest

from py_runtime.stores.redis import ResponseError as StandInError
from tests.conformance import conftest
from tests.conformance.arms.arm import RealTime, VirtualTime
from tests.conformance.arms.sql_arms import percent_names
from tests.conformance.servers import find, postgres, redis
from tools.paths import ROOT


@pytest.mark.parametrize("again", [1, 2])
async def test_a_body_starts_with_an_empty_server(redis, clock, again):
    assert await redis.dbsize() == 0
    await redis.set("k", "v", px=20)
    await clock.advance(40)
    assert await redis.get("k") is None
    await redis.set("left", "behind")


async def test_several_clients_of_a_body_share_one_server(redis, connect):
    other = connect(decode_responses=False)
    waiting = asyncio.create_task(redis.blpop("q", timeout=5))
    await asyncio.sleep(0.01)
    assert await other.rpush("q", "x") == 1
    assert await waiting == ("q", "x")


async def test_the_clock_shows_a_moment_of_our_time(redis, clock):
    before = await clock.now_ms()
    await clock.advance(5)
    assert 1_767_225_600_000 <= before < before + 5 <= await clock.now_ms()


async def test_cluster_nodes_share_the_slots(nodes):
    left, right = nodes
    assert await left.set("bar", "1") is True  # slot 5061
    assert await right.set("foo", "1") is True  # slot 12182
    assert await left.get("bar") == "1"


@pytest.mark.parametrize("again", [1, 2])
async def test_a_body_starts_with_an_empty_database(sql, again):
    await sql.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT)")
    assert (await sql.execute("INSERT INTO t VALUES (:id, ':id')", {"id": 1})).row_count == 1
    async with sql.transaction() as transaction:
        assert (await transaction.execute("UPDATE t SET s = :s WHERE id = 1", {"s": "%"})).row_count == 1
    assert await sql.fetch_all("SELECT id, s FROM t") == [{"id": 1, "s": "%"}]


@pytest.mark.parametrize("arm", [VirtualTime, RealTime])
def test_what_a_body_raises_reaches_the_test(arm):
    async def body():
        await asyncio.sleep(0.001)
        raise StandInError("seen")

    with pytest.raises(StandInError, match="^seen$"):
        arm().run(body())


def test_parameters_are_rewritten_outside_literals_only():
    text = "SELECT ':a', \"b:c\", :d, x::int -- :e 5%\n LIKE '%:f%' AND y % :g_1"
    assert percent_names(text) == "SELECT ':a', \"b:c\", %(d)s, x::int -- :e 5%%\n LIKE '%%:f%%' AND y %% %(g_1)s"


@pytest.mark.parametrize(
    ("server", "line"),
    [
        (redis.single, "redis-server is not installed: apt-get install redis-server (Debian's package) brings it"),
        (redis.cluster, "redis-server is not installed: apt-get install redis-server (Debian's package) brings it"),
        (postgres.server, "PostgreSQL is not installed: apt-get install postgresql (Debian's package) brings it"),
    ],
)
@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail.Exception), (None, pytest.skip.Exception)])
def test_a_missing_server_skips_here_and_fails_in_continuous_integration(
    monkeypatch, tmp_path, server, line, ci, outcome
):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(find, "POSTGRES_FOLDERS", tmp_path)
    monkeypatch.delenv("CI", raising=False)
    if ci:
        monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome) as told:
        next(conftest.session_of(server))
    assert str(told.value) == line


def test_all_tests_that_lack_a_server_are_told_of_in_one_line(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    command = [sys.executable, "-m", "pytest", "tests/conformance/test_arms.py", "-k", "empty_server or clock_shows"]
    done = subprocess.run(command, cwd=ROOT, env={**environment, "PATH": str(tmp_path)}, capture_output=True, text=True)
    told = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert len(told) == 1, done.stdout
    assert told[0].startswith("SKIPPED [3] ")
    assert "apt-get install redis-server" in told[0]
