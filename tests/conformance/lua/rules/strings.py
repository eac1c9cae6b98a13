"""String literals, operators on text, and the string library without patterns and formats."""

RULES = [
    (
        "strings have their library as methods",
        "local s = 'hello' return {s:sub(2, 3), s:upper(), ('x'):rep(3), #s}",
        [b"el", b"HELLO", b"xxx", 5],
    ),
    ("concatenation binds looser than arithmetic", "return 1 + 1 .. 2 * 2 .. ''", b"24"),
    ("escapes in strings", "return 'a\\n\\t\\\\\\\"\\'\\65\\065\\0z' .. \"\\q\"", b"a\n\t\\\"'AA\x00zq"),
    ("a backslash at the end of a line keeps the line end", "return 'a\\\nb'", b"a\nb"),
    ("long strings keep everything but their first line end", "return [[\na\\n]] .. [==[]]]==]", b"a\\n]]"),
    ("length counts bytes of a string", "return {#'', #'abc', #'é'}", [0, 3, 2]),
    (
        "indexing a string gives the string library",
        "return {type(('x').len), tostring(('x').nothing)}",
        [b"function", b"nil"],
    ),
    (
        "string.sub counts from both ends",
        (
            "return {('hello'):sub(2), ('hello'):sub(-3), ('hello'):sub(2, -2), ('hello'):sub(0), "
            "('hello'):sub(4, 2), ('hello'):sub(-100, 2)}"
        ),
        [b"ello", b"llo", b"ell", b"hello", b"", b"he"],
    ),
    (
        "string.byte and string.char",
        "return {('ABC'):byte(), ('ABC'):byte(-1), string.char(72, 105), #string.char()}",
        [65, 67, b"Hi", 0],
    ),
    (
        "string.char refuses what is no byte",
        "return string.char(256)",
        "-ERR user_script:1: bad argument #1 to 'char' (invalid value) script: SHA, on @user_script:1.",
    ),
    ("string.rep with zero or less is empty", "return {('x'):rep(3), ('x'):rep(0), ('x'):rep(-1)}", [b"xxx", b"", b""]),
    (
        "string.upper, lower, reverse and len",
        "return {('aBc'):upper(), ('aBc'):lower(), ('abc'):reverse(), ('abc'):len()}",
        [b"ABC", b"abc", b"cba", 3],
    ),
    ("string.rep knows no separator", "return ('x'):rep(3, ',')", b"xxx"),
    (
        "string.byte outside the text gives nothing",
        "return {select('#', ('abc'):byte(10)), select('#', ('abc'):byte(0)), select('#', ('abc'):byte(1, -1))}",
        [0, 0, 3],
    ),
    (
        "positions are cut to integers and may be text",
        "return {string.sub('hello', 2.9), string.sub('hello', '2', '3')}",
        [b"ello", b"el"],
    ),
    (
        "a position beyond any text",
        "return {('hello'):sub(2 ^ 53), ('hello'):sub(1, 2 ^ 53), ('hello'):sub(-2 ^ 53, 1)}",
        [b"", b"hello", b"h"],
    ),
    (
        "upper and lower leave bytes beyond ASCII alone",
        "return {('héß'):upper(), ('HÉ'):lower()}",
        [b"H\xc3\xa9\xc3\x9f", b"h\xc3\x89"],
    ),
    (
        "a number is text for the string library",
        "return {string.reverse(123), string.len(0.5), (5 .. ''):rep(2)}",
        [b"321", 3, b"55"],
    ),
    ("escapes of Lua 5.2 are letters", "return '\\x41\\u\\z'", b"x41uz"),
    ("every escape of one letter", "return '\\a\\b\\f\\n\\r\\t\\v'", b"\x07\x08\x0c\n\r\t\x0b"),
    ("a decimal escape takes at most three digits", "return '\\0001\\65\\1'", b"\x001A\x01"),
    ("a long string may hold the closing of another level", "return [==[a]]b]=]c]==]", b"a]]b]=]c"),
    (
        "string.char of nothing and of text",
        "return {string.char(), string.char('65'), string.char(65.7)}",
        [b"", b"A", b"A"],
    ),
    (
        "string.char refuses negative numbers",
        "return string.char(-1)",
        "-ERR user_script:1: bad argument #1 to 'char' (invalid value) script: SHA, on @user_script:1.",
    ),
    ("string.len counts zero bytes", "return {#'a\\0b', string.len('\\0'), ('a\\0b'):upper()}", [3, 1, b"A\x00B"]),
    (
        "calling a method that strings do not have",
        "return ('x'):bad()",
        "-ERR user_script:1: attempt to call method 'bad' (a nil value) script: SHA, on @user_script:1.",
    ),
]
