"""The option texts of the table of commands, read as a grammar from which command lines are drawn.

Decides how such a text is understood: `word` is an argument of that kind, `WORD` itself, `A|B` either word, `… | …`
either sequence, `[…]` may be left out, `[… …]` may be repeated, and `field value …` at the end repeats the pair.
"""

import re
from dataclasses import dataclass
from random import Random

_TOKENS = re.compile(r"[\[\]]|[^\s\[\]]+")
_REPEATED_MAX = 3


@dataclass(frozen=True)
class Word:
    """A literal, or an argument of the kind `text`."""

    text: str

    @property
    def literal(self) -> bool:
        return not any(sign.islower() for sign in self.text)

    def draw(self, random: Random) -> "list[Word]":
        return [self]


@dataclass(frozen=True)
class Either:
    """One of several sequences."""

    choices: tuple

    def draw(self, random: Random) -> list[Word]:
        return random.choice(self.choices).draw(random)


@dataclass(frozen=True)
class Sequence:
    """All parts, in order."""

    parts: tuple

    def draw(self, random: Random) -> list[Word]:
        return [word for part in self.parts for word in part.draw(random)]


@dataclass(frozen=True)
class Optional:
    """Nothing or the part, several times if `repeated`."""

    part: Sequence | Either
    repeated: bool

    def draw(self, random: Random) -> list[Word]:
        times = random.randint(0, _REPEATED_MAX if self.repeated else 1)
        return [word for _ in range(times) for word in self.part.draw(random)]


def parse(options: str) -> Sequence | Either:
    """The grammar of one row's options."""
    tokens = _TOKENS.findall(options)
    grammar, repeated = _alternatives(tokens)
    assert not tokens and not repeated, options
    return grammar


def _alternatives(tokens: list[str]) -> tuple[Sequence | Either, bool]:
    """Reads up to the closing bracket, which is taken off; says too whether `…` stood before it."""
    choices, parts, repeated = [], [], False
    while tokens:
        token = tokens.pop(0)
        if token == "]":
            break
        if token == "[":
            parts.append(Optional(*_alternatives(tokens)))
        elif token == "|":
            choices.append(Sequence(tuple(parts)))
            parts = []
        elif token == "…":
            if tokens:
                repeated = True
            else:
                parts.append(Optional(Sequence(tuple(parts[-2:])), repeated=True))
        elif "|" in token:
            parts.append(Either(tuple(Word(word) for word in token.split("|"))))
        else:
            parts.append(Word(token))
    last = Sequence(tuple(parts))
    return (Either((*choices, last)) if choices else last), repeated
