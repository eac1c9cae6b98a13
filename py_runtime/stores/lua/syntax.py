"""The tree that the parser builds: one class per construct of the language, names already resolved.

Decides nothing. `line` is where a run-time error of the construct is reported.
"""

from dataclasses import dataclass, field


@dataclass(slots=True, eq=False)
class Variable:
    """A local variable, or one of the three globals that differ per run (`KEYS`, `ARGV`, `_G`)."""

    name: str
    slot: int
    captured: bool = False  # an inner function uses it, so it lives in a cell of its own
    given: bool = False  # a global: scripts may not assign it


@dataclass(slots=True, eq=False)
class Capture:
    """A variable of an enclosing function as one function sees it. `outer` is where the encloser keeps its cell."""

    variable: Variable
    outer: "Variable | Capture"
    slot: int = -1


@dataclass(slots=True)
class Constant:
    """nil, a boolean, a number or a string."""

    value: object


@dataclass(slots=True)
class Vararg:
    """`...`: what the function was given beyond its parameters."""


@dataclass(slots=True)
class Local:
    """A local variable of the function itself, read or assigned."""

    variable: Variable


@dataclass(slots=True)
class Upvalue:
    """A variable of an enclosing function, read or assigned through its cell."""

    capture: Capture


@dataclass(slots=True)
class Global:
    """A name that no `local` declares."""

    name: str
    line: int


@dataclass(slots=True)
class Index:
    """`table[key]` or `table.key`."""

    table: object
    key: object
    line: int


@dataclass(slots=True)
class Call:
    """`function(arguments)`; the last argument may give several values."""

    function: object
    arguments: list
    line: int


@dataclass(slots=True)
class MethodCall:
    """`receiver:name(arguments)`; the receiver is evaluated once and goes first."""

    receiver: object
    name: str
    arguments: list
    line: int


@dataclass(slots=True)
class Parenthesised:
    """Cuts several results to one."""

    inner: object


@dataclass(slots=True)
class Unary:
    """`not`, `-` or `#` before one operand."""

    operator: str
    operand: object
    line: int


@dataclass(slots=True)
class Binary:
    """An operator between two operands; `and` and `or` evaluate the right one only where it matters."""

    operator: str
    left: object
    right: object
    line: int


@dataclass(slots=True)
class Concatenation:
    """`a .. b .. c`, flattened: Lua too evaluates all parts before it joins any."""

    parts: list
    line: int


@dataclass(slots=True)
class TableConstructor:
    """`{…}`."""

    entries: list  # (key, value) pairs in reading order; the key of a positional value is None
    line: int


@dataclass(slots=True)
class Function:
    """A function's parameters and body; the script itself is one, with varargs."""

    parameters: list[Variable]
    vararg: bool
    body: list
    captures: list[Capture]
    local_count: int  # locals including parameters; captures follow them in the frame
    line: int


@dataclass(slots=True)
class LocalStatement:
    """`local variables = values`."""

    variables: list[Variable]
    values: list


@dataclass(slots=True)
class LocalFunction:
    """`local function`: the variable exists before the function, which may call itself."""

    variable: Variable
    function: Function


@dataclass(slots=True)
class Assignment:
    """`targets = values`; all values are evaluated before any target is set."""

    targets: list
    values: list
    line: int


@dataclass(slots=True)
class CallStatement:
    """A call whose results nobody wants."""

    call: object


@dataclass(slots=True)
class Do:
    """`do … end`: a scope."""

    body: list


@dataclass(slots=True)
class While:
    """`while condition do … end`."""

    condition: object
    body: list
    line: int


@dataclass(slots=True)
class Repeat:
    """`repeat … until condition`; the condition sees the body's locals."""

    body: list
    condition: object
    line: int


@dataclass(slots=True)
class If:
    """`if … elseif … else … end`."""

    branches: list = field(default_factory=list)  # (condition, body) pairs
    otherwise: list | None = None


@dataclass(slots=True)
class NumericFor:
    """`for variable = start, limit, step do … end`; a step that is not written is 1."""

    variable: Variable
    start: object
    limit: object
    step: object
    body: list
    line: int


@dataclass(slots=True)
class GenericFor:
    """`for variables in values do … end`: an iterator function, its state and a first value."""

    variables: list[Variable]
    values: list
    body: list
    line: int


@dataclass(slots=True)
class Return:
    """`return values`, the last statement of its block."""

    values: list


@dataclass(slots=True)
class Break:
    """`break`: leaves the innermost loop."""
