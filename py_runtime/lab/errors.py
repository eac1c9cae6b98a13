"""What a reader, a link or a command line can get wrong. Each message is one sentence that names the offender."""


class InputError(Exception):
    """An unknown name, a value out of range, a broken schedule text: nothing ran, nothing is lost."""


class ProgramError(Exception):
    """A program's text cannot be used: a syntax error, or a missing class. `file` and `line` say where, if known."""

    def __init__(self, message: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.file = file
        self.line = line


def one_of(kind: str, got: object, allowed: list[str]) -> InputError:
    """The error for a name that is not in a list: it says the name and what is allowed."""
    return InputError(f"unknown {kind} {str(got)[:80]!r}; there are: {', '.join(allowed)}")
