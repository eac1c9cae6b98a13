"""The grammar of statements: from the text of one statement to a `Parsed`.

Decides which clauses exist and in which order. Knows no tables: whether a name exists is found when it is bound.
"""

from functools import lru_cache

from py_runtime.stores.sql.commits import READ_COMMITTED, REPEATABLE_READ, SERIALIZABLE
from py_runtime.stores.sql.depth import refuse_too_deep
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import Expression
from py_runtime.stores.sql.parse_select import SelectParser
from py_runtime.stores.sql.parse_table import TableParser
from py_runtime.stores.sql.syntax import (
    Assignment,
    Conflict,
    Delete,
    Insert,
    Item,
    Parsed,
    Statement,
    TransactionControl,
    Update,
)
from py_runtime.stores.sql.tokens import Token, tokenize

TRANSACTION_WORDS = {
    "BEGIN": "BEGIN",
    "START": "BEGIN",
    "COMMIT": "COMMIT",
    "END": "COMMIT",
    "ROLLBACK": "ROLLBACK",
    "ABORT": "ROLLBACK",
    "SET": "SET TRANSACTION",
}
ISOLATION_LEVELS = {
    "READ UNCOMMITTED": READ_COMMITTED,
    "READ COMMITTED": READ_COMMITTED,
    "REPEATABLE READ": REPEATABLE_READ,
    "SERIALIZABLE": SERIALIZABLE,
}
"""How a level may be written, and which one it is: PostgreSQL has three, and reads nothing that is not committed."""
_KEPT = 128
"""How many texts keep their statement: a search runs the few of a program thousands of times, on new databases."""


@lru_cache(maxsize=_KEPT)
def parse(source: str) -> Parsed:
    """Read one statement, with or without a final semicolon, or give what was read in this text before.

    Raises SqlError for anything outside the subset.
    """
    tokens = tokenize(source)
    refuse_too_deep(tokens)
    parser = StatementParser(tokens)
    statement = parser.statement()
    parser.accept_symbol(";", "the end of the statement")
    if parser.token.kind != "end":
        parser.refuse()
    names = dict.fromkeys(str(token.value) for token in tokens if token.kind == "parameter")
    return Parsed(statement, tokens, tuple(names))


class StatementParser(TableParser, SelectParser):
    """Reads one statement."""

    def statement(self) -> Statement:
        readers = {"INSERT": self._insert, "SELECT": self.select, "UPDATE": self._update, "DELETE": self._delete}
        readers["CREATE"] = self.create_table
        word = self.token.word
        if word in readers:
            self.advance()
            return readers[word]()
        if word in TRANSACTION_WORDS:
            return self._transaction(TRANSACTION_WORDS[word])
        for allowed in (*readers, *TRANSACTION_WORDS):
            self.note(allowed)
        self.refuse()

    def _transaction(self, action: str) -> TransactionControl:
        word = self.advance().word
        if word in ("START", "SET"):
            self.require("TRANSACTION")
        elif not self.accept("TRANSACTION"):
            self.accept("WORK")
        isolation = None
        if action == "SET TRANSACTION" or (action == "BEGIN" and self.token.word == "ISOLATION"):
            self.require("ISOLATION", "LEVEL")
            isolation = next((level for level in ISOLATION_LEVELS if self.accept(*level.split())), None)
            if isolation is None:
                self.refuse()
        elif action == "BEGIN":
            self.note("ISOLATION LEVEL")
        return TransactionControl(action, isolation and ISOLATION_LEVELS[isolation])

    def _insert(self) -> Insert:
        self.require("INTO")
        table = self.table_name(aliased=False)
        columns: list[Token] = []
        if self.accept_symbol("(", "a list of columns in parentheses"):
            columns = self._column_tokens()
        self.require("VALUES")
        rows = [self._values_row(columns)]
        while self.accept_symbol(","):
            rows.append(self._values_row(columns))
        self.note("ON CONFLICT")
        conflict = self._conflict() if self.token.word == "ON" else None
        return Insert(table, tuple(rows), conflict, self._returning())

    def _column_tokens(self) -> list[Token]:
        columns = [self.require_name("a column")]
        while self.accept_symbol(","):
            columns.append(self.require_name("a column"))
        self.require_symbol(")")
        return columns

    def _values_row(self, columns: list[Token]) -> tuple[Assignment, ...]:
        """Read `(value, …)`; without a column list the columns are left empty, to be matched with the table later."""
        start = self.token
        self.require_symbol("(")
        values: list[tuple[Expression | None, Token]] = []
        while not values or self.accept_symbol(","):
            at = self.token
            values.append((None if self.accept("DEFAULT") else self.expression(), at))
        self.require_symbol(")")
        if columns and len(values) != len(columns):
            more, fewer = "expressions", "target columns"
            if len(values) < len(columns):
                more, fewer = fewer, more
            raise SqlError(f"INSERT has more {more} than {fewer}", **start.place)
        names = [str(column.value) for column in columns] or [""] * len(values)
        places = columns or [at for _value, at in values]
        return tuple(Assignment(name, value, at) for name, (value, _), at in zip(names, values, places, strict=True))

    def _conflict(self) -> Conflict:
        first = self.position
        self.require("ON", "CONFLICT")
        columns = None
        if self.accept_symbol("(", "columns in parentheses"):
            columns = tuple(str(token.value) for token in self._column_tokens())
        self.require("DO")
        if self.accept("NOTHING"):
            return Conflict(columns, (), None, (first, self.position))
        if columns is None:
            self.refuse()
        self.require("UPDATE", "SET")
        assignments = self._assignments()
        where = self.expression() if self.accept("WHERE") else None
        return Conflict(columns, assignments, where, (first, self.position))

    def _assignments(self) -> tuple[Assignment, ...]:
        assignments: list[Assignment] = []
        while not assignments or self.accept_symbol(","):
            column = self.require_name("a column")
            if any(column.value == other.column for other in assignments):
                message = f'multiple assignments to same column "{column.value}"'
                raise SqlError(message, **column.place)
            self.require_symbol("=")
            value = None if self.accept("DEFAULT") else self.expression()
            assignments.append(Assignment(str(column.value), value, column))
        return tuple(assignments)

    def _update(self) -> Update:
        table = self.table_name()
        self.require("SET")
        assignments = self._assignments()
        where = self.expression() if self.accept("WHERE") else None
        return Update(table, assignments, where, self._returning())

    def _delete(self) -> Delete:
        self.require("FROM")
        table = self.table_name()
        where = self.expression() if self.accept("WHERE") else None
        return Delete(table, where, self._returning())

    def _returning(self) -> tuple[Item, ...]:
        return self.items() if self.accept("RETURNING") else ()
