"""How a script ends badly: the two errors a caller sees, and the two signals that travel inside a run.

Decides the wording that Redis 7.0 wraps around a Lua error (`script: <sha1>, on @user_script:<line>.`) and which
position a message gets. Knows no syntax and no values beyond bytes and numbers.
"""

from py_runtime.stores.replies import ErrorReply

CHUNK = "user_script"


def one_line(text: bytes | str) -> str:
    """An error line may not hold line ends: Redis writes a space for each. A zero byte ends it."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    return text.partition("\0")[0].replace("\r", " ").replace("\n", " ")


def c_text(text: bytes) -> str:
    """A text inside a message, which C ends at its first zero byte."""
    return text.partition(b"\0")[0].decode("utf-8", "replace")


class LuaSyntaxError(ErrorReply):
    """The script does not compile. `message` is the bare reason; `line` and `column` (in characters) count from 1."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"ERR Error compiling script (new function): {CHUNK}:{line}: {one_line(message)}")
        self.message = message
        self.line = line
        self.column = column


class LuaError(ErrorReply):
    """The script failed while it ran. `text` is the whole error line, `line` the line in the script (0: unknown)."""

    def __init__(self, text: str, line: int) -> None:
        super().__init__(text)
        self.line = line


class Unwinding(Exception):
    """What leaves Lua functions early. `line` is where it began; the nearest call fills it in."""

    line: int | None = None

    def shorten(self) -> None:
        """Drops the Python traceback so far. Freeing one of ten thousand frames overflows a browser's stack."""
        self.__traceback__ = None


class StepsExhausted(Unwinding):
    """The run used up its steps. No `pcall` stops it, as none stops SCRIPT KILL."""

    def __init__(self, line: int | None = None) -> None:
        self.line = line


class Raised(Unwinding):
    """A Lua error on its way to a `pcall`. `value` is the Lua value that was thrown.

    `level` counts the calls still to pass before the position is known: 1 names the caller of a library function, 0
    means that the text is final. `argument` is (number, detail) while the message `bad argument #…` still lacks its
    function's name.
    """

    def __init__(self, value: object, level: int = 0, argument: tuple[int, str] | None = None) -> None:
        self.value = value
        self.level = level
        self.argument = argument


def failure(text: str) -> Raised:
    """An error that a library function raises; its caller's position goes in front."""
    return Raised(text.encode(), level=1)


def unplaced(text: str) -> Raised:
    """An error raised where Lua knows no position (inside `table.sort`, `rawset`, the redis library)."""
    return Raised(text.encode())


def argument_error(number: int, detail: str) -> Raised:
    """`bad argument #<number> to '<the name it was called by>' (<detail>)`."""
    return Raised(None, level=1, argument=(number, detail))


def fault(line: int, text: str) -> Raised:
    """An error of an operator on a known line."""
    error = Raised(f"{CHUNK}:{line}: {text}".encode())
    error.line = line
    return error


def pass_call(error: Unwinding, line: int, name: str = "?", method: bool = False) -> None:
    """Tells an error that it leaves a function called on `line` under `name`; line 0 means: not by Lua code."""
    error.shorten()
    if error.line is None and line:
        error.line = line
    if not isinstance(error, Raised) or not error.level:
        return
    error.level -= 1
    if error.argument is not None:
        number, detail = error.argument
        error.argument = None
        if method:
            number -= 1
        if number == 0:
            error.value = f"calling '{name}' on bad self ({detail})".encode()
        else:
            error.value = f"bad argument #{number} to '{name}' ({detail})".encode()
    if error.level == 0 and line and isinstance(error.value, bytes):
        error.value = b"%s:%d: %s" % (CHUNK.encode(), line, error.value)
