"""Runs every `async def test_…` of this folder once per arm: on the stand-in, and on real servers.

Decides which arms there are, and what happens where a server is missing. README.md says how to write a body.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from tests.conformance.arms import redis_arms, sql_arms
from tests.conformance.arms.arm import Arm, Clock, RealTime, VirtualTime
from tests.conformance.servers import find, postgres
from tests.conformance.servers import redis as redis_servers
from tests.conformance.servers.process import ServerProcess

STAND_IN = "stand-in"


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async body in the loop of its arm: the one of its fixtures that can run bodies."""
    body = pyfuncitem.obj
    if not inspect.iscoroutinefunction(body):
        return None
    values = pyfuncitem.funcargs
    arm: Arm = next(value for value in values.values() if isinstance(value, (VirtualTime, RealTime)))
    arm.run(body(**{name: values[name] for name in inspect.signature(body).parameters}))
    return True


class Absent(pytest.skip.Exception):
    """Skips a test whose server is not installed."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator:
    """Tell of all tests that lack the same server in one line."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, Absent):
        report.longrepr = (__file__, None, f"Skipped: {call.excinfo.value}")
    return report


def session_of(server: Callable[[], AbstractContextManager]) -> Iterator:
    """A server for the whole test run; where it is missing, every test that wants it is skipped, or fails under CI."""
    try:
        with server() as running:
            yield running
    except find.MissingServer as missing:
        if find.absence_is_failure():
            pytest.fail(str(missing), pytrace=False)
        raise Absent(str(missing)) from None


@pytest.fixture(scope="session")
def redis_server() -> Iterator[ServerProcess]:
    """A single redis-server."""
    yield from session_of(redis_servers.single)


@pytest.fixture(scope="session")
def redis_replication() -> Iterator[redis_servers.Replication]:
    """A redis-server with a replica; `restore()` it before use."""
    yield from session_of(redis_servers.replication)


@pytest.fixture(scope="session")
def redis_cluster_nodes() -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """A redis cluster of two nodes."""
    yield from session_of(redis_servers.cluster)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[ServerProcess]:
    """A PostgreSQL server."""
    yield from session_of(postgres.server)


@pytest.fixture(params=[STAND_IN, "redis-server"])
def redis_arm(request: pytest.FixtureRequest) -> Iterator[redis_arms.RedisArm]:
    """Where this body runs: `.name`, `.connect()`; on the stand-in also `.world` and `.server`."""
    if request.param == STAND_IN:
        arm = redis_arms.StandIn()
    else:
        arm = redis_arms.Real(request.getfixturevalue("redis_server").port)
    yield arm
    arm.close()


@pytest.fixture
def redis(redis_arm: redis_arms.RedisArm):
    """A client of an empty server, with `decode_responses=True`."""
    return redis_arm.connect()


@pytest.fixture
def connect(redis_arm: redis_arms.RedisArm):
    """`connect(decode_responses=True)`: one more client of the same server, on a connection of its own."""
    return redis_arm.connect


@pytest.fixture
def clock(redis_arm: redis_arms.RedisArm) -> Clock:
    """`await clock.advance(ms)` and `await clock.now_ms()`: the server's time."""
    return Clock(redis_arm.connect())


@pytest.fixture(params=[STAND_IN, "redis-server"])
def cluster_arm(request: pytest.FixtureRequest) -> Iterator:
    """Two nodes that share the slots as `HALVES` says."""
    if request.param == STAND_IN:
        arm = redis_arms.StandInCluster()
    else:
        arm = redis_arms.RealCluster([node.port for node in request.getfixturevalue("redis_cluster_nodes")])
    yield arm
    arm.close()


@pytest.fixture
def nodes(cluster_arm) -> list:
    """A client per node, which follows no redirection."""
    return [cluster_arm.connect(node) for node in (0, 1)]


@pytest.fixture(params=[STAND_IN, "sqlite", "postgresql"])
def sql_arm(request: pytest.FixtureRequest) -> Iterator[sql_arms.SqlArm]:
    """Where this body runs; `.name` says which of the three it is."""
    if request.param == STAND_IN:
        arm = sql_arms.StandIn()
    elif request.param == "sqlite":
        arm = sql_arms.Sqlite()
    else:
        arm = sql_arms.Postgres(postgres.address(request.getfixturevalue("postgres_server")))
    yield arm
    arm.close()


@pytest.fixture
def sql(sql_arm: sql_arms.SqlArm):
    """A client of an empty database: `execute`, `fetch_one`, `fetch_all`, `connect()`, `transaction()`."""
    return sql_arm.client()
