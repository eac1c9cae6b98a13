"""Redis's wire format RESP2 on a bare blocking socket.

Decides nothing about commands: words go out as they are, replies come back in the shapes of
`py_runtime.stores.replies`, so that they can be compared with what the stand-in's `execute` gives.
"""

import select
import socket
from collections.abc import Sequence

from py_runtime.stores.replies import ErrorReply, Status

REPLY_WITHIN_S = 30.0


class RawConnection:
    """One connection to a real server on 127.0.0.1."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=REPLY_WITHIN_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._replies = self._socket.makefile("rb")

    def __enter__(self) -> "RawConnection":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        self._replies.close()
        self._socket.close()

    def call(self, *words: bytes | str | int):
        """Send one command line and give its reply; an error comes back as an `ErrorReply`, it is not raised."""
        self.send(*words)
        return self.read()

    def send(self, *words: bytes | str | int) -> None:
        """Send one command line without waiting for its reply."""
        self._socket.sendall(packed(words))

    def has_reply(self) -> bool:
        """Whether bytes of a reply have arrived that nobody has begun to read; for one call at a time."""
        return bool(select.select([self._socket], [], [], 0)[0])

    def call_all(self, lines: Sequence[Sequence[bytes]]) -> list:
        """Send several command lines at once and give their replies."""
        self._socket.sendall(b"".join(packed(words) for words in lines))
        return [self.read() for _ in lines]

    def read(self):
        """The next reply that arrives."""
        line = self._replies.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionResetError("the server closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return Status(rest)
        if kind == b"-":
            return ErrorReply(rest.decode("utf-8", "replace"))
        number = int(rest)
        if kind == b":":
            return number
        if number < 0:
            return None
        if kind == b"$":
            return self._replies.read(number + 2)[:-2]
        return [self.read() for _ in range(number)]


def packed(words: Sequence[bytes | str | int]) -> bytes:
    """One command line as it goes over the wire."""
    parts = [word if isinstance(word, bytes) else str(word).encode() for word in words]
    return b"*%d\r\n" % len(parts) + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)
