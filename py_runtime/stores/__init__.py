"""Floor 2: stand-ins for the stores, and clients shaped like the real ones. Imports sim; knows no experiment.

    redis/      start here: a Redis server as an actor, and its client; one file per family of commands
    lua/        the interpreter that EVAL runs scripts on
    sql/        a small database that runs the text of statements
    replies.py  the values that a Redis command can answer with

A stand-in is as true as its tests against the real thing; what is not supported is refused by name.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .redis import Redis as Redis
    from .redis import RedisServer as RedisServer
    from .sql import SqlClient as SqlClient
    from .sql import SqlServer as SqlServer

_PACKAGES = {"Redis": "redis", "RedisServer": "redis", "SqlClient": "sql", "SqlServer": "sql"}


def __getattr__(name: str) -> Any:
    """A public name, imported when it is first asked for: what stands on one store need not wait for the other."""
    if name not in _PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_PACKAGES[name]}", __name__), name)
