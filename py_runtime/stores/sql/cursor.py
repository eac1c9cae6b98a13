"""Walks over tokens and remembers what would have been allowed, so that a refusal can list it.

Decides how a syntax error reads. Knows no grammar: the parsers ask `accept…` for what may come next; every question
that got a no at the present token is on record when `refuse` is called.
"""

from typing import NoReturn

from py_runtime.stores.sql.errors import SqlError
from py_runtime.stores.sql.tokens import Token

RESERVED = frozenset(
    """
    ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC BOTH CASE CAST CHECK COLLATE COLUMN CONSTRAINT CREATE
    CURRENT_DATE CURRENT_ROLE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEFAULT DEFERRABLE DESC DISTINCT DO ELSE END
    EXCEPT FALSE FETCH FOR FOREIGN FROM GRANT GROUP HAVING IN INITIALLY INTERSECT INTO LATERAL LEADING LIMIT LOCALTIME
    LOCALTIMESTAMP NOT NULL OFFSET ON ONLY OR ORDER PLACING PRIMARY REFERENCES RETURNING SELECT SESSION_USER SOME
    SYMMETRIC TABLE THEN TO TRAILING TRUE UNION UNIQUE USER USING VARIADIC WHEN WHERE WINDOW WITH
    CROSS FULL ILIKE INNER IS ISNULL JOIN LEFT LIKE NATURAL NOTNULL OUTER OVERLAPS RIGHT SIMILAR
    """.split()
)
"""PostgreSQL's reserved words that may name neither table nor column unless double-quoted."""

ALLOWED_SHOWN_MAX = 12
"""How many alternatives a refusal lists; more would bury the sentence."""


class Cursor:
    """A position in a list of tokens that ends with an `end` token."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self.tokens = tokens
        self.position = 0
        self._allowed: list[str] = []

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    def advance(self) -> Token:
        """Return the present token and step past it."""
        token = self.token
        self.position += 1
        self._allowed.clear()
        return token

    def note(self, allowed: str) -> None:
        """Record that `allowed` could stand here, for the list in a refusal."""
        if allowed not in self._allowed:
            self._allowed.append(allowed)

    def accept(self, *words: str) -> bool:
        """Step past `words` when they all follow; otherwise stay and note them."""
        following = self.tokens[self.position : self.position + len(words)]
        if tuple(token.word for token in following) == words:
            for _word in words:
                self.advance()
            return True
        self.note(" ".join(words))
        return False

    def require(self, *words: str) -> None:
        """Step past `words`, one at a time so that a refusal points at the one that is missing."""
        for word in words:
            if not self.accept(word):
                self.refuse()

    def accept_symbol(self, symbol: str, note: str | None = None) -> bool:
        """Step past a symbol; `note` is how the list of what is allowed names it."""
        if self.token.kind == "symbol" and self.token.text == symbol:
            self.advance()
            return True
        self.note(note or f'"{symbol}"')
        return False

    def require_symbol(self, symbol: str) -> None:
        if not self.accept_symbol(symbol):
            self.refuse()

    def at_name(self) -> bool:
        """Say whether a name that is no reserved word stands here."""
        token = self.token
        return token.kind == "quoted" or (token.kind == "name" and token.word not in RESERVED)

    def require_name(self, what: str) -> Token:
        """Return a name token; its `value` is the name, lower-case unless double-quoted."""
        if not self.at_name():
            self.note(what)
            self.refuse()
        return self.advance()

    def refuse(self) -> NoReturn:
        """Raise the SqlError for the present token, with what is allowed in its place."""
        token = self.token
        found = "at end of input" if token.kind == "end" else f'at or near "{token.text}"'
        shown = self._allowed[:ALLOWED_SHOWN_MAX]
        more = f" and {len(self._allowed) - len(shown)} more" if len(self._allowed) > len(shown) else ""
        allowed = f"; allowed here: {', '.join(shown)}{more}" if shown else ""
        raise SqlError(f"syntax error {found}{allowed}", **token.place)
