"""Random sequences on the stand-in and beside it on SQLite or PostgreSQL; of each difference the shortest sequence.

Decides how sequences are seeded and shortened, and when to stop looking: at most `DIFFERENCES_MAX` are reported, each
kind of replies once. Every other sequence keeps to what SQLite takes in the same way, and runs there.
"""

import re
from dataclasses import dataclass
from random import Random

from tests.conformance.compared import Compared, Difference, shortest
from tests.conformance.random_sql.databases import Postgres, Reply, Sqlite, StandIn, agree
from tests.conformance.random_sql.statements import Step, draw_sequence
from tests.conformance.servers import postgres

SEQUENCE = 40
DIFFERENCES_MAX = 20
_END = Step("SELECT * FROM t ORDER BY id", ordered=True)


@dataclass(frozen=True)
class Mismatch:
    """Where two databases answered differently, and what."""

    index: int
    ours: Reply
    theirs: Reply


def run(count: int, seed: int) -> Compared:
    """Compare at least `count` statements with a PostgreSQL server of its own, and half as many with SQLite."""
    with postgres.server() as server:
        return compare(Postgres(postgres.address(server)), count, seed)


def compare(theirs: Postgres | Sqlite, count: int, seed: int) -> Compared:
    """Compare at least `count` statements with one database; with PostgreSQL, SQLite takes its turn as well."""
    compared = Compared()
    told: set[tuple] = set()
    number = 0
    while compared.counts.total() < count and len(compared.differences) < DIFFERENCES_MAX:
        portable = isinstance(theirs, Sqlite) or number % 3 == 0
        steps = [*draw_sequence(Random(f"{seed}:{number}"), SEQUENCE, portable), _END]
        number += 1
        for side in [theirs, Sqlite()] if portable and isinstance(theirs, Postgres) else [theirs]:
            found = differs(steps, side)
            place = len(steps) if found is None else found.index + 1
            name = type(side).__name__
            compared.counts.update(f"{name} {step.family}" for step in steps[:place])
            if found is not None and (kind := _kind(steps[found.index], found)) not in told:
                told.add(kind)
                compared.differences.append(_shortest(steps, found, side))
    return compared


def differs(steps: list[Step], theirs: Postgres | Sqlite) -> Mismatch | None:
    """Run the steps on both until they disagree. SQLite's transactions outlive an error, so there both are undone."""
    ours = StandIn()
    theirs.fresh()
    undo = False
    for index, step in enumerate(steps):
        ends = step.text in ("COMMIT", "ROLLBACK")
        if undo and ends:
            undo = False
            continue
        parameters = dict(step.parameters)
        mine = ours.ask(step.text, parameters, step.ordered)
        yours = theirs.ask(step.text, parameters, step.ordered)
        if not agree(mine, yours, step.any_error):
            return Mismatch(index, mine, yours)
        if isinstance(theirs, Sqlite) and mine.sqlstate and theirs.in_transaction:
            ours.ask("ROLLBACK", {}, False)
            theirs.ask("ROLLBACK", {}, False)
            undo = True
    return None


def _kind(step: Step, found: Mismatch) -> tuple:
    """What two differences have in common when one report of them is enough."""
    names = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9.]+")
    return step.family, *(names.sub("…", str(reply))[:60] for reply in (found.ours, found.theirs))


def _shortest(steps: list[Step], found: Mismatch, theirs: Postgres | Sqlite) -> Difference:
    table, *steps = steps[: found.index + 1]

    def again(shorter: list[Step]) -> Mismatch | None:
        told = differs([table, *shorter], theirs)
        return told if told is not None and told.index == len(shorter) else None

    steps, found = shortest(steps, found, again)
    theirs.ask("ROLLBACK", {}, False)
    lines = [f"{step.text}  {dict(step.parameters)}" if step.parameters else step.text for step in [table, *steps]]
    return Difference((type(theirs).__name__, *lines), str(found.ours), str(found.theirs))
