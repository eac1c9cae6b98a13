"""A connection that can be held up or cut: a forwarder between two programs on this machine.

Decides what happens to bytes on their way: they flow, they wait (`hold`: nothing is lost, nothing arrives), or the
connection breaks (`cut`: what waited is lost, and new connections are broken until `flow`). Knows no protocol.
"""

import select
import socket
import threading

_CHUNK = 1 << 16


class Link:
    """Forwards connections made to its `port` to `target_port`, both on 127.0.0.1. Use it as `with Link(…) as link`."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._orders, self._orders_in = socket.socketpair()
        self._obeyed = threading.Event()
        self._state = b"f"
        self._peers: dict[socket.socket, socket.socket] = {}
        self._thread = threading.Thread(target=self._forward, name="link", daemon=True)

    def __enter__(self) -> "Link":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._order(b"x")
        self._thread.join()
        for each in (self._listener, self._orders, self._orders_in):
            each.close()

    def flow(self) -> None:
        """Let everything pass, and whatever waited."""
        self._order(b"f")

    def hold(self) -> None:
        """Hold everything up; whoever waits for an answer goes on waiting. New connections wait too."""
        self._order(b"h")

    def cut(self) -> None:
        """Break the connections, with what waited in them, and break each new one."""
        self._order(b"c")

    def _order(self, state: bytes) -> None:
        """Hand the order to the thread that owns the connections; from the return on, it is obeyed."""
        self._obeyed.clear()
        self._orders_in.send(state)
        self._obeyed.wait()

    def _forward(self) -> None:
        while self._state != b"x":
            moving = [] if self._state == b"h" else [self._listener, *self._peers]
            ready = select.select([self._orders, *moving], [], [])[0]
            if self._orders in ready:  # before any byte moves
                self._obey(self._orders.recv(1))
                continue
            for source in ready:
                if source is self._listener:
                    self._accept()
                elif source in self._peers:  # else its partner ended in this same round
                    self._move(source)

    def _obey(self, state: bytes) -> None:
        self._state = state
        if state in (b"c", b"x"):
            for each in self._peers:
                each.close()
            self._peers.clear()
        self._obeyed.set()

    def _accept(self) -> None:
        near, _address = self._listener.accept()
        if self._state == b"c":
            near.close()
            return
        try:
            far = socket.create_connection(("127.0.0.1", self._target_port))
        except OSError:
            near.close()
            return
        self._peers[near], self._peers[far] = far, near

    def _move(self, source: socket.socket) -> None:
        target = self._peers[source]
        try:
            data = source.recv(_CHUNK)
            if data:
                target.sendall(data)
                return
        except OSError:
            pass
        for each in (source, target):
            del self._peers[each]
            each.close()
