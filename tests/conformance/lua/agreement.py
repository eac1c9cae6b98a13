"""Random scripts on the stand-in and on redis-server: `run` compares them and makes what differs short.

Decides what counts as equal. Known differences are left out: the sign of a zero or of what is not a number, constants
that are minus zero, the address of a printed table, and scripts that the stand-in ends, refuses or survives where
redis-server goes on or crashes.
"""

import re
from dataclasses import replace

from tests.conformance.compared import Compared, Difference
from tests.conformance.lua.generator import Drawn, scripts
from tests.conformance.lua.sides import Side, StandIn, evaluated
from tests.conformance.servers import redis
from tests.conformance.servers.resp import RawConnection

_SIGN = re.compile(rb"-(?=nan|0(?![.0-9]))")
_OURS_ALONE = re.compile("-BUSY|stack overflow|ERR unknown error|not supported by this Lua|for redis.REPL_ALL only")
_ADDRESS = re.compile(rb"0x[0-9a-f]{8,}")
_MINUS_ZERO = re.compile(rb"-\s*0(?![0-9.xX])")
_KEPT_MAX = 2_000  # scripts: both sides remember every one that they were sent


def run(count: int, seed: int) -> Compared:
    """Compare `count` scripts with a redis-server of its own."""
    with redis.single() as server, RawConnection(server.port) as connection:
        return compare(connection, count, seed)


def compare(server: Side, count: int, seed: int) -> Compared:
    """Compare `count` scripts with this server."""
    stand_in = StandIn()
    compared = Compared()
    drawn = scripts(seed)
    while compared.counts.total() < count:
        script = next(drawn)
        if _MINUS_ZERO.search(script.text):
            continue
        ours = answer(stand_in, script)
        if _OURS_ALONE.search(str(ours)):
            continue
        compared.counts[f"lua {script.family}"] += 1
        if compared.counts.total() % _KEPT_MAX == 0:
            for side in (stand_in, server):
                side.call("SCRIPT", "FLUSH")
        if ours != answer(server, script):
            compared.differences.append(_shortened(stand_in, server, script))
    return compared


def answer(side: Side, drawn: Drawn) -> object:
    """What a side makes of the script: its reply and the keyspace, as far as they can be compared."""
    return _comparable(evaluated(side, drawn.text))


def _comparable(value: object) -> object:
    if isinstance(value, bytes):
        return _ADDRESS.sub(b"0x", _SIGN.sub(b"", value))
    if isinstance(value, str):
        return _comparable(value.encode())
    if isinstance(value, list | tuple):
        return [_comparable(each) for each in value]
    if isinstance(value, dict):
        return {key: _comparable(each) for key, each in value.items()}
    return value


def _shortened(stand_in: Side, server: Side, drawn: Drawn) -> Difference:
    """The difference without the lines that it does not need; those that count stay, lest a loop never end."""
    lines = drawn.text.split(b"\n")
    for index in reversed(range(len(lines))):
        if b"+ 1" in lines[index]:
            continue
        shorter = replace(drawn, text=b"\n".join(lines[:index] + lines[index + 1 :]))
        ours = answer(stand_in, shorter)
        if not _OURS_ALONE.search(str(ours)) and ours != answer(server, shorter):
            del lines[index]
    shortest = replace(drawn, text=b"\n".join(lines))
    texts = tuple(line.decode("utf-8", "replace") for line in lines)
    return Difference(texts, str(answer(stand_in, shortest)), str(answer(server, shortest)))
