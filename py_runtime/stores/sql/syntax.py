"""The shapes a parsed statement is made of; its values and conditions are those of `expressions.py`. Data only."""

from dataclasses import dataclass, field

from py_runtime.stores.sql.expressions import ColumnName, Expression, Span
from py_runtime.stores.sql.tokens import Token, one_line


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a select list or of RETURNING; `expression` None means `*`. `named`: by AS, not by what it is."""

    expression: Expression | None
    name: str
    at: Token
    named: bool = False


@dataclass(frozen=True, slots=True)
class SortKey:
    """One entry of ORDER BY."""

    expression: Expression
    descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class TableName:
    """The table of a statement; `alias` is its name where none was given."""

    name: str
    alias: str
    at: Token


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """One column of CREATE TABLE; its constraints but NOT NULL are listed with the table's."""

    name: str
    type: str
    length: int | None
    not_null: bool
    default: Expression | None
    at: Token


@dataclass(frozen=True, slots=True)
class ConstraintDefinition:
    """`kind` is PRIMARY KEY, UNIQUE or CHECK. `columns` of a column's own CHECK is that column, for its name only."""

    kind: str
    name: str | None
    columns: tuple[str, ...]
    condition: Expression | None
    at: Token


@dataclass(frozen=True, slots=True)
class CreateTable:
    """CREATE TABLE."""

    table: TableName
    if_not_exists: bool
    columns: tuple[ColumnDefinition, ...]
    constraints: tuple[ConstraintDefinition, ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """`column = value` in SET, or one place of a VALUES row; `value` None means DEFAULT."""

    column: str
    value: Expression | None
    at: Token


@dataclass(frozen=True, slots=True)
class Conflict:
    """ON CONFLICT. `columns` None means any unique constraint; `assignments` empty means DO NOTHING."""

    columns: tuple[str, ...] | None
    assignments: tuple[Assignment, ...]
    where: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Insert:
    """INSERT: every row lists a value for every column that the statement names."""

    table: TableName
    rows: tuple[tuple[Assignment, ...], ...]
    conflict: Conflict | None
    returning: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Update:
    """UPDATE; `where` None means every row."""

    table: TableName
    assignments: tuple[Assignment, ...]
    where: Expression | None
    returning: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Delete:
    """DELETE; `where` None means every row."""

    table: TableName
    where: Expression | None
    returning: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Select:
    """`locking` is empty, FOR UPDATE, FOR UPDATE NOWAIT or FOR UPDATE SKIP LOCKED; `locking_at` is where it stands."""

    distinct: bool
    items: tuple[Item, ...]
    table: TableName | None
    where: Expression | None
    group: tuple[ColumnName, ...]
    having: Expression | None
    order: tuple[SortKey, ...]
    limit: Expression | None
    offset: Expression | None
    locking: str
    locking_at: Token


@dataclass(frozen=True, slots=True)
class TransactionControl:
    """`action` is BEGIN, COMMIT, ROLLBACK or SET TRANSACTION; `isolation` is None where no level is named."""

    action: str
    isolation: str | None


Statement = CreateTable | Insert | Update | Delete | Select | TransactionControl


@dataclass(frozen=True, slots=True)
class Parsed:
    """A statement with the tokens it was read from. `parameters` are the names after `:`, in order of appearance."""

    statement: Statement
    tokens: tuple[Token, ...]
    parameters: tuple[str, ...] = field(default=())

    def text_of(self, expression: Expression) -> str:
        """Return the expression as written, on one line."""
        return one_line(self.tokens[slice(*expression.span)])

    def place_of(self, expression: Expression) -> dict[str, int]:
        """Return line and column of the expression, ready to be passed to SqlError."""
        return self.tokens[expression.span[0]].place
