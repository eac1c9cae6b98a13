"""What a statement can fail with. Decides the shape of an error; the wording is chosen where the error is found.

Messages follow PostgreSQL where it has one, and `sqlstate` carries its five-character code, from which the class
follows: the classes have the names and the bases that psycopg gives them. Every error here is definite: the statement
changed nothing, and will not change anything later.
"""

from typing import NamedTuple, Self


class Diagnostics(NamedTuple):
    """What psycopg calls `diag`: the parts of an error report."""

    sqlstate: str
    message_primary: str
    message_detail: str | None = None
    table_name: str | None = None
    column_name: str | None = None
    constraint_name: str | None = None


class SqlError(Exception):
    """A statement that was refused or failed.

    `message` is one sentence without the place; `line` and `column` (both from 1) point into the statement's text when
    the error belongs to one spot in it, and `str(error)` then ends with that place.
    """

    def __new__(cls, _message: str, *, sqlstate: str = "42601", **_rest: object) -> Self:
        """Make an error of the class that belongs to `sqlstate`."""
        found = BY_SQLSTATE.get(sqlstate) or BY_SQLSTATE_CLASS.get(sqlstate[:2], cls)
        return super().__new__(found if issubclass(found, cls) else cls)

    def __init__(
        self, message: str, *, sqlstate: str = "42601", line: int | None = None, column: int | None = None
    ) -> None:
        place = "" if line is None else f" (line {line}, column {column})"
        super().__init__(message + place)
        self.message = message
        self.sqlstate = sqlstate
        self.line = line
        self.column = column

    @property
    def diag(self) -> Diagnostics:
        """The error in parts, under psycopg's names."""
        return Diagnostics(self.sqlstate, self.message)


class OperationalError(SqlError):
    """Not the statement's fault: the state of the database, or other transactions."""


class ProgrammingError(SqlError):
    """A statement that does not fit the language or the tables."""


class DataError(SqlError):
    """A value that its type does not hold, or an operation that has no result."""


class InternalError(SqlError):
    """A command that the state of the transaction does not allow."""


class NotSupportedError(SqlError):
    """Something outside what this database can do."""


class IntegrityError(SqlError):
    """A row that a constraint forbids.

    `table` and `constraint` say which (a NOT NULL is named by its column), `detail` gives the row or the key.
    """

    def __init__(self, message: str, *, sqlstate: str, table: str, constraint: str, detail: str = "") -> None:
        super().__init__(message, sqlstate=sqlstate)
        if detail:
            self.args = (f"{message}: {detail}",)
        self.table = table
        self.constraint = constraint
        self.detail = detail

    @property
    def diag(self) -> Diagnostics:
        """The error in parts, under psycopg's names."""
        named = (self.constraint, None) if isinstance(self, NotNullViolation) else (None, self.constraint)
        return Diagnostics(self.sqlstate, self.message, self.detail, self.table, *named)


class UniqueViolation(IntegrityError):
    """Another row has the same key."""


class NotNullViolation(IntegrityError):
    """NULL in a column that does not take it."""


class CheckViolation(IntegrityError):
    """A CHECK is FALSE for the row."""


class SerializationFailure(OperationalError):
    """The transaction cannot go on at its isolation level; all of it has to be tried again."""


class DeadlockDetected(OperationalError):
    """The statement would have closed a circle of transactions that wait for each other."""


class LockNotAvailable(OperationalError):
    """NOWAIT met a row that another transaction holds."""


class InFailedSqlTransaction(InternalError):
    """A command after an error and before ROLLBACK."""


BY_SQLSTATE: dict[str, type[SqlError]] = {
    "23502": NotNullViolation,
    "23505": UniqueViolation,
    "23514": CheckViolation,
    "25P02": InFailedSqlTransaction,
    "40001": SerializationFailure,
    "40P01": DeadlockDetected,
    "55P03": LockNotAvailable,
}
BY_SQLSTATE_CLASS: dict[str, type[SqlError]] = {
    "07": ProgrammingError,
    "08": OperationalError,
    "0A": NotSupportedError,
    "21": ProgrammingError,
    "22": DataError,
    "25": InternalError,
    "40": OperationalError,
    "42": ProgrammingError,
    "54": OperationalError,
    "55": OperationalError,
    "57": OperationalError,
}
"""By the first two characters of the code, as psycopg sorts them."""
