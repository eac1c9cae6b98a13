"""One server process: started on a free port, waited for until it answers, and always stopped.

Decides how a server ends with the test run: normally `stop()` ends it; where the run itself is killed, a watching
shell, whose input then closes, does, and removes its folder, where its log is. Knows no server; what to run and how to
ask whether it answers is handed in.
"""

import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

READY_WITHIN_S = 30.0  # a loaded machine of two cores starts PostgreSQL in about two seconds
_STOPPED_WITHIN_S = 10.0
_ATTEMPTS = 5  # another process may take the free port between our look at it and the server's


class ServerDied(Exception):
    """The server ended, or never answered; the text holds the end of its log."""


class ServerProcess:
    """A running server: its `pid`, its `port` on 127.0.0.1 and its temporary `folder`."""

    def __init__(self, command: list[str], port: int, log: Path, end_signal: signal.Signals, user: str | None) -> None:
        self.port = port
        self.folder = log.parent
        self._log = log
        self._end_signal = end_signal
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C on the terminal is for the test run, which then stops its servers
                **as_user(user),
            )
        self.pid = self._process.pid
        kill = f'kill -{end_signal.name.removeprefix("SIG")} "$1"; kill -CONT "$1"'  # also one that was frozen
        end = f'read line; {{ {kill}; }} 2>&-; sleep 1; rm -rf -- "$2"'
        self._watch = subprocess.Popen(
            ["/bin/sh", "-c", end, "watch", str(self.pid), str(self.folder)],
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def wait_until(self, ready: Callable[[], bool], what: str) -> None:
        """Ask `ready()` until it says yes; a refused connection counts as no. Raises ServerDied."""
        until = time.monotonic() + READY_WITHIN_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise ServerDied(f"{what}: the server ended with status {self._process.returncode}\n{self.log_end()}")
            try:
                if ready():
                    return
            except OSError:
                pass
            time.sleep(0.02)
        raise ServerDied(f"{what}: not within {READY_WITHIN_S} seconds\n{self.log_end()}")

    def log_end(self) -> str:
        """The last lines the server wrote."""
        return "\n".join(self._log.read_text("utf-8", "replace").splitlines()[-15:])

    def stop(self) -> None:
        """End the server, also one that was frozen, and the shell that watches over it."""
        self._watch.kill()
        self._watch.communicate()
        if self._process.poll() is not None:
            return
        self._process.send_signal(self._end_signal)
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(_STOPPED_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def as_user(user: str | None) -> dict:
    """What subprocess takes to run a program as another user; None: as this one."""
    return {} if user is None else {"user": user, "group": user, "extra_groups": []}


@contextmanager
def running(
    launch: Callable[[int], ServerProcess], answers: Callable[[ServerProcess], bool], name: str
) -> Iterator[ServerProcess]:
    """A server that `launch(port)` starts, from when `answers(server)` to the end of the block; errors say `name`."""
    server = _started(launch, answers, name)
    try:
        yield server
    finally:
        server.stop()


def _started(
    launch: Callable[[int], ServerProcess], answers: Callable[[ServerProcess], bool], name: str
) -> ServerProcess:
    """A server that answers; started again on another port if it ended at once."""
    for attempt in range(1, _ATTEMPTS + 1):
        server = launch(free_port())
        try:
            server.wait_until(partial(answers, server), name)
            return server
        except BaseException as error:
            server.stop()
            if attempt == _ATTEMPTS or not isinstance(error, ServerDied):
                raise
    raise AssertionError("unreachable")


def temporary_folder() -> tempfile.TemporaryDirectory:
    """A folder for one server's files, short enough in its path for a socket's name."""
    return tempfile.TemporaryDirectory(prefix="lab-", ignore_cleanup_errors=True)
