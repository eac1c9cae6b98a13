"""What statements have in common, as an exploration sees it: exact counts, and the same end states as all orders."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from py_runtime.sim import World
from py_runtime.sim.explorer import Judged, Limits, Progress, explore
from py_runtime.stores.sql import SqlDatabase, SqlError, SqlServer

TABLES = (
    "CREATE TABLE jobs (id INTEGER PRIMARY KEY, owner TEXT UNIQUE, n INTEGER NOT NULL DEFAULT 0)",
    "CREATE TABLE log (line TEXT)",
    "INSERT INTO jobs (id) VALUES (1), (2)",
)


def explored(*clients: tuple[str, ...]) -> tuple[Progress, set[str]]:
    """Explore clients that each send their statements one after the other; also what each run came to."""
    ends: dict[str, None] = {}

    def run(attempt) -> Judged:
        world = World(tracing=False)
        attempt.attach(world)
        server = SqlServer(world)
        for text in TABLES:
            server.database.execute(text)
        saw: list[list[object]] = [[] for _ in clients]

        async def client(number: int) -> None:
            for text in clients[number]:
                try:
                    answer = await server.client().execute(text)
                    saw[number].append((answer.row_count, answer.rows))
                except SqlError as error:
                    saw[number].append(str(error))

        for number in range(len(clients)):
            world.spawn(world.actor(f"client-{number}"), client(number))
        world.run(1_000)
        if not attempt.given_up:
            ends[end_of(server.database, saw)] = None
        world.close()
        return Judged()

    return explore(run, Limits(runs_max=3_000)), set(ends)


def end_of(database: SqlDatabase, saw: list[list[object]]) -> str:
    tables = {name: database.rows(name) for name in database.tables if name != "new"}
    return str((tables, sorted(database.tables), saw))


def in_every_order(clients: tuple[tuple[str, ...], ...]) -> set[str]:
    """The same without an explorer: every interleaving of the statements, each as a whole."""
    ends = set()
    for order in interleavings([len(texts) for texts in clients]):
        database = SqlDatabase()
        for text in TABLES:
            database.execute(text)
        saw: list[list[object]] = [[] for _ in clients]
        for number in order:
            try:
                answer = database.execute(clients[number][len(saw[number])])
                saw[number].append((answer.row_count, answer.rows))
            except SqlError as error:
                saw[number].append(str(error))
        ends.add(end_of(database, saw))
    return ends


def interleavings(left: list[int]) -> Iterator[list[int]]:
    if not any(left):
        yield []
    for number, count in enumerate(left):
        if count:
            for rest in interleavings([each - (index == number) for index, each in enumerate(left)]):
                yield [number, *rest]


ADD = "UPDATE jobs SET n = n + 1 WHERE id = {}"
ALL = "SELECT * FROM jobs"


# One client each: one run where the two statements have nothing in common, two where their order may matter.
@pytest.mark.parametrize(
    ("first", "second", "runs"),
    [
        (ADD.format(1), ADD.format(2), 1),
        (ADD.format(1), ADD.format(1), 2),
        (ADD.format(1), ADD.format(3), 1),  # no such row
        (ADD.format(1), "SELECT * FROM jobs WHERE id = 2", 1),
        (ADD.format(1), "SELECT * FROM jobs WHERE id = 1 AND n = 0", 2),
        (ADD.format(1), "UPDATE jobs SET n = 5 WHERE id = 1 AND n = 7", 2),  # matches no row, but has looked at it
        (ADD.format(1), ALL, 2),
        (ALL, ALL, 1),
        ("UPDATE jobs SET n = 1", "UPDATE jobs SET n = 2", 2),
        ("INSERT INTO jobs (id) VALUES (3)", ADD.format(1), 1),
        ("INSERT INTO jobs (id) VALUES (3)", ADD.format(3), 2),
        ("INSERT INTO jobs (id) VALUES (3)", "INSERT INTO jobs (id) VALUES (4)", 2),  # which stands first
        ("INSERT INTO jobs (id) VALUES (3)", "INSERT INTO log VALUES ('a')", 1),
        ("INSERT INTO jobs (id) VALUES (3)", "SELECT count(*) FROM log", 1),
        ("INSERT INTO jobs (id) VALUES (3)", "SELECT n FROM jobs WHERE n > 0", 2),
        ("INSERT INTO jobs (id) VALUES (1)", "DELETE FROM jobs WHERE id = 1", 2),
        ("INSERT INTO jobs (id) VALUES (1)", "DELETE FROM jobs WHERE id = 2", 1),
        ("UPDATE jobs SET owner = 'a' WHERE id = 1", "UPDATE jobs SET owner = 'a' WHERE id = 2", 2),  # one is refused
        ("UPDATE jobs SET owner = 'a' WHERE id = 1", "UPDATE jobs SET owner = 'b' WHERE id = 2", 1),
        ("UPDATE jobs SET id = 3 WHERE id = 1", ADD.format(3), 2),
        (ADD.format(1), "SELECT 1 WHERE 1 IN (SELECT n FROM jobs WHERE id = 1)", 2),
        (ADD.format(1), "SELECT 1 WHERE 1 IN (SELECT n FROM jobs WHERE id = 2)", 1),
        ("CREATE TABLE new (a INTEGER)", "INSERT INTO log VALUES ('a')", 2),
    ],
)
def test_two_statements_are_swapped_where_they_have_something_in_common(first, second, runs):
    progress, ends = explored((first,), (second,))
    assert (progress.runs, progress.finished) == (runs, True)
    assert ends == in_every_order(((first,), (second,)))


STATEMENTS = st.sampled_from(
    [
        ADD.format(1),
        ADD.format(2),
        ADD.format(3),
        ALL,
        "SELECT n FROM jobs WHERE id = 1",
        "SELECT id FROM jobs WHERE n = 1 ORDER BY id LIMIT 1",
        "SELECT count(*) FROM jobs WHERE owner = 'a'",
        "UPDATE jobs SET owner = 'a' WHERE id = 1 AND owner IS NULL RETURNING n",
        "UPDATE jobs SET owner = 'a', n = 9 WHERE id = 2 AND owner IS NULL",
        "UPDATE jobs SET owner = NULL WHERE owner = 'a'",
        "UPDATE jobs SET n = n * 2",
        "UPDATE jobs SET id = 3 WHERE id = 1",
        "UPDATE jobs SET n = 4 WHERE id = (SELECT max(id) FROM jobs)",
        "DELETE FROM jobs WHERE id = 1",
        "DELETE FROM jobs WHERE n > 0",
        "INSERT INTO jobs (id, n) VALUES (3, 7)",
        "INSERT INTO jobs (id) VALUES (4), (1)",
        "INSERT INTO jobs (id) VALUES (1) ON CONFLICT DO NOTHING",
        "INSERT INTO jobs (id) VALUES (3) ON CONFLICT (id) DO UPDATE SET n = jobs.n + 10 WHERE jobs.n < 5",
        "INSERT INTO jobs (id, owner) VALUES (5, 'a') ON CONFLICT (owner) DO UPDATE SET n = 20",
        "INSERT INTO log VALUES ('a')",
        "INSERT INTO log VALUES ('b')",
        "SELECT line FROM log",
        "SELECT nothing FROM log",
    ]
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(STATEMENTS, min_size=1, max_size=2).map(tuple), min_size=2, max_size=3).map(tuple))
def test_no_end_state_is_left_out(clients):
    progress, ends = explored(*clients)
    assert progress.finished
    assert ends == in_every_order(clients)
    orders = sum(1 for _ in interleavings([len(texts) for texts in clients]))
    assert progress.runs <= orders


def test_a_transaction_has_all_in_common():
    """An open transaction's statement on one row, another's on another row: both orders, since locks may meet."""
    ends = []

    def run(attempt) -> Judged:
        world = World(tracing=False)
        attempt.attach(world)
        server = SqlServer(world)
        for text in TABLES:
            server.database.execute(text)
        order = []

        async def one():
            async with server.client().transaction() as connection:
                await connection.execute(ADD.format(1))

        async def other():
            order.append((await server.client().execute("SELECT n FROM jobs WHERE id = 2")).row_count)

        world.spawn(world.actor("one"), one())
        world.spawn(world.actor("other"), other())
        world.run(1_000)
        ends.append((order, server.rows("jobs")[0]["n"]))
        world.close()
        return Judged()

    # BEGIN, UPDATE, COMMIT, and the SELECT before, between or after them: four places.
    progress = explore(run)
    assert (progress.runs, progress.finished) == (4, True)
    assert ends == [([1], 1)] * 4
