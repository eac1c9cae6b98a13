"""The values a Redis command can answer with, before any client turns them into its own types.

Decides how each RESP2 reply is written in Python: integer → `int`, bulk string → `bytes`, nil → `None`, array → `list`,
status line (`+OK`) → `Status`, error line (`-ERR …`) → `ErrorReply`. Knows neither commands nor the wire encoding.
"""


class Status(bytes):
    """A status line such as `OK`: bytes without the leading `+`. Lua sees it as `{ok = "OK"}`, clients as text."""

    __slots__ = ()


class ErrorReply(Exception):
    """An error line, raised by a command; `text` is Redis's own wording with its prefix, e.g. `ERR syntax error`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


OK = Status(b"OK")
