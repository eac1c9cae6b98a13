"""Random conditions on random rows give the same rows here and in SQLite, where the two agree on meaning.

Left out on purpose, since SQLite differs from PostgreSQL there: text in integer columns, division by zero (NULL in
SQLite), the place of NULL in ORDER BY, upper and lower case in LIKE, arithmetic on NULLs
that have no type.
"""

import sqlite3

from hypothesis import given, settings
from hypothesis import strategies as st

from py_runtime.stores.sql import IntegrityError, SqlDatabase

TABLE = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER UNIQUE, s TEXT)"
small = st.integers(-2, 3)
words = st.sampled_from(["a", "ab", "b", ""])
numbers = st.recursive(
    st.one_of(st.sampled_from(["a", "b", "id", "CAST(:n AS INTEGER)", "CAST(NULL AS INTEGER)"]), small.map(str)),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, inner).map(lambda t: f"coalesce({t[0]}, {t[1]}, 0)"),
        inner.map(lambda x: f"({x}) / 2"),
        inner.map(lambda x: f"({x}) % 2"),
        inner.map(lambda x: f"CASE WHEN s = 'a' THEN {x} ELSE 1 END"),
    ),
    max_leaves=4,
)
tests = st.one_of(
    st.tuples(numbers, st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), numbers).map(lambda t: " ".join(t)),
    st.tuples(numbers, st.sampled_from(["IS NULL", "IS NOT NULL"])).map(lambda t: f"{t[0]} {t[1]}"),
    st.tuples(numbers, st.sampled_from(["IN", "NOT IN"]), st.lists(numbers, min_size=1, max_size=3)).map(
        lambda t: f"{t[0]} {t[1]} ({', '.join(t[2])})"
    ),
    st.tuples(numbers, st.sampled_from(["BETWEEN", "NOT BETWEEN"]), numbers, numbers).map(
        lambda t: f"{t[0]} {t[1]} {t[2]} AND {t[3]}"
    ),
    st.tuples(
        st.sampled_from(["s", "s || 'b'", ":w"]), st.sampled_from(["=", "<>", "<", "LIKE", "NOT LIKE"]), words
    ).map(lambda t: f"{t[0]} {t[1]} '{t[2]}'"),
    st.sampled_from(["s LIKE 'a%'", "s LIKE '_'", "s IS NULL", "s = NULL"]),
)
conditions = st.recursive(
    tests,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda x: f"NOT ({x})"),
    ),
    max_leaves=4,
)
rows = st.lists(
    st.tuples(st.none() | small, st.none() | small, st.none() | words),
    max_size=5,
    unique_by=lambda row: row if row[1] is None else row[1],
)
values = st.fixed_dictionaries({"n": st.none() | small, "w": st.none() | words})


class Pair:
    """The same table, with the same rows, in both databases."""

    def __init__(self, rows: list[tuple[object, ...]]) -> None:
        self.ours = SqlDatabase()
        self.theirs = sqlite3.connect(":memory:")
        self.theirs.row_factory = sqlite3.Row
        self.ours.execute(TABLE)
        self.theirs.execute(TABLE)
        for number, (a, b, s) in enumerate(rows):
            row = {"id": number, "a": a, "b": b, "s": s}
            self.ours.execute("INSERT INTO t VALUES (:id, :a, :b, :s)", row)
            self.theirs.execute("INSERT INTO t VALUES (:id, :a, :b, :s)", row)

    def run(self, text: str, parameters: dict[str, object]) -> tuple[list[dict], int | None]:
        """Run a statement in both; returns rows and row count (None for a broken constraint), which must be equal."""
        used = {name: value for name, value in parameters.items() if f":{name}" in text}
        ours = self._ours(text, used)
        assert ours == self._theirs(text, used)
        everything = [dict(row) for row in self.theirs.execute("SELECT * FROM t ORDER BY id")]
        assert self.ours.execute("SELECT * FROM t ORDER BY id").rows == everything
        return ours

    def _ours(self, text: str, parameters: dict[str, object]) -> tuple[list[dict], int | None]:
        try:
            result = self.ours.execute(text, parameters)
        except IntegrityError:
            return [], None
        return result.rows, result.row_count

    def _theirs(self, text: str, parameters: dict[str, object]) -> tuple[list[dict], int | None]:
        try:
            cursor = self.theirs.execute(text, parameters)
            rows = [dict(row) for row in cursor.fetchall()]
        except sqlite3.IntegrityError:
            return [], None
        return rows, len(rows) if text.startswith("SELECT") else cursor.rowcount


@settings(max_examples=150, deadline=None)
@given(rows=rows, condition=conditions, values=values)
def test_a_select_finds_the_same_rows(rows, condition, values):
    Pair(rows).run(f"SELECT id, ({condition}) IS NULL AS u FROM t WHERE {condition} ORDER BY id", values)


@settings(max_examples=100, deadline=None)
@given(rows=rows, condition=conditions, number=numbers, values=values)
def test_a_conditional_update_touches_the_same_rows_and_leaves_the_same_table(rows, condition, number, values):
    pair = Pair(rows)
    _rows, count = pair.run(f"UPDATE t SET a = {number}, s = s || 'x' WHERE {condition}", values)
    again = pair.ours.execute("UPDATE t SET a = a WHERE s = 'never'")
    assert (again.row_count, bool(again.unmatched)) == (0, bool(rows))
    assert count is not None


@settings(max_examples=100, deadline=None)
@given(rows=rows, condition=conditions, number=numbers, values=values)
def test_a_broken_unique_key_is_refused_alike_and_undone_alike(rows, condition, number, values):
    pair = Pair(rows)
    pair.run(f"UPDATE t SET b = {number} WHERE {condition}", values)
    text = "INSERT INTO t VALUES (1, 0, :n, 'i'), (7, 0, :n, 'j') ON CONFLICT (id) DO UPDATE SET a = excluded.id + 1"
    pair.run(text, values)
    pair.run("INSERT INTO t (id, b) VALUES (1, :n), (8, :n) ON CONFLICT DO NOTHING", values)
    pair.run(f"DELETE FROM t WHERE {condition}", values)


@settings(max_examples=100, deadline=None)
@given(rows=rows, condition=conditions, values=values)
def test_aggregates_agree(rows, condition, values):
    text = "SELECT count(*) AS n, count(a) AS k, min(b) AS low, max(s) AS high, sum(a) AS total FROM t"
    Pair(rows).run(f"{text} WHERE {condition}", values)
