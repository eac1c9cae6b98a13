"""Statements: Lua 5.1's grammar by recursive descent, with redis-server's own error texts.

Decides what a script means as a tree (`syntax.py`). Expressions are in `expressions.py`, names in `scopes.py`.
"""

from py_runtime.stores.lua import syntax
from py_runtime.stores.lua.expressions import ExpressionParser
from py_runtime.stores.lua.scopes import FunctionScope

GIVEN_NAMES = ("KEYS", "ARGV", "_G")  # slots 2, 3, 4 of the main function's frame

_BLOCK_ENDS = frozenset({"else", "elseif", "end", "eof", "until"})


class Parser(ExpressionParser):
    """One parse of one script; `parse` is the way in."""

    def parse(self) -> syntax.Function:
        """The main function. Raises `LuaSyntaxError` at the first thing that is not Lua 5.1."""
        self.scope = FunctionScope(None, vararg=True, line=0)
        self.given = [self.scope.new_variable(name) for name in GIVEN_NAMES]
        for variable in self.given:
            variable.given = True
            self.scope.show(variable)
        self.scope.open_block()
        body = self.statements()
        self.check("eof")
        return syntax.Function([], True, body, [], self.scope.local_count, 0)

    def statements(self) -> list:
        """Statements up to the end of the block, which stays the current token."""
        self.enter()
        found = []
        while self.lexer.kind not in _BLOCK_ENDS:
            if self.lexer.kind in ("return", "break"):
                found.append(self._return() if self.lexer.kind == "return" else self._break())
                self.accept(";")
                break
            found.append(self._statement())
            self.accept(";")
        self.leave()
        return found

    def block(self) -> list:
        """A block with its own local names."""
        self.scope.open_block()
        body = self.statements()
        self.scope.close_block()
        return body

    def _statement(self) -> object:
        parse = _STATEMENTS.get(self.lexer.kind)
        if parse is None:
            return self._expression_statement()
        line = self.lexer.line
        self.lexer.advance()
        return parse(self, line)

    def _if(self, line: int) -> syntax.If:
        statement = syntax.If()
        while True:
            condition = self.expression()
            self.expect("then")
            statement.branches.append((condition, self.block()))
            if not self.accept("elseif"):
                break
        if self.accept("else"):
            statement.otherwise = self.block()
        self.expect_closing("end", "if", line)
        return statement

    def _while(self, line: int) -> syntax.While:
        condition = self.expression()
        self.expect("do")
        body = self._loop_body()
        self.expect_closing("end", "while", line)
        return syntax.While(condition, body, line)

    def _do(self, line: int) -> syntax.Do:
        body = self.block()
        self.expect_closing("end", "do", line)
        return syntax.Do(body)

    def _repeat(self, line: int) -> syntax.Repeat:
        self.scope.open_block()
        self.scope.loops += 1
        body = self.statements()
        self.scope.loops -= 1
        self.expect_closing("until", "repeat", line)
        condition = self.expression()  # may use the body's locals
        self.scope.close_block()
        return syntax.Repeat(body, condition, line)

    def _loop_body(self, variables: tuple = ()) -> list:
        self.scope.open_block()
        for variable in variables:
            self.scope.show(variable)
        self.check_local_count()
        self.scope.loops += 1
        body = self.statements()
        self.scope.loops -= 1
        self.scope.close_block()
        return body

    def _for(self, line: int) -> object:
        name = self.name()
        if self.accept("="):
            return self._numeric_for(name, line)
        if self.lexer.kind not in (",", "in"):
            raise self.lexer.error("'=' or 'in' expected")
        names = [name]
        while self.accept(","):
            names.append(self.name())
        self.expect("in")
        values = self.expression_list()
        self.expect("do")
        variables = [self.scope.new_variable(each) for each in names]
        body = self._loop_body(tuple(variables))
        self.expect_closing("end", "for", line)
        return syntax.GenericFor(variables, values, body, line)

    def _numeric_for(self, name: str, line: int) -> syntax.NumericFor:
        start = self.expression()
        self.expect(",")
        limit = self.expression()
        step = self.expression() if self.accept(",") else syntax.Constant(1.0)
        self.expect("do")
        variable = self.scope.new_variable(name)
        body = self._loop_body((variable,))
        self.expect_closing("end", "for", line)
        return syntax.NumericFor(variable, start, limit, step, body, line)

    def _function(self, line: int) -> syntax.Assignment:
        target = self.variable()
        method = False
        while self.lexer.kind in (".", ":"):
            method = self.lexer.kind == ":"
            self.lexer.advance()
            key = syntax.Constant(self.name().encode("latin-1"))
            target = syntax.Index(target, key, self.lexer.last_line)
            if method:
                break
        function = self.function_body(line, method)
        return syntax.Assignment([target], [function], line)

    def _local(self, line: int) -> object:
        if self.accept("function"):
            variable = self.scope.new_variable(self.name())
            self.scope.show(variable)
            self.check_local_count()
            return syntax.LocalFunction(variable, self.function_body(self.lexer.line, False))
        names = [self.name()]
        while self.accept(","):
            names.append(self.name())
        values = self.expression_list() if self.accept("=") else []
        variables = [self.scope.new_variable(name) for name in names]
        for variable in variables:
            self.scope.show(variable)
        self.check_local_count()
        return syntax.LocalStatement(variables, values)

    def _return(self) -> syntax.Return:
        self.lexer.advance()
        if self.lexer.kind in _BLOCK_ENDS or self.lexer.kind == ";":
            return syntax.Return([])
        return syntax.Return(self.expression_list())

    def _break(self) -> syntax.Break:
        self.lexer.advance()
        if not self.scope.loops:
            raise self.lexer.error("no loop to break")
        return syntax.Break()

    def _expression_statement(self) -> object:
        first = self.suffixed()
        if isinstance(first, (syntax.Call, syntax.MethodCall)):
            return syntax.CallStatement(first)
        targets = [self._target(first)]
        while self.accept(","):
            targets.append(self._target(self.suffixed()))
            if len(targets) > 200:
                raise self.lexer.plain_error("chunk has too many syntax levels")
        self.expect("=")
        values = self.expression_list()
        return syntax.Assignment(targets, values, self.lexer.last_line)

    def _target(self, expression: object) -> object:
        """The expression, if something can be assigned to it; said before what follows is read, as in Lua."""
        if isinstance(expression, (syntax.Local, syntax.Upvalue, syntax.Global, syntax.Index)):
            return expression
        raise self.lexer.error("syntax error")


_STATEMENTS = {
    "if": Parser._if,
    "while": Parser._while,
    "do": Parser._do,
    "for": Parser._for,
    "repeat": Parser._repeat,
    "function": Parser._function,
    "local": Parser._local,
}
