"""Locals, assignments, functions, closures, varargs and methods."""

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
            "local function g(a, b) return b end local function f(...) local x = ... return x + g(...) end "
            "return f(1, 2)"
        ),
        3,
    ),
    (
        "a closure shares its variable with its sibling",
        (
            "local function make() local n = 0 return function() n = n + 1 return n end, function() return n "
            "end end\n"
            "local add, get = make() add() add() return get()"
        ),
        2,
    ),
    (
        "every turn of a loop has its own variable",
        (
            "local f = {} for i = 1, 3 do f[i] = function() i = i + 10 return i end end return {f[1](), "
            "f[1](), f[2](), f[3]()}"
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
        "local t = {n = 2} function t:times(x) self.n = self.n * x return self end return t:times(3):times(5).n",
        30,
    ),
    ("functions may be fields of fields", "local t = {a = {}} function t.a.f(x) return x + 1 end return t.a.f(1)", 2),
    (
        "a call may take one string or table without parentheses",
        "local function f(x) return type(x) end return {f'x', f\"y\", f[[z]], f{1}}",
        [b"string", b"string", b"string", b"table"],
    ),
    ("main chunk has empty varargs", "return select('#', ...)", 0),
    ("a script without return gives nil", "local x = 1", None),
    (
        "a deep but finite recursion works",
        "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(1000)",
        1000,
    ),
    ("select gives the rest from a position", "return {select(2, 'a', 'b', 'c')}", [b"b", b"c"]),
    ("select counts from the end for negative positions", "return {select(-1, 'a', 'b', 'c')}", [b"c"]),
    (
        "select refuses position zero",
        "return select(0, 1)",
        "-ERR user_script:1: bad argument #1 to 'select' (index out of range) script: SHA, on @user_script:1.",
    ),
    ("unpack gives a table's values", "return {unpack({1, 2, 3})}", [1, 2, 3]),
    ("unpack takes a range", "return {unpack({1, 2, 3, 4}, 2, 3)}", [2, 3]),
    (
        "unpack refuses too many",
        "return {unpack({}, 1, 1e6)}",
        "-ERR user_script:1: too many results to unpack script: SHA, on @user_script:1.",
    ),
    (
        "rawequal, rawget and rawset work on plain tables",
        (
            "local t = {} rawset(t, 'a', 1) return {rawget(t, 'a'), tostring(rawequal(t, t)), "
            "tostring(rawequal('1', 1))}"
        ),
        [1, b"true", b"false"],
    ),
    (
        "a function that declares varargs and does not use them finds them in arg",
        "local function f(a, ...) return {a, arg.n, arg[1], arg[2]} end return f('x', 'y', 'z')",
        [b"x", 2, b"y", b"z"],
    ),
    (
        "a function that uses its varargs has no arg",
        "local function f(...) return {tostring(arg), (...)} end return f(7)",
        [b"nil", 7],
    ),
    ("arg hides a parameter of its name", "local function f(arg, ...) return type(arg) end return f(5)", b"table"),
    (
        "inner functions find arg too",
        "local function f(...) return (function() return arg[1] end)() end return f('deep')",
        b"deep",
    ),
    (
        "the script itself has varargs and no arg",
        "return arg",
        (
            "-ERR user_script:1: Script attempted to access nonexistent global variable 'arg' script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "a table of varargs keeps what comes before the first nil",
        "local function f(...) local t = {...} return {#t, select('#', ...)} end return f(1, 2, 3)",
        [3, 3],
    ),
    (
        "a call in the middle of arguments gives one value",
        "local function two() return 1, 2 end return {select('#', two(), two()), select('#', (two()))}",
        [3, 1],
    ),
    (
        "extra arguments are dropped and missing ones are nil",
        "local function f(a, b) return {tostring(a), tostring(b)} end return {f(1, 2, 3), f(1)}",
        [[b"1", b"2"], [b"1", b"nil"]],
    ),
    (
        "two closures of one call share, of two calls do not",
        (
            "local function make() local n = 0 return function() n = n + 1 return n end end local a, b = "
            "make(), make() a() a() return {a(), b()}"
        ),
        [3, 1],
    ),
    (
        "functions see a local that is assigned later",
        "local f local function g() return f() end f = function() return 'late' end return g()",
        b"late",
    ),
    (
        "functions are equal only to themselves",
        "local function f() end local function g() end return {f == f, f == g}",
        [1, None],
    ),
    (
        "select with a negative position beyond the first",
        "return select(-5, 1)",
        "-ERR user_script:1: bad argument #1 to 'select' (index out of range) script: SHA, on @user_script:1.",
    ),
    (
        "select wants a number or a hash sign",
        "return select('x', 1)",
        (
            "-ERR user_script:1: bad argument #1 to 'select' (number expected, got string) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "unpack takes nils inside its range",
        "return {select('#', unpack({1, nil, 3}, 1, 3)), select('#', unpack({}, 1, 5)), unpack({1, 2}, 0, 1)}",
        [3, 5],
    ),
    (
        "select counts for any text that begins with a hash sign",
        "return {select('#', 1, 2), select('#x', 1, 2)}",
        [2, 2],
    ),
]
