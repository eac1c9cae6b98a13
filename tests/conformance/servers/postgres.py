"""PostgreSQL: a new cluster of databases in a temporary folder, on a loopback port, without a Unix socket.

Decides its settings: nothing is forced to disk, since nothing is kept. PostgreSQL refuses to run as root; then it runs
as the user `postgres`, whom Debian's package brings.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.conformance.servers import find, process
from tests.conformance.servers.process import ServerDied, ServerProcess

USER = "lab"
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "max_connections": "30",
    "shared_buffers": "16MB",
    "dynamic_shared_memory_type": "mmap",
    "lc_messages": "C",
}


@contextmanager
def server() -> Iterator[ServerProcess]:
    """A server with one superuser, `lab`, and the database `postgres`."""
    programs = find.postgres_programs()
    user = "postgres" if os.geteuid() == 0 else None
    with process.temporary_folder() as folder:
        data = Path(folder, "data")
        data.mkdir()
        if user is not None:
            shutil.chown(folder, user, user)
            shutil.chown(data, user, user)
        _make_cluster(programs, data, user)

        def launch(port: int) -> ServerProcess:
            settings = [word for name, value in _SETTINGS.items() for word in ("-c", f"{name}={value}")]
            command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), *settings]
            return ServerProcess(command, port, data.parent / "log.txt", signal.SIGQUIT, user)

        with process.running(launch, _answers, "PostgreSQL") as running:
            yield running


def address(server: ServerProcess) -> str:
    """What psycopg connects to."""
    return f"host=127.0.0.1 port={server.port} user={USER} dbname=postgres"


def _make_cluster(programs: Path, data: Path, user: str | None) -> None:
    command = [str(programs / "initdb"), "-D", str(data), "-U", USER, "--auth=trust", "--no-sync"]
    command += ["--encoding=UTF8", "--locale=C"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=data.parent, **process.as_user(user))
    if done.returncode:
        raise ServerDied(f"initdb ended with status {done.returncode}\n{done.stderr}")


def _answers(server: ServerProcess) -> bool:
    try:
        with psycopg.connect(address(server)) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False
