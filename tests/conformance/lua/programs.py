"""Whole programs drawn at random: variables of known kinds, control flow, closures, the library, commands.

Decides that every program ends: loops count, recursion has a depth. Most statements are right by their kinds; every
so often one is wrong on purpose and its error text becomes part of the answer.
"""

from random import Random

STATEMENTS_MAX = 9
DEPTH_MAX = 2
TEXTS = ["''", "'a'", "'Bc'", "'10'", "'-7'", "'x=1;y=2'", "'hello'", "ARGV[1]", "ARGV[3]"]
# Variables stand for 0 and -1: a constant -0, which the compiler would make of them, is a known difference.
NUMBERS = ["zero", "1", "2", "3", "minus", "7", "10", "0.5", "2.25", "100", "ARGV[3]", "#ARGV", "#KEYS"]


class _Program:
    """One program in the making: the names in reach, by kind, and what has been written."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.names = {"n": [], "s": [], "t": [], "f": []}
        self.count = 0

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def block(self, depth: int) -> str:
        """A few statements; what they declare is out of reach afterwards."""
        kept = {kind: list(names) for kind, names in self.names.items()}
        lines = [self.statement(depth) for _ in range(self.rng.randrange(1, 4))]
        self.names = kept
        return "\n".join(lines)

    def number(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.randrange(3) == 0:
            return rng.choice(NUMBERS + self.names["n"] * 2)
        one, other = self.number(depth - 1), self.number(depth - 1)
        return rng.choice(
            [
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} * {other})",
                f"({one} % {rng.choice('2 3 minus 2.5'.split())})",
                f"({one} / {rng.choice('2 4 8'.split())})",
                f"(zero - {one})",
                f"math.floor({one})",
                f"math.max({one}, {other})",
                f"math.abs({one})",
                f"#{self.text(depth - 1)}",
                f"#{self.table()}",
                f"(tonumber({self.text(depth - 1)}) or {other})",
                f"({self.text(depth - 1)}):byte()" if rng.randrange(9) == 0 else one,
                f"select('#', {one}, {other})",
                f"({self.condition(depth - 1)} and {one} or {other})",
                *[f"{name}({one}, {other})" for name in self.names["f"]],
            ]
        )

    def text(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.randrange(3) == 0:
            return f"({rng.choice(TEXTS + self.names['s'] * 2)})"
        one, other = self.text(depth - 1), self.text(depth - 1)
        return (
            "("
            + rng.choice(
                [
                    f"{one} .. {other}",
                    f"{one} .. {self.number(depth - 1)}",
                    f"tostring({self.number(depth - 1)})",
                    f"{one}:upper()",
                    f"{one}:rep({rng.randrange(4)})",
                    f"{one}:sub({rng.randrange(-3, 4)}, {rng.randrange(-3, 5)})",
                    f"{one}:reverse()",
                    f"({one}:gsub('%w', '<%0>', 2))",
                    f"{one}:match('%d+') or {other}",
                    f"string.format('%5.1f|%s', {self.number(depth - 1)}, {one})",
                    f"table.concat({self.table()}, '-')",
                    f"tostring({self.condition(depth - 1)})",
                    f"type({rng.choice([one, self.number(0), 'nil', '{}'])})",
                    f"cjson.encode({{{one}, {self.number(0)}}})",
                ]
            )
            + ")"
        )

    def condition(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.randrange(2):
            compare = rng.choice("< <= > >= == ~=".split())
            if rng.randrange(2):
                return f"({self.text(0)} {compare} {self.text(0)})"
            return f"(tonumber({self.number(0)}) {compare} tonumber({self.number(0)}))"
        one, other = self.condition(depth - 1), self.condition(depth - 1)
        return rng.choice(
            [f"({one} and {other})", f"({one} or {other})", f"(not {one})", f"({self.number(0)} == {self.text(0)})"]
        )

    def table(self) -> str:
        return self.rng.choice(self.names["t"] or ["({1, 'a'})"])

    def statement(self, depth: int) -> str:
        rng = self.rng
        kinds = [self.declare, self.declare, self.assign, self.say, self.say, self.command, self.change, self.mistake]
        if depth:
            kinds += [self.branch, self.loop, self.loop, self.function, self.scope]
        return rng.choice(kinds)(depth)

    def declare(self, depth: int) -> str:
        kind = self.rng.choice("nst")
        name = self.fresh(kind)
        if kind == "t":
            value = (
                "{"
                + ", ".join(self.rng.choice([self.number, self.text])(1) for _ in range(self.rng.randrange(4)))
                + "}"
            )
        else:
            value = self.number() if kind == "n" else self.text()
        self.names[kind].append(name)
        return f"local {name} = {value}"

    def assign(self, depth: int) -> str:
        numbers = self.names["n"]
        if len(numbers) > 1:
            one, other = self.rng.sample(numbers, 2)
            return f"{one}, {other} = {self.number(1)}, {one}"
        return f"{numbers[0]} = {self.number()}" if numbers else self.say(depth)

    def say(self, depth: int) -> str:
        """Adds something to the answer."""
        value = self.rng.choice([self.number, self.text, self.condition])()
        return f"say({value})"

    def change(self, depth: int) -> str:
        """Changes a table without leaving holes."""
        rng = self.rng
        if not self.names["t"]:
            return self.declare(depth)
        name = rng.choice(self.names["t"])
        return rng.choice(
            [
                f"{name}[#{name} + 1] = {self.number(1)}",
                f"table.insert({name}, 1, {self.text(1)})",
                f"say(table.remove({name}))",
                f"say(table.remove({name}, 1))",
                f"table.sort({name}, function(a, b) return tostring(a) < tostring(b) end)",
                f"for i, v in ipairs({name}) do say(i, v) end",
                f"for i = #{name}, 1, -1 do say({name}[i]) end",
                f"say(unpack({name}))",
                f"say(pcall(table.sort, {name})) {name} = {{}}",
            ]
        )

    def command(self, depth: int) -> str:
        rng = self.rng
        key = rng.choice(["KEYS[1]", "KEYS[2]"])
        call = rng.choice(["redis.pcall", "redis.pcall", "redis.call"]) if depth == 0 else "redis.pcall"
        words = rng.choice(
            [
                f"'SET', {key}, {rng.choice([self.number, self.text])(1)}",
                f"'GET', {key}",
                f"'INCRBY', {key}, {self.number(0)}",
                f"'HSET', {key}, {self.text(0)}, {self.number(1)}",
                f"'HGET', {key}, {self.text(0)}",
                f"'HGETALL', {key}",
                f"'RPUSH', {key}, {self.text(1)}, {self.number(1)}",
                f"'LRANGE', {key}, 0, -1",
                f"'ZADD', {key}, {self.number(1)}, {self.text(1)}",
                f"'ZRANGE', {key}, 0, -1, 'WITHSCORES'",
                f"'TYPE', {key}",
                f"'DEL', {key}",
                f"'EXISTS', {key}",
            ]
        )
        return f"say({call}({words}))"

    def mistake(self, depth: int) -> str:
        """Something Lua refuses, caught; what it says is part of the answer."""
        number, text = self.number(0), self.text(0)
        wrong = self.rng.choice(
            [
                f"{number} < {text}",
                f"{text} + {number}",
                "nil .. 'x'",
                f"({number}).x",
                f"#{number}",
                f"({text})()",
                f"({{}}) .. {text}",
                f"string.rep({text})",
                f"error({text})",
                f"error({{code = {number}}}).code",
                f"undeclared + {number}",
                f"assert({self.condition(0)}, {text})",
                "tostring({} < {})",
            ]
        )
        return f"say(pcall(function() return {wrong} end))"

    def branch(self, depth: int) -> str:
        text = f"if {self.condition()} then\n{self.block(depth - 1)}\n"
        if self.rng.randrange(2):
            text += f"elseif {self.condition(1)} then\n{self.block(depth - 1)}\n"
        if self.rng.randrange(2):
            text += f"else\n{self.block(depth - 1)}\n"
        return text + "end"

    def loop(self, depth: int) -> str:
        rng = self.rng
        name = self.fresh("n")
        kept = list(self.names["n"])
        if rng.randrange(2):
            bounds = f"{rng.randrange(-2, 3)}, {rng.randrange(-2, 4)}, {rng.choice(['1', '2', '-1', '0.5'])}"
            self.names["n"].append(name)
            leave = f"\nif {self.condition(0)} then break end" if rng.randrange(3) == 0 else ""
            text = f"for {name} = {bounds} do\n{self.block(depth - 1)}{leave}\nend"
        elif rng.randrange(2):
            body = self.block(depth - 1)
            text = f"local {name} = 0 while {name} < {rng.randrange(4)} do\n{body}\n{name} = {name} + 1\nend"
        else:
            body = self.block(depth - 1)
            lines = [body, f"{name} = {name} + 1 local last = {name}", f"until last >= {rng.randrange(3)}"]
            text = "\n".join([f"local {name} = 0 repeat", *lines])
        self.names["n"] = kept
        return text

    def function(self, depth: int) -> str:
        """A function of two numbers, perhaps with a variable of its own that outlives its calls."""
        name, inner = self.fresh("f"), self.fresh("n")
        kept = {kind: list(names) for kind, names in self.names.items()}
        self.names["n"] += ["a", "b"]
        body = self.block(0)
        result = self.number(1)
        self.names = kept
        head = f"local {inner} = 0 local function {name}(a, b, ...)"
        text = "\n".join([head, f"{inner} = {inner} + 1", body, f"return {result}, {inner}, ...", "end"])
        self.names["f"].append(name)
        return text + f"\nsay({name}({self.number(0)}, {self.number(0)}, 'more'))"

    def scope(self, depth: int) -> str:
        return f"do\n{self.block(depth - 1)}\nend"


# `say` prints each value with its kind; tables are shown by their array part, as replies show them.
_PROLOGUE = """local answer, zero, minus = {}, 0, -1
local function show(v)
  if type(v) == 'table' then
    if v.err then return 'err ' .. v.err elseif v.ok then return 'ok ' .. v.ok end
    if v.code then return 'code ' .. v.code end
    local parts = {} for i, each in ipairs(v) do parts[i] = tostring(each) end
    return '{' .. table.concat(parts, ' ') .. '}'
  end
  return type(v) .. ' ' .. tostring(v)
end
local function say(...)
  for i = 1, select('#', ...) do answer[#answer + 1] = show((select(i, ...))) end
end
"""


def program(rng: Random) -> str:
    """One program's text; its reply is all that it said."""
    making = _Program(rng)
    lines = [making.statement(DEPTH_MAX) for _ in range(rng.randrange(2, STATEMENTS_MAX))]
    return _PROLOGUE + "\n".join(lines) + "\nreturn answer"
