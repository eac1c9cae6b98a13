"""What the language means, one rule each. The replies were recorded from redis-server 7.0.15."""

from collections.abc import Callable

import pytest

RULES = [
    ("a local keeps its value in its block and hides the outer one", "local x = 1 do local x = 2 end return x", 1),
    ("the right side of local x = x means the outer x", "local x = 5 local x = x + 1 return x", 6),
    (
        "missing values become nil and extra ones are dropped",
        "local a, b, c = 1, 2 local d = 3, 4 return {a, b, d, tostring(c)}",
        [1, 2, 3, b"nil"],
    ),
    (
        "a multiple assignment evaluates everything before it stores",
        "local a, b = 1, 2 a, b = b, a return {a, b}",
        [2, 1],
    ),
    (
        "keys of a multiple assignment are evaluated before it stores",
        "local i, t = 1, {} i, t[i] = i + 1, 20 return {i, t[1], tostring(t[2])}",
        [2, 20, b"nil"],
    ),
    (
        "a function returns several values",
        "local function f() return 1, 2, 3 end local a, b, c = f() return {a, b, c}",
        [1, 2, 3],
    ),
    (
        "only the last call of a list gives all its values",
        "local function f() return 1, 2, 3 end return {#{f(), f()}, #{f(), 9}, #{(f())}}",
        [4, 2, 1],
    ),
    (
        "varargs keep nils and select counts them",
        "local function f(...) return select('#', ...) end return {f(), f(nil), f(1, nil, nil)}",
        [0, 1, 3],
    ),
    (
        "varargs can be named and passed on",
        (
            "local function g(a, b) return b end local function f(...) local x = ... return x + g(...) "
            "end return f(1, 2)"
        ),
        3,
    ),
    (
        "a closure shares its variable with its sibling",
        (
            "local function make() local n = 0 return function() n = n + 1 return n end, function() "
            "return n end end\nlocal add, get = make() add() add() return get()"
        ),
        2,
    ),
    (
        "every turn of a loop has its own variable",
        (
            "local f = {} for i = 1, 3 do f[i] = function() i = i + 10 return i end end return "
            "{f[1](), f[1](), f[2](), f[3]()}"
        ),
        [11, 21, 12, 13],
    ),
    (
        "a local function may call itself",
        "local function fact(n) if n <= 1 then return 1 end return n * fact(n - 1) end return fact(10)",
        3628800,
    ),
    (
        "a method gets its table as self",
        ("local t = {n = 2} function t:times(x) self.n = self.n * x return self end return t:times(3):times(5).n"),
        30,
    ),
    ("functions may be fields of fields", "local t = {a = {}} function t.a.f(x) return x + 1 end return t.a.f(1)", 2),
    (
        "strings have their library as methods",
        "local s = 'hello' return {s:sub(2, 3), s:upper(), ('x'):rep(3), #s}",
        [b"el", b"HELLO", b"xxx", 5],
    ),
    (
        "a call may take one string or table without parentheses",
        "local function f(x) return type(x) end return {f'x', f\"y\", f[[z]], f{1}}",
        [b"string", b"string", b"string", b"table"],
    ),
    (
        "numeric for counts up, down and not at all",
        (
            "local r = {} for i = 1, 3 do r[#r + 1] = i end for i = 10, 1, -4 do r[#r + 1] = i end for "
            "i = 1, 0 do r[#r + 1] = 99 end return r"
        ),
        [1, 2, 3, 10, 6, 2],
    ),
    ("numeric for takes numeric strings", "local n = 0 for i = '1', '3' do n = n + i end return n", 6),
    (
        "numeric for with step zero and limit above never ends on its own",
        "for i = 1, 3, 0 do return 'entered' end return 'skipped'",
        b"skipped",
    ),
    (
        "while tests before, repeat tests after and sees the body's locals",
        "local n = 0 while n > 0 do n = 9 end repeat local last = n n = n + 1 until last == 3 return n",
        4,
    ),
    (
        "break leaves the innermost loop only",
        (
            "local r = {} for i = 1, 2 do for j = 1, 5 do if j == 2 then break end r[#r + 1] = i * 10 "
            "+ j end end return r"
        ),
        [11, 21],
    ),
    (
        "if takes the first branch that holds",
        (
            "local function f(x) if x < 0 then return 'neg' elseif x == 0 then return 'zero' else "
            "return 'pos' end end return {f(-1), f(0), f(1)}"
        ),
        [b"neg", b"zero", b"pos"],
    ),
    (
        "only nil and false are false",
        (
            "local r = {} for _, v in ipairs({0, '', {}}) do if v then r[#r + 1] = 1 end end if nil "
            "then r = nil end if false then r = nil end return r"
        ),
        [1, 1, 1],
    ),
    (
        "and gives its first false side, or its first true one",
        ("return {1 and 2, tostring(nil and 1), tostring(false or nil), 1 or 2, tostring(false and error('never'))}"),
        [2, b"nil", b"nil", 1, b"false"],
    ),
    (
        "not gives a boolean",
        "return {tostring(not nil), tostring(not 0), tostring(not not 1)}",
        [b"true", b"false", b"true"],
    ),
    (
        "power binds tighter than minus and to the right",
        "return {2 ^ 3 ^ 2, -2 ^ 2, 2 * 3 % 4, 1 + 2 * 3}",
        [512, -4, 2, 7],
    ),
    ("concatenation binds looser than arithmetic", "return 1 + 1 .. 2 * 2 .. ''", b"24"),
    ("comparison binds looser than concatenation", "return tostring('a' .. 'b' == 'ab')", b"true"),
    (
        "strings are numbers for arithmetic",
        "return {'10' + 5, '0x10' * 2, ' 7 ' - 1, -'3', 10 .. ''}",
        [15, 32, 6, -3, b"10"],
    ),
    (
        "strings are never numbers for equality",
        ("return {tostring(1 == '1'), tostring('1' == '1'), tostring(0 == false), tostring(nil == false)}"),
        [b"false", b"true", b"false", b"false"],
    ),
    (
        "text is ordered byte by byte, so 10 comes before 9",
        ("return {tostring('10' < '9'), tostring('Z' < 'a'), tostring('a' < 'ab'), tostring('a' < 'a\\0')}"),
        [b"true", b"true", b"true", b"true"],
    ),
    (
        "tables are equal only to themselves",
        "local t = {} return {tostring(t == t), tostring({} == {})}",
        [b"true", b"false"],
    ),
    ("modulo has the sign of its right side", "return {7 % 3, -7 % 3, 7 % -3, tostring(5.5 % 2)}", [1, 2, -2, b"1.5"]),
    (
        "division by zero gives infinities and not a number",
        "return {tostring(1 / 0), tostring(-1 / 0), tostring(0 / 0), tostring(0 / 0 == 0 / 0)}",
        [b"inf", b"-inf", b"-nan", b"false"],
    ),
    (
        "numbers print with 14 digits",
        (
            "return {tostring(1 / 3), tostring(1e15), tostring(123456789012345), tostring(0.1 + 0.2), "
            "tostring(2 ^ 53), tostring(1e100)}"
        ),
        [b"0.33333333333333", b"1e+15", b"1.2345678901234e+14", b"0.3", b"9.007199254741e+15", b"1e+100"],
    ),
    (
        "whole numbers print without a point",
        "return {tostring(5), tostring(10 / 2), tostring(1e14 / 10), tostring(-0.0)}",
        [b"5", b"5", b"10000000000000", b"-0"],
    ),
    (
        "numerals may be hexadecimal, fractions and exponents",
        "return {0xff, .5 * 4, 3., 1e2, 2E+1}",
        [255, 2, 3, 100, 20],
    ),
    ("escapes in strings", "return 'a\\n\\t\\\\\\\"\\'\\65\\065\\0z' .. \"\\q\"", b"a\n\t\\\"'AA\x00zq"),
    ("a backslash at the end of a line keeps the line end", "return 'a\\\nb'", b"a\nb"),
    ("long strings keep everything but their first line end", "return [[\na\\n]] .. [==[]]]==]", b"a\\n]]"),
    (
        "comments end with the line or the long bracket",
        "local a = 1 -- one\n--[[ two\nthree ]] local b = 2 --[==[ ]] ]==] return a + b",
        3,
    ),
    ("semicolons may end statements", "local a = 1; local b = 2; return a + b;", 3),
    (
        "a table has an array part, names and any other keys",
        (
            "local t = {10, 20, x = 1, ['y z'] = 2, [30] = 3, [1.5] = 4, [true] = 5} return {t[1], "
            "t[2], t.x, t['y z'], t[30], t[1.5], t[true]}"
        ),
        [10, 20, 1, 2, 3, 4, 5],
    ),
    (
        "positions in a constructor win over written keys",
        "local t = {[1] = 'key', 'position'} return t[1]",
        b"position",
    ),
    (
        "the keys 1 and '1' and true are three keys",
        "local t = {} t[1] = 'a' t['1'] = 'b' t[true] = 'c' return {t[1], t['1'], t[true]}",
        [b"a", b"b", b"c"],
    ),
    ("a float key that is whole is the whole key", "local t = {} t[2 / 2] = 'x' return t[1]", b"x"),
    (
        "tables and functions can be keys",
        "local k, f, t = {}, function() end, {} t[k] = 1 t[f] = 2 return {t[k], t[f], tostring(t[{}])}",
        [1, 2, b"nil"],
    ),
    (
        "length grows when the next index is set and shrinks when the last is cleared",
        "local t = {1, 2} t[3] = 3 local a = #t t[3] = nil return {a, #t}",
        [3, 2],
    ),
    (
        "filling a gap joins what lies behind it",
        "local t = {} t[3] = 'c' t[2] = 'b' t[1] = 'a' return {#t, t[1], t[2], t[3]}",
        [3, b"a", b"b", b"c"],
    ),
    ("length counts bytes of a string", "return {#'', #'abc', #'é'}", [0, 3, 2]),
    ("ipairs stops at the first nil", "local n = 0 for i, v in ipairs({1, 2, nil, 4}) do n = n + v end return n", 3),
    (
        "pairs meets every entry once",
        "local n = 0 for k, v in pairs({1, 2, nil, 4, x = 10}) do n = n + v end return n",
        17,
    ),
    (
        "entries may be cleared while pairs walks",
        "local t = {a = 1, b = 2, c = 3} for k in pairs(t) do t[k] = nil end return tostring(next(t))",
        b"nil",
    ),
    (
        "next walks without a loop and ends with nil",
        "local t = {5} local k, v = next(t) return {k, v, tostring(next(t, k))}",
        [1, 5, b"nil"],
    ),
    (
        "any function can drive a for loop",
        (
            "local function upto(n, i) if i < n then return i + 1 end end local s = 0 for i in upto, "
            "4, 0 do s = s + i end return s"
        ),
        10,
    ),
    (
        "indexing a string gives the string library",
        "return {type(('x').len), tostring(('x').nothing)}",
        [b"function", b"nil"],
    ),
    ("main chunk has empty varargs", "return select('#', ...)", 0),
    ("a script without return gives nil", "local x = 1", None),
    (
        "KEYS and ARGV are tables that a script may change",
        "KEYS[3] = 'k3' ARGV[1] = nil return {#KEYS, KEYS[3], tostring(ARGV[1])}",
        [3, b"k3", b"nil"],
    ),
    (
        "globals are also found in _G",
        "return {_G.KEYS[1], tostring(_G.string == string), tostring(_G == _G._G), _VERSION}",
        [b"k1", b"true", b"true", b"Lua 5.1"],
    ),
    (
        "constructors are evaluated in reading order",
        ("local s = '' local function f(x) s = s .. x return x end local t = {f('a'), k = f('b'), f('c')} return s"),
        b"abc",
    ),
    (
        "a deep but finite recursion works",
        "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(1000)",
        1000,
    ),
]


@pytest.mark.parametrize(("script", "reply"), [pytest.param(*rule[1:], id=rule[0]) for rule in RULES])
def test_each_rule_of_the_language_gives_redis_servers_reply(answer: Callable, script: str, reply: object) -> None:
    assert answer(script) == reply
