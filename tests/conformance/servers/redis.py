"""redis-server: a single one, a primary with a replica, and a cluster of two nodes.

Decides their settings (nothing is kept on disk) and when each is ready. Every function is a context manager, so a
server lives as long as the `with` around it.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.conformance.servers import find, process
from tests.conformance.servers.link import Link
from tests.conformance.servers.process import ServerProcess
from tests.conformance.servers.resp import RawConnection
from tests.conformance.slots import HALVES

_NOTHING_KEPT = ["--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--loglevel", "notice"]
# Send the copy at once instead of waiting for more replicas.
_REPLICATION = ["--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"]


@dataclass(frozen=True)
class Replication:
    """A primary and its replica; what the primary sends passes through `link`."""

    primary: ServerProcess
    replica: ServerProcess
    link: Link

    def in_sync(self) -> bool:
        """Whether the replica has everything that the primary has written."""
        ours, theirs = information(self.primary), information(self.replica)
        return theirs.get("master_link_status") == "up" and ours["master_repl_offset"] == theirs["slave_repl_offset"]

    def restore(self) -> None:
        """Make both what they were at the start, whatever a test did to them, and empty."""
        self.link.flow()
        with RawConnection(self.primary.port) as primary, RawConnection(self.replica.port) as replica:
            primary.call("REPLICAOF", "NO", "ONE")
            replica.call("REPLICAOF", "127.0.0.1", self.link.port)
            primary.call("FLUSHALL")
            primary.call("SCRIPT", "FLUSH")
            replica.call("SCRIPT", "FLUSH")
        self.replica.wait_until(self.in_sync, "the replica's copy")


@contextmanager
def single() -> Iterator[ServerProcess]:
    """One server on its own."""
    with process.temporary_folder() as folder, _node(Path(folder), []) as server:
        yield server


@contextmanager
def replication() -> Iterator[Replication]:
    """A primary and a replica that has its copy."""
    with process.temporary_folder() as first, process.temporary_folder() as second:
        with _node(Path(first), _REPLICATION) as primary, Link(primary.port) as link:
            with _node(Path(second), [*_REPLICATION, "--replicaof", f"127.0.0.1 {link.port}"]) as replica:
                pair = Replication(primary, replica, link)
                replica.wait_until(pair.in_sync, "the replica's first copy")
                yield pair


@contextmanager
def cluster() -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """Two nodes that share the slots (see `HALVES`), both sure that the cluster is complete."""
    with process.temporary_folder() as first, process.temporary_folder() as second:
        with _cluster_node(Path(first)) as left, _cluster_node(Path(second)) as right:
            for epoch, (node, half) in enumerate(zip((left, right), HALVES, strict=True), start=1):
                with RawConnection(node.port) as connection:
                    connection.call("CLUSTER", "SET-CONFIG-EPOCH", epoch)
                    connection.call("CLUSTER", "ADDSLOTSRANGE", half.start, half.stop - 1)
                    if node is right:
                        left_bus = int(_cluster_information(left)["bus_port"])
                        connection.call("CLUSTER", "MEET", "127.0.0.1", left.port, left_bus)
            for node in (left, right):
                node.wait_until(lambda node=node: _complete(node), "the cluster's agreement")
            yield left, right


def information(server: ServerProcess) -> dict[str, str]:
    """What INFO says of replication."""
    with RawConnection(server.port) as connection:
        return _fields(connection.call("INFO", "replication"))


def _complete(node: ServerProcess) -> bool:
    state = _cluster_information(node)
    return state["cluster_state"] == "ok" and state["cluster_known_nodes"] == "2"


def _cluster_information(node: ServerProcess) -> dict[str, str]:
    with RawConnection(node.port) as connection:
        bus_port = connection.call("CONFIG", "GET", "cluster-port")[1].decode()
        return {**_fields(connection.call("CLUSTER", "INFO")), "bus_port": bus_port}


def _fields(text: bytes) -> dict[str, str]:
    return dict(line.split(":", 1) for line in text.decode().splitlines() if ":" in line)


@contextmanager
def _node(folder: Path, options: list[str]) -> Iterator[ServerProcess]:
    program = find.redis_server()

    def launch(port: int) -> ServerProcess:
        command = [program, "--port", str(port), "--dir", str(folder), *_NOTHING_KEPT, *options]
        return ServerProcess(command, port, folder / "log.txt", signal.SIGKILL, user=None)

    with process.running(launch, _answers, "redis-server") as server:
        yield server


@contextmanager
def _cluster_node(folder: Path) -> Iterator[ServerProcess]:
    # The default bus port, 10000 above the other, need not exist.
    options = ["--cluster-enabled", "yes", "--cluster-port", str(process.free_port())]
    with _node(folder, options) as server:
        yield server


def _answers(server: ServerProcess) -> bool:
    with RawConnection(server.port) as connection:
        # Another server may have taken the port meanwhile: ours knows its own process.
        return f"process_id:{server.pid}\r\n".encode() in connection.call("INFO", "server")
