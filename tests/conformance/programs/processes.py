"""Processes as the tests see them: orders in, events out, frozen by SIGSTOP, killed by SIGKILL, always reaped.

Decides how long a test waits for an event or a state before it fails.
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tools.paths import ROOT

PATIENCE_S = 30.0


def wait_until(state: Callable[[], bool], what: str) -> None:
    """Look until the state is there; fail when it is not after `PATIENCE_S` seconds."""
    until = time.monotonic() + PATIENCE_S
    while not state():
        assert time.monotonic() < until, f"not within {PATIENCE_S} seconds: {what}"
        time.sleep(0.002)


class Child:
    """One process. `events` holds what it has told, as far as that has been read."""

    def __init__(self, role: str, settings: dict) -> None:
        self.name = settings["name"]
        self.events: list[dict] = []
        self._ahead: list[dict] = []
        self._unread = b""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.conformance.programs.child", role, json.dumps(settings)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    def order(self, text: str = "go") -> None:
        """Send an order; a frozen process finds it when it is thawed."""
        self._process.stdin.write(text.encode() + b"\n")

    def next(self, *wanted: str) -> dict:
        """Read events up to the next of these names, and return that."""
        until = time.monotonic() + PATIENCE_S
        while True:
            for index, event in enumerate(self._ahead):
                if event["event"] in wanted:
                    self.events += self._ahead[: index + 1]
                    del self._ahead[: index + 1]
                    return event
            assert time.monotonic() < until, f"{self.name} told no {wanted} but {self.events + self._ahead}"
            self._read(until - time.monotonic())

    def has_told(self, event: str) -> bool:
        """Whether such an event is there to be read."""
        self._read(0)
        return any(each["event"] == event for each in self._ahead)

    def _read(self, patience_s: float) -> None:
        """Take in what the process has written, and wait that long for it."""
        output = self._process.stdout
        if select.select([output], [], [], max(0.0, patience_s))[0]:
            read = output.read(1 << 16)
            assert read, f"{self.name} has ended; it told {self.events + self._ahead}"
            *lines, self._unread = (self._unread + read).split(b"\n")
            self._ahead += map(json.loads, lines)

    def told(self, event: str) -> list[dict]:
        """The events of this name that have been read."""
        return [each for each in self.events if each["event"] == event]

    def freeze(self) -> None:
        """Stop the process where it stands; on return it has stopped."""
        self._process.send_signal(signal.SIGSTOP)
        wait_until(self._is_stopped, f"{self.name} is stopped")

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """End it so that it can do nothing any more; on return it is gone."""
        self._process.kill()
        assert self._process.wait(PATIENCE_S) == -signal.SIGKILL

    def _is_stopped(self) -> bool:
        """Whether the kernel says that it has stopped; it says so once."""
        _, status = os.waitpid(self.pid, os.WNOHANG | os.WUNTRACED)
        return os.WIFSTOPPED(status)

    def reap(self) -> None:
        """End it if it still lives, also when it is frozen."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        self._process.stdin.close()


def first_of(children: list[Child], event: str) -> Child:
    """The child that tells this event first; what the others told stays unread."""
    wait_until(lambda: any(child.has_told(event) for child in children), f"one of them tells {event}")
    return next(child for child in children if child.has_told(event))


@contextmanager
def nursery() -> Iterator[Callable[..., Child]]:
    """`spawn(role, **settings)`; at the end of the `with`, however it ends, all are gone."""
    children: list[Child] = []

    def spawn(role: str, **settings: object) -> Child:
        children.append(Child(role, settings))
        return children[-1]

    try:
        yield spawn
    finally:
        for child in children:
            child.reap()
