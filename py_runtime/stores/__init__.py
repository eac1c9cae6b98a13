"""Floor 2: stand-ins for the stores, and clients shaped like the real ones. Imports sim; knows no experiment.

    redis/      start here: a Redis server as an actor, and its client; one file per family of commands
    lua/        the interpreter that EVAL runs scripts on
    sql/        a small database that runs the text of statements
    replies.py  the values that a Redis command can answer with

A stand-in is as true as its tests against the real thing; what is not supported is refused by name.
"""

from .redis import Redis as Redis
from .redis import RedisServer as RedisServer
from .sql import SqlClient as SqlClient
from .sql import SqlServer as SqlServer
