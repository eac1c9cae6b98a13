"""Expressions: precedence, calls, table constructors and function bodies of Lua 5.1.

Decides how deep a script may nest and refuses names that redis-server has and we do not (`unsupported.py`). The
reported line of an operator is that of the last token read, as in Lua's own compiler.
"""

from collections.abc import Callable

from py_runtime.stores.lua import syntax, unsupported
from py_runtime.stores.lua.errors import LuaSyntaxError
from py_runtime.stores.lua.lexer import Lexer
from py_runtime.stores.lua.scopes import CAPTURES_MAX, LOCALS_MAX, FunctionScope

LEVELS_MAX = 200  # Lua 5.1: LUAI_MAXCCALLS
HEIGHT_MAX = 390  # ours: a tree that is evaluated, and freed, by recursion

# operator: (left, right) priority; right lower than left makes it right associative
_PRIORITY = {
    "or": (1, 1),
    "and": (2, 2),
    **dict.fromkeys(("<", ">", "<=", ">=", "~=", "=="), (3, 3)),
    "..": (5, 4),
    **dict.fromkeys(("+", "-"), (6, 6)),
    **dict.fromkeys(("*", "/", "%"), (7, 7)),
    "^": (10, 9),
}
_UNARY_PRIORITY = 8
_SUFFIXES = frozenset({".", "[", ":", "(", "{", "string"})
_COMPATIBLE = "arg"  # what Lua 5.0 had instead of `...`, and 5.1 still gives to functions that declare it
_CONSTANTS = {"nil": None, "true": True, "false": False}


class ExpressionParser:
    """The half of the parser that statements build on."""

    scope: FunctionScope
    statements: Callable[[], list]  # a function's body is a block, which the statement parser reads

    def __init__(self, source: bytes) -> None:
        self.lexer = Lexer(source)
        self._level = 0
        self._height = 0  # of the tree of the expression read last
        self._tallest = 0  # of all expressions in the current function

    def enter(self) -> None:
        self._level += 1
        if self._level > LEVELS_MAX:
            raise self.lexer.plain_error("chunk has too many syntax levels")

    def leave(self) -> None:
        self._level -= 1

    def accept(self, kind: str) -> bool:
        """Steps over the token if it is the current one."""
        if self.lexer.kind != kind:
            return False
        self.lexer.advance()
        return True

    def check(self, kind: str) -> None:
        if self.lexer.kind != kind:
            raise self._expected(kind)

    def expect(self, kind: str) -> None:
        self.check(kind)
        self.lexer.advance()

    def expect_closing(self, kind: str, opener: str, line: int) -> None:
        """`expect`, with a hint to the opening word when that is on another line."""
        if self.lexer.kind != kind and line != self.lexer.line:
            raise self.lexer.error(f"'{kind}' expected (to close '{opener}' at line {line})")
        self.expect(kind)

    def _expected(self, kind: str) -> LuaSyntaxError:
        shown = {"eof": "<eof>", "name": "<name>"}.get(kind, kind)
        return self.lexer.error(f"'{shown}' expected")

    def name(self) -> str:
        self.check("name")
        name = self.lexer.value
        self.lexer.advance()
        return name

    def check_local_count(self) -> None:
        if self.scope.visible_count > LOCALS_MAX:
            raise self._too_many(f"{LOCALS_MAX} local variables")

    def _too_many(self, what: str) -> LuaSyntaxError:
        return self.lexer.plain_error(f"{self.scope.description()} has more than {what}")

    def variable(self) -> object:
        """A name as a variable: local, captured or global."""
        start = self.lexer.start
        name = self.name()
        line = self.lexer.last_line
        found = self.scope.resolve(name)
        if found is None:
            if name in unsupported.GLOBALS:
                raise self.lexer.plain_error(unsupported.refusal(name), start)
            return syntax.Global(name, line)
        if isinstance(found, syntax.Variable):
            return syntax.Local(found)
        if len(self.scope.captures) > CAPTURES_MAX:
            raise self._too_many(f"{CAPTURES_MAX} upvalues")
        return syntax.Upvalue(found)

    def _grow(self, *heights: int) -> int:
        """The height of a node over parts of these heights; chains such as `a + b + …` nest without recursion here."""
        height = 1 + max(heights)
        if height > HEIGHT_MAX:
            raise self.lexer.plain_error("chunk has too many syntax levels")
        return height

    def expression_list(self) -> list:
        values = [self.expression()]
        height = self._height
        while self.accept(","):
            values.append(self.expression())
            height = max(height, self._height)
        self._height = height
        return values

    def expression(self, limit: int = 0) -> object:
        """An expression whose operators all bind tighter than `limit`."""
        self.enter()
        kind = self.lexer.kind
        if kind in ("not", "-", "#"):
            self.lexer.advance()
            left = self._unary(kind, self.expression(_UNARY_PRIORITY))
        else:
            left = self._simple()
        height = self._height
        while (operator := self.lexer.kind) in _PRIORITY and _PRIORITY[operator][0] > limit:
            self.lexer.advance()
            right = self.expression(_PRIORITY[operator][1])
            line = self.lexer.last_line
            height = self._grow(height, self._height)
            if operator == "..":
                rest = right.parts if isinstance(right, syntax.Concatenation) else [right]
                left = syntax.Concatenation([left, *rest], line)
            else:
                left = syntax.Binary(operator, left, right, line)
        self._height = height
        self._tallest = max(self._tallest, height)
        self.leave()
        return left

    def _unary(self, operator: str, operand: object) -> object:
        if operator == "-" and isinstance(operand, syntax.Constant) and operand.value.__class__ is float:
            return syntax.Constant(-operand.value)
        return syntax.Unary(operator, operand, self.lexer.last_line)

    def _simple(self) -> object:
        lexer = self.lexer
        self._height = 0
        kind = lexer.kind
        if kind in ("number", "string"):
            value = syntax.Constant(lexer.value)
        elif kind in _CONSTANTS:
            value = syntax.Constant(_CONSTANTS[kind])
        elif kind == "...":
            if not self.scope.vararg:
                raise lexer.error("cannot use '...' outside a vararg function")
            self.scope.vararg_used = True
            value = syntax.Vararg()
        elif kind == "{":
            return self._table()
        elif kind == "function":
            line = lexer.line
            lexer.advance()
            return self.function_body(line, False)
        else:
            return self.suffixed()
        lexer.advance()
        return value

    def suffixed(self) -> object:
        """A variable or a parenthesis, then any number of indexes and calls."""
        lexer = self.lexer
        line = lexer.line
        self._height = 0
        if lexer.kind == "(":
            lexer.advance()
            value = syntax.Parenthesised(self.expression())
            self.expect_closing(")", "(", line)
        elif lexer.kind == "name":
            value = self.variable()
        else:
            raise lexer.error("unexpected symbol")
        while True:
            kind = lexer.kind
            if kind not in _SUFFIXES:
                return value
            height = self._height
            self._height = 0
            if kind == ".":
                lexer.advance()
                value = self._field(value, lexer.start)
            elif kind == "[":
                lexer.advance()
                key = self.expression()
                self.expect("]")
                value = syntax.Index(value, key, lexer.last_line)
            elif kind == ":":
                lexer.advance()
                name = self.name()
                value = syntax.MethodCall(value, name, *self._arguments())
            else:
                value = syntax.Call(value, *self._arguments())
            self._height = self._grow(height, self._height)

    def _field(self, table: object, start: int) -> syntax.Index:
        name = self.name()
        if isinstance(table, syntax.Global) and name in unsupported.FIELDS.get(table.name, ()):
            raise self.lexer.plain_error(unsupported.refusal(f"{table.name}.{name}"), start)
        return syntax.Index(table, syntax.Constant(name.encode("latin-1")), self.lexer.last_line)

    def _arguments(self) -> tuple[list, int]:
        lexer = self.lexer
        line = lexer.line
        if lexer.kind == "string":
            arguments = [syntax.Constant(lexer.value)]
            lexer.advance()
        elif lexer.kind == "{":
            arguments = [self._table()]
        elif lexer.kind == "(":
            if line != lexer.last_line:
                raise lexer.error("ambiguous syntax (function call x new statement)")
            lexer.advance()
            arguments = [] if lexer.kind == ")" else self.expression_list()
            self.expect_closing(")", "(", line)
        else:
            raise lexer.error("function arguments expected")
        return arguments, line

    def _table(self) -> syntax.TableConstructor:
        line = self.lexer.line
        self.expect("{")
        entries = []
        height = 0
        while self.lexer.kind != "}":
            if self.lexer.kind == "[":
                self.lexer.advance()
                key = self.expression()
                self.expect("]")
                self.expect("=")
                entries.append((key, self.expression()))
            elif self.lexer.kind == "name" and self.lexer.peek_is("="):
                key = syntax.Constant(self.name().encode("latin-1"))
                self.expect("=")
                entries.append((key, self.expression()))
            else:
                entries.append((None, self.expression()))
            height = max(height, self._height)
            if not self.accept(",") and not self.accept(";"):
                break
        self.expect_closing("}", "{", line)
        self._height = self._grow(height)
        return syntax.TableConstructor(entries, line)

    def function_body(self, line: int, method: bool) -> syntax.Function:
        """Parameters and body, from `(` to `end`; a method has `self` as its first parameter."""
        scope = self.scope = FunctionScope(self.scope, vararg=False, line=line)
        scope.open_block()
        names = ["self"] if method else []
        self.expect("(")
        while self.lexer.kind != ")":
            if self.lexer.kind == "name":
                names.append(self.name())
            elif self.accept("..."):
                scope.vararg = True
                break
            else:
                raise self.lexer.error("<name> or '...' expected")
            if not self.accept(","):
                break
            if self.lexer.kind not in ("name", "..."):
                raise self.lexer.error("<name> or '...' expected")
        parameters = [scope.new_variable(name) for name in names]
        for variable in parameters:
            scope.show(variable)
        if scope.vararg:
            scope.show(compatible := scope.new_variable(_COMPATIBLE))
        self.check_local_count()
        self.expect(")")
        tallest, self._tallest = self._tallest, 0
        start = self.lexer.start
        body = self.statements()
        if scope.vararg and _COMPATIBLE in self.lexer.source[start : self.lexer.start]:
            body.insert(0, _arguments_table(compatible, scope.vararg_used, line))
        self._height = self._grow(self._tallest)
        self._tallest = tallest
        self.expect_closing("end", "function", line)
        scope.place_captures()
        self.scope = scope.outer
        return syntax.Function(parameters, scope.vararg, body, scope.captures, scope.local_count, line)


def _arguments_table(variable: syntax.Variable, vararg_used: bool, line: int) -> syntax.LocalStatement:
    """`local arg = {n = select('#', ...), ...}`; nil in a function that uses `...` itself."""
    if vararg_used:
        return syntax.LocalStatement([variable], [])
    count = syntax.Call(syntax.Global("select", line), [syntax.Constant(b"#"), syntax.Vararg()], line)
    entries = [(syntax.Constant(b"n"), count), (None, syntax.Vararg())]
    return syntax.LocalStatement([variable], [syntax.TableConstructor(entries, line)])
