"""Mistakes at run time and their texts."""

RULES = [
    (
        "arithmetic on a nil local names it",
        "local n return n + 1",
        (
            "-ERR user_script:1: attempt to perform arithmetic on local 'n' (a nil value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "arithmetic on a nil field names it",
        "local t = {} return t.count + 1",
        (
            "-ERR user_script:1: attempt to perform arithmetic on field 'count' (a nil value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "arithmetic on an unnamed key says ?",
        "return ARGV[9] * 2",
        (
            "-ERR user_script:1: attempt to perform arithmetic on field '?' (a nil value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "arithmetic on a nil upvalue names it",
        "local n local f = function() return n - 1 end local r = f() return r",
        (
            "-ERR user_script:1: attempt to perform arithmetic on upvalue 'n' (a nil value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "arithmetic on text that is no number",
        "return 'abc' + 1",
        "-ERR user_script:1: attempt to perform arithmetic on a string value script: SHA, on @user_script:1.",
    ),
    (
        "the first wrong operand is blamed",
        "local t = {} return t + nil",
        (
            "-ERR user_script:1: attempt to perform arithmetic on local 't' (a table value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "minus of a table",
        "return -{}",
        "-ERR user_script:1: attempt to perform arithmetic on a table value script: SHA, on @user_script:1.",
    ),
    (
        "concatenating nil names the variable",
        "local who return 'hello ' .. who",
        "-ERR user_script:1: attempt to concatenate local 'who' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "concatenation blames from the right",
        "local a, b return a .. 'x' .. b",
        "-ERR user_script:1: attempt to concatenate local 'b' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "concatenating a boolean",
        "return 'x' .. true",
        "-ERR user_script:1: attempt to concatenate a boolean value script: SHA, on @user_script:1.",
    ),
    (
        "length of nil",
        "local t return #t",
        "-ERR user_script:1: attempt to get length of local 't' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "length of a number",
        "return #5",
        "-ERR user_script:1: attempt to get length of a number value script: SHA, on @user_script:1.",
    ),
    (
        "indexing a nil local",
        "local t return t.x",
        "-ERR user_script:1: attempt to index local 't' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "indexing a nil field",
        "local t = {} return t.a.b",
        "-ERR user_script:1: attempt to index field 'a' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "indexing a number",
        "local n = 5 return n.x",
        "-ERR user_script:1: attempt to index local 'n' (a number value) script: SHA, on @user_script:1.",
    ),
    (
        "assigning into nil",
        "local t t.x = 1",
        "-ERR user_script:1: attempt to index local 't' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "assigning into a string",
        "local s = 'x' s.y = 1",
        "-ERR user_script:1: attempt to index local 's' (a string value) script: SHA, on @user_script:1.",
    ),
    (
        "calling a nil local",
        "local f f()",
        "-ERR user_script:1: attempt to call local 'f' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "calling a nil field",
        "local t = {} t.go()",
        "-ERR user_script:1: attempt to call field 'go' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "calling a nil method",
        "local t = {} t:go()",
        "-ERR user_script:1: attempt to call method 'go' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "calling the result of a call",
        "local function f() end f()()",
        "-ERR user_script:1: attempt to call a nil value script: SHA, on @user_script:1.",
    ),
    (
        "calling a string",
        "return ('x')()",
        "-ERR user_script:1: attempt to call a string value script: SHA, on @user_script:1.",
    ),
    (
        "a nil key cannot be set",
        "local t = {} t[nil] = 1",
        "-ERR user_script:1: table index is nil script: SHA, on @user_script:1.",
    ),
    (
        "a NaN key cannot be set",
        "local t = {} t[0 / 0] = 1",
        "-ERR user_script:1: table index is NaN script: SHA, on @user_script:1.",
    ),
    (
        "a nil key in a constructor",
        "return {[nil] = 1}",
        "-ERR user_script:1: table index is nil script: SHA, on @user_script:1.",
    ),
    (
        "for needs numbers: start",
        "for i = {}, 1 do end",
        "-ERR user_script:1: 'for' initial value must be a number script: SHA, on @user_script:1.",
    ),
    (
        "for needs numbers: limit",
        "for i = 1, 'x' do end",
        "-ERR user_script:1: 'for' limit must be a number script: SHA, on @user_script:1.",
    ),
    (
        "for needs numbers: step",
        "for i = 1, 2, {} do end",
        "-ERR user_script:1: 'for' step must be a number script: SHA, on @user_script:1.",
    ),
    (
        "a for loop over nil",
        "for k in nil do end",
        "-ERR user_script:1: attempt to call a nil value script: SHA, on @user_script:1.",
    ),
    (
        "pairs of nil",
        "for k in pairs(nil) do end",
        "-ERR user_script:1: bad argument #1 to 'pairs' (table expected, got nil) script: SHA, on @user_script:1.",
    ),
    (
        "ipairs of nothing",
        "for k in ipairs() do end",
        (
            "-ERR user_script:1: bad argument #1 to 'ipairs' (table expected, got no value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "the generator's argument error has its own name",
        "for k in next, nil do end",
        (
            "-ERR user_script:1: bad argument #1 to '(for generator)' (table expected, got nil) script: SHA, "
            "on @user_script:1."
        ),
    ),
    ("error adds the position", "error('boom')", "-ERR user_script:1: boom script: SHA, on @user_script:1."),
    ("error with level 0 adds none", "error('boom', 0)", "-ERR boom script: SHA, on @user_script:1."),
    (
        "error with level 2 names the caller's line",
        "local function check() error('boom', 2) end\n\ncheck()",
        "-ERR user_script:3: boom script: SHA, on @user_script:1.",
    ),
    ("error without value", "error()", "-ERR nil script: SHA, on @user_script:1."),
    ("error with a boolean", "error(true)", "-ERR true script: SHA, on @user_script:1."),
    ("error with a number", "error(42)", "-ERR user_script:1: 42 script: SHA, on @user_script:1."),
    (
        "error with an err table is taken as it is",
        "error({err = 'MYCODE it failed'})",
        "-MYCODE it failed script: SHA, on @user_script:1.",
    ),
    (
        "the line of the failing function is reported",
        "local function f()\n  local x\n  return x.y\nend\n\nlocal r = f()\nreturn r",
        "-ERR user_script:3: attempt to index local 'x' (a nil value) script: SHA, on @user_script:3.",
    ),
    (
        "assert with a message",
        "assert(false, 'must hold')",
        "-ERR user_script:1: must hold script: SHA, on @user_script:1.",
    ),
    (
        "assert without a message",
        "assert(nil)",
        "-ERR user_script:1: assertion failed! script: SHA, on @user_script:1.",
    ),
    ("assert passes its values on", "return {assert(1, 2, 3)}", [1, 2, 3]),
    (
        "endless recursion is a stack overflow",
        "local function f() return 1 + f() end return f()",
        "-ERR user_script:1: stack overflow script: SHA, on @user_script:1.",
    ),
    (
        "recursion through a library function overflows too",
        "local function f(s) return (s:gsub('.', f)) end return f('x')",
        "-ERR C stack overflow script: SHA, on @user_script:1.",
    ),
    (
        "an argument error counts without self for methods",
        "return ('x'):rep({})",
        "-ERR user_script:1: bad argument #1 to 'rep' (number expected, got table) script: SHA, on @user_script:1.",
    ),
    (
        "an argument error of a renamed function has the name of the call",
        "local repeated = string.rep return repeated('x')",
        (
            "-ERR user_script:1: bad argument #2 to 'repeated' (number expected, got no value) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "an error table that is returned is an error reply",
        "redis.call('SET', KEYS[1], 'x') return redis.pcall('INCR', KEYS[1])",
        "-ERR value is not an integer or out of range",
        {"k1": b"x"},
    ),
    (
        "a key with a zero byte is cut in the text",
        "local t = {} return t['a\\0b'].c",
        "-ERR user_script:1: attempt to index field 'a' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "an error of several lines becomes one",
        "error('multi\\nline')",
        "-ERR user_script:1: multi line script: SHA, on @user_script:1.",
    ),
    (
        "level 3 names the caller's caller",
        "local function a() error('deep', 3) end local function b() a() end\nb()",
        "-ERR user_script:2: deep script: SHA, on @user_script:1.",
    ),
    ("a negative level adds no position", "error('bare', -1)", "-ERR bare script: SHA, on @user_script:1."),
    ("a number as err is taken as a text", "error({err = 5})", "-5 script: SHA, on @user_script:1."),
    (
        "assert wants a value",
        "assert()",
        "-ERR user_script:1: bad argument #1 to 'assert' (value expected) script: SHA, on @user_script:1.",
    ),
    (
        "assert takes text only as its message",
        "assert(false, {})",
        (
            "-ERR user_script:1: bad argument #2 to 'assert' (string expected, got table) script: SHA, on "
            "@user_script:1."
        ),
    ),
    (
        "a zero byte ends the text of an error",
        "error('a\\0b')",
        "-ERR user_script:1: a script: SHA, on @user_script:1.",
    ),
    (
        "a left side that the compiler knows does not hide the name",
        "local t return (1 and t).x",
        "-ERR user_script:1: attempt to index local 't' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "a left side that is known to be false does not hide the name",
        "return -(nil or KEYS)",
        (
            "-ERR user_script:1: attempt to perform arithmetic on global 'KEYS' (a table value) script: SHA, "
            "on @user_script:1."
        ),
    ),
    (
        "a left side that is computed hides the name",
        "return -(KEYS and KEYS)",
        "-ERR user_script:1: attempt to perform arithmetic on a table value script: SHA, on @user_script:1.",
    ),
    (
        "a sum of numbers is known to the compiler",
        "return #((2 * 3) and KEYS.x)",
        "-ERR user_script:1: attempt to get length of field 'x' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "a comparison of numbers is not",
        "return #((1 == 1) and KEYS.x)",
        "-ERR user_script:1: attempt to get length of a nil value script: SHA, on @user_script:1.",
    ),
    (
        "known sides may hide behind one another",
        "return #(1 and not nil and KEYS.x)",
        "-ERR user_script:1: attempt to get length of field 'x' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "a value behind two operators is called by its name where the first jump leads to it",
        "return #((KEYS or nil) and KEYS.x)",
        "-ERR user_script:1: attempt to get length of field 'x' (a nil value) script: SHA, on @user_script:1.",
    ),
    (
        "and has none where the first jump leads past it",
        "return #((KEYS and 1) and KEYS.x)",
        "-ERR user_script:1: attempt to get length of a nil value script: SHA, on @user_script:1.",
    ),
    (
        "not turns the jumps around",
        "return #(not (KEYS and 1) or KEYS.x)",
        "-ERR user_script:1: attempt to get length of a nil value script: SHA, on @user_script:1.",
    ),
    (
        "what is no number is not computed beforehand",
        "return #((0 / 0) and KEYS.x)",
        "-ERR user_script:1: attempt to get length of a nil value script: SHA, on @user_script:1.",
    ),
    (
        "a number behind a constant is computed with",
        "return #(-(1 and 2) and KEYS.x)",
        "-ERR user_script:1: attempt to get length of field 'x' (a nil value) script: SHA, on @user_script:1.",
    ),
]
