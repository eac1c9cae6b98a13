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
    value: object


@dataclass(slots=True)
class Vararg:
    pass


@dataclass(slots=True)
class Local:
    variable: Variable


@dataclass(slots=True)
class Upvalue:
    capture: Capture


@dataclass(slots=True)
class Global:
    name: str
    line: int


@dataclass(slots=True)
class Index:
    table: object
    key: object
    line: int


@dataclass(slots=True)
class Call:
    function: object
    arguments: list
    line: int


@dataclass(slots=True)
class MethodCall:
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
    operator: str
    operand: object
    line: int


@dataclass(slots=True)
class Binary:
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
    entries: list  # (key, value) pairs in reading order; the key of a positional value is None
    line: int


@dataclass(slots=True)
class Function:
    parameters: list[Variable]
    vararg: bool
    body: list
    captures: list[Capture]
    local_count: int  # locals including parameters; captures follow them in the frame
    line: int


@dataclass(slots=True)
class LocalStatement:
    variables: list[Variable]
    values: list


@dataclass(slots=True)
class LocalFunction:
    variable: Variable
    function: Function


@dataclass(slots=True)
class Assignment:
    targets: list
    values: list
    line: int


@dataclass(slots=True)
class CallStatement:
    call: object


@dataclass(slots=True)
class Do:
    body: list


@dataclass(slots=True)
class While:
    condition: object
    body: list
    line: int


@dataclass(slots=True)
class Repeat:
    body: list
    condition: object
    line: int


@dataclass(slots=True)
class If:
    branches: list = field(default_factory=list)  # (condition, body) pairs
    otherwise: list | None = None


@dataclass(slots=True)
class NumericFor:
    variable: Variable
    start: object
    limit: object
    step: object
    body: list
    line: int


@dataclass(slots=True)
class GenericFor:
    variables: list[Variable]
    values: list
    body: list
    line: int


@dataclass(slots=True)
class Return:
    values: list


@dataclass(slots=True)
class Break:
    pass
