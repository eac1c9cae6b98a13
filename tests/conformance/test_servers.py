"""The servers of the tests end with the test run, also when it is killed; a link holds up and cuts what it carries."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conformance.servers import postgres
from tests.conformance.servers import redis as redis_servers
from tests.conformance.servers.resp import RawConnection
from tools.paths import ROOT

HOLDER = """
import time
from pathlib import Path
from tests.conformance.servers import {module} as servers
with servers.{maker}() as server:
    print(server.pid, server.folder, flush=True)
    time.sleep(600)
"""


def alive(pid: int) -> bool:
    """Whether there is such a process that still runs; one that only waits to be collected does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:  # no /proc on this system, or the process has just gone
        return not Path("/proc/self/stat").exists()


@pytest.mark.parametrize(
    ("fixture", "module", "maker"),
    [("redis_server", "redis", "single"), ("postgres_server", "postgres", "server")],
)
def test_a_server_and_its_folder_go_when_the_test_run_is_killed(request, fixture, module, maker):
    request.getfixturevalue(fixture)  # skips where it is missing
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER.format(module=module, maker=maker)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    with holder:
        told_pid, told_folder = holder.stdout.readline().split()
        pid, folder = int(told_pid), Path(told_folder)
        assert alive(pid)
        assert folder.is_dir()
        holder.kill()
    for _ in range(500):
        if not alive(pid) and not folder.exists():
            break
        time.sleep(0.02)
    assert not alive(pid)
    assert not folder.exists()


def test_servers_end_with_the_block_that_started_them(redis_server, postgres_server):
    with redis_servers.single() as one, postgres.server() as other:
        pids = one.pid, other.pid
        assert all(map(alive, pids))
    assert not any(map(alive, pids))


def test_a_held_link_delays_and_a_cut_link_loses(redis_replication):
    redis_replication.restore()
    link = redis_replication.link
    with (
        RawConnection(redis_replication.primary.port) as primary,
        RawConnection(redis_replication.replica.port) as replica,
    ):
        primary.call("SET", "k", "1")
        assert (primary.call("WAIT", 1, 5000), replica.call("GET", "k")) == (1, b"1")
        link.hold()
        primary.call("SET", "k", "2")
        assert (primary.call("WAIT", 1, 50), replica.call("GET", "k")) == (0, b"1")
        link.flow()
        assert (primary.call("WAIT", 1, 5000), replica.call("GET", "k")) == (1, b"2")
        link.hold()
        primary.call("SET", "k", "3")
        link.cut()
        assert replica.call("REPLICAOF", "NO", "ONE") == b"OK"
        assert replica.call("GET", "k") == b"2"
    redis_replication.restore()
