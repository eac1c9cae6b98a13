"""`pcall`, `xpcall` and what they give."""

RULES = [
    (
        "an error in an anonymous function called through pcall keeps its line",
        "local ok, e = pcall(function()\n  error('inner')\nend)\nreturn e",
        b"user_script:2: inner",
    ),
    (
        "endless recursion can be caught",
        "local function f() return 1 + f() end local ok, e = pcall(f) return {tostring(ok), e}",
        [b"false", b"user_script:1: stack overflow"],
    ),
    (
        "pcall gives the text of an error with its position",
        "local ok, e = pcall(function() local t return t.x end) return {tostring(ok), e}",
        [b"false", b"user_script:1: attempt to index local 't' (a nil value)"],
    ),
    ("pcall gives any thrown value", "local ok, e = pcall(error, {code = 7}) return e.code", 7),
    (
        "pcall turns an err table into its text",
        "local ok, e = pcall(error, {err = 'X y'}) return {type(e), e}",
        [b"string", b"X y"],
    ),
    ("pcall of no function", "local ok, e = pcall(5) return e", b"attempt to call a number value"),
    ("pcall of nothing", "return {pcall()}", [None, b"attempt to call a boolean value"]),
    ("pcall returns all results", "return {pcall(function(...) return ... end, 1, 2)}", [1, 1, 2]),
    (
        "xpcall gives the error to its handler",
        "local ok, e = xpcall(function() error('x') end, function(m) return 'handled ' .. m end) return e",
        b"handled user_script:1: x",
    ),
    (
        "a handler that fails itself",
        "return {xpcall(function() error('x') end, function(m) error('y') end)}",
        [None, b"error in error handling"],
    ),
    (
        "an argument error under pcall has no name",
        "return {pcall(string.rep)}",
        [None, b"bad argument #1 to '?' (string expected, got no value)"],
    ),
    (
        "pcall of an error table without text gives a third value",
        (
            "local a, b, c = pcall(error, {code = 7}) return {tostring(a), b.code, tostring(c), select('#', "
            "pcall(error, {code = 7}))}"
        ),
        [b"false", 7, b"nil", 3],
    ),
    ("pcall turns a number as err into its value", "return {pcall(error, {err = 5})}", [None, 5]),
    (
        "an inner pcall leaves the outer one unaware",
        "return {pcall(function() local ok = pcall(error, 'inner') return ok and 1 or 'caught' end)}",
        [1, b"caught"],
    ),
    (
        "the results before an error are lost",
        (
            "local ok, a, b = pcall(function() local t = {1, 2} return t[1], t.x.y end) return {tostring(ok), "
            "a, tostring(b)}"
        ),
        [b"false", b"user_script:1: attempt to index field 'x' (a nil value)", b"nil"],
    ),
    ("a caught text has every byte", "return {pcall(error, 'a\\0b', 0)}", [None, b"a\x00b"]),
    ("a zero byte ends the message of assert", "return {pcall(assert, false, 'a\\0b')}", [None, b"a"]),
]
