"""Random values and conditions over the columns of one table.

Decides what may be written for a wanted type. `portable` leaves out what SQLite has not or takes differently. An
operation that may fail stands in a select list or in SET only, never in a condition: PostgreSQL promises no order in
which conditions are looked at, and computes what does not depend on a row before it has one.
"""

from dataclasses import dataclass
from random import Random

INTEGER, BIGINT, TEXT, BOOLEAN, DOUBLE, TIMESTAMP = (
    "INTEGER",
    "BIGINT",
    "TEXT",
    "BOOLEAN",
    "DOUBLE PRECISION",
    "TIMESTAMP",
)
WORDS = ("", "a", "ab", "b", "B_", "a%", "it''s", "ä")
PATTERNS = ("%", "a%", "_", "%b", "a_", "a\\%", "%_%", "")
TIMES = ("2024-02-29 00:00:00", "2024-02-29 12:30:00.5", "1999-12-31 23:59:59.999999")
SPANS = ("1 day", "90 minutes", "0.25 seconds", "-2 hours")
COMPARISONS = ("=", "<>", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Column:
    """A column as a random table has it."""

    name: str
    type: str
    unique: bool = False


class Expressions:
    """Draws expressions; `prefix` is put before column names (for ON CONFLICT, where names need their table)."""

    def __init__(self, random: Random, columns: list[Column], portable: bool, prefix: str = "") -> None:
        self.random = random
        self.portable = portable
        self._columns = columns
        self._prefix = prefix
        self.types = [INTEGER, INTEGER, TEXT, BOOLEAN, DOUBLE] + ([] if portable else [BIGINT, TIMESTAMP])

    def literal(self, kind: str) -> str:
        """A value that is written out; NULL now and then."""
        pick = self.random.choice
        if self.random.random() < 0.15:
            return f"CAST(NULL AS {kind})"
        if kind in (INTEGER, BIGINT):
            number = str(self.random.randint(-3, 6))
            return number if kind == INTEGER else f"CAST({number} AS BIGINT)"
        if kind == DOUBLE:
            return f"CAST({pick((-1.5, 0, 0.5, 2, 2.25))} AS DOUBLE PRECISION)"
        if kind == TIMESTAMP:
            return f"TIMESTAMP '{pick(TIMES)}'"
        return pick(("TRUE", "FALSE")) if kind == BOOLEAN else f"'{pick(WORDS)}'"

    def value(self, kind: str, depth: int = 2) -> str:
        """An expression of the type."""
        columns = [column.name for column in self._columns if column.type == kind]
        if columns and self.random.random() < (0.35 if depth else 0.7):
            return self._prefix + self.random.choice(columns)
        if not depth:
            return self.literal(kind)
        forms = [self._coalesce, self._case, self._null_if, lambda kind, depth: self.literal(kind)]
        if not self.portable:
            forms += [self._extreme]
        forms += [self._own] * 4
        return self.random.choice(forms)(kind, depth - 1)

    def condition(self, depth: int = 2) -> str:
        """A condition that cannot fail."""
        if depth and self.random.random() < 0.45:
            left, right = self.condition(depth - 1), self.condition(depth - 1)
            return self.random.choice((f"({left} AND {right})", f"({left} OR {right})", f"NOT ({left})"))
        return self._test(depth)

    def risky(self) -> str:
        """An integer expression that fails on some rows."""
        pick, number = self.random.choice, self.value(INTEGER, 1)
        columns = [column.name for column in self._columns if column.type == INTEGER]
        column = self._prefix + pick(columns)
        return pick((f"({number}) / {column}", f"({number}) % {column}", f"{column} * 1000000000 + {column}"))

    def _coalesce(self, kind: str, depth: int) -> str:
        return f"coalesce({self.value(kind, depth)}, {self.value(kind, depth)})"

    def _case(self, kind: str, depth: int) -> str:
        return f"CASE WHEN {self.condition(depth)} THEN {self.value(kind, depth)} ELSE {self.value(kind, depth)} END"

    def _null_if(self, kind: str, depth: int) -> str:
        return f"nullif({self.value(kind, depth)}, {self.value(kind, depth)})"

    def _extreme(self, kind: str, depth: int) -> str:
        return f"{self.random.choice(('greatest', 'least'))}({self.value(kind, depth)}, {self.value(kind, depth)})"

    def _own(self, kind: str, depth: int) -> str:
        """An operator or function that belongs to the type."""
        pick, left, right = self.random.choice, self.value(kind, depth), self.value(kind, depth)
        if kind in (INTEGER, BIGINT):
            forms = [f"({left} + {right})", f"({left} - {right})", f"({left}) / 2", f"({left}) % 3", f"abs({left})"]
            forms += [f"-({left})", f"({left} * 2)"]
            return pick([*forms, f"length({self.value(TEXT, depth)})"] if kind == INTEGER else forms)
        if kind == DOUBLE:
            forms = [
                f"({left} + {right})",
                f"({left} * 0.5)",
                f"CAST({self.value(INTEGER, depth)} AS DOUBLE PRECISION)",
            ]
            return pick(forms)
        if kind == TEXT:
            forms = [f"({left} || {right})", f"lower({left})", f"({left} || ({self.value(INTEGER, depth)}))"]
            forms += [f"CAST({self.value(INTEGER, depth)} AS TEXT)", f"coalesce({left}, '')"]
            return pick(forms if self.portable else [*forms, f"CAST({self.value(DOUBLE, depth)} AS TEXT)"])
        if kind == TIMESTAMP:
            return f"({left} {pick('+-')} INTERVAL '{pick(SPANS)}')"
        return self._test(depth)

    def _test(self, depth: int) -> str:
        pick = self.random.choice
        depth = max(depth - 1, 0)
        kind = pick(self.types)
        left, right = self.value(kind, depth), self.value(kind, depth)
        forms = [f"{left} {pick(COMPARISONS)} {right}"] * 3
        forms += [f"({left}) IS {pick(('', 'NOT '))}NULL", f"({left}) IS {pick(('', 'NOT '))}DISTINCT FROM {right}"]
        items = ", ".join(self.value(kind, depth) for _ in range(self.random.randint(1, 3)))
        forms += [f"{left} {pick(('', 'NOT '))}IN ({items})", self._in_subquery(kind, left)]
        forms += [f"{left} {pick(('', 'NOT '))}BETWEEN {right} AND {self.value(kind, depth)}"]
        if kind == TEXT:
            forms += [f"{left} {pick(('', 'NOT '))}LIKE '{self._pattern()}'"] * 3
        if kind == BOOLEAN:
            forms += [f"({left}) IS {pick(('TRUE', 'NOT TRUE', 'FALSE', 'NOT FALSE'))}"] * 2
        return f"({pick(forms)})"

    def _pattern(self) -> str:
        patterns = [pattern for pattern in PATTERNS if not (self.portable and "\\" in pattern)]
        return self.random.choice(patterns)

    def _in_subquery(self, kind: str, left: str) -> str:
        columns = [column.name for column in self._columns if column.type == kind]
        if not columns:
            return f"EXISTS (SELECT 1 FROM t WHERE id > {self.random.randint(0, 6)})"
        where = self.random.choice(("", f" WHERE id > {self.random.randint(0, 6)}"))
        return f"{left} {self.random.choice(('', 'NOT '))}IN (SELECT {self.random.choice(columns)} FROM t{where})"
