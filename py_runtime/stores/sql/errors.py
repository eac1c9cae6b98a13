"""What a statement can fail with. Decides the shape of an error; the wording is chosen where the error is found.

Messages follow PostgreSQL where it has one, and `sqlstate` carries its five-character code. Every error here is
definite: the statement changed nothing, and will not change anything later.
"""


class SqlError(Exception):
    """A statement that was refused or failed.

    `message` is one sentence without the place; `line` and `column` (both from 1) point into the statement's text when
    the error belongs to one spot in it, and `str(error)` then ends with that place.
    """

    def __init__(
        self, message: str, *, sqlstate: str = "42601", line: int | None = None, column: int | None = None
    ) -> None:
        place = "" if line is None else f" (line {line}, column {column})"
        super().__init__(message + place)
        self.message = message
        self.sqlstate = sqlstate
        self.line = line
        self.column = column


class IntegrityError(SqlError):
    """A row that a constraint forbids; `table` and `constraint` say which (a NOT NULL is named by its column)."""

    def __init__(self, message: str, *, sqlstate: str, table: str, constraint: str, detail: str = "") -> None:
        super().__init__(f"{message}: {detail}" if detail else message, sqlstate=sqlstate)
        self.table = table
        self.constraint = constraint
        self.detail = detail
