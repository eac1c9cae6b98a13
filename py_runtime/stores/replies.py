"""The values a Redis command can answer with, before any client turns them into its own types.

Decides how each RESP2 reply is written in Python: integer → `int`, bulk string → `bytes`, nil → `None`, array → `list`,
status line (`+OK`) → `Status`, error line (`-ERR …`) → `ErrorReply`. Knows neither commands nor the wire encoding.
"""


class Status(bytes):
    """A status line such as `OK`: bytes without the leading `+`. Lua sees it as `{ok = "OK"}`, clients as text."""

    __slots__ = ()


class ErrorReply(Exception):
    """An error line, raised by a command; `text` is Redis's own wording with its prefix, e.g. `ERR syntax error`.

    A line has no line breaks: Redis leaves out those at the ends and writes a space for each of the others.
    argv: the command line that met it, where that is another than the one that was sent, as inside EXEC.
    """

    argv: list[bytes] | None = None

    def __init__(self, text: str) -> None:
        if "\n" in text or "\r" in text:
            text = text.strip("\r\n").replace("\r", " ").replace("\n", " ")
        super().__init__(text)
        self.text = text


OK = Status(b"OK")


def repeated(word: bytes) -> str:
    """A word of a command line as an error text repeats it: like any string of C it ends at its first zero byte."""
    return word.partition(b"\0")[0].decode("utf-8", "replace")
