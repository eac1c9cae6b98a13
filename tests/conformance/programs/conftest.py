"""What the tests of programs share: processes, and servers wiped before each test."""

from collections.abc import Callable, Iterator

import pytest

from tests.conformance.arms.redis_arms import wipe
from tests.conformance.arms.sql_arms import Postgres
from tests.conformance.programs.processes import Child, nursery
from tests.conformance.servers import postgres
from tests.conformance.servers.resp import RawConnection


@pytest.fixture
def spawn() -> Iterator[Callable[..., Child]]:
    """`spawn(role, **settings)` starts a process; none outlives the test."""
    with nursery() as start:
        yield start


@pytest.fixture
def database(postgres_server) -> str:
    """The address of an empty database."""
    return Postgres(postgres.address(postgres_server)).address


@pytest.fixture
def redis_port(redis_server) -> int:
    """The port of an empty redis-server."""
    wipe(redis_server.port)
    return redis_server.port


@pytest.fixture
def raw(redis_port: int) -> Iterator[RawConnection]:
    """A connection of the test's own to that server."""
    with RawConnection(redis_port) as connection:
        yield connection
