"""A random table and a random sequence of statements on it, for one connection.

Decides which statements have one answer: rows without an order are compared as a set, LIMIT stands behind an order by
the key, and no statement changes a unique column of several rows to different values, since which of them comes first
is nobody's promise.
"""

from dataclasses import dataclass
from random import Random

from tests.conformance.random_sql.expressions import DOUBLE, INTEGER, TEXT, Column, Expressions

IDS = 7


@dataclass(frozen=True)
class Step:
    """One statement. `ordered`: its rows have an order. `any_error`: which of several errors it meets is open."""

    text: str
    parameters: tuple[tuple[str, object], ...] = ()
    ordered: bool = False
    any_error: bool = False

    @property
    def family(self) -> str:
        """Under which name it is counted."""
        return self.text.split(maxsplit=1)[0]


class Statements:
    """Draws a table `t` and statements on it."""

    def __init__(self, random: Random, portable: bool) -> None:
        self.random = random
        self.portable = portable
        self._open = False
        bare = Expressions(random, [], portable)
        self.columns = [Column("id", INTEGER, unique=True), Column("n", INTEGER), Column("s", TEXT)]
        for number in range(random.randint(1, 4)):
            kind = random.choice(bare.types)
            unique = kind in (INTEGER, TEXT) and random.random() < 0.4
            self.columns.append(Column(f"c{number}", kind, unique))
        self.expressions = Expressions(random, self.columns, portable)
        self._literal = bare.literal

    def sequence(self, length: int) -> list[Step]:
        """The table, some rows, and `length` statements more."""
        steps = [self._table(), *(self._insert(plain=True) for _ in range(3))]
        draws = [self._insert] * 3 + [self._update] * 4 + [self._select] * 5 + [self._delete, self._bound, self._bound]
        for _ in range(length):
            if self.random.random() < (0.25 if self._open else 0.08):
                steps.append(self._transaction())
            else:
                steps.append(self.random.choice(draws)())
        return [*steps, Step("ROLLBACK")] if self._open else steps

    def _table(self) -> Step:
        parts = []
        for column in self.columns:
            chance = self.random.random()
            low = f"low_{column.name}" if self.portable else "low"  # SQLite takes the same name twice
            words = [column.name, column.type]
            if column.name == "id":
                words = ["id INT NOT NULL PRIMARY KEY"]  # SQLite numbers rows by itself in an INTEGER PRIMARY KEY
            elif chance < 0.2:
                words.append("NOT NULL")
            elif chance < 0.4:
                words += ["DEFAULT", f"({self._literal(column.type)})"]
            elif chance < 0.6 and column.type == INTEGER:
                words += [
                    self.random.choice((f"CHECK ({column.name} < 9)", f"CONSTRAINT {low} CHECK ({column.name} > -4)"))
                ]
            if column.unique and column.name != "id" and self.random.random() < 0.8:
                words.append("UNIQUE")
            parts.append(" ".join(words))
        if self.random.random() < 0.3:
            parts.append("CONSTRAINT pair UNIQUE (n, s)")
        if self.random.random() < 0.3:
            parts.append("CHECK (n IS NULL OR n <> 5 OR s IS NOT NULL)")
        return Step(f"CREATE TABLE t ({', '.join(parts)})")

    def _id(self) -> int:
        return self.random.randint(1, IDS)

    def _insert(self, plain: bool = False) -> Step:
        random = self.random
        named = [column for column in self.columns if column.name == "id" or random.random() < 0.8]
        count = 1 if plain else random.choice((1, 1, 2, 3))
        ids = random.sample(range(1, IDS + 1), count) if self.portable else [self._id() for _ in range(count)]
        rows = []
        for number in ids:
            values = [str(number) if column.name == "id" else self._stored(column) for column in named]
            rows.append(f"({', '.join(values)})")
        conflict = "" if plain else self._conflict(count)
        columns = ", ".join(column.name for column in named)
        return Step(f"INSERT INTO t ({columns}) VALUES {', '.join(rows)}{conflict}{self._returning()}")

    def _stored(self, column: Column) -> str:
        if not self.portable and self.random.random() < 0.1:
            return "DEFAULT"
        return self._literal(column.type)

    def _conflict(self, rows: int) -> str:
        random = self.random
        target = random.choice(("(id)", "(id)", "", "(n, s)"))
        if self.portable and rows > 1:
            target = "(id)"  # SQLite lets a statement change a row twice
        if random.random() < 0.3 or not target:
            return random.choice(("", f" ON CONFLICT {target} DO NOTHING")) if target else " ON CONFLICT DO NOTHING"
        expressions = Expressions(random, self.columns, self.portable, random.choice(("t.", "excluded.")))
        changed = [column for column in self.columns if not column.unique and column.name not in ("n", "s")]
        changed = changed or [self.columns[1]]
        sets = ", ".join(f"{column.name} = {expressions.value(column.type, 1)}" for column in changed)
        where = random.choice(("", f" WHERE {expressions.condition(1)}")) if self.portable is False else ""
        return f" ON CONFLICT {target} DO UPDATE SET {sets}{where}"

    def _returning(self) -> str:
        if self.random.random() < 0.5:
            return ""
        if self.portable:
            return " RETURNING id, n, s"  # SQLite 3.40 gets expressions with NULL columns wrong here
        kind = self.random.choice(self.expressions.types)
        return f" RETURNING id, {self.expressions.value(kind, 1)} AS x"

    def _update(self) -> Step:
        random = self.random
        one = random.random() < 0.6
        where = f"id = {self._id()}" if one else self.expressions.condition()
        if one and random.random() < 0.5:
            where = f"{where} AND {self.expressions.condition(1)}"
        if random.random() < 0.2:
            where, one = f"id = (SELECT id FROM t WHERE {self.expressions.condition(1)} ORDER BY id LIMIT 1)", True
        sets = []
        for column in random.sample(self.columns, random.randint(1, 2)):
            constant = column.unique or column.name in ("n", "s")
            if column.name == "id":
                value = str(self._id())
            elif constant and not one:
                value = self._literal(column.type)
            elif column.type == INTEGER and random.random() < 0.15 and not self.portable:
                value = self.expressions.risky()
            else:
                value = self.expressions.value(column.type)
            sets.append(f"{column.name} = {value}")
        text = f"UPDATE t SET {', '.join(sets)} WHERE {where}{self._returning()}"
        return Step(text, any_error=True)

    def _delete(self) -> Step:
        where = self.random.choice((f"id = {self._id()}", self.expressions.condition()))
        return Step(f"DELETE FROM t WHERE {where}{self._returning()}")

    def _select(self) -> Step:
        random, draw = self.random, self.expressions
        where = f" WHERE {draw.condition()}" if random.random() < 0.8 else ""
        if random.random() < 0.25:
            return Step(f"SELECT {self._aggregates()} FROM t{where}")
        if random.random() < 0.15:
            having = random.choice(("", " HAVING count(*) > 1", " HAVING max(id) < 5"))
            return Step(f"SELECT n, {self._aggregates()} FROM t{where} GROUP BY n{having}")
        if random.random() < 0.1:
            return Step(f"SELECT DISTINCT {draw.value(random.choice(draw.types), 1)} AS x FROM t{where}")
        shown = [f"{draw.value(random.choice(draw.types))} AS x{number}" for number in range(random.randint(1, 2))]
        risky = not self.portable and random.random() < 0.1
        if risky:
            shown = [f"{draw.risky()} AS x"]
        text = f"SELECT id, {', '.join(shown)} FROM t{where}"
        if random.random() < 0.6 and not risky:
            key = draw.value(random.choice(draw.types), 1)
            key = f"coalesce({key}, NULL)" if self.portable else key  # PostgreSQL refuses to sort by a bare constant
            text += f" ORDER BY {key} {random.choice(('ASC', 'DESC'))} NULLS {random.choice(('FIRST', 'LAST'))}, id"
            if random.random() < 0.5:
                text += f" LIMIT {random.randint(0, 4)}" + random.choice(("", f" OFFSET {random.randint(0, 2)}"))
            return Step(text, ordered=True)
        return Step(text, any_error=True)

    def _aggregates(self) -> str:
        draw, pick = self.expressions, self.random.choice
        whole, text, real = draw.value(INTEGER, 1), draw.value(TEXT, 1), draw.value(DOUBLE, 1)
        forms = ["count(*)", f"count({text})", f"count(DISTINCT {whole})", f"sum({whole})", f"min({text})"]
        forms += [f"max({whole})", f"avg({whole})", f"sum({real})", f"min({real})", f"sum(DISTINCT {whole})"]
        return ", ".join(f"{pick(forms)} AS a{number}" for number in range(2))

    def _bound(self) -> Step:
        """A statement with parameters, one more of them than it uses."""
        random = self.random
        number, word = random.choice((None, *range(-2, 6))), random.choice((None, "a", "ab", "it's", "%"))
        parameters = (("n", number), ("s", word), ("unused", 1))
        texts = [
            "SELECT id FROM t WHERE n = :n OR s = :s ORDER BY id",
            "SELECT id, CAST(:s AS TEXT) AS s FROM t WHERE n > :n AND s <> :s ORDER BY id",
            "UPDATE t SET s = :s, n = :n WHERE id = :n",
            "INSERT INTO t (id, n, s) VALUES (:n, :n, :s)",
            "DELETE FROM t WHERE n = :n AND s LIKE :s",
            "SELECT id FROM t WHERE coalesce(n, 0) IN (:n, 1) AND coalesce(s, :s) = :s ORDER BY id",
        ]
        return Step(random.choice(texts), parameters, ordered=True, any_error=True)

    def _transaction(self) -> Step:
        if not self._open:
            self._open = True
            levels = ("", " ISOLATION LEVEL SERIALIZABLE", " ISOLATION LEVEL REPEATABLE READ")
            return Step("BEGIN" + ("" if self.portable else self.random.choice(levels)))
        self._open = False
        return Step(self.random.choice(("COMMIT", "ROLLBACK")))


def draw_sequence(random: Random, length: int, portable: bool) -> list[Step]:
    """A table and `length` statements on it; `portable` ones mean the same to SQLite."""
    return Statements(random, portable).sequence(length)
