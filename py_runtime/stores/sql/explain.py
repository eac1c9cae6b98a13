"""Why a conditional write touched no row: which of its conditions failed, on which row, with both values.

Decides which rows are worth listing and how a failed condition is put in words. Looks at rows only after the statement
has run; it changes nothing and decides nothing about the outcome.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from py_runtime.stores.sql.binding import Binder
from py_runtime.stores.sql.bound import Bound, Environment, Evaluate, Version
from py_runtime.stores.sql.conversions import adapt, common_type
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import (
    Between,
    Binary,
    ColumnName,
    Expression,
    InList,
    InSubquery,
    IsTest,
    conjuncts,
)
from py_runtime.stores.sql.sessions import Result, Session
from py_runtime.stores.sql.tables import Row, Table, UniqueConstraint
from py_runtime.stores.sql.values import literal_text, plain


@dataclass(frozen=True, slots=True)
class Part:
    """One of the conditions that AND joins. `left` is the evaluator of its tested side, `right` of what it wants."""

    text: str
    left_text: str
    test: Evaluate
    left: Evaluate
    right: Evaluate | None
    wants: str
    key_column: str | None

    def failure(self, environment: Environment) -> dict[str, object] | None:
        """Return what failed on the environment's row, or None when the condition holds there."""
        try:
            if self.test(environment) is True:
                return None
            left = self.left(environment)
            right = None if self.right is None else self.right(environment)
        except SqlError as error:
            return {"condition": self.text, "left": None, "right": None, "text": f"{self.text}: {error.message}"}
        text = f"{self.left_text} is {literal_text(left)}, the statement wants {self._wanted(right)}"
        if left is None and self.right is not None:
            text = f"{self.left_text} is NULL, and a comparison with NULL never matches"
        elif right is None and self.right is not None:
            text = f"{self.left_text} is {literal_text(left)}; the statement compares it with NULL, which never matches"
        shown = [plain(item) for item in right] if isinstance(right, list) else plain(right)
        return {"condition": self.text, "left": plain(left), "right": shown, "text": text}

    def _wanted(self, right: object) -> str:
        return self.wants if self.right is None else self.wants.replace("{}", literal_text(right))


class Condition:
    """A WHERE clause, whole and in parts. `key` is the unique constraint whose columns it fixes, if there is one."""

    def __init__(self, binder: Binder, node: Expression | None, table: Table) -> None:
        self.table = table
        self.parts: list[Part] = []
        self.whole: Bound | None = None
        if node is not None:
            self.whole = binder.condition(node, "WHERE")
            self.parts = [_part(binder, part) for part in conjuncts(node)]
        fixed = {part.key_column: part.right for part in reversed(self.parts) if part.key_column is not None}
        self.key = next((c for c in table.unique if all(name in fixed for name in c.columns)), None)
        self._key_values = [] if self.key is None else [fixed[name] for name in self.key.columns]

    def holds(self, version: Version, environment: Environment) -> bool:
        """Say whether the condition is TRUE on `version`; no condition always is."""
        environment.row = version
        return self.whole is None or self.whole.evaluate(environment) is True

    def matching(self, session: Session, environment: Environment) -> list[tuple[Row, Version]]:
        """Return the rows that `session` sees and on which the condition holds, in insertion order."""
        if session.serializable is not None:
            self._note_read(session, environment)
        candidates = self._candidates(session, environment)
        return [(row, version) for row, version in candidates if self.holds(version, environment)]

    def explain(self, session: Session, environment: Environment, result: Result) -> None:
        """Fill `result.unmatched` with the rows that the condition kept out."""
        narrowing = self._narrowing()
        met = False
        for row, version in self._candidates(session, environment):
            environment.row = version
            if any(part.test(environment) is not True for part in narrowing):
                continue
            met = True
            entry = self.failures(row, version, environment)
            if entry["failed"]:
                result.add_unmatched(entry)
        if narrowing and not met:
            result.add_unmatched(self._no_such_row(narrowing, environment))

    def failures(self, row: Row, version: Version, environment: Environment) -> dict[str, object]:
        """Return the conditions that fail on one version of a row, as an entry of `Result.unmatched`."""
        environment.row = version
        failed = [failure for part in self.parts if (failure := part.failure(environment)) is not None]
        return {"row": self.table.label(row, version), "failed": failed}

    def _candidates(self, session: Session, environment: Environment) -> Iterable[tuple[Row, Version]]:
        """Return the rows worth a look: those with the key that the condition fixes, if it does, else all."""
        footprint = session.footprint
        if self.key is None:
            if footprint is not None:
                footprint.saw_all(self.table)
            return self.table.scan(session)
        key = tuple(value(environment) for value in self._key_values)
        if footprint is not None:
            footprint.saw_key(self.table, self.key, key)
        if session.snapshot is not None:
            return self._candidates_of_snapshot(session, key)
        rows = sorted(self.key.rows.get(key, ()), key=lambda row: row.number)
        return [(row, version) for row in rows if (version := row.seen_by(session)) is not None]

    def _candidates_of_snapshot(self, session: Session, key: tuple) -> Iterable[tuple[Row, Version]]:
        """Do the same by looking at every row, since the keys of older versions are not kept."""
        return [(row, version) for row, version in self.table.scan(session) if self.key.key_of(version) == key]

    def _note_read(self, session: Session, environment: Environment) -> None:
        """Tell the other serializable transactions what this one looks at."""
        table, constraint = self.table, self.key
        key, rows = None, list(table.rows.values())
        if constraint is not None:
            key = tuple(value(environment) for value in self._key_values)
            rows = [row for row in rows if key in row.keys_of(constraint)]
        session.commits.overlapping.read(session.serializable, (table.name, constraint, key), rows)

    def _narrowing(self) -> list[Part]:
        """Choose the parts that say which row is meant: those on the primary key, else on another unique key."""
        for constraint in self.table.unique if self.key is None else [self.key]:
            chosen = [part for part in self.parts if part.key_column in constraint.columns]
            if chosen:
                return chosen
        return []

    def _no_such_row(self, narrowing: list[Part], environment: Environment) -> dict[str, object]:
        failed = []
        values = {}
        for part in narrowing:
            value = values[part.key_column] = part.right(environment)
            text = f"no row of {self.table.name} has {part.left_text} {literal_text(value)}"
            failed.append({"condition": part.text, "left": None, "right": plain(value), "text": text})
        primary = self.table.primary_key
        whole = primary is not None and all(values.get(name) is not None for name in primary.columns)
        label = self.table.key_label(tuple(values[name] for name in primary.columns)) if whole else self.table.name
        return {"row": label, "failed": failed}


def conflict_failure(text: str, constraint: UniqueConstraint, version: Version) -> dict[str, object]:
    """Put in words that ON CONFLICT DO NOTHING met a row with the same key."""
    values = [plain(version[name]) for name in constraint.columns]
    named = ", ".join(f"{name} {literal_text(version[name])}" for name in constraint.columns)
    shown = values[0] if len(values) == 1 else values
    return {"condition": text, "left": shown, "right": shown, "text": f"a row with {named} exists already"}


def lock_failure(text: str) -> dict[str, object]:
    """Put in words that SKIP LOCKED passed over a row."""
    return {"condition": text, "left": None, "right": None, "text": "another transaction holds the row's lock"}


def _part(binder: Binder, node: Expression) -> Part:
    test = binder.condition(node, "WHERE").evaluate
    left_node, right, wants, key_column = node, None, "it to be true", None
    left: Bound | None = None
    if isinstance(node, Binary) and node.operator not in ("OR", "||", "+", "-", "*", "/", "%"):
        left_node, right_node, key_column = _key_side(binder, node)
        left, right = _alike(binder, left_node, right_node)
        wants = "{}" if node.operator == "=" else f"{node.operator} {{}}"
    elif isinstance(node, IsTest):
        word = "NULL" if node.wanted is None else str(node.wanted).upper()
        left_node, wants = node.operand, f"NOT {word}" if node.negated else word
    elif isinstance(node, InList):
        left_node, wants = node.operand, "none of {}" if node.negated else "one of {}"
        right = _list_of([binder.bind(item).evaluate for item in node.items])
    elif isinstance(node, InSubquery):
        _name, number = binder.preparation.subquery(node.query, "WHERE")
        left_node, wants = node.operand, "none of {}" if node.negated else "one of {}"
        right = _values_of(number)
    elif isinstance(node, Between):
        left_node, wants = node.operand, "outside {}" if node.negated else "within {}"
        right = _list_of([binder.bind(node.low).evaluate, binder.bind(node.high).evaluate])
    left = left or binder.bind(left_node)
    text, left_text = binder.parsed.text_of(node), binder.parsed.text_of(left_node)
    return Part(text, left_text, test, left.evaluate, right, wants, key_column)


def _alike(binder: Binder, left_node: Expression, right_node: Expression) -> tuple[Bound, Evaluate]:
    """Bind both sides of a comparison in the type in which they are compared."""
    left, right = binder.bind(left_node), binder.bind(right_node)
    name = common_type([left, right])
    return adapt(left, name), adapt(right, name).evaluate


def _key_side(binder: Binder, node: Binary) -> tuple[Expression, Expression, str | None]:
    """Return the tested side of an equation first; name the column when the other side does not depend on the row."""
    if node.operator == "=":
        for column, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(column, ColumnName) and column.table != "excluded" and binder.row_free(other):
                return column, other, column.name
    return node.left, node.right, None


def _list_of(evaluators: list[Evaluate]) -> Evaluate:
    return lambda environment: [evaluate(environment) for evaluate in evaluators]


def _values_of(subquery: int) -> Evaluate:
    return lambda environment: environment.subqueries[subquery].values
