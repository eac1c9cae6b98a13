"""Conditions, loops, and what is true."""

RULES = [
    (
        "numeric for counts up, down and not at all",
        (
            "local r = {} for i = 1, 3 do r[#r + 1] = i end for i = 10, 1, -4 do r[#r + 1] = i end for i = 1, "
            "0 do r[#r + 1] = 99 end return r"
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
            "local r = {} for i = 1, 2 do for j = 1, 5 do if j == 2 then break end r[#r + 1] = i * 10 + j end "
            "end return r"
        ),
        [11, 21],
    ),
    (
        "if takes the first branch that holds",
        (
            "local function f(x) if x < 0 then return 'neg' elseif x == 0 then return 'zero' else return 'pos' "
            "end end return {f(-1), f(0), f(1)}"
        ),
        [b"neg", b"zero", b"pos"],
    ),
    (
        "only nil and false are false",
        (
            "local r = {} for _, v in ipairs({0, '', {}}) do if v then r[#r + 1] = 1 end end if nil then r = "
            "nil end if false then r = nil end return r"
        ),
        [1, 1, 1],
    ),
    (
        "and gives its first false side, or its first true one",
        "return {1 and 2, tostring(nil and 1), tostring(false or nil), 1 or 2, tostring(false and error('never'))}",
        [2, b"nil", b"nil", 1, b"false"],
    ),
    (
        "not gives a boolean",
        "return {tostring(not nil), tostring(not 0), tostring(not not 1)}",
        [b"true", b"false", b"true"],
    ),
    ("comparison binds looser than concatenation", "return tostring('a' .. 'b' == 'ab')", b"true"),
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
            "local function upto(n, i) if i < n then return i + 1 end end local s = 0 for i in upto, 4, 0 do s "
            "= s + i end return s"
        ),
        10,
    ),
    (
        "constructors are evaluated in reading order",
        "local s = '' local function f(x) s = s .. x return x end local t = {f('a'), k = f('b'), f('c')} return s",
        b"abc",
    ),
    ("a while loop may run not at all", "while false do return 'in' end return 'after'", b"after"),
    (
        "a for loop of fractions stops where it has passed the limit",
        "local n = 0 for i = 0, 1, 0.1 do n = n + 1 end return n",
        11,
    ),
    ("the loop variable is a copy", "local r = {} for i = 1, 3 do r[#r + 1] = i i = 10 end return r", [1, 2, 3]),
    (
        "a loop may be left by return",
        "for i = 1, 3 do for j = 1, 3 do if i * j == 4 then return {i, j} end end end",
        [2, 2],
    ),
    ("code after return in an inner block is not reached", "do return 5 end return 6", 5),
    (
        "the bounds of a for loop are evaluated once",
        "local n, r = 3, 0 for i = 1, n do n = 1 r = r + 1 end return r",
        3,
    ),
    (
        "break leaves a repeat before its condition",
        "local n = 0 repeat n = n + 1 if n == 2 then break end until false return n",
        2,
    ),
    (
        "a generic for hands state and last value to its function",
        (
            "local function step(s, v) if v < s then return v + 1, v * v end end local r = {} for i, q in "
            "step, 3, 0 do r[i] = q end return r"
        ),
        [0, 1, 4],
    ),
    (
        "a goto is no statement of Lua 5.1",
        "goto done ::done::",
        "-ERR Error compiling script (new function): user_script:1: '=' expected near 'done'",
    ),
    (
        "a label is no statement of Lua 5.1",
        "::done:: return 1",
        "-ERR Error compiling script (new function): user_script:1: unexpected symbol near ':'",
    ),
]
