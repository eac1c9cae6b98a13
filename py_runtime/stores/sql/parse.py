"""The grammar of statements: from the text of one statement to a `Parsed`.

Decides which clauses exist and in which order. Knows no tables: whether a name exists is found when it is bound.
"""

from py_runtime.stores.sql.cursor import Cursor
from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.parse_expression import ExpressionParser
from py_runtime.stores.sql.parse_table import TableParser
from py_runtime.stores.sql.syntax import (
    Assignment,
    Call,
    ColumnName,
    Conflict,
    Delete,
    Expression,
    Insert,
    Item,
    Parsed,
    Select,
    SortKey,
    Statement,
    TableName,
    TransactionControl,
    Update,
)
from py_runtime.stores.sql.tokens import Token, tokenize

TRANSACTION_WORDS = {"BEGIN": "BEGIN", "START": "BEGIN", "COMMIT": "COMMIT", "END": "COMMIT", "ROLLBACK": "ROLLBACK"}


def parse(source: str) -> Parsed:
    """Read one statement, with or without a final semicolon. Raises SqlError for anything outside the subset."""
    tokens = tokenize(source)
    parser = StatementParser(tokens)
    statement = parser.statement()
    parser.accept_symbol(";", "the end of the statement")
    if parser.token.kind != "end":
        parser.refuse()
    names = dict.fromkeys(str(token.value) for token in tokens if token.kind == "parameter")
    return Parsed(statement, tokens, tuple(names))


class StatementParser(TableParser, ExpressionParser, Cursor):
    """Reads one statement."""

    def statement(self) -> Statement:
        readers = {"INSERT": self._insert, "SELECT": self._select, "UPDATE": self._update, "DELETE": self._delete}
        readers["CREATE"] = self.create_table
        word = self.token.word
        if word in readers:
            self.advance()
            return readers[word]()
        if word in TRANSACTION_WORDS:
            self.advance()
            if word == "START":
                self.require("TRANSACTION")
            elif not self.accept("TRANSACTION"):
                self.accept("WORK")
            return TransactionControl(TRANSACTION_WORDS[word])
        for allowed in (*readers, *TRANSACTION_WORDS):
            self.note(allowed)
        self.refuse()

    def _table(self, aliased: bool = True) -> TableName:
        token = self.require_name("a table")
        name = alias = str(token.value)
        if aliased and (self.accept("AS") or (self.at_name() and self.token.word != "SET")):
            alias = str(self.require_name("an alias").value)
        return TableName(name, alias, token)

    def _insert(self) -> Insert:
        self.require("INTO")
        table = self._table(aliased=False)
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
            raise SqlError(f"INSERT has more {more} than {fewer}", line=start.line, column=start.column)
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
                raise SqlError(message, line=column.line, column=column.column)
            self.require_symbol("=")
            value = None if self.accept("DEFAULT") else self.expression()
            assignments.append(Assignment(str(column.value), value, column))
        return tuple(assignments)

    def _update(self) -> Update:
        table = self._table()
        self.require("SET")
        assignments = self._assignments()
        where = self.expression() if self.accept("WHERE") else None
        return Update(table, assignments, where, self._returning())

    def _delete(self) -> Delete:
        self.require("FROM")
        table = self._table()
        where = self.expression() if self.accept("WHERE") else None
        return Delete(table, where, self._returning())

    def _returning(self) -> tuple[Item, ...]:
        return self._items() if self.accept("RETURNING") else ()

    def _items(self) -> tuple[Item, ...]:
        items = [self._item()]
        while self.accept_symbol(","):
            items.append(self._item())
        return tuple(items)

    def _item(self) -> Item:
        if self.accept_symbol("*"):
            return Item(None, "")
        expression = self.expression()
        name = "?column?"
        if isinstance(expression, (ColumnName, Call)):
            name = expression.name
        if self.accept("AS") or self.at_name():
            name = str(self.require_name("a name").value)
        return Item(expression, name)

    def _select(self) -> Select:
        items = self._items()
        table = self._table() if self.accept("FROM") else None
        where = self.expression() if self.accept("WHERE") else None
        group = self._group() if self.accept("GROUP", "BY") else ()
        order = self._order() if self.accept("ORDER", "BY") else ()
        limit = offset = None
        while True:
            if limit is None and self.accept("LIMIT"):
                limit = self.expression()
            elif offset is None and self.accept("OFFSET"):
                offset = self.expression()
            else:
                break
        return Select(items, table, where, group, order, limit, offset, self._locking())

    def _group(self) -> tuple[ColumnName, ...]:
        columns: list[ColumnName] = []
        while not columns or self.accept_symbol(","):
            position = self.position
            column = self.expression()
            if not isinstance(column, ColumnName):
                self.position = position
                self.note("a column")
                self.refuse()
            columns.append(column)
        return tuple(columns)

    def _order(self) -> tuple[SortKey, ...]:
        keys: list[SortKey] = []
        while not keys or self.accept_symbol(","):
            expression = self.expression()
            descending = self.accept("DESC")
            if not descending:
                self.accept("ASC")
            nulls_first = descending
            if self.accept("NULLS", "FIRST"):
                nulls_first = True
            elif self.accept("NULLS", "LAST"):
                nulls_first = False
            keys.append(SortKey(expression, descending, nulls_first))
        return tuple(keys)

    def _locking(self) -> str:
        if not self.accept("FOR", "UPDATE"):
            return ""
        if self.accept("NOWAIT"):
            return "FOR UPDATE NOWAIT"
        return "FOR UPDATE SKIP LOCKED" if self.accept("SKIP", "LOCKED") else "FOR UPDATE"
