"""Which variable a name means, and where in its function's frame it lives.

Decides slots: a frame is [run, varargs, parameters and locals…, cells of captured variables…]; no slot is used twice
in one function. Knows no syntax.
"""

from py_runtime.stores.lua.syntax import Capture, Variable

FRAME_LOCALS = 2  # slot 0 holds the run, slot 1 the list of extra arguments
LOCALS_MAX = 200  # Lua 5.1: LUAI_MAXVARS
CAPTURES_MAX = 60  # Lua 5.1: LUAI_MAXUPVALUES


class FunctionScope:
    """The names one function can see while it is being parsed."""

    def __init__(self, outer: "FunctionScope | None", vararg: bool, line: int) -> None:
        self.outer = outer
        self.vararg = vararg
        self.vararg_used = False
        self.line = line
        self.local_count = 0
        self.captures: list[Capture] = []
        self.loops = 0
        self._visible: list[Variable] = []
        self._marks: list[int] = []

    def open_block(self) -> None:
        self._marks.append(len(self._visible))

    def close_block(self) -> None:
        del self._visible[self._marks.pop() :]

    def new_variable(self, name: str) -> Variable:
        """A fresh variable that is not visible yet: in `local x = x` the right side still means the outer one."""
        variable = Variable(name, FRAME_LOCALS + self.local_count)
        self.local_count += 1
        return variable

    def show(self, variable: Variable) -> None:
        self._visible.append(variable)

    @property
    def visible_count(self) -> int:
        return sum(not variable.given for variable in self._visible)

    def resolve(self, name: str) -> Variable | Capture | None:
        """The local variable of this name, a capture of an outer one, or `None` for a global."""
        for variable in reversed(self._visible):
            if variable.name == name:
                return variable
        if self.outer is None:
            return None
        for capture in self.captures:
            if capture.variable.name == name and self.outer.resolve(name) is capture.outer:
                return capture
        outer = self.outer.resolve(name)
        if outer is None:
            return None
        variable = outer if isinstance(outer, Variable) else outer.variable
        variable.captured = True
        capture = Capture(variable, outer)
        self.captures.append(capture)
        return capture

    def place_captures(self) -> None:
        """Gives the captures their slots, behind the locals, once all locals are known."""
        for index, capture in enumerate(self.captures):
            capture.slot = FRAME_LOCALS + self.local_count + index

    def description(self) -> str:
        return "main function" if self.outer is None else f"function at line {self.line}"
