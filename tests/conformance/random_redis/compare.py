"""Many random sequences on both sides; of each difference the shortest sequence that still shows it.

Decides how sequences are seeded and shortened, and when to stop looking: at most `DIFFERENCES_MAX` are reported, each
kind of answers to a command once.
"""

import re
from collections.abc import Callable
from random import Random

from py_runtime.stores.redis.table import FAMILIES
from tests.conformance.compared import Compared, Difference, shortest
from tests.conformance.random_redis.pair import Mismatch, Pair, final_reads
from tests.conformance.random_redis.sequences import Step, draw_sequence, line_text
from tests.conformance.servers import redis as redis_servers

SEQUENCE = 60  # steps; the reads of what is left at the end come on top and are not counted
DIFFERENCES_MAX = 20
_TRIES = 3  # a run may be given up half way, see pair.py
_FAMILY = {row.name: family for family, rows in FAMILIES.items() for row in rows}


def run(count: int, seed: int) -> Compared:
    """Compare at least `count` commands on a redis-server of its own."""
    with redis_servers.single() as server:
        return compare(server.port, count, seed)


def compare(port: int, count: int, seed: int, differences_max: int = DIFFERENCES_MAX) -> Compared:
    """Compare at least `count` commands with the server on that port, which is emptied."""
    with Pair(port) as pair:
        return search(pair.run, _draw, final_reads(), count, seed, differences_max)


def _draw(random: Random) -> list[Step]:
    return draw_sequence(random, SEQUENCE)


def search(
    run: Callable[..., Mismatch | None],
    draw: Callable[[Random], list[Step]],
    ends: list[Step],
    count: int,
    seed: int,
    differences_max: int = DIFFERENCES_MAX,
) -> Compared:
    """Run drawn sequences, each followed by `ends`, until `count` commands were compared; `run` is as `Pair.run`."""
    compared = Compared()
    told = set()
    number = 0
    while compared.counts.total() < count and len(compared.differences) < differences_max:
        steps = draw(Random(f"{seed}:{number}"))
        number += 1

        def note(index: int, name: bytes, length: int = len(steps)) -> None:
            if index < length:
                compared.counts[_FAMILY.get(name, "Unknown commands")] += 1

        found = run([*steps, *ends], note)
        if found is not None and _kind(found) not in told:
            told.add(_kind(found))
            compared.differences.append(_shortest([*steps, *ends], found, run))
    return compared


def _kind(found: Mismatch) -> tuple:
    """What two differences have in common when one report of them is enough."""
    values = re.compile(r"'[^']*'|[0-9]+")
    return found.argv[0].upper(), values.sub("…", found.ours), values.sub("…", found.theirs)


def _shortest(steps: list[Step], found: Mismatch, run: Callable[[list[Step]], Mismatch | None]) -> Difference:
    def again(shorter: list[Step]) -> Mismatch | None:
        told = next(filter(None, (run(shorter) for _ in range(_TRIES))), None)
        same = told is not None and told.index == len(shorter) - 1 and told.argv[0] == found.argv[0]
        return told if same else None

    steps, found = shortest(steps[: found.index + 1], found, again)
    last = found.argv if isinstance(steps[-1], tuple) else steps[-1]
    return Difference((*map(_told, steps[:-1]), _told(last)), found.ours, found.theirs)


def _told(step: Step) -> str:
    return line_text(step) if isinstance(step, tuple) else f"pause of {step} ms" if isinstance(step, int) else str(step)
