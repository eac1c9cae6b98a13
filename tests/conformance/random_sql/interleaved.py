"""Short random transactions on several connections, step by step, on the stand-in and on PostgreSQL.

Decides which statements have one outcome in every PostgreSQL: each locks one row, or several in the order of their key;
and while one connection waits for a key no other may begin to wait, since PostgreSQL does not say who of the two goes
on first. A step on a connection that waits is left out, as is a BEGIN inside a transaction and a COMMIT outside one.

At SERIALIZABLE, what is read counts by whole table on both sides: PostgreSQL is kept from using indexes, and conditions
hide the key from the stand-in.
"""

import asyncio
from dataclasses import dataclass
from random import Random

from tests.conformance.compared import Compared, Difference
from tests.conformance.random_sql.databases import Reply, agree
from tests.conformance.random_sql.sessions import DEADLOCK, Ours, Theirs
from tests.conformance.servers import postgres

CONNECTIONS = 3
SEQUENCE = 24
DIFFERENCES_MAX = 10
TABLE = "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, w TEXT UNIQUE)"
ROWS = "INSERT INTO t VALUES (1, 0, 'a'), (2, 0, 'b'), (3, 1, NULL), (4, 1, 'd')"
LEVELS = ("", "", " ISOLATION LEVEL REPEATABLE READ", " ISOLATION LEVEL SERIALIZABLE")


@dataclass(frozen=True)
class Step:
    """One statement on one of the connections."""

    connection: int
    text: str

    def __str__(self) -> str:
        return f"{self.connection}: {self.text}"

    @property
    def needs_key(self) -> bool:
        """Whether it gives a row a key that another may have."""
        return self.text.startswith("INSERT") or " SET w " in self.text

    @property
    def may_wait(self) -> bool:
        """Whether it locks anything."""
        return self.text.startswith(("INSERT", "UPDATE", "DELETE")) or "FOR UPDATE" in self.text


def draw_sequence(random: Random) -> list[Step]:
    """Statements for `CONNECTIONS` connections; those of a serializable sequence all begin at that level."""
    level = random.choice(LEVELS)
    level_of = (lambda: level) if "SERIAL" in level else lambda: random.choice(LEVELS[:3])
    key = "id + 0" if "SERIAL" in level else "id"
    connections = range(random.choice((2, 2, CONNECTIONS)))
    steps = []
    for _ in range(SEQUENCE):
        chance = random.random()
        if chance < 0.25:
            text = f"BEGIN{level_of()}"
        elif chance < 0.4:
            text = random.choice(("COMMIT", "COMMIT", "ROLLBACK"))
        else:
            text = _statement(random, key)
        steps.append(Step(random.choice(connections), text))
    return steps


def _statement(random: Random, key: str) -> str:
    row, value, word = random.randint(1, 5), random.randint(0, 2), random.choice("abx")
    mine = f"{key} = {row}"
    lock = random.choice(("", "", " NOWAIT", " SKIP LOCKED"))
    first = f"SELECT id FROM t WHERE v = {value} ORDER BY id LIMIT 1 FOR UPDATE{lock}"
    return random.choice(
        (
            "SELECT id, v, w FROM t ORDER BY id",
            f"SELECT v, w FROM t WHERE {mine}",
            "SELECT count(*) AS n, sum(v) AS total FROM t",
            f"SELECT id, v FROM t WHERE {mine} FOR UPDATE{lock}",
            f"SELECT id, v FROM t WHERE v = {value} ORDER BY id FOR UPDATE{lock}",
            first,
            f"UPDATE t SET v = v + 1 WHERE {mine} RETURNING id, v",
            f"UPDATE t SET v = {value} WHERE {mine} AND v <> {value}",
            f"UPDATE t SET v = 2 WHERE {mine} AND v = (SELECT min(v) FROM t)",
            f"UPDATE t SET w = '{word}' WHERE {mine}",
            f"UPDATE t SET v = v + 1 WHERE id = ({first}) RETURNING id, v",
            f"DELETE FROM t WHERE {mine} RETURNING v",
            f"INSERT INTO t VALUES ({row}, {value}, NULL)",
            f"INSERT INTO t VALUES ({row + 1}, {value}, '{word}') ON CONFLICT DO NOTHING",
            f"INSERT INTO t VALUES ({row}, {value}, NULL) ON CONFLICT (id) DO UPDATE SET v = t.v + 1 WHERE t.v < 3",
        )
    )


def run(count: int, seed: int) -> Compared:
    """Compare at least `count` steps with a PostgreSQL server of its own."""
    with postgres.server() as server:
        return compare(postgres.address(server), count, seed)


def compare(address: str, count: int, seed: int) -> Compared:
    """Compare at least `count` steps with the server at `address`."""
    return asyncio.run(_compare(address, count, seed))


async def _compare(address: str, count: int, seed: int) -> Compared:
    compared = Compared()
    theirs = await Theirs.connect(address, CONNECTIONS)
    number = 0
    while compared.counts.total() < count and len(compared.differences) < DIFFERENCES_MAX:
        steps = draw_sequence(Random(f"{seed}:{number}"))
        number += 1
        played = Played()
        await _play(steps, theirs, played)
        for step in played.steps:
            compared.counts[f"connections {step.text.split()[0]}"] += 1
        if played.differs:
            compared.differences.append(await _shortest(played, theirs))
    await theirs.close()
    return compared


class Played:
    """What became of a sequence: the steps that were made, and the answers to the last one where they differ."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.ours = self.theirs = ""

    @property
    def differs(self) -> bool:
        return self.ours != self.theirs


async def _play(steps: list[Step], theirs: Theirs, played: Played) -> None:
    ours = Ours(CONNECTIONS)
    ours.database.execute(TABLE)
    ours.database.execute(ROWS)
    await theirs.fresh(TABLE, ROWS)
    begun: set[int] = set()
    last: dict[int, Step] = {}
    for step in steps:
        word = step.text.split()[0]
        if (
            step.connection in ours.waiting
            or _unfit(word, step.connection in begun)
            or _races(step, ours.waiting, last)
        ):
            continue
        last[step.connection] = step
        begun = begun | {step.connection} if word == "BEGIN" else begun
        begun = begun - {step.connection} if word in ("COMMIT", "ROLLBACK") else begun
        played.steps.append(step)
        mine = ours.step(step.connection, step.text)
        yours = await theirs.step(step.connection, step.text)
        if _other_victim(mine, yours):
            return
        same = mine.keys() == yours.keys() and all(agree(mine[name], yours[name], False) for name in mine)
        if not same or ours.waiting != theirs.waiting:
            played.ours, played.theirs = _shown(mine, ours.waiting), _shown(yours, theirs.waiting)
            return
    await theirs.end()
    ours.end()
    played.ours, played.theirs = str(ours.rows()), str(await theirs.rows())


def _unfit(word: str, begun: bool) -> bool:
    """Whether a statement does not fit what its connection is in."""
    return begun if word == "BEGIN" else word in ("COMMIT", "ROLLBACK") and not begun


def _races(step: Step, waiting: set[int], last: dict[int, Step]) -> bool:
    """Whether it might come to wait beside another that waits, one of the two for a key."""
    return bool(waiting) and step.may_wait and any(each.needs_key for each in (step, *(last[name] for name in waiting)))


def _other_victim(ours: dict[int, Reply], theirs: dict[int, Reply]) -> bool:
    """Whether both found a deadlock and chose differently: PostgreSQL's choice hangs on whose timer ends first."""
    ours_failed = {name for name, reply in ours.items() if reply.sqlstate == DEADLOCK}
    theirs_failed = {name for name, reply in theirs.items() if reply.sqlstate == DEADLOCK}
    return bool(ours_failed and theirs_failed and ours_failed != theirs_failed)


def _shown(replies: dict[int, Reply], waiting: set[int]) -> str:
    parts = [f"{name} gets {reply}" for name, reply in sorted(replies.items())]
    return "; ".join([*parts, *(f"{name} waits" for name in sorted(waiting))])


async def _shortest(played: Played, theirs: Theirs) -> Difference:
    """Leave out steps, one at a time and from the end, as long as something still differs."""
    place = len(played.steps) - 1
    while place >= 0:
        again = Played()
        await _play(played.steps[:place] + played.steps[place + 1 :], theirs, again)
        if again.differs:
            played = again
        place = min(place, len(played.steps)) - 1
    return Difference(tuple(str(step) for step in played.steps), played.ours, played.theirs)
