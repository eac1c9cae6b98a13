"""The grammar of CREATE TABLE: columns, their constraints, and the table's own."""

from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.expressions import Expression
from py_runtime.stores.sql.parse_expression import ExpressionParser
from py_runtime.stores.sql.syntax import ColumnDefinition, ConstraintDefinition, CreateTable, TableName
from py_runtime.stores.sql.tokens import Token
from py_runtime.stores.sql.values import INTERVAL


class TableParser(ExpressionParser):
    """Reads what follows CREATE."""

    def create_table(self) -> CreateTable:
        self.require("TABLE")
        if_not_exists = self.accept("IF", "NOT", "EXISTS")
        name = self.require_name("a table")
        columns: list[ColumnDefinition] = []
        constraints: list[ConstraintDefinition] = []
        self.require_symbol("(")
        while not (columns or constraints) or self.accept_symbol(","):
            own = self._table_constraint()
            if own is not None:
                constraints.append(own)
            else:
                columns.append(self._column(constraints))
        self.require_symbol(")")
        table = TableName(str(name.value), str(name.value), name)
        return CreateTable(table, if_not_exists, tuple(columns), tuple(constraints))

    def _column(self, constraints: list[ConstraintDefinition]) -> ColumnDefinition:
        """Read one column; its PRIMARY KEY, UNIQUE and CHECK are appended to the table's constraints."""
        token = self.require_name("a column")
        name, at = str(token.value), self.token
        type_name, length = self.type_name()
        if type_name == INTERVAL:
            message = "a column cannot be of type interval here; store a number of milliseconds or a timestamp"
            raise SqlError(message, sqlstate="0A000", **at.place)
        not_null, default = False, None
        while True:
            constraint = self._constraint_name()
            at = self.token
            if self.accept("NOT", "NULL"):
                not_null = True
            elif self.accept("NULL"):
                pass
            elif self.accept("DEFAULT"):
                default = self._sum()
            elif self.accept("PRIMARY", "KEY"):
                constraints.append(ConstraintDefinition("PRIMARY KEY", constraint, (name,), None, at))
            elif self.accept("UNIQUE"):
                constraints.append(ConstraintDefinition("UNIQUE", constraint, (name,), None, at))
            elif self.accept("CHECK"):
                constraints.append(ConstraintDefinition("CHECK", constraint, (name,), self._condition(), at))
            elif constraint is not None:
                self.refuse()
            else:
                return ColumnDefinition(name, type_name, length, not_null, default, token)

    def _table_constraint(self) -> ConstraintDefinition | None:
        name, at = self._constraint_name(), self.token
        if self.accept("PRIMARY", "KEY"):
            return ConstraintDefinition("PRIMARY KEY", name, self._columns(), None, at)
        if self.accept("UNIQUE"):
            return ConstraintDefinition("UNIQUE", name, self._columns(), None, at)
        if self.accept("CHECK"):
            return ConstraintDefinition("CHECK", name, (), self._condition(), at)
        if name is not None:
            self.refuse()
        return None

    def _constraint_name(self) -> str | None:
        return str(self.require_name("a name").value) if self.accept("CONSTRAINT") else None

    def _columns(self) -> tuple[str, ...]:
        self.require_symbol("(")
        tokens: list[Token] = []
        while not tokens or self.accept_symbol(","):
            tokens.append(self.require_name("a column"))
        self.require_symbol(")")
        return tuple(str(token.value) for token in tokens)

    def _condition(self) -> Expression:
        self.require_symbol("(")
        condition = self.expression()
        self.require_symbol(")")
        return condition
