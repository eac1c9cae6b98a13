"""The grammar of SELECT, which may be a statement or stand in parentheses inside one, and of RETURNING's list."""

from py_runtime.stores.sql.expressions import Call, Case, Cast, ColumnName, Expression, Literal, Subquery
from py_runtime.stores.sql.parse_expression import ExpressionParser
from py_runtime.stores.sql.syntax import Item, Select, SortKey, TableName
from py_runtime.stores.sql.values import UNKNOWN

_NO_NAME = "?column?"


class SelectParser(ExpressionParser):
    """Reads what follows SELECT, and the parts that other statements share with it."""

    def table_name(self, aliased: bool = True) -> TableName:
        token = self.require_name("a table")
        name = alias = str(token.value)
        if aliased and (self.accept("AS") or (self.at_name() and self.token.word != "SET")):
            alias = str(self.require_name("an alias").value)
        return TableName(name, alias, token)

    def items(self) -> tuple[Item, ...]:
        items = [self._item()]
        while self.accept_symbol(","):
            items.append(self._item())
        return tuple(items)

    def _item(self) -> Item:
        at = self.token
        if self.accept_symbol("*"):
            return Item(None, "", at)
        expression = self.expression()
        name = self._result_name(expression)[0]
        named = bool(self.accept("AS") or self.at_name())
        if named:
            name = str(self.require_name("a name").value)
        return Item(expression, name, at, named)

    def _result_name(self, expression: Expression | None) -> tuple[str, bool]:
        """What PostgreSQL calls a result without AS, and whether the name holds inside a cast or CASE around it."""
        match expression:
            case Call() if self.tokens[expression.span[0]].word == "CURRENT_TIMESTAMP":
                return "current_timestamp", True
            case ColumnName() | Call():
                return expression.name, True
            case Subquery(exists=True):
                return "exists", True
            case Subquery():
                item = expression.select.items[0]
                return (item.name, True) if item.named else self._result_name(item.expression)
            case Cast():
                inner = self._result_name(expression.operand)
                return inner if inner[1] else (expression.shown, False)
            case Case():
                inner = self._result_name(expression.otherwise)
                return inner if inner[1] else ("case", False)
        return _NO_NAME, False

    def select(self) -> Select:
        """Read what follows SELECT."""
        distinct = self.accept("DISTINCT")
        items = self.items()
        table = self.table_name() if self.accept("FROM") else None
        where = self.expression() if self.accept("WHERE") else None
        group = self._group() if self.accept("GROUP", "BY") else ()
        having = self.expression() if self.accept("HAVING") else None
        order = self._order() if self.accept("ORDER", "BY") else ()
        locking_at, locking = self.token, self._locking()
        limit = offset = None
        while True:
            if limit is None and self.accept("LIMIT"):
                limit = self._limit()
            elif offset is None and self.accept("OFFSET"):
                offset = self.expression()
            else:
                break
        if not locking:
            locking_at, locking = self.token, self._locking()
        return Select(distinct, items, table, where, group, having, order, limit, offset, locking, locking_at)

    def _limit(self) -> Expression:
        first = self.position
        return Literal((first, first + 1), None, UNKNOWN) if self.accept("ALL") else self.expression()

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
